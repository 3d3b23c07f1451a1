//! Microbenchmarks of the operations a search uses, over the positions of random games.

use super::reference;
use super::rng::Rng;
use super::rules::{Until, random_games};
use azulejo_rules::{Move, Position, Rules, Seat};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// One figure of the report.
pub(crate) struct Part {
    pub(crate) key: &'static str,
    pub(crate) words: &'static str,
    pub(crate) value: f64,
    pub(crate) unit: &'static str,
}

/// Times the reference implementation, then each operation.
pub(crate) fn measure_all(rules: &Rules, until: Until) -> Vec<Part> {
    let reference = reference::random_games(rules, until);
    // Measured right after the reference, so that both see the same load of the machine.
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
        black_box(position.hash_key());
    });
    let first_list = measure(until, 100, || {
        for _ in 0..100 {
            black_box(&black_box(&first_turn).legal_moves());
        }
    });
    vec![
        Part {
            key: "reference_ns_per_move",
            words: "reference implementation, random games",
            value: reference.ns_per_move(),
            unit: "ns/move",
        },
        Part {
            key: "ratio_to_reference",
            words: "speed relative to the reference",
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

/// Positions of random games, each with the move played in it. The first is a first turn.
fn samples(rules: &Rules) -> Vec<(Position, Move)> {
    let mut rng = Rng::new(2);
    let mut samples = Vec::new();
    while samples.len() < 2000 {
        let mut position = Position::new(*rules, Seat::One);
        while position.ended_by().is_none() {
            match position.pick_move(|n| rng.below(n)) {
                Some(m) => {
                    samples.push((position, m));
                    position.play_unchecked(m);
                }
                None => {
                    let deal = position.draw_deal(|n| rng.below(n));
                    position.deal_unchecked(&deal);
                }
            }
        }
    }
    samples
}

/// Nanoseconds per operation, where one call of `work` does `n` of them.
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
