//! The tactical positions of `testdata/tactics.txt`: that what is written about them is true, and
//! that the engine solves them. `azulejo bench tactics` shows how soon.

mod common {
    #[allow(dead_code, reason = "other tests use more of it")]
    pub(crate) mod brute;
    #[allow(dead_code, reason = "other tests use more of it")]
    pub(crate) mod result;
    pub(crate) mod tactics;
}

use azulejo_engine::{Engine, EvalKind, Limits, Options, Stop};
use azulejo_rules::{Move, Phase, Position};
use common::brute::{Brute, after};
use common::result::{self, GameResult};
use common::tactics::{self, Tactic};
use std::collections::HashSet;

/// Brute force checks what it can check with so many nodes for a position; set AZULEJO_TACTICS_NODES
/// to check more.
const BRUTE_NODES: u64 = 60_000;

/// The engine is asked with more and more nodes, in the end with these. At full speed that is a
/// tenth of a second.
const ENGINE_NODES: [u64; 5] = [500, 4_000, 32_000, 128_000, 512_000];

#[test]
fn the_set_is_large_and_varied() {
    let tactics = tactics::all();
    let different: HashSet<u64> = tactics.iter().map(|tactic| tactic.position.hash()).collect();
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

/// Whether a player who looks at the score of the round alone might play a move.
fn is_greedy(position: &Position, m: Move) -> bool {
    let gain = |m: Move| position.preview(m).map_or(i32::MIN, |preview| preview.change());
    position.legal_moves().into_iter().map(gain).max() == Some(gain(m))
}

#[test]
fn what_is_written_about_them_is_true() {
    let max_nodes = std::env::var("AZULEJO_TACTICS_NODES").ok();
    let max_nodes = max_nodes.map_or(BRUTE_NODES, |n| n.parse().expect("a number of nodes"));
    let tactics = tactics::all();
    let n_checked = tactics.iter().filter(|tactic| check(tactic, max_nodes).is_some()).count();
    println!("{n_checked} of {} checked", tactics.len());
    assert!(n_checked >= 15, "only {n_checked} are small enough for {max_nodes} nodes");
}

/// Compares a tactic with brute force, unless that takes too long.
fn check(tactic: &Tactic, max_nodes: u64) -> Option<()> {
    let Tactic { position, best, result, second, plies } = tactic;
    let mut brute = Brute::new(max_nodes, |position: &Position| {
        assert_ne!(position.phase(), Phase::Deal, "the game ends with this round");
        result::value(position)
    });
    let mut moves = brute.each_move(position)?;
    moves.sort_by_key(|&(_, value)| -value);
    let written = (best.to_string(), result.clone(), second.clone());
    let found = (moves[0].0.to_string(), GameResult::of(moves[0].1), GameResult::of(moves[1].1));
    let found = (found.0, found.1.to_string(), found.2.to_string());
    assert_eq!(written, found, "{position}");
    let (mut n_drafts, mut now) = (0, *position);
    while now.ended_by().is_none() {
        n_drafts += usize::from(now.phase() == Phase::Draft);
        let moves = brute.each_move(&now)?;
        let &(m, _) = moves.iter().max_by_key(|&&(_, value)| value)?;
        now = after(&now, m);
    }
    assert_eq!(n_drafts, *plies, "{position}");
    Some(())
}

#[test]
fn the_engine_solves_them_and_keeps_to_the_solution() {
    let tactics = tactics::all();
    for eval in [EvalKind::Learned, EvalKind::Classic] {
        let mut engine = Engine::new(Options { eval, hash_mb: 16, ..Options::default() });
        // How many are right after so many nodes.
        let mut n_solved = [0; ENGINE_NODES.len()];
        for Tactic { position, best, .. } in &tactics {
            let mut is_exact = false;
            let mut is_solved = false;
            for (n, nodes) in n_solved.iter_mut().zip(ENGINE_NODES) {
                if !is_exact {
                    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
                    let answer = engine.search(position, &limits, &Stop::new(), &mut |_| {});
                    let answer = answer.expect("there is a move to find");
                    // Equal factories give equal moves.
                    let same = after(position, answer.best).hash() == after(position, *best).hash();
                    (is_exact, is_solved) = (answer.info.exact, same);
                }
                // A search that has seen everything does nothing else with more nodes.
                assert!(is_solved || !is_exact, "{eval:?}: not {best} in {position}");
                *n += usize::from(is_solved);
            }
            assert!(is_solved, "{eval:?}: {best} not found in {position}");
        }
        println!("{eval:?}: {n_solved:?} solved with {ENGINE_NODES:?} nodes");
        assert!(n_solved.is_sorted(), "{eval:?}: more nodes, fewer solved: {n_solved:?}");
    }
}
