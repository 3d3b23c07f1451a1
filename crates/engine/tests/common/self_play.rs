//! Self-play games with few nodes and some random moves, as a source of positions.

use crate::chance::Chance;
use azulejo_engine::{Engine, Limits, Stop};
use azulejo_rules::{Move, Phase, Position, Rules};

/// The settings of the games.
#[derive(Clone, Copy)]
pub(crate) struct Style {
    /// Nodes for each move.
    pub(crate) nodes: u64,
    /// The percentage of random moves.
    pub(crate) random_percent: u32,
}

/// Plays a game and calls `visit` with every position and the move played there.
pub(crate) fn play_game(
    engine: &mut Engine,
    rules: Rules,
    seed: u64,
    style: Style,
    mut visit: impl FnMut(&Position, Move),
) {
    let mut chance = Chance::new(seed);
    let mut position = chance.new_game(rules);
    let limits = Limits { nodes: Some(style.nodes), ..Limits::default() };
    engine.new_game();
    loop {
        match position.phase() {
            Phase::Over(_) => return,
            Phase::Deal => {
                let deal = position.draw_deal(|n| chance.below(n));
                position.deal(&deal).expect("the deal was drawn from this bag");
            }
            Phase::Draft | Phase::Tiling(_) => {
                let random = position.pick_move(|n| chance.below(n));
                let m = if chance.below(100) < style.random_percent {
                    random
                } else {
                    engine.search(&position, &limits, &Stop::new(), &mut |_| {}).map(|a| a.best)
                };
                let m = m.expect("there is a legal move");
                visit(&position, m);
                position.play(m).expect("the engine plays legal moves");
            }
        }
    }
}
