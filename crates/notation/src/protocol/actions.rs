//! The list of moves after a position, with the deals between the rounds: its text, and playing it.

use crate::replay::Action;
use azulejo_rules::{Deal, DealError, IllegalMove, Move, ParseDealError, ParseMoveError, Position};
use std::fmt;
use std::str::FromStr;

/// The text of the move or of the deal.
impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Deal(deal) => deal.fmt(f),
            Action::Move(m) => m.fmt(f),
        }
    }
}

/// Why a text is neither a move nor a deal.
#[derive(Clone, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum ParseActionError {
    /// It looks like a deal.
    #[error(transparent)]
    Deal(#[from] ParseDealError),
    /// It looks like a move but is not one.
    #[error(transparent)]
    Move(#[from] ParseMoveError),
}

impl ParseActionError {
    /// The column of the character at fault, from 1; one past the end if something is missing.
    #[must_use]
    pub fn column(&self) -> usize {
        match self {
            ParseActionError::Deal(error) => error.column,
            ParseActionError::Move(error) => error.column,
        }
    }
}

/// Reads a move (`3B2`, `r2c3`) or a deal (`BBYR-KKKK-…`). Every game has several factories, so
/// that a deal has a `-` in it, which no move has.
impl FromStr for Action {
    type Err = ParseActionError;

    fn from_str(text: &str) -> Result<Action, ParseActionError> {
        Ok(match text.contains('-') {
            true => Action::Deal(text.parse::<Deal>()?),
            false => Action::Move(text.parse::<Move>()?),
        })
    }
}

/// Why a move or deal cannot follow a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Refusal {
    /// The move is illegal.
    #[error("is illegal: {0}")]
    Move(#[from] IllegalMove),
    /// The deal is refused.
    #[error("is not possible: {0}")]
    Deal(#[from] DealError),
}

impl Action {
    /// Plays the move or the deal.
    ///
    /// # Errors
    /// If it is illegal in this position; nothing has changed then.
    pub fn apply(&self, position: &mut Position) -> Result<(), Refusal> {
        match self {
            Action::Deal(deal) => position.deal(deal)?,
            Action::Move(m) => position.play(*m)?,
        }
        Ok(())
    }
}

/// The move or deal of a list that is illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[error("number {number} of the moves, {action}, {reason}")]
pub struct ImpossibleAction {
    /// Its number in the list, from 1.
    pub number: usize,
    /// The move or deal.
    pub action: Action,
    /// The reason.
    pub reason: Refusal,
}

/// The position that a list of moves and deals leads to.
///
/// # Errors
/// The first illegal one.
pub fn play_all(start: &Position, moves: &[Action]) -> Result<Position, ImpossibleAction> {
    let mut position = *start;
    for (number, &action) in (1..).zip(moves) {
        let impossible = |reason| ImpossibleAction { number, action, reason };
        action.apply(&mut position).map_err(impossible)?;
    }
    Ok(position)
}
