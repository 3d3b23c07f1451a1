//! Games of the engine against itself, from which the tools take positions.

use azulejo_engine::{Engine, Limits, Stop};
use azulejo_rules::{Move, Position, Rules};
use azulejo_testkit::games::play_game;

/// Plays a game of the engine against itself and calls `visit` with every position and its move.
pub(crate) fn self_play(
    engine: &mut Engine,
    rules: Rules,
    seed: u64,
    (nodes, random_percent): (u64, u32),
    visit: impl FnMut(&Position, Move),
) {
    engine.new_game();
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let search = |position: &Position| {
        engine.search(position, &limits, &Stop::new(), &mut |_| {}).map(|answer| answer.best)
    };
    play_game(rules, seed, random_percent, search, visit);
}
