//! What has happened in a game: the entries of its log. A fact is small and says what was done,
//! never what follows from it; deals follow from the seed.

use crate::action::Phrase;
use serde::{Deserialize, Serialize};

/// A fact with its place in the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Logged {
    /// Its number: 1 for the first of a game, and no gaps.
    pub number: u64,
    /// When it happened, in milliseconds since 1970; never earlier than the one before.
    pub at_ms: i64,
    /// What happened.
    pub fact: Fact,
}

/// Something that happened. Seats are numbered from 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Fact {
    /// The game was created; always the first.
    Created,
    /// Somebody sat down. When the last seat is taken, the game begins.
    Joined {
        /// Where.
        seat: u8,
        /// Who.
        person: String,
        /// The name to show.
        name: String,
    },
    /// A seat moved.
    Moved {
        /// Which.
        seat: u8,
        /// The move in the notation.
        #[serde(rename = "move")]
        m: String,
        /// The id that the client gave the move.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<String>,
    },
    /// A seat would like to take its last move back; the others are asked.
    TakebackAsked {
        /// Which.
        seat: u8,
    },
    /// One of those who were asked agrees, and others are still to be heard.
    TakebackAgreed {
        /// Which.
        seat: u8,
    },
    /// One of those who were asked does not agree, or whoever asked thinks better of it.
    TakebackRefused {
        /// Which.
        seat: u8,
    },
    /// Moves were taken back.
    TakenBack {
        /// Who had asked.
        seat: u8,
        /// How many moves are left.
        n_moves: usize,
    },
    /// A seat said one of the phrases.
    Said {
        /// Which.
        seat: u8,
        /// What.
        phrase: Phrase,
    },
    /// A seat left the game.
    Left {
        /// Which.
        seat: u8,
        /// Why.
        why: Leave,
    },
    /// The game ended without a result.
    Closed {
        /// Why.
        why: Close,
    },
    /// A rematch was created.
    Rematch {
        /// Who asked for it.
        seat: u8,
        /// The new game.
        game: String,
    },
}

/// Why a seat left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Leave {
    /// It gave up.
    Resigned,
    /// Its time was over.
    TimedOut,
}

/// Why a game ended without a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Close {
    /// A player called it off before anything was played.
    Aborted,
    /// Nobody did anything for too long.
    Abandoned,
}
