//! What a search reports while it runs and when it ends.

use arrayvec::ArrayVec;
use azulejo_rules::Move;
use std::time::Duration;

/// What is expected of the rest of the game.
#[derive(Clone, Debug, PartialEq)]
pub struct Forecast {
    /// By seat, the expected final score minus the best other's.
    pub difference: ArrayVec<f32, 4>,
    /// By seat, the probability to win, from 0 to 1; shared victories count as parts.
    pub win: ArrayVec<f32, 4>,
}

/// One line of play that the search has found so far.
#[derive(Clone, Debug, PartialEq)]
pub struct Info {
    /// Plies searched.
    pub depth: u32,
    /// Positions visited, by all threads.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// How full the table of positions is, in parts of a thousand.
    pub hash_full: u32,
    /// 1 for the best line, 2 for the next.
    pub multi_pv: usize,
    /// What the line leads to.
    pub forecast: Forecast,
    /// Whether the rest of the round was searched completely, so that only what comes after it is
    /// an estimate (and nothing is, if the game ends with the round).
    pub exact: bool,
    /// The moves, the first of which is for the seat to move.
    pub pv: Vec<Move>,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The move.
    pub best: Move,
    /// What is known of it; the last [`Info`] of the best line.
    pub info: Info,
}
