//! Generates `testdata/tactics.txt`: positions with one best move, proved by brute force to the end of
//! the game, that a greedy player misses.
//!
//! ```sh
//! cargo run --release -p azulejo-engine --example make-tactics -- 2c 20 > more.txt
//! ```
//!
//! The arguments are a rule set, the number of positions, and the first seed (1). The games are played
//! by the engine with few nodes and some random moves; what is written about a position comes from the
//! rules alone.

mod self_play;

use azulejo_engine::{Engine, EvalKind, Options};
use azulejo_rules::{Move, Phase, Position, Rules};
use azulejo_testkit::brute::Brute;
use azulejo_testkit::result::{self, GameResult};
use self_play::self_play;

/// Nodes per move, and the percentage of random moves.
const STYLE: (u64, u32) = (2_000, 10);
/// The node limit of brute force for a game.
const MAX_NODES: u64 = 300_000;
/// Games won by more points than this are skipped.
const CLOSE: i32 = 12;
/// The smallest number of plies to the end of the game.
const MIN_PLIES: usize = 5;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let rules: Rules = args.first().map_or("2c", String::as_str).parse().expect("a rule set");
    let n_wanted: usize = args.get(1).map_or("10", String::as_str).parse().expect("a number");
    let first_seed: u64 = args.get(2).map_or("1", String::as_str).parse().expect("a seed");
    let mut engine =
        Engine::new(Options { eval: EvalKind::Classic, hash_mb: 1, ..Options::default() });
    let mut n_found = 0;
    for seed in first_seed.. {
        let mut positions = Vec::new();
        self_play(&mut engine, rules, seed, STYLE, |position, _| positions.push(*position));
        if let Some(tactic) = tactic(&positions) {
            println!("{tactic}");
            n_found += 1;
            if n_found == n_wanted {
                return;
            }
        }
    }
}

/// The line for the earliest suitable position of a game, if there is one. Others of the same round
/// would be much like it.
fn tactic(positions: &[Position]) -> Option<String> {
    let mut is_last_round = true;
    let mut brute = Brute::new(MAX_NODES, |position: &Position| {
        is_last_round &= position.phase() != Phase::Deal;
        if is_last_round { result::value(position) } else { Some(0) }
    });
    let mut found = None;
    // From the last to the first: the results of a position help with those before it.
    for position in positions.iter().rev().filter(|position| position.phase() == Phase::Draft) {
        if !will_have_full_row(position) {
            break;
        }
        let Some(moves) = brute.each_move(position) else { break };
        let best = moves.iter().map(|&(_, value)| value).max()?;
        if GameResult::of(best).difference.abs() > CLOSE {
            break;
        }
        found = line(position, moves, &mut brute).or(found);
    }
    drop(brute);
    found.filter(|_| is_last_round)
}

fn line(
    position: &Position,
    mut moves: Vec<(Move, i32)>,
    brute: &mut Brute<impl FnMut(&Position) -> Option<i32>>,
) -> Option<String> {
    moves.sort_by_key(|&(_, value)| -value);
    let [(best, value), (_, second), ..] = moves[..] else { return None };
    let (result, second) = (GameResult::of(value), GameResult::of(second));
    // The second best move has a worse result, or costs ten points or more.
    let is_clear = result.word != second.word || result.difference >= second.difference + 10;
    if !is_clear || is_greedy(position, best) {
        return None;
    }
    let line = brute.best_line(position, value)?;
    let plies = line.iter().filter(|m| matches!(m, Move::Draft(_))).count();
    (plies >= MIN_PLIES).then(|| format!("{position} {best} {result} {second} {plies}"))
}

/// Whether some wall is certain to have a full row, so that the game ends with this round.
fn will_have_full_row(position: &Position) -> bool {
    position.rules().players().seats().iter().any(|&seat| {
        let mut certain = true;
        certain &= position.tilings(seat).all(|board| board.wall().has_full_row());
        certain
    })
}

/// Whether a player that maximizes the score of the round might play a move.
fn is_greedy(position: &Position, m: Move) -> bool {
    let gain = |m: Move| position.preview(m).map_or(i32::MIN, |preview| preview.change());
    let most = position.legal_moves().into_iter().map(gain).max();
    most == Some(gain(m))
}
