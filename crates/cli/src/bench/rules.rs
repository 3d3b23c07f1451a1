//! `azulejo bench rules`: uniformly random whole games on one thread, the clear reference beside
//! them, and the parts that a search uses.

use super::reference;
use crate::Answer;
use azulejo_rules::{Move, Players, Position, Rules, Seat, WallKind};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::{Value, json};
use std::hint::black_box;
use std::io::Write;
use std::time::{Duration, Instant};

/// Play random games as fast as possible, in every variant, on one thread.
///
/// For two players the official game has about 70.2 moves and 6.6 rounds and a mean score of 2.9 under random play: a
/// cheap check that it is the right game. Machines differ and are busy; the ratio to the plain
/// reference, measured in the same run, is the figure to compare.
///
/// Example: azulejo bench rules --official
#[derive(clap::Args)]
pub(crate) struct Args {
    /// How long to measure each row.
    #[arg(long, default_value_t = 0.5, value_parser = seconds)]
    seconds: f64,
    /// Play exactly so many games in each row instead, always the same ones (to count
    /// instructions).
    #[arg(long, conflicts_with = "seconds", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    games: Option<u64>,
    /// Only games of so many players.
    #[arg(short, long, value_parser = clap::value_parser!(u8).range(2..=4))]
    players: Option<u8>,
    /// Only the official game on the colored wall, and nothing else.
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

/// What some random games came to.
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
            "mean_score": self.mean_score(rules.players),
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
            figures.mean_score(rules.players),
        )?;
        out.flush()?;
    }
    let players = args.players.and_then(|n| Players::from_count(n.into())).unwrap_or(Players::Two);
    let parts = (!args.official).then(|| parts(&Rules::official(players), until));
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
                variants.push(Rules { wall, jokers, ..Rules::official(players) });
            }
        }
    }
    variants
}

/// A generator for games that nobody records.
pub(crate) struct Luck {
    generator: Xoshiro256PlusPlus,
    /// What is left of the last number for deals, and for how many draws it is good.
    fraction: u64,
    n_left: u32,
}

impl Luck {
    pub(crate) fn new(seed: u64) -> Luck {
        Luck { generator: Xoshiro256PlusPlus::seed_from_u64(seed), fraction: 0, n_left: 0 }
    }

    /// A number below `n`, a small number: the high half of a product. The bias is below 2⁻²⁴.
    #[inline]
    pub(crate) fn below(&mut self, n: u32) -> u32 {
        (((self.generator.next_u64() >> 32) * u64::from(n)) >> 32) as u32
    }

    /// A number below `n`, at most 100, four from each number of the generator: the high half of
    /// the product is the result and the low half what is left. The bias is below 2⁻³⁰.
    #[inline]
    fn below_in_deal(&mut self, n: u32) -> u32 {
        if self.n_left == 0 {
            self.fraction = self.generator.next_u64();
            self.n_left = 4;
        }
        self.n_left -= 1;
        let product = u128::from(self.fraction) * u128::from(n);
        self.fraction = product as u64;
        (product >> 64) as u32
    }
}

fn random_games(rules: &Rules, until: Until) -> Figures {
    let mut luck = Luck::new(1);
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
            random_game(rules, &mut luck, &mut figures);
        }
    }
    figures.seconds = start.elapsed().as_secs_f64();
    figures
}

#[inline]
fn random_game(rules: &Rules, luck: &mut Luck, figures: &mut Figures) {
    let first = Seat::ALL[luck.below(rules.players.count() as u32) as usize];
    let mut position = Position::new(*rules, first);
    loop {
        if position.play_pick(|n| luck.below(n)).is_some() {
            figures.n_moves += 1;
        } else if position.ended_by().is_none() {
            let deal = position.draw_deal(|n| luck.below_in_deal(n));
            position.deal_unchecked(&deal);
        } else {
            break;
        }
    }
    figures.n_games += 1;
    figures.n_rounds += u64::from(position.round());
    figures.score_sum +=
        position.boards().iter().map(|board| u64::from(board.score())).sum::<u64>();
}

/// A figure about one part of the rules.
struct Part {
    key: &'static str,
    words: &'static str,
    value: f64,
    unit: &'static str,
}

/// The reference in the same run, and the parts that a search is made of.
fn parts(rules: &Rules, until: Until) -> Vec<Part> {
    let reference = reference::random_games(rules, until);
    // The ratio is of two measurements right after each other.
    let fast = random_games(rules, until);
    let samples = samples(rules);
    let n_moves: usize = samples.iter().map(|(position, _)| position.legal_moves().len()).sum();
    let first_turn = samples[0].0;
    let each = |work: &mut dyn FnMut(&Position, Move)| {
        measure(until, samples.len(), || {
            samples.iter().for_each(|(position, m)| work(position, *m));
        })
    };
    let list = each(&mut |position, _| {
        black_box(&position.legal_moves());
    });
    let play = each(&mut |position, m| {
        let mut next = *position;
        let _ = black_box(next.play(m));
    });
    let play_unchecked = each(&mut |position, m| {
        let mut next = *position;
        next.play_unchecked(m);
        black_box(&next);
    });
    let hash = each(&mut |position, _| {
        black_box(position.hash());
    });
    let first_list = measure(until, 100, || {
        for _ in 0..100 {
            black_box(&black_box(&first_turn).legal_moves());
        }
    });
    vec![
        Part {
            key: "reference_ns_per_move",
            words: "clear reference, random games",
            value: reference.ns_per_move(),
            unit: "ns/move",
        },
        Part {
            key: "ratio_to_reference",
            words: "times as fast as the clear reference",
            value: reference.ns_per_move() / fast.ns_per_move(),
            unit: "x",
        },
        Part {
            key: "first_turn_list_ns",
            words: "list of legal moves of a first turn",
            value: first_list,
            unit: "ns",
        },
        Part {
            key: "first_turn_moves",
            words: "  moves in that list",
            value: first_turn.legal_moves().len() as f64,
            unit: "",
        },
        Part {
            key: "list_ns",
            words: "list of legal moves, mean of a whole game",
            value: list,
            unit: "ns",
        },
        Part {
            key: "list_moves",
            words: "  moves in such a list",
            value: n_moves as f64 / samples.len() as f64,
            unit: "",
        },
        Part {
            key: "play_ns",
            words: "copy and play, checked, with tiling when a round ends",
            value: play,
            unit: "ns",
        },
        Part {
            key: "play_unchecked_ns",
            words: "copy and play, unchecked",
            value: play_unchecked,
            unit: "ns",
        },
        Part { key: "hash_ns", words: "hash", value: hash, unit: "ns" },
    ]
}

/// Positions of some random games with the move that was played, beginning with a first turn.
fn samples(rules: &Rules) -> Vec<(Position, Move)> {
    let mut luck = Luck::new(2);
    let mut samples = Vec::new();
    while samples.len() < 2000 {
        let mut position = Position::new(*rules, Seat::One);
        while position.ended_by().is_none() {
            match position.pick_move(|n| luck.below(n)) {
                Some(m) => {
                    samples.push((position, m));
                    position.play_unchecked(m);
                }
                None => {
                    let deal = position.draw_deal(|n| luck.below(n));
                    position.deal_unchecked(&deal);
                }
            }
        }
    }
    samples
}

/// Nanoseconds for each of the `n` things that `work` does.
fn measure(until: Until, n: usize, mut work: impl FnMut()) -> f64 {
    let limit = match until {
        Until::Time(limit) => limit,
        Until::Games(_) => Duration::ZERO,
    };
    let start = Instant::now();
    let mut n_done = 0;
    loop {
        work();
        n_done += n;
        if start.elapsed() >= limit {
            return start.elapsed().as_secs_f64() * 1e9 / n_done as f64;
        }
    }
}
