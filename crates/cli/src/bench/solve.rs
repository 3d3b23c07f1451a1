//! `azulejo bench solve`: how many plies before its end a round is solved exactly, by time limit.
//!
//! Each position is searched once with the longest limit. The time at which its solution was
//! reported says whether a shorter limit would have been enough.

use super::{eval_parser, positions};
use crate::Answer;
use anyhow::Context;
use azulejo_engine::{Engine, EvalKind, Info, Limits, Options, Stop};
use azulejo_rules::Position;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};
use std::io::Write;
use std::time::Duration;

/// Measure how many plies before its end a round is solved.
///
/// Searches every drafting position of 60 rounds of two-player games. A position is solved when the
/// rest of its round was searched completely. Plies to go are counted in the round as it was
/// played. Uses one thread and default options.
///
/// Example: azulejo bench solve --times 2,10 --rounds 2
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The time limits to compare, in milliseconds.
    #[arg(long, value_delimiter = ',', default_values_t = [20, 100, 1000],
          value_parser = clap::value_parser!(u64).range(1..=3_600_000))]
    times: Vec<u64>,
    /// Use only the first N rounds.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: Option<u32>,
    /// The evaluation.
    #[arg(long, value_parser = eval_parser(), default_value = EvalKind::Learned.name())]
    eval: EvalKind,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// A position and the result of each time limit.
struct Solved {
    plies: usize,
    is_start: bool,
    by_time: Vec<Reached>,
}

/// The state of a search at a time limit.
#[derive(Clone, Copy, Default)]
struct Reached {
    depth: u32,
    exact: bool,
}

pub(crate) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<Answer> {
    let mut rounds = positions::rounds()?;
    rounds.truncate(args.rounds.map_or(usize::MAX, |n| n as usize));
    let mut times = args.times.clone();
    times.sort_unstable();
    times.dedup();
    let progress = ProgressBar::new(rounds.iter().map(|round| round.moves.len() as u64).sum());
    progress.set_style(ProgressStyle::with_template(
        "{wide_bar} {human_pos}/{human_len} positions, {eta} left",
    )?);
    let mut engine = Engine::new(Options { eval: args.eval, ..Options::default() });
    let mut solved = Vec::new();
    for round in &rounds {
        let mut position = round.start;
        for (i, &m) in round.moves.iter().enumerate() {
            solved.push(Solved {
                plies: round.moves.len() - i,
                is_start: i == 0,
                by_time: solve(&mut engine, &position, &times)?,
            });
            progress.inc(1);
            position.play(m).with_context(|| format!("{m} is not legal in {position}"))?;
        }
    }
    progress.finish_and_clear();
    let rows = rows(&solved, times.len());
    let columns: Vec<Column> =
        times.iter().enumerate().map(|(i, &ms)| Column::new(ms, i, &solved, &rows)).collect();
    if args.json {
        let rows: Vec<Value> = rows.iter().map(Row::json).collect();
        let report = json!({
            "rounds": rounds.len(),
            "positions": solved.len(),
            "eval": args.eval.name(),
            "times": columns.iter().map(Column::json).collect::<Vec<_>>(),
            "by_plies": rows,
        });
        writeln!(out, "{report}")?;
    } else {
        let (n, name) = (rounds.len(), args.eval.name());
        writeln!(out, "{n} rounds, {} positions, {name} evaluation", solved.len())?;
        print_table(&rows, &columns, out)?;
    }
    Ok(Answer::Yes)
}

/// Searches a position with the longest time limit.
fn solve(engine: &mut Engine, position: &Position, times: &[u64]) -> anyhow::Result<Vec<Reached>> {
    engine.new_game();
    let longest = times.last().copied().map(Duration::from_millis);
    let limits = Limits { time: longest, ..Limits::default() };
    let mut by_time = vec![Reached::default(); times.len()];
    engine
        .search(position, &limits, &Stop::new(), &mut |info: &Info| {
            for (reached, &ms) in by_time.iter_mut().zip(times) {
                if info.time <= Duration::from_millis(ms) {
                    *reached = Reached { depth: info.depth, exact: info.exact };
                }
            }
        })
        .context("there is nothing to search")?;
    Ok(by_time)
}

/// All positions with the same number of plies to go.
struct Row {
    plies: usize,
    n_positions: usize,
    /// The number solved, by time limit.
    n_solved: Vec<usize>,
}

impl Row {
    fn json(&self) -> Value {
        let Row { plies, n_positions, n_solved } = self;
        json!({ "plies": plies, "positions": n_positions, "solved": n_solved })
    }
}

fn rows(solved: &[Solved], n_times: usize) -> Vec<Row> {
    let longest = solved.iter().map(|solved| solved.plies).max().unwrap_or(0);
    let row = |plies: usize| {
        let mut row = Row { plies, n_positions: 0, n_solved: vec![0; n_times] };
        for solved in solved.iter().filter(|solved| solved.plies == plies) {
            row.n_positions += 1;
            for (n, reached) in row.n_solved.iter_mut().zip(&solved.by_time) {
                *n += usize::from(reached.exact);
            }
        }
        row
    };
    (1..=longest).map(row).collect()
}

/// The summary for one time limit.
struct Column {
    ms: u64,
    /// The largest number of plies to go up to which at least half of the positions are solved.
    half_solved: usize,
    /// The share of rounds that are solved at their start.
    start_solved: f64,
    /// The median depth there.
    start_depth: u32,
}

impl Column {
    fn new(ms: u64, time: usize, solved: &[Solved], rows: &[Row]) -> Column {
        let is_half_solved = |row: &&Row| 2 * row.n_solved[time] >= row.n_positions;
        let starts = solved.iter().filter(|solved| solved.is_start);
        let starts: Vec<Reached> = starts.map(|solved| solved.by_time[time]).collect();
        let n_exact = starts.iter().filter(|reached| reached.exact).count();
        let mut depths: Vec<u32> = starts.iter().map(|reached| reached.depth).collect();
        depths.sort_unstable();
        Column {
            ms,
            half_solved: rows.iter().take_while(is_half_solved).count(),
            start_solved: n_exact as f64 / starts.len() as f64,
            start_depth: depths[depths.len() / 2],
        }
    }

    fn json(&self) -> Value {
        json!({
            "ms": self.ms,
            "half_solved": self.half_solved,
            "start_solved": self.start_solved,
            "start_depth": self.start_depth,
        })
    }
}

fn print_table(rows: &[Row], columns: &[Column], out: &mut impl Write) -> anyhow::Result<()> {
    let mut line = |label: &str, cells: Vec<String>| {
        let cells: String = cells.iter().map(|cell| format!("{cell:>10}")).collect();
        writeln!(out, "{label:<26}{cells}")
    };
    let each = |cell: fn(&Column) -> String| columns.iter().map(cell).collect();
    line("plies to go   positions", each(|column| format!("{} ms", column.ms)))?;
    for Row { plies, n_positions, n_solved } in rows {
        let percent = |&n: &usize| format!("{:.0} %", 100.0 * n as f64 / *n_positions as f64);
        let label = format!("{plies:>11}   {n_positions:>9}");
        line(&label, n_solved.iter().map(percent).collect())?;
    }
    line("half are solved up to", each(|column| format!("{} plies", column.half_solved)))?;
    let start_solved = each(|column| format!("{:.0} %", 100.0 * column.start_solved));
    line("solved at the start", start_solved)?;
    line("median depth at the start", each(|column| column.start_depth.to_string()))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A position whose search reached depth 10 × `plies` and was exact or not at each limit.
    fn solved(plies: usize, is_start: bool, exact: [bool; 2]) -> Solved {
        let by_time = exact.iter().map(|&exact| Reached { depth: 10 * plies as u32, exact });
        Solved { plies, is_start, by_time: by_time.collect() }
    }

    #[test]
    fn half_solved_counts_from_the_end_of_the_round() {
        let solved = [
            solved(1, false, [true, true]),
            solved(1, false, [true, true]),
            solved(2, false, [false, true]),
            solved(2, false, [true, true]),
            solved(3, true, [false, false]),
            solved(3, false, [false, true]),
            // A solved position beyond an unsolved row does not count.
            solved(4, true, [false, false]),
            solved(5, true, [true, true]),
        ];
        let rows = rows(&solved, 2);
        let counts: Vec<_> =
            rows.iter().map(|r| (r.plies, r.n_positions, &r.n_solved[..])).collect();
        assert_eq!(counts[1], (2, 2, &[1, 2][..]));
        assert_eq!(counts[3], (4, 1, &[0, 0][..]));
        let columns = [0, 1].map(|time| Column::new(20, time, &solved, &rows));
        assert_eq!(columns.each_ref().map(|column| column.half_solved), [2, 3]);
        assert_eq!(columns[0].start_depth, 40);
        assert!((columns[0].start_solved - 1.0 / 3.0).abs() < 1e-9);
    }
}
