//! Streams for bots: one JSON object to a line, over a plain HTTP answer that does not end. An
//! empty line now and then shows that the connection lives.

use crate::api::App;
use crate::api::caller::{Caller, GameId};
use crate::api::error::ApiError;
use crate::api::guard::Address;
use crate::api::limits::{Limits, SocketGuard};
use crate::api::socket::After;
use crate::store::StoreError;
use crate::table::ToClient;
use axum::Extension;
use axum::body::{Body, Bytes};
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use azulejo_table::Status;
use azulejo_table::view::SummaryView;
use serde::Serialize;
use std::collections::HashMap;
use std::convert::Infallible;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::timeout;
use utoipa::ToSchema;

/// How often an empty line is sent.
const ALIVE: Duration = Duration::from_secs(7);

/// How often the list of one's games is looked through.
const LOOK: Duration = Duration::from_millis(1_000);

/// News about one's games.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum MyNews {
    /// A game that goes on, or has begun.
    GameStart {
        /// The game.
        game: Box<SummaryView>,
    },
    /// A game is over.
    GameEnd {
        /// The game.
        game: Box<SummaryView>,
    },
}

/// The events of a game, for bots: the messages of the WebSocket, one to a line. It ends when the
/// game is over.
#[utoipa::path(get, path = "/api/v1/games/{id}/stream", tag = "bots", params(("id" = String, Path), After),
    responses((status = 200, body = ToClient, content_type = "application/x-ndjson"), (status = "4XX", body = super::error::ErrorEnvelope)))]
pub(crate) async fn game(
    State(app): State<App>,
    Extension(Address(address)): Extension<Address>,
    GameId(id): GameId,
    after: Result<Query<After>, QueryRejection>,
    caller: Caller,
) -> Result<Response, ApiError> {
    let Query(After { after }) = after?;
    let guard = Limits::socket(&app, address, caller.id()).ok_or(ApiError::TooMany)?;
    let mut subscription = app.tables.watch(&id, caller.id(), after).await?;
    let (lines, response) = stream(guard, app.patience.stuck);
    tokio::spawn(async move {
        let mut closing = app.closing.clone();
        for message in subscription.take_first() {
            let is_over = message.contains("\"status\":\"over\"");
            if lines.send(&message).await.is_err() || is_over {
                return;
            }
        }
        loop {
            let message = tokio::select! {
                message = timeout(ALIVE, subscription.next()) => message,
                _ = closing.changed() => return,
            };
            let sent = match message {
                Ok(Some(message)) => {
                    let is_over = message.contains("\"status\":\"over\"");
                    match lines.send(&message).await {
                        Ok(()) if is_over => return,
                        sent => sent,
                    }
                }
                Ok(None) => return,
                Err(_) => lines.send("").await,
            };
            if sent.is_err() {
                return;
            }
        }
    });
    Ok(response)
}

/// News about my games, for bots: `game_start` for every game that is played, at once and when it
/// begins, and `game_end`.
#[utoipa::path(get, path = "/api/v1/me/stream", tag = "bots", security(("token" = [])),
    responses((status = 200, body = MyNews, content_type = "application/x-ndjson"), (status = 401, body = super::error::ErrorEnvelope)))]
pub(crate) async fn mine(
    State(app): State<App>,
    Extension(Address(address)): Extension<Address>,
    caller: Caller,
) -> Result<Response, ApiError> {
    let person = caller.person()?.id.clone();
    let guard = Limits::socket(&app, address, caller.id()).ok_or(ApiError::TooMany)?;
    let (lines, response) = stream(guard, app.patience.stuck);
    tokio::spawn(async move {
        let mut known: HashMap<String, Status> = HashMap::new();
        let mut is_first = true;
        let mut since_sent = Duration::ZERO;
        loop {
            match app.store.games_of(&person, 200).await {
                Ok(games) => {
                    for game in games {
                        let before = known.insert(game.id.clone(), game.status);
                        let news = match (before, game.status) {
                            (before, after) if before == Some(after) => continue,
                            (_, Status::Playing) => MyNews::GameStart { game: Box::new(game) },
                            // What was over before is no news.
                            (None, Status::Over) if is_first => continue,
                            (_, Status::Over) => MyNews::GameEnd { game: Box::new(game) },
                            _ => continue,
                        };
                        let line = serde_json::to_string(&news).unwrap_or_default();
                        since_sent = Duration::ZERO;
                        if lines.send(&line).await.is_err() {
                            return;
                        }
                    }
                    is_first = false;
                }
                Err(StoreError::Unavailable(_)) => {}
                Err(StoreError::Strange(_)) => return,
            }
            since_sent += LOOK;
            if since_sent >= ALIVE {
                since_sent = Duration::ZERO;
                if lines.send("").await.is_err() {
                    return;
                }
            }
            let mut closing = app.closing.clone();
            tokio::select! {
                () = tokio::time::sleep(LOOK) => {}
                _ = closing.changed() => return,
            }
        }
    });
    Ok(response)
}

/// The writing end of a stream.
struct Lines {
    sender: mpsc::Sender<Bytes>,
    /// A client that does not read for so long is gone.
    stuck: Duration,
    _guard: SocketGuard,
}

impl Lines {
    async fn send(&self, line: &str) -> Result<(), ()> {
        let bytes = Bytes::from(format!("{line}\n"));
        match timeout(self.stuck, self.sender.send(bytes)).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(()),
        }
    }
}

fn stream(guard: SocketGuard, stuck: Duration) -> (Lines, Response) {
    let (sender, receiver) = mpsc::channel(16);
    let body = futures_util::stream::unfold(receiver, |mut receiver| async move {
        let bytes = receiver.recv().await?;
        Some((Ok::<Bytes, Infallible>(bytes), receiver))
    });
    let headers = [
        (header::CONTENT_TYPE, "application/x-ndjson"),
        // A proxy should pass every line on at once.
        (header::HeaderName::from_static("x-accel-buffering"), "no"),
    ];
    (Lines { sender, stuck, _guard: guard }, (headers, Body::from_stream(body)).into_response())
}
