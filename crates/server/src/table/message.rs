//! What the server says on a socket or a stream.

use azulejo_table::view::{EventView, GameView, Presence};
use azulejo_table::{Fact, Game, Logged};
use serde::Serialize;
use tokio_tungstenite::tungstenite::Utf8Bytes;
use utoipa::ToSchema;

/// A message to a client.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum ToClient {
    /// Where the game stands: the first message, the answer to `resync`, and the last of a
    /// catch-up.
    State {
        /// The game as this client sees it.
        game: Box<GameView>,
    },
    /// Something happened. Numbers have no gaps; after a gap ask for `resync`.
    Event {
        /// Its number.
        number: u64,
        /// When, in milliseconds since 1970.
        at_ms: i64,
        /// What.
        event: Fact,
        /// What it led to on the table; only of moves and of the start of the game.
        report: Vec<EventView>,
        /// The game after it; left out while catching up, where only the last state counts.
        #[serde(skip_serializing_if = "Option::is_none")]
        game: Option<Box<GameView>>,
    },
    /// Somebody came or went.
    Presence {
        /// Who is there now.
        presence: Presence,
    },
    /// An action was done.
    Done {
        /// The `ref` that the client gave it.
        #[serde(rename = "ref")]
        reference: Option<String>,
        /// The event in which it was done.
        number: u64,
    },
    /// An action was refused, and nothing has changed.
    Error {
        /// The `ref` that the client gave it.
        #[serde(rename = "ref")]
        reference: Option<String>,
        /// Why.
        error: crate::api::ErrorBody,
    },
    /// The answer to `ping`.
    Pong {
        /// The server's time, in milliseconds since 1970.
        now_ms: i64,
    },
    /// The server stops; connect again in a moment.
    Bye,
}

impl ToClient {
    /// As text. Everything here can be written as JSON.
    #[must_use]
    pub(crate) fn text(&self) -> Utf8Bytes {
        serde_json::to_string(self).unwrap_or_default().into()
    }

    /// What happened in a game that has gone on to `game`.
    pub(super) fn event(logged: &Logged, game: &Game, view: Option<GameView>) -> ToClient {
        let report = match logged.fact {
            Fact::Moved { .. } => game.report.as_slice(),
            // The game may have begun with it.
            Fact::Created | Fact::Joined { .. } if game.position_number == logged.number => {
                game.report.as_slice()
            }
            _ => &[],
        };
        ToClient::Event {
            number: logged.number,
            at_ms: logged.at_ms,
            event: logged.fact.clone(),
            report: report.iter().map(EventView::new).collect(),
            game: view.map(Box::new),
        }
    }
}

/// The first message.
#[must_use]
pub(crate) fn welcome(
    game: &Game,
    person: Option<&str>,
    presence: &Presence,
    now_ms: i64,
) -> ToClient {
    ToClient::State { game: Box::new(GameView::new(game, person, presence, now_ms)) }
}
