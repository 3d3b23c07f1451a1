//! How a game ends: by the rules, because seats leave, or without a result.
//!
//! A seat that resigns or runs out of time leaves. When one seat remains, or no person, the game
//! ends at once; in a larger game the engine plays on for the seat that left. Whoever left ranks
//! behind everybody who stayed.

use crate::fact::{Close, Leave};
use crate::state::Game;
use azulejo_rules::Board;
use serde::{Deserialize, Serialize};

/// The result of a game that is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct GameResult {
    /// Why the game ended.
    pub ended_by: ResultBy,
    /// The scores by seat, with bonuses if the game ended by the rules.
    pub scores: Vec<u16>,
    /// The ranks by seat, from 1, equal seats share one; empty for a game without a result.
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
    /// No tile was left that fits any line.
    DeadPosition,
    /// Too many rounds without a tile on a wall.
    Stall,
    /// Others gave up.
    Resigned,
    /// The time of others was over.
    TimedOut,
    /// A player called it off before anything was played; there is no winner.
    Aborted,
    /// Nobody did anything for too long; there is no winner.
    Abandoned,
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
        }
    }
}

/// Whether so many have left that the game is over.
pub(crate) fn has_deserted(game: &Game) -> bool {
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
                Close::Aborted => ResultBy::Aborted,
                Close::Abandoned => ResultBy::Abandoned,
            };
            return Some(GameResult { ended_by, scores, ranks: Vec::new(), winners: Vec::new() });
        }
        let (ended_by, by_rules) = match self.position.outcome() {
            Some(outcome) => {
                let ended_by = match outcome.by {
                    azulejo_rules::EndedBy::Row => ResultBy::Row,
                    azulejo_rules::EndedBy::NoTiles => ResultBy::NoTiles,
                    azulejo_rules::EndedBy::DeadPosition => ResultBy::DeadPosition,
                    azulejo_rules::EndedBy::Stall => ResultBy::Stall,
                };
                (ended_by, outcome.ranks.iter().map(|&rank| u32::from(rank)).collect())
            }
            None if has_deserted(self) => {
                let timed_out = |why: &Option<Leave>| *why == Some(Leave::TimedOut);
                let by_time = self.seats.iter().any(|seat| timed_out(&seat.left));
                let ended_by = if by_time { ResultBy::TimedOut } else { ResultBy::Resigned };
                (ended_by, vec![1; self.seats.len()])
            }
            None => return None,
        };
        // Who left comes after everybody who stayed.
        let place = |i: usize| (self.seats[i].left.is_some(), by_rules[i]);
        let n_seats = self.seats.len();
        let ranks: Vec<u8> = (0..n_seats)
            .map(|i| 1 + (0..n_seats).filter(|&other| place(other) < place(i)).count() as u8)
            .collect();
        let winners = (1..).zip(&ranks).filter(|&(_, &rank)| rank == 1).map(|(n, _)| n).collect();
        Some(GameResult { ended_by, scores, ranks, winners })
    }
}
