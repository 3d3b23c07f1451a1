//! Streams for bots (NDJSON): one JSON object per line, in an HTTP response that stays open. An empty
//! line every few seconds keeps the connection alive.

use crate::api::App;
use crate::api::caller::{Caller, GameId};
use crate::api::error::ApiError;
use crate::api::guard::Address;
use crate::api::lists::summaries;
use crate::api::places::{SocketGuard, SocketKind};
use crate::api::socket::After;
use crate::messages::ToClient;
use crate::store::StoreError;
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
use tracing::Instrument;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(game)).routes(routes!(mine))
}

/// How often an empty line is sent.
const KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(7);

/// How often the games of a person are queried.
const POLL_INTERVAL: Duration = Duration::from_millis(1_000);

/// Lines that may wait for a client.
const LINE_QUEUE_LEN: usize = 16;

/// News about the games of a person.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum GameNews {
    /// A game has begun, or was already being played when the stream started.
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

/// The events of a game, for bots: the messages of the WebSocket, one per line. The stream ends when
/// the game is over.
#[utoipa::path(get, path = "/games/{id}/stream", tag = "bots", params(("id" = String, Path), After), security((), ("token" = [])),
    responses((status = 200, body = ToClient, content_type = "application/x-ndjson")))]
pub(crate) async fn game(
    State(app): State<App>,
    Extension(Address(address)): Extension<Address>,
    GameId(id): GameId,
    after: Result<Query<After>, QueryRejection>,
    caller: Caller,
) -> Result<Response, ApiError> {
    let Query(After { after }) = after?;
    let guard = app.take_socket(address, caller.id().as_ref(), SocketKind::Stream).await?;
    let mut subscription = app.tables.subscribe(&id, caller.id(), after).await?;
    let (lines, response) = stream(guard, app.timeouts.write);
    tokio::spawn(
        async move {
            let mut closing = app.closing.clone();
            for message in subscription.take_first() {
                let is_over = message.contains("\"status\":\"over\"");
                if lines.send(&message).await.is_err() || is_over {
                    return;
                }
            }
            loop {
                let message = tokio::select! {
                    message = timeout(KEEP_ALIVE_INTERVAL, subscription.next()) => message,
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
        }
        .in_current_span(),
    );
    Ok(response)
}

/// News about my games, for bots: `game_start` for every game that is being played, at once or when it
/// begins, and `game_end`.
#[utoipa::path(get, path = "/me/stream", tag = "bots", security(("token" = [])),
    responses((status = 200, body = GameNews, content_type = "application/x-ndjson")))]
pub(crate) async fn mine(
    State(app): State<App>,
    Extension(Address(address)): Extension<Address>,
    caller: Caller,
) -> Result<Response, ApiError> {
    let person = caller.person()?.id.clone();
    let guard = app.take_socket(address, caller.id().as_ref(), SocketKind::Stream).await?;
    let (lines, response) = stream(guard, app.timeouts.write);
    tokio::spawn(
        async move {
            let mut known: HashMap<String, Status> = HashMap::new();
            let mut is_first = true;
            let mut since_sent = Duration::ZERO;
            loop {
                match app.store.games_of(&person, 200).await.and_then(summaries) {
                    Ok(games) => {
                        for game in games {
                            let before = known.insert(game.id.clone(), game.status);
                            let news = match (before, game.status) {
                                (before, after) if before == Some(after) => continue,
                                (_, Status::Playing) => {
                                    GameNews::GameStart { game: Box::new(game) }
                                }
                                // The stream starts with games that are being played.
                                (None, Status::Over) if is_first => continue,
                                (_, Status::Over) => GameNews::GameEnd { game: Box::new(game) },
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
                    Err(StoreError::Corrupt(_)) => return,
                }
                since_sent += POLL_INTERVAL;
                if since_sent >= KEEP_ALIVE_INTERVAL {
                    since_sent = Duration::ZERO;
                    if lines.send("").await.is_err() {
                        return;
                    }
                }
                let mut closing = app.closing.clone();
                tokio::select! {
                    () = tokio::time::sleep(POLL_INTERVAL) => {}
                    _ = closing.changed() => return,
                }
            }
        }
        .in_current_span(),
    );
    Ok(response)
}

/// The writing end of a stream.
struct Lines {
    sender: mpsc::Sender<Bytes>,
    /// A client that does not read for this time is disconnected.
    timeout: Duration,
    _guard: SocketGuard,
}

impl Lines {
    async fn send(&self, line: &str) -> Result<(), ()> {
        let bytes = Bytes::from(format!("{line}\n"));
        match timeout(self.timeout, self.sender.send(bytes)).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(()),
        }
    }
}

fn stream(guard: SocketGuard, timeout: Duration) -> (Lines, Response) {
    let (sender, receiver) = mpsc::channel(LINE_QUEUE_LEN);
    let body = futures_util::stream::unfold(receiver, |mut receiver| async move {
        let bytes = receiver.recv().await?;
        Some((Ok::<Bytes, Infallible>(bytes), receiver))
    });
    let headers = [
        (header::CONTENT_TYPE, "application/x-ndjson"),
        // Tells a proxy to pass on every line at once.
        (header::HeaderName::from_static("x-accel-buffering"), "no"),
    ];
    (Lines { sender, timeout, _guard: guard }, (headers, Body::from_stream(body)).into_response())
}
