//! The reports of a search: principal variations with their forecasts, and the answer.

use arrayvec::ArrayVec;
use azulejo_rules::{Move, Outcome, Seat};
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

impl Forecast {
    /// What the search maximizes for a seat, in points: the expected difference, and 25 points for a
    /// certain win, -25 for a certain loss. Lines are sorted by it; 0 for an unused seat.
    #[must_use]
    pub fn value(&self, seat: Seat) -> f32 {
        let at = |numbers: &ArrayVec<f32, 4>, unused| {
            numbers.get(seat.index()).copied().unwrap_or(unused)
        };
        at(&self.difference, 0.0) + 25.0 * (2.0 * at(&self.win, 0.5) - 1.0)
    }

    /// A forecast from difference and win probability by seat. Three or four seats are estimated one
    /// by one, so the probabilities are normalized.
    pub(crate) fn of_seats(seats: impl Iterator<Item = (f32, f32)>) -> Forecast {
        let (difference, mut win): (ArrayVec<f32, 4>, ArrayVec<f32, 4>) = seats.take(4).unzip();
        let sum: f32 = win.iter().sum();
        if sum > 0.0 {
            win.iter_mut().for_each(|win| *win /= sum);
        }
        Forecast { difference, win }
    }

    /// The result of a finished game.
    pub(crate) fn of_outcome(outcome: &Outcome) -> Forecast {
        let n_winners = outcome.winners().count() as f32;
        Forecast::of_seats(outcome.ranks.iter().enumerate().map(|(i, &rank)| {
            let others = outcome.scores.iter().enumerate().filter(|&(other, _)| other != i);
            let best = others.map(|(_, &score)| f32::from(score)).fold(0.0, f32::max);
            let win = if rank == 1 { 1.0 / n_winners } else { 0.0 };
            (f32::from(outcome.scores[i]) - best, win)
        }))
    }
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
    /// 1 for the best line, 2 for the next. Lines are sorted by the
    /// [value](Forecast::value) of their forecasts for the seat to move.
    pub multi_pv: usize,
    /// The value that the search backed up. With two players it is that of the position at the end of
    /// the line. With more it is a mean over all lines searched, until `exact` is set.
    pub forecast: Forecast,
    /// Whether the rest of the round was searched completely, wall choices included, so that only
    /// later rounds are estimated.
    pub exact: bool,
    /// Whether the game ends with this round on every line that matters, so that the forecast is the
    /// true result of best play. Implies `exact`.
    pub proved: bool,
    /// The moves of the line, starting with the seat to move: to the horizon of the search, or to the
    /// end of the round with its wall choices.
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
