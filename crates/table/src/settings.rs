//! What is agreed before a game begins and never changes.

use crate::clock::ClockSpec;
use serde::{Deserialize, Serialize};

/// The terms of a game, as they are stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// The rule set in the notation.
    pub rules: String,
    /// Who may sit where.
    pub seats: Vec<SeatKind>,
    /// How much time there is.
    pub clock: ClockSpec,
    /// Whether the lobby lists the game; otherwise it is known to those who have its link.
    pub listed: bool,
    /// Whether moves may be taken back.
    pub takebacks: bool,
    /// Whether the engine may be asked.
    pub hints: bool,
    /// The promise: a hash of the seed, published before the first deal.
    pub seed_hash: String,
    /// Who chose the seed, and so could know the deals.
    pub seed_by: SeedBy,
    /// The position from which the game starts, if not from the beginning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// The game of which this is the rematch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rematch_of: Option<String>,
    /// Who created the game.
    pub creator: String,
}

/// Who may sit on a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum SeatKind {
    /// Whoever comes with the invitation (or, in a listed game, whoever comes first).
    Open,
    /// A person who is there from the start.
    Person {
        /// The id of the person.
        person: String,
        /// The name to show.
        name: String,
    },
    /// Kept for a person who has not agreed yet: the opponent in a rematch.
    Reserved {
        /// The id of the person.
        person: String,
        /// The name to show.
        name: String,
    },
    /// The engine.
    Engine {
        /// Its level, from 1 to 10.
        level: u8,
    },
}

/// Who chose the seed of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum SeedBy {
    /// The server, at random: nobody knows it before the end.
    Server,
    /// Whoever created the game: the deals may be known to that person.
    Creator,
}
