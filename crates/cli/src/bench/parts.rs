//! The parts that a search is made of, timed one by one over the positions of random games.

use super::luck::Luck;
use super::reference;
use super::rules::{Until, random_games};
use azulejo_rules::{Move, Position, Rules, Seat};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// A figure about one part of the rules.
pub(crate) struct Part {
    pub(crate) key: &'static str,
    pub(crate) words: &'static str,
    pub(crate) value: f64,
    pub(crate) unit: &'static str,
}

/// The reference in the same run, and the parts that a search is made of.
pub(crate) fn measure_all(rules: &Rules, until: Until) -> Vec<Part> {
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
