//! The reports of a search: principal variations with their forecasts, and the answer.

use arrayvec::ArrayVec;
use azulejo_rules::Move;
use std::time::Duration;

/// The expected result of the game.
#[derive(Clone, Debug, PartialEq)]
pub struct Forecast {
    /// By seat, the expected final score minus the best other's.
    pub difference: ArrayVec<f32, 4>,
    /// By seat, the probability of a win, from 0 to 1; a shared victory counts as a part.
    pub win: ArrayVec<f32, 4>,
}

/// A principal variation and the state of the search.
#[derive(Clone, Debug, PartialEq)]
pub struct Info {
    /// Plies searched.
    pub depth: u32,
    /// Positions visited, by all threads.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// How full the transposition table is, in parts of a thousand.
    pub hash_full: u32,
    /// 1 for the best line, 2 for the next.
    pub multi_pv: usize,
    /// The forecast at the end of the line.
    pub forecast: Forecast,
    /// Whether the rest of the round was searched completely. Then only later rounds are an
    /// estimate, and the forecast is certain if the game ends with this round.
    pub exact: bool,
    /// The moves of the line, starting with the seat to move.
    pub pv: Vec<Move>,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The best move.
    pub best: Move,
    /// The last [`Info`] of the best line.
    pub info: Info,
}
