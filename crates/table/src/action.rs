//! What somebody wants to do in a game.

use serde::{Deserialize, Serialize};

/// A wish; [`Game::decide`](super::Game::decide) says what comes of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Play a move.
    Move {
        /// The move in the notation.
        m: String,
        /// The client's id of the move: a second time it is the same move, not another.
        id: Option<String>,
        /// The number of the last event that the client has seen.
        after: Option<u64>,
        /// For whom, if it may be more than one; else it follows.
        seat: Option<u8>,
    },
    /// Give up.
    Resign {
        /// For whom, if it may be more than one.
        seat: Option<u8>,
    },
    /// Call the game off before anything was played.
    Abort,
    /// Ask to take the last move back, or agree to it if another has asked.
    Takeback,
    /// Say no to a take-back.
    RefuseTakeback,
    /// Say something.
    Say {
        /// What.
        phrase: Phrase,
        /// For whom, if it may be more than one.
        seat: Option<u8>,
    },
    /// Sit down.
    Join {
        /// Where; else on the first free seat.
        seat: Option<u8>,
        /// The name to show.
        name: String,
        /// Whether an invitation was shown for that seat.
        is_invited: bool,
    },
    /// Link the rematch.
    Rematch {
        /// The new game.
        game: String,
    },
}

/// What can be said. Free text would have to be watched; these are enough to be polite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Phrase {
    /// "Hello"
    Hello,
    /// "Good luck"
    GoodLuck,
    /// "Well played"
    WellPlayed,
    /// "Thank you"
    Thanks,
    /// "Oops"
    Oops,
    /// "One moment, please"
    OneMoment,
    /// "Good game"
    GoodGame,
    /// "Goodbye"
    Goodbye,
}

impl Phrase {
    /// All phrases.
    pub const ALL: [Phrase; 8] = [
        Phrase::Hello,
        Phrase::GoodLuck,
        Phrase::WellPlayed,
        Phrase::Thanks,
        Phrase::Oops,
        Phrase::OneMoment,
        Phrase::GoodGame,
        Phrase::Goodbye,
    ];
}
