//! Messages between a client and the host of a game, named by where they go: on the WebSocket and the
//! streams of a server, and between a page and its worker.

use crate::view::{GamePatch, GameView, Presence, StepView};
use crate::{Command, Event, Game, LoggedEvent, Rejection};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A message of a client.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum ToServer {
    /// Do something in the game. The answer is `done` or `error`.
    Command {
        /// Any text of at most 64 characters; it comes back with the answer.
        #[serde(rename = "ref")]
        reference: Option<String>,
        /// The command.
        command: Command,
    },
    /// Ask for the whole state.
    Resync {},
    /// Ask for a `pong`.
    Ping {},
}

impl ToServer {
    /// Reads a message.
    ///
    /// # Errors
    /// What is wrong with it, in at most 300 characters.
    pub fn read(text: &str) -> Result<ToServer, String> {
        serde_json::from_str(text).map_err(|error| error.to_string().chars().take(300).collect())
    }
}

/// A message to a client.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ToClient {
    /// The state of the game: the first message, the answer to `resync`, and the last message of a
    /// catch-up.
    State {
        /// The game as this client sees it.
        game: Box<GameView>,
    },
    /// Something happened. Numbers have no gaps; a client that finds one asks for `resync`.
    Event {
        /// The number of the event.
        number: u64,
        /// When it happened, in milliseconds since 1970.
        at_ms: i64,
        /// What happened.
        event: Event,
        /// The steps that it caused; only of moves and of the start of the game.
        report: Vec<StepView>,
        /// The game after it. Missing during a catch-up, which ends with a `state`.
        #[serde(skip_serializing_if = "Option::is_none")]
        game: Option<Box<GameView>>,
    },
    /// Something happened, for a client that asked for patches: an `event` with the change of the
    /// game instead of the game.
    Patch {
        /// The number of the event.
        number: u64,
        /// When it happened, in milliseconds since 1970.
        at_ms: i64,
        /// What happened. The steps that it caused are in the `report` of the game.
        event: Event,
        /// The JSON Merge Patch (RFC 7386) from the game before the event to the game after it.
        #[cfg_attr(feature = "openapi", schema(value_type = Object))]
        patch: Box<GamePatch>,
    },
    /// Somebody connected or disconnected; at most once per second.
    Presence {
        /// Who is connected now. It replaces the `presence` of the game.
        presence: Presence,
    },
    /// A command was executed.
    Done {
        /// The `ref` of the command.
        #[serde(rename = "ref")]
        #[cfg_attr(feature = "openapi", schema(required = true))]
        reference: Option<String>,
        /// The number of the event that did it.
        number: u64,
    },
    /// A command was refused, and nothing has changed.
    Error {
        /// The `ref` of the command.
        #[serde(rename = "ref")]
        #[cfg_attr(feature = "openapi", schema(required = true))]
        reference: Option<String>,
        /// Why it was refused.
        error: ErrorBody,
    },
    /// The answer to `ping`.
    Pong {
        /// The server's time, in milliseconds since 1970.
        now_ms: i64,
    },
    /// The server stops; reconnect in a moment.
    Bye {},
}

/// An error as clients receive it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ErrorBody {
    /// The code for programs; docs/server.md lists them.
    pub code: &'static str,
    /// The sentence for people.
    pub message: String,
    /// With `illegal_move`: the rule that the move breaks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<&'static str>,
    /// With `stale`: the event that the client has not seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<u64>,
}

impl From<&Rejection> for ErrorBody {
    fn from(rejection: &Rejection) -> ErrorBody {
        let number = match rejection {
            Rejection::Stale { number } => Some(*number),
            _ => None,
        };
        let (code, rule) = (rejection.code(), rejection.illegal_code());
        ErrorBody { code, message: rejection.to_string(), rule, number }
    }
}

impl ErrorBody {
    /// An error for people and programs without further details.
    #[must_use]
    pub fn new(code: &'static str, message: String) -> ErrorBody {
        ErrorBody { code, message, rule: None, number: None }
    }
}

impl ToClient {
    /// The message as JSON, to be sent to any number of clients.
    #[must_use]
    pub fn text(&self) -> Arc<str> {
        serde_json::to_string(self).unwrap_or_default().into()
    }

    /// The state of a game for one viewer.
    #[must_use]
    pub fn state(game: &Game, person: Option<&str>, presence: &Presence, now_ms: i64) -> ToClient {
        ToClient::State { game: Box::new(GameView::new(game, person, presence, now_ms)) }
    }

    /// An event, the game after it, and that game's view for a client that is not catching up.
    #[must_use]
    pub fn event(logged: &LoggedEvent, game: &Game, view: Option<GameView>) -> ToClient {
        let report = match logged.event {
            Event::Moved { .. } => game.report.as_slice(),
            // The game may have begun with it.
            Event::Created | Event::Joined { .. } if game.position_number == logged.number => {
                game.report.as_slice()
            }
            _ => &[],
        };
        ToClient::Event {
            number: logged.number,
            at_ms: logged.at_ms,
            event: logged.event.clone(),
            report: report.iter().map(StepView::new).collect(),
            game: view.map(Box::new),
        }
    }

    /// An event and the change from the game before it to the game after it, for one viewer.
    #[must_use]
    pub fn patch(
        logged: &LoggedEvent,
        last: &Game,
        next: &Game,
        person: Option<&str>,
        now_ms: i64,
    ) -> ToClient {
        ToClient::Patch {
            number: logged.number,
            at_ms: logged.at_ms,
            event: logged.event.clone(),
            patch: Box::new(GamePatch::new(last, next, person, now_ms)),
        }
    }
}
