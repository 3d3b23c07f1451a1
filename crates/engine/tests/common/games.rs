//! Games without the engine: mostly greedy moves, some random ones. They fill lines and walls as real
//! games do and end by a full row.

use crate::chance::Chance;
use azulejo_rules::{Move, Phase, Position, Rules};

/// The positions of a game with a legal move.
pub(crate) fn positions(rules: Rules, seed: u64) -> Vec<Position> {
    let mut chance = Chance::new(seed);
    let mut position = chance.new_game(rules);
    let mut positions = Vec::new();
    loop {
        match position.phase() {
            Phase::Over(_) => return positions,
            Phase::Deal => {
                let deal = position.draw_deal(|n| chance.below(n));
                position.deal(&deal).expect("the deal was drawn from this bag");
            }
            Phase::Draft | Phase::Tiling(_) => {
                positions.push(position);
                let m = choose(&position, &mut chance);
                position.play(m).expect("the move is on the list");
            }
        }
    }
}

fn choose(position: &Position, chance: &mut Chance) -> Move {
    let gain = |m: Move| {
        let preview = position.preview(m).expect("the move is on the list");
        preview.after.points() as i32 - i32::from(preview.after.loss)
    };
    let moves = position.legal_moves();
    let n = chance.below(moves.len() as u32);
    if chance.below(4) == 0 {
        return moves[n as usize];
    }
    // The first of the best moves, starting at a random index.
    let (head, tail) = moves.split_at(n as usize);
    let best = tail.iter().chain(head).map(|&m| (gain(m), m));
    best.reduce(|a, b| if b.0 > a.0 { b } else { a }).expect("there is a move").1
}
