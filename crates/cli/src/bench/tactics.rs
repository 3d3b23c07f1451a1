//! `azulejo bench tactics`: positions with a single best move, and how soon the engine finds it.

use super::{eval_parser, positions};
use crate::Answer;
use anyhow::Context;
use azulejo_engine::{Engine, EvalKind, Info, Limits, Options, Stop};
use azulejo_rules::{Move, Position};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};
use std::io::Write;
use std::time::Duration;

/// Solve test positions with a single best move, known from exact search to the end of the game.
///
/// Uses full strength, one thread and default options. The time reported for a position is when the
/// engine settled on its move. Exits with 1 if a position is not solved.
///
/// Example: azulejo bench tactics --positions 3 --eval classic
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Time limit per position, in milliseconds.
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=3_600_000))]
    time: u64,
    /// Node limit per position, instead of a time limit.
    #[arg(long, conflicts_with = "time")]
    nodes: Option<u64>,
    /// Use only the first N positions.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    positions: Option<u32>,
    /// The evaluation.
    #[arg(long, value_parser = eval_parser(), default_value = EvalKind::Learned.name())]
    eval: EvalKind,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// The result of one position.
struct Attempt {
    position: Position,
    best: Move,
    played: Move,
    is_solved: bool,
    /// When the search settled on the move it played, and the nodes until then.
    since: Duration,
    nodes: u64,
    /// Whether the rest of the round was searched completely.
    exact: bool,
    /// Whether the game ends with this round on every line that matters.
    proved: bool,
}

impl Attempt {
    fn ms(&self) -> f64 {
        self.since.as_secs_f64() * 1e3
    }

    fn json(&self) -> Value {
        json!({
            "position": self.position.to_string(),
            "best": self.best.to_string(),
            "played": self.played.to_string(),
            "solved": self.is_solved,
            "ms": self.ms(),
            "nodes": self.nodes,
            "exact": self.exact,
            "proved": self.proved,
        })
    }
}

pub(crate) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<Answer> {
    let mut tactics = positions::tactics()?;
    tactics.truncate(args.positions.map_or(usize::MAX, |n| n as usize));
    let limits = match args.nodes {
        Some(_) => Limits { nodes: args.nodes, ..Limits::default() },
        None => Limits { time: Some(Duration::from_millis(args.time)), ..Limits::default() },
    };
    let progress = ProgressBar::new(tactics.len() as u64);
    progress.set_style(ProgressStyle::with_template(
        "{wide_bar} {human_pos}/{human_len} positions, {eta} left",
    )?);
    let mut engine = Engine::new(Options { eval: args.eval, ..Options::default() });
    let mut attempts = Vec::new();
    for tactic in &tactics {
        attempts.push(attempt(&mut engine, tactic, &limits)?);
        progress.inc(1);
    }
    progress.finish_and_clear();
    let (n, n_solved) = (attempts.len(), attempts.iter().filter(|a| a.is_solved).count());
    if args.json {
        let report = json!({
            "positions": n,
            "solved": n_solved,
            "eval": args.eval.name(),
            "tactics": attempts.iter().map(Attempt::json).collect::<Vec<_>>(),
        });
        writeln!(out, "{report}")?;
    } else {
        print_table(&attempts, out)?;
        let slowest = attempts.iter().filter(|a| a.is_solved).map(Attempt::ms).fold(0.0, f64::max);
        writeln!(out, "{n_solved} of {n} solved, the slowest after {slowest:.0} ms")?;
    }
    Ok(if n_solved == n { Answer::Yes } else { Answer::No })
}

fn attempt(
    engine: &mut Engine,
    tactic: &positions::Tactic,
    limits: &Limits,
) -> anyhow::Result<Attempt> {
    let positions::Tactic { position, best } = *tactic;
    engine.new_game();
    let mut since: Option<(Move, Duration, u64)> = None;
    let answer = engine.search(&position, limits, &Stop::new(), &mut |info: &Info| {
        let first = info.pv.first().copied();
        if let Some(m) = first.filter(|&m| since.is_none_or(|(last, ..)| last != m)) {
            since = Some((m, info.time, info.nodes));
        }
    });
    let answer = answer.context("there is nothing to search")?;
    let at_the_end = (answer.best, answer.info.time, answer.info.nodes);
    let (_, since, nodes) = since.filter(|&(m, ..)| m == answer.best).unwrap_or(at_the_end);
    // Equal factories make different texts of the same move: compare the resulting positions.
    let hash_after = |m: Move| {
        let mut next = position;
        next.play(m).map(|()| next.hash_key())
    };
    let is_solved = hash_after(answer.best)? == hash_after(best)?;
    let Info { exact, proved, .. } = answer.info;
    Ok(Attempt { position, best, played: answer.best, is_solved, since, nodes, exact, proved })
}

fn print_table(attempts: &[Attempt], out: &mut impl Write) -> anyhow::Result<()> {
    writeln!(out, "solved  played  best        ms      nodes  position")?;
    for attempt in attempts {
        let Attempt { position, best, played, is_solved, nodes, .. } = attempt;
        let word = if *is_solved { "yes" } else { "no" };
        writeln!(
            out,
            "{word:<6}  {played:<6}  {best:<6} {:>7.1} {nodes:>10}  {position}",
            attempt.ms()
        )?;
    }
    Ok(())
}
