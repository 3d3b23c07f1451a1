//! Commands: what somebody asks a game to do. The WebSocket, the REST interface and
//! [`Game::decide`](crate::Game::decide) all use this one enum.

use serde::{Deserialize, Serialize};

/// A command to a game; [`Game::decide`](crate::Game::decide) turns it into an event or a rejection.
/// Seats are numbered from 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Command {
    /// Play a move, or choose a space on the wall.
    Move {
        /// The move in the notation, one of `moves` of the state.
        #[serde(rename = "move")]
        m: String,
        /// An id that the client gives this move: 1 to 64 letters, digits, `-` and `_`. A move that
        /// is sent again with the same id is played once.
        #[cfg_attr(feature = "openapi", schema(pattern = "^[A-Za-z0-9_-]{1,64}$"))]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<String>,
        /// The number of the last event that the client has seen. If the position has changed since,
        /// the move is rejected.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        after: Option<u64>,
        /// The seat, for a person who plays several.
        #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 4))]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<u8>,
    },
    /// Resign.
    Resign {
        /// The seat, for a person who plays several.
        #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 4))]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<u8>,
    },
    /// Call the game off before the first move.
    Abort {},
    /// Take the last move back, ask for it, or agree to another player's request.
    Takeback {},
    /// Refuse another player's take-back request, or withdraw one's own.
    RefuseTakeback {},
    /// Say one of the phrases.
    Say {
        /// The phrase.
        phrase: Phrase,
        /// The seat, for a person who plays several.
        #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 4))]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<u8>,
    },
    /// Take a seat. It has no JSON form: the host checks the invitation and the name first.
    #[serde(skip)]
    Join {
        /// The seat; the first free one if there is none.
        seat: Option<u8>,
        /// The name to show.
        name: String,
        /// Whether the person has shown an invitation to that seat.
        is_invited: bool,
    },
    /// Link the rematch. It has no JSON form: the host creates the new game first.
    #[serde(skip)]
    Rematch {
        /// The id of the new game.
        game: String,
    },
}

/// What players can say to each other. Free text would need moderation.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_have_one_json_form() {
        for (json, command) in [
            (
                r#"{"type":"move","move":"3B2","id":"m1","after":7}"#,
                Command::Move {
                    m: "3B2".into(),
                    id: Some("m1".into()),
                    after: Some(7),
                    seat: None,
                },
            ),
            (r#"{"type":"resign"}"#, Command::Resign { seat: None }),
            (r#"{"type":"abort"}"#, Command::Abort {}),
            (r#"{"type":"takeback"}"#, Command::Takeback {}),
            (r#"{"type":"refuse_takeback"}"#, Command::RefuseTakeback {}),
            (
                r#"{"type":"say","phrase":"good_luck","seat":2}"#,
                Command::Say { phrase: Phrase::GoodLuck, seat: Some(2) },
            ),
        ] {
            assert_eq!(serde_json::from_str::<Command>(json).unwrap(), command);
            assert_eq!(serde_json::to_string(&command).unwrap(), json);
        }
    }

    #[test]
    fn malformed_commands_are_refused() {
        for (json, problem) in [
            (r#"{"type":"dance"}"#, "unknown variant `dance`"),
            (r#"{"type":"abort","x":1}"#, "unknown field `x`"),
            (r#"{"type":"move"}"#, "missing field `move`"),
            (r#"{"type":"move","move":"3B2","mvoe":"1"}"#, "unknown field `mvoe`"),
            (r#"{"type":"say","phrase":"boo"}"#, "unknown variant `boo`"),
            (r#"{"type":"join","name":"Ana","is_invited":true}"#, "unknown variant `join`"),
            (r#"{"move":"3B2"}"#, "missing field `type`"),
        ] {
            let error = serde_json::from_str::<Command>(json).unwrap_err().to_string();
            assert!(error.contains(problem), "{json}: {error}");
        }
    }
}
