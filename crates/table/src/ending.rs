//! The result of a game: by the rules, because seats leave, or none.
//!
//! A seat that resigns or runs out of time leaves. When one seat remains, or no person, the game
//! ends at once; in a larger game the engine plays on for the seat that left. Seats that left rank
//! behind all seats that stayed.

use crate::event::{CloseReason, LeaveReason};
use crate::state::Game;
use azulejo_rules::{Board, EndedBy};
use serde::{Deserialize, Serialize};

/// The result of a game that is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct GameResult {
    /// Why the game ended.
    pub ended_by: ResultBy,
    /// The scores by seat, with bonuses if the game ended by the rules.
    pub scores: Vec<u16>,
    /// The ranks by seat, from 1; equal seats share a rank. Empty for a game without a result.
    pub ranks: Vec<u8>,
    /// The seats of rank 1.
    pub winners: Vec<u8>,
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ResultBy {
    /// A full row.
    Row,
    /// No tile was left to deal.
    NoTiles,
    /// No remaining tile fits any line.
    DeadPosition,
    /// Too many rounds without a tile on a wall.
    Stall,
    /// The other players resigned.
    Resigned,
    /// The other players ran out of time.
    TimedOut,
    /// A player called it off before the first move; there is no winner.
    Aborted,
    /// Nobody did anything for too long; there is no winner.
    Abandoned,
    /// The game reached the limit of moves or of events; there is no winner.
    TooLong,
    /// The operator of the server closed it; there is no winner.
    Operator,
}

impl ResultBy {
    /// The name in records.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            ResultBy::Row => "row",
            ResultBy::NoTiles => "no_tiles",
            ResultBy::DeadPosition => "dead_position",
            ResultBy::Stall => "stall",
            ResultBy::Resigned => "resigned",
            ResultBy::TimedOut => "timed_out",
            ResultBy::Aborted => "aborted",
            ResultBy::Abandoned => "abandoned",
            ResultBy::TooLong => "too_long",
            ResultBy::Operator => "operator",
        }
    }
}

impl From<EndedBy> for ResultBy {
    fn from(by: EndedBy) -> ResultBy {
        match by {
            EndedBy::Row => ResultBy::Row,
            EndedBy::NoTiles => ResultBy::NoTiles,
            EndedBy::DeadPosition => ResultBy::DeadPosition,
            EndedBy::Stall => ResultBy::Stall,
        }
    }
}

/// Whether the game is over because seats left: at most one seat, or no person, remains.
pub(crate) fn is_deserted(game: &Game) -> bool {
    let stayed = || game.seats.iter().filter(|seat| seat.left.is_none());
    let somebody_left = stayed().count() < game.seats.len();
    somebody_left && (stayed().count() <= 1 || !stayed().any(|seat| seat.person().is_some()))
}

impl Game {
    /// The result, if the game is over.
    #[must_use]
    pub fn result(&self) -> Option<GameResult> {
        let scores: Vec<u16> = self.position.boards().iter().map(Board::score).collect();
        if let Some(why) = self.closed {
            let ended_by = match why {
                CloseReason::Aborted => ResultBy::Aborted,
                CloseReason::Abandoned => ResultBy::Abandoned,
                CloseReason::TooLong => ResultBy::TooLong,
                CloseReason::Operator => ResultBy::Operator,
            };
            return Some(GameResult { ended_by, scores, ranks: Vec::new(), winners: Vec::new() });
        }
        let (ended_by, by_rules) = match self.position.outcome() {
            Some(outcome) => (outcome.by.into(), outcome.ranks.to_vec()),
            None if is_deserted(self) => {
                let timed_out = |why: &Option<LeaveReason>| *why == Some(LeaveReason::TimedOut);
                let by_time = self.seats.iter().any(|seat| timed_out(&seat.left));
                let ended_by = if by_time { ResultBy::TimedOut } else { ResultBy::Resigned };
                (ended_by, vec![1; self.seats.len()])
            }
            None => return None,
        };
        // Seats that left rank behind all that stayed.
        let place = |i: usize| (self.seats[i].left.is_some(), by_rules[i]);
        let n_seats = self.seats.len();
        let ranks: Vec<u8> = (0..n_seats)
            .map(|i| 1 + (0..n_seats).filter(|&other| place(other) < place(i)).count() as u8)
            .collect();
        let winners = (1..).zip(&ranks).filter(|&(_, &rank)| rank == 1).map(|(n, _)| n).collect();
        Some(GameResult { ended_by, scores, ranks, winners })
    }
}
