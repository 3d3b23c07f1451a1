//! Messages on the WebSocket and the streams of a game, named by where they go.

use azulejo_table::view::{GamePatch, GameView, Presence, StepView};
use azulejo_table::{Command, Event, Game, LoggedEvent};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

/// The text of a message, shared by all clients that are sent the same.
pub(crate) type Text = Arc<str>;

/// A message of a client.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, ToSchema)]
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
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum ToClient {
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
        #[schema(value_type = Object)]
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
        #[schema(required = true)]
        reference: Option<String>,
        /// The number of the event that did it.
        number: u64,
    },
    /// A command was refused, and nothing has changed.
    Error {
        /// The `ref` of the command.
        #[serde(rename = "ref")]
        #[schema(required = true)]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
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

impl ToClient {
    /// The message as JSON.
    #[must_use]
    pub(crate) fn text(&self) -> Text {
        serde_json::to_string(self).unwrap_or_default().into()
    }

    /// The state of a game for one viewer.
    #[must_use]
    pub(crate) fn state(
        game: &Game,
        person: Option<&str>,
        presence: &Presence,
        now_ms: i64,
    ) -> ToClient {
        ToClient::State { game: Box::new(GameView::new(game, person, presence, now_ms)) }
    }

    /// An event, the game after it, and that game's view for a client that is not catching up.
    #[must_use]
    pub(crate) fn event(logged: &LoggedEvent, game: &Game, view: Option<GameView>) -> ToClient {
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
    pub(crate) fn patch(
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
