//! Settings: what is agreed before a game begins and never changes.
//!
//! The JSON form is stored in databases and backups, so its names do not change.

use crate::clock::ClockSpec;
use serde::{Deserialize, Serialize};

/// The settings of a game, as they are stored.
///
/// ```
/// use azulejo_table::{ClockSpec, SeatKind, SeedBy, Settings, seed_hash};
///
/// let settings = Settings {
///     rules: "2c".to_owned(),
///     seats: vec![SeatKind::Open, SeatKind::Engine { level: 3 }],
///     clock: ClockSpec::None,
///     listed: true,
///     takebacks: true,
///     hints: false,
///     seed_hash: seed_hash(&"5".parse()?),
///     seed_by: SeedBy::Server,
///     position: None,
///     rematch_of: None,
///     daily: None,
///     creator: "ana".to_owned(),
/// };
/// let stored = serde_json::to_string(&settings)?;
/// assert_eq!(serde_json::from_str::<Settings>(&stored)?, settings);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// The rule set in the notation.
    pub rules: String,
    /// Who may take which seat.
    pub seats: Vec<SeatKind>,
    /// The time control.
    pub clock: ClockSpec,
    /// Whether the lobby lists the game; otherwise only people with its link find it.
    pub listed: bool,
    /// Whether moves may be taken back.
    pub takebacks: bool,
    /// Whether players may ask the engine for hints.
    pub hints: bool,
    /// The commitment to the deals: a hash of the seed, published before the first deal.
    pub seed_hash: String,
    /// Who chose the seed and so could know the deals.
    pub seed_by: SeedBy,
    /// The position from which the game starts, unless it starts from the beginning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// The game of which this one is the rematch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rematch_of: Option<String>,
    /// The date of the daily deal that the game is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub daily: Option<String>,
    /// The id of the person who created the game.
    pub creator: String,
}

/// Who may take a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum SeatKind {
    /// Anybody with the invitation; in a listed game, the first person who joins.
    Open,
    /// A person who is there from the start.
    Person {
        /// The id of the person.
        person: String,
        /// The name to show.
        name: String,
    },
    /// Reserved for a person who has not joined yet: the opponent in a rematch.
    Reserved {
        /// The id of the person.
        person: String,
        /// The name to show.
        name: String,
    },
    /// The engine.
    Engine {
        /// Its level, from 1.
        level: u8,
    },
}

/// Who chose the seed of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum SeedBy {
    /// The server, at random: nobody knows the seed before the end.
    Server,
    /// The creator of the game, who may know the deals.
    Creator,
    /// The date: the daily deal, which everybody may know.
    Date,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Databases hold such settings.
    #[test]
    fn stored_settings_keep_their_form() {
        let text = r#"{"rules":"az1","seats":[{"kind":"open"},{"kind":"person","person":"p1","name":"Ana"},{"kind":"reserved","person":"p2","name":"Bob"},{"kind":"engine","level":3}],"clock":{"kind":"total","seconds":600,"increment":5},"listed":true,"takebacks":true,"hints":false,"seed_hash":"00","seed_by":"server","rematch_of":"g1","creator":"p1"}"#;
        let settings: Settings = serde_json::from_str(text).unwrap();
        assert_eq!(settings.seats[3], SeatKind::Engine { level: 3 });
        assert_eq!(serde_json::to_string(&settings).unwrap(), text);
    }
}
