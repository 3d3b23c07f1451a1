//! The reports of a search: principal variations with their forecasts, and the answer.

use arrayvec::ArrayVec;
use azulejo_rules::Move;
use std::time::Duration;

/// The expected result of the game.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Forecast {
    /// By seat, the expected final score minus the best other's.
    pub difference: ArrayVec<f32, 4>,
    /// By seat, the probability of a win, from 0 to 1; a shared victory counts as a part.
    pub win: ArrayVec<f32, 4>,
}

/// A principal variation and the state of the search.
///
/// ```
/// use azulejo_engine::{Engine, Limits, Options, Stop};
/// use azulejo_rules::{Players, Position, Rules, Seat};
///
/// let mut position = Position::new(Rules::official(Players::Two), Seat::One);
/// position.deal(&"BBYR-KKKK-BYRK-YWWW-RRKK".parse()?)?;
/// let mut engine = Engine::new(Options { hash_mb: 8, multi_pv: 2, ..Options::default() });
/// let limits = Limits { nodes: Some(2_000), ..Limits::default() };
/// // One `Info` for each completed depth and each of the two best lines.
/// let mut lines = Vec::new();
/// let answer = engine.search(&position, &limits, &Stop::new(), &mut |info| {
///     lines.push((info.depth, info.multi_pv, info.pv[0]));
/// });
/// let answer = answer.expect("there are legal moves");
/// assert!(lines.iter().any(|&(_, multi_pv, _)| multi_pv == 2));
/// assert_eq!(answer.best, answer.info.pv[0]);
/// // The forecast has a number for every seat.
/// assert_eq!(answer.info.forecast.win.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Answer {
    /// The best move.
    pub best: Move,
    /// The last [`Info`] of the best line.
    pub info: Info,
}
