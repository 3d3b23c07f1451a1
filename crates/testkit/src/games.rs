//! Games without the engine: mostly greedy moves, some random ones. They fill lines and walls as real
//! games do and end by a full row.

use crate::Rng;
use azulejo_rules::{Move, Phase, Position, Rules};

/// The positions of a game with a legal move.
pub fn positions(rules: Rules, seed: u64) -> Vec<Position> {
    let mut rng = Rng::new(seed);
    let mut position = rng.new_game(rules);
    let mut positions = Vec::new();
    loop {
        match position.phase() {
            Phase::Over(_) => return positions,
            Phase::Deal => {
                let deal = position.draw_deal(|n| rng.below(n));
                position.deal(&deal).expect("the deal was drawn from this bag");
            }
            Phase::Draft | Phase::Tiling(_) => {
                positions.push(position);
                let m = choose(&position, &mut rng);
                position.play(m).expect("the move is on the list");
            }
        }
    }
}

fn choose(position: &Position, rng: &mut Rng) -> Move {
    let gain = |m: Move| {
        let preview = position.preview(m).expect("the move is on the list");
        preview.after.points() as i32 - i32::from(preview.after.loss)
    };
    let moves = position.legal_moves();
    let n = rng.below(moves.len() as u32);
    if rng.below(4) == 0 {
        return moves[n as usize];
    }
    // The first of the best moves, starting at a random index.
    let (head, tail) = moves.split_at(n as usize);
    let best = tail.iter().chain(head).map(|&m| (gain(m), m));
    best.reduce(|a, b| if b.0 > a.0 { b } else { a }).expect("there is a move").1
}

/// Plays a game with the moves that `search` finds, `random_percent` of them replaced by random
/// ones, and calls `visit` with every position and the move played there.
///
/// # Panics
/// If `search` finds no move, or an illegal one.
pub fn play_game(
    rules: Rules,
    seed: u64,
    random_percent: u32,
    mut search: impl FnMut(&Position) -> Option<Move>,
    mut visit: impl FnMut(&Position, Move),
) {
    let mut rng = Rng::new(seed);
    let mut position = rng.new_game(rules);
    loop {
        match position.phase() {
            Phase::Over(_) => return,
            Phase::Deal => {
                let deal = position.draw_deal(|n| rng.below(n));
                position.deal(&deal).expect("the deal was drawn from this bag");
            }
            Phase::Draft | Phase::Tiling(_) => {
                let random = position.pick_move(|n| rng.below(n));
                let is_random = rng.below(100) < random_percent;
                let m = if is_random { random } else { search(&position) };
                let m = m.expect("there is a move to play");
                visit(&position, m);
                position.play(m).expect("the moves are legal");
            }
        }
    }
}

/// Calls `visit` with every position of a game of random moves that has a legal move.
pub fn each_position(rules: Rules, seed: u64, mut visit: impl FnMut(&Position)) {
    play_game(rules, seed, 100, |_| None, |position, _| visit(position));
}
