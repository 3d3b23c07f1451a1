//! The tactical positions of `testdata/tactics.txt`: their data is right, and the engine solves them.
//! `azulejo bench tactics` shows how fast.

mod common {
    pub(crate) mod tactics;
}

use azulejo_engine::{Engine, EvalKind, Limits, Options, Stop};
use azulejo_rules::{Move, Phase, Position};
use azulejo_testkit::brute::{Brute, after};
use azulejo_testkit::result;
use common::tactics::{self, Tactic};
use std::cmp::Ordering;
use std::collections::HashSet;

/// The node limit of brute force, enough for every position of the set.
const BRUTE_NODES: u64 = 3_000_000;

/// Increasing node limits of the engine. The last takes a tenth of a second at full speed.
const ENGINE_NODES: [u64; 5] = [500, 4_000, 32_000, 128_000, 512_000];

#[test]
fn set_is_large_and_varied() {
    let tactics = tactics::all();
    let different: HashSet<u64> = tactics.iter().map(|tactic| tactic.position.hash_key()).collect();
    assert_eq!(different.len(), tactics.len());
    let count = |rules: &str| {
        tactics.iter().filter(|tactic| tactic.position.rules().to_string() == rules).count()
    };
    assert!(count("2c") >= 30, "{} official ones", count("2c"));
    assert!(count("2cj") >= 3, "{} with jokers", count("2cj"));
    for Tactic { position, best, result, second, plies } in &tactics {
        assert!(*plies >= 5, "{position}");
        assert_ne!(result, second, "{position}");
        assert!(!is_greedy(position, *best), "{best} is greedy in {position}");
    }
}

/// Whether a player that maximizes the score of the round might play a move.
fn is_greedy(position: &Position, m: Move) -> bool {
    let gain = |m: Move| position.preview(m).map_or(i32::MIN, |preview| preview.change());
    position.legal_moves().into_iter().map(gain).max() == Some(gain(m))
}

#[test]
fn data_matches_brute_force() {
    for Tactic { position, best, result, second, plies } in &tactics::all() {
        let mut brute = Brute::new(BRUTE_NODES, |position: &Position| {
            assert_ne!(position.phase(), Phase::Deal, "the game ends with this round");
            result::value(position)
        });
        let (value, second) = (result.value(), second.value());
        let moves = brute.compare_each(position, value).expect("too large for brute force");
        let good: Vec<_> = moves.iter().filter(|(_, order)| order.is_ge()).collect();
        assert_eq!(good, [&(*best, Ordering::Equal)], "{position}");
        let mut others = brute.compare_each(position, second).expect("too large for brute force");
        others.retain(|(m, _)| m != best);
        let most = others.iter().map(|&(_, order)| order).max();
        assert_eq!(most, Some(Ordering::Equal), "the second best in {position}");
        let line = brute.best_line(position, value).expect("too large for brute force");
        let n_drafts = line.iter().filter(|m| matches!(m, Move::Draft(_))).count();
        assert_eq!(n_drafts, *plies, "{position}");
    }
}

#[test]
fn engine_solves_them_and_stays_with_the_solution() {
    let tactics = tactics::all();
    for eval in [EvalKind::Learned, EvalKind::Classic] {
        let mut engine = Engine::new(Options { eval, hash_mb: 16, ..Options::default() });
        // The number solved at each node limit.
        let mut n_solved = [0; ENGINE_NODES.len()];
        for Tactic { position, best, .. } in &tactics {
            let mut is_exact = false;
            let mut is_solved = false;
            for (n, nodes) in n_solved.iter_mut().zip(ENGINE_NODES) {
                if !is_exact {
                    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
                    let answer = engine.search(position, &limits, &Stop::new(), &mut |_| {});
                    let answer = answer.expect("there is a legal move");
                    // Equal factories give equal moves.
                    let same = after(position, answer.best).hash_key()
                        == after(position, *best).hash_key();
                    (is_exact, is_solved) = (answer.info.exact, same);
                }
                // An exact answer does not change with more nodes.
                assert!(is_solved || !is_exact, "{eval:?}: not {best} in {position}");
                *n += usize::from(is_solved);
            }
            assert!(is_solved, "{eval:?}: {best} not found in {position}");
        }
        println!("{eval:?}: {n_solved:?} solved with {ENGINE_NODES:?} nodes");
        assert!(n_solved.is_sorted(), "{eval:?}: more nodes, fewer solved: {n_solved:?}");
    }
}
