//! Events: the entries of a game's log (event sourcing). An event says what was done, never what
//! follows from it; deals follow from the seed.
//!
//! The JSON form of an event is stored in databases and backups, so its names do not change.

use crate::command::Phrase;
use serde::{Deserialize, Serialize};

/// An event with its place in the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoggedEvent {
    /// Its number: 1 for the first event of a game, then without gaps.
    pub number: u64,
    /// When it happened, in milliseconds since 1970; never earlier than the event before.
    pub at_ms: i64,
    /// What happened.
    pub event: Event,
}

/// Something that happened in a game. Seats are numbered from 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Event {
    /// The game was created; always the first event.
    Created,
    /// A person took a seat. When the last seat is taken, the game begins.
    Joined {
        /// The seat.
        seat: u8,
        /// The id of the person.
        person: String,
        /// The name to show.
        name: String,
    },
    /// A seat moved.
    Moved {
        /// The seat.
        seat: u8,
        /// The move in the notation.
        #[serde(rename = "move")]
        m: String,
        /// The id that the client gave the move.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<String>,
    },
    /// A seat asked to take its last move back; the other players have to agree.
    TakebackAsked {
        /// The seat that asked.
        seat: u8,
    },
    /// A player agreed to a take-back, and others have not answered yet.
    TakebackAgreed {
        /// The seat that agreed.
        seat: u8,
    },
    /// A player refused a take-back, or the player who asked withdrew the request.
    TakebackRefused {
        /// The seat that refused.
        seat: u8,
    },
    /// Moves were taken back.
    TakenBack {
        /// The seat that had asked.
        seat: u8,
        /// The number of moves that remain.
        n_moves: usize,
    },
    /// A seat said one of the phrases.
    Said {
        /// The seat.
        seat: u8,
        /// The phrase.
        phrase: Phrase,
    },
    /// A seat left the game.
    Left {
        /// The seat.
        seat: u8,
        /// Why it left.
        why: LeaveReason,
    },
    /// The game ended without a result.
    Closed {
        /// Why it was closed.
        why: CloseReason,
    },
    /// Time that is not charged: no server could write while it passed. Every clock and every time
    /// limit of the game is moved by it.
    Paused {
        /// Milliseconds, a part of the time since the event before.
        ms: i64,
    },
    /// A rematch was created.
    Rematch {
        /// The seat that asked for it.
        seat: u8,
        /// The id of the new game.
        game: String,
    },
}

/// Why a seat left a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum LeaveReason {
    /// The player resigned.
    Resigned,
    /// The player ran out of time.
    TimedOut,
}

impl LeaveReason {
    /// The name that databases store.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            LeaveReason::Resigned => "resigned",
            LeaveReason::TimedOut => "timed_out",
        }
    }
}

/// Why a game ended without a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum CloseReason {
    /// A player called it off before the first move.
    Aborted,
    /// Nobody did anything for too long.
    Abandoned,
    /// It reached the limit of moves or of events.
    TooLong,
    /// The operator of the server closed it.
    Operator,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Databases hold these bodies: every one of them has to be read and written like this.
    #[test]
    fn stored_event_bodies_keep_their_form() {
        let left = |why| Event::Left { seat: 1, why };
        for (body, event) in [
            (r#"{"type":"created"}"#, Event::Created),
            (
                r#"{"type":"joined","seat":2,"person":"abc","name":"Bob"}"#,
                Event::Joined { seat: 2, person: "abc".into(), name: "Bob".into() },
            ),
            (
                r#"{"type":"moved","seat":1,"move":"3B2"}"#,
                Event::Moved { seat: 1, m: "3B2".into(), id: None },
            ),
            (
                r#"{"type":"moved","seat":1,"move":"0KF","id":"m1"}"#,
                Event::Moved { seat: 1, m: "0KF".into(), id: Some("m1".into()) },
            ),
            (r#"{"type":"takeback_asked","seat":1}"#, Event::TakebackAsked { seat: 1 }),
            (r#"{"type":"takeback_agreed","seat":2}"#, Event::TakebackAgreed { seat: 2 }),
            (r#"{"type":"takeback_refused","seat":2}"#, Event::TakebackRefused { seat: 2 }),
            (
                r#"{"type":"taken_back","seat":1,"n_moves":4}"#,
                Event::TakenBack { seat: 1, n_moves: 4 },
            ),
            (
                r#"{"type":"said","seat":1,"phrase":"well_played"}"#,
                Event::Said { seat: 1, phrase: Phrase::WellPlayed },
            ),
            (r#"{"type":"left","seat":1,"why":"resigned"}"#, left(LeaveReason::Resigned)),
            (r#"{"type":"left","seat":1,"why":"timed_out"}"#, left(LeaveReason::TimedOut)),
            (r#"{"type":"closed","why":"aborted"}"#, Event::Closed { why: CloseReason::Aborted }),
            (
                r#"{"type":"closed","why":"abandoned"}"#,
                Event::Closed { why: CloseReason::Abandoned },
            ),
            (r#"{"type":"closed","why":"too_long"}"#, Event::Closed { why: CloseReason::TooLong }),
            (r#"{"type":"paused","ms":3600000}"#, Event::Paused { ms: 3_600_000 }),
            (r#"{"type":"closed","why":"operator"}"#, Event::Closed { why: CloseReason::Operator }),
            (
                r#"{"type":"rematch","seat":2,"game":"xyz"}"#,
                Event::Rematch { seat: 2, game: "xyz".into() },
            ),
        ] {
            assert_eq!(serde_json::from_str::<Event>(body).unwrap(), event);
            assert_eq!(serde_json::to_string(&event).unwrap(), body);
        }
    }
}
