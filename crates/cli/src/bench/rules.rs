//! `azulejo bench rules`: uniformly random games on one thread, the reference implementation for
//! comparison, and the operations a search uses.

use super::parts;
use super::rng::Rng;
use crate::Answer;
use azulejo_rules::{Move, Players, Position, Rules, Seat, WallKind};
use serde_json::{Value, json};
use std::io::Write;
use std::time::{Duration, Instant};

/// Play random games as fast as possible, in every variant, on one thread.
///
/// Under random play the official game for two has about 70.2 moves, 6.6 rounds and a mean score of
/// 2.9: a cheap check of the rules. Times depend on the machine and its load; to compare machines,
/// use the speed relative to the reference implementation, measured in the same run.
///
/// Example: azulejo bench rules --official
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Seconds to measure for each row.
    #[arg(long, default_value_t = 0.5, value_parser = seconds)]
    seconds: f64,
    /// Play exactly this number of games per row, always the same ones (for counting
    /// instructions).
    #[arg(long, conflicts_with = "seconds", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    games: Option<u64>,
    /// Only games for this number of players.
    #[arg(short, long, value_parser = clap::value_parser!(u8).range(2..=4))]
    players: Option<u8>,
    /// Only the official game on the colored wall; skip the reference and the operations.
    #[arg(long)]
    official: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.01..=600.0).contains(&seconds) => Ok(seconds),
        _ => Err("expected a number of seconds from 0.01 to 600".to_owned()),
    }
}

/// When to stop a measurement.
#[derive(Clone, Copy)]
pub(crate) enum Until {
    Time(Duration),
    Games(u64),
}

/// Totals over random games.
#[derive(Default)]
pub(crate) struct Figures {
    pub(crate) n_games: u64,
    pub(crate) n_moves: u64,
    pub(crate) n_rounds: u64,
    pub(crate) score_sum: u64,
    pub(crate) seconds: f64,
}

impl Figures {
    pub(crate) fn ns_per_move(&self) -> f64 {
        self.seconds * 1e9 / self.n_moves as f64
    }

    fn json(&self, rules: &Rules) -> Value {
        json!({
            "rules": rules.to_string(),
            "games_per_second": self.n_games as f64 / self.seconds,
            "moves_per_second": self.n_moves as f64 / self.seconds,
            "ns_per_move": self.ns_per_move(),
            "moves_per_game": self.n_moves as f64 / self.n_games as f64,
            "rounds_per_game": self.n_rounds as f64 / self.n_games as f64,
            "mean_score": self.mean_score(rules.players()),
        })
    }

    fn mean_score(&self, players: Players) -> f64 {
        self.score_sum as f64 / (self.n_games as f64 * players.count() as f64)
    }
}

pub(crate) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<Answer> {
    let until = match args.games {
        Some(n) => Until::Games(n),
        None => Until::Time(Duration::from_secs_f64(args.seconds)),
    };
    let mut rows = Vec::new();
    if !args.json {
        writeln!(
            out,
            "Position: {} bytes, Move: {} bytes",
            size_of::<Position>(),
            size_of::<Move>()
        )?;
        writeln!(out, "rules   games/s  million moves/s  ns/move  moves/game  rounds  score")?;
    }
    if let Until::Time(_) = until {
        // Warm up: an idle processor takes a moment to reach full speed.
        random_games(&Rules::official(Players::Two), Until::Time(Duration::from_millis(300)));
    }
    for rules in variants(args) {
        let figures = random_games(&rules, until);
        if args.json {
            rows.push(figures.json(&rules));
            continue;
        }
        let Figures { n_games, n_moves, n_rounds, seconds, .. } = figures;
        writeln!(
            out,
            "{:<5} {:>9.0}  {:>15.2}  {:>7.1}  {:>10.1}  {:>6.2}  {:>5.2}",
            rules.to_string(),
            n_games as f64 / seconds,
            n_moves as f64 / seconds / 1e6,
            figures.ns_per_move(),
            n_moves as f64 / n_games as f64,
            n_rounds as f64 / n_games as f64,
            figures.mean_score(rules.players()),
        )?;
        out.flush()?;
    }
    let players = args.players.and_then(|n| Players::from_count(n.into())).unwrap_or(Players::Two);
    let parts = (!args.official).then(|| parts::measure_all(&Rules::official(players), until));
    if args.json {
        let parts = parts.map(|parts| {
            let keys = parts.into_iter().map(|part| (part.key.to_owned(), json!(part.value)));
            keys.collect::<serde_json::Map<_, _>>()
        });
        let sizes = json!({ "position": size_of::<Position>(), "move": size_of::<Move>() });
        writeln!(out, "{}", json!({ "bytes": sizes, "random_games": rows, "parts": parts }))?;
        return Ok(Answer::Yes);
    }
    for part in parts.into_iter().flatten() {
        let line = format!("{:<58} {:>8.1} {}", part.words, part.value, part.unit);
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(Answer::Yes)
}

fn variants(args: &Args) -> Vec<Rules> {
    let mut variants = Vec::new();
    for players in Players::ALL {
        for (wall, jokers) in [
            (WallKind::Colored, false),
            (WallKind::Grey, false),
            (WallKind::Colored, true),
            (WallKind::Grey, true),
        ] {
            let is_official = wall == WallKind::Colored && !jokers;
            let is_wanted = args.players.is_none_or(|n| usize::from(n) == players.count())
                && (is_official || !args.official);
            if is_wanted {
                variants.push(Rules::official(players).with_wall(wall).with_jokers(jokers));
            }
        }
    }
    variants
}

pub(crate) fn random_games(rules: &Rules, until: Until) -> Figures {
    let mut rng = Rng::new(1);
    let mut figures = Figures::default();
    let start = Instant::now();
    loop {
        let batch = match until {
            Until::Time(limit) if start.elapsed() >= limit => break,
            Until::Time(_) => 100,
            Until::Games(n) if figures.n_games >= n => break,
            Until::Games(n) => n,
        };
        for _ in 0..batch {
            random_game(rules, &mut rng, &mut figures);
        }
    }
    figures.seconds = start.elapsed().as_secs_f64();
    figures
}

// Not inlined: in a small function the compiler keeps more of a position in registers.
#[inline(never)]
fn random_game(rules: &Rules, rng: &mut Rng, figures: &mut Figures) {
    let first = Seat::ALL[rng.below(rules.players().count() as u32) as usize];
    let mut position = Position::new(*rules, first);
    let mut n_moves = 0;
    loop {
        if position.play_random(rng.bits()).is_some() {
            n_moves += 1;
        } else if position.ended_by().is_none() {
            let deal = position.draw_deal(|n| rng.below(n));
            position.deal_unchecked(&deal);
        } else {
            break;
        }
    }
    figures.n_games += 1;
    figures.n_moves += n_moves;
    figures.n_rounds += u64::from(position.round());
    figures.score_sum +=
        position.boards().iter().map(|board| u64::from(board.score())).sum::<u64>();
}
