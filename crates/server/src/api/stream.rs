//! Streams for bots (NDJSON): one JSON object per line, in an HTTP response that stays open. An empty
//! line every few seconds keeps the connection alive.

use crate::api::App;
use crate::api::caller::{Caller, GameId};
use crate::api::error::ApiError;
use crate::api::guard::Address;
use crate::api::lists::summaries;
use crate::api::places::{SocketGuard, SocketKind};
use crate::payload::Payload;
use crate::tables::{Form, Games, Viewer};
use axum::Extension;
use axum::body::{Body, Bytes};
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use azulejo_table::view::SummaryView;
use azulejo_table::{Status, ToClient};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::convert::Infallible;
use std::pin::pin;
use std::sync::Arc;
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

/// The number of games of a person that are followed, the latest.
const MAX_GAMES: u32 = 200;

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

/// How a bot follows a game.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct FollowLines {
    /// The number of the last event seen; missed events are sent first.
    after: Option<u64>,
}

/// The events of a game, for bots: the messages of the WebSocket, one per line. The stream ends when
/// the game is over.
#[utoipa::path(get, path = "/games/{id}/stream", tag = "bots", params(("id" = String, Path), FollowLines), security((), ("token" = [])),
    responses((status = 200, body = ToClient, content_type = "application/x-ndjson")))]
pub(crate) async fn game(
    State(app): State<App>,
    Extension(Address(address)): Extension<Address>,
    GameId(id): GameId,
    follow: Result<Query<FollowLines>, QueryRejection>,
    caller: Caller,
) -> Result<Response, ApiError> {
    let Query(FollowLines { after }) = follow?;
    let guard = app.take_socket(address, caller.id().as_ref(), SocketKind::Stream).await?;
    let viewer = Viewer { person: caller.id(), form: Form::Whole };
    let mut subscription = app.tables.subscribe(&id, viewer, after).await?;
    let (lines, response) = stream(guard);
    tokio::spawn(
        async move {
            let mut closing = app.closing.clone();
            let mut banned = pin!(app.until_banned(address, caller.id()));
            loop {
                let message = tokio::select! {
                    message = timeout(KEEP_ALIVE_INTERVAL, subscription.next()) => message,
                    () = &mut banned => return,
                    _ = closing.changed() => return,
                };
                let line = match &message {
                    Ok(Some(Payload::Text(text))) => text,
                    // The game can no longer be read. Whole views are never compressed.
                    Ok(None | Some(Payload::Deflated(_))) => return,
                    Err(_) => "",
                };
                if lines.send(line).await.is_err() || line.contains("\"status\":\"over\"") {
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
    let (lines, response) = stream(guard);
    let (store, of) = (app.store.clone(), Arc::clone(&person));
    let mut games = app.tables.news().follow(&person, move || {
        let (store, person) = (store.clone(), Arc::clone(&of));
        async move {
            let games = store.games_of(&person, MAX_GAMES, 0).await.ok()?;
            summaries(games, Some(&person)).ok()
        }
    });
    tokio::spawn(
        async move {
            let mut closing = app.closing.clone();
            let mut banned = pin!(app.until_banned(address, Some(person)));
            let mut known: HashMap<String, Status> = HashMap::new();
            let mut is_first = true;
            loop {
                let changed = tokio::select! {
                    changed = timeout(KEEP_ALIVE_INTERVAL, games.changed()) => changed,
                    () = &mut banned => return,
                    _ = closing.changed() => return,
                };
                let new_lines = match changed {
                    Ok(Ok(())) => {
                        let games = Games::clone(&games.borrow_and_update());
                        news(&mut known, &games, std::mem::take(&mut is_first))
                    }
                    Ok(Err(_)) => return,
                    Err(_) => vec![String::new()],
                };
                for line in new_lines {
                    if lines.send(&line).await.is_err() {
                        return;
                    }
                }
            }
        }
        .in_current_span(),
    );
    Ok(response)
}

/// The lines about what has changed since the last list.
fn news(known: &mut HashMap<String, Status>, games: &[SummaryView], is_first: bool) -> Vec<String> {
    let mut lines = Vec::new();
    for game in games {
        let before = known.insert(game.id.clone(), game.status);
        let news = match (before, game.status) {
            (before, after) if before == Some(after) => continue,
            (_, Status::Playing) => GameNews::GameStart { game: Box::new(game.clone()) },
            // The stream starts with games that are being played.
            (None, Status::Over) if is_first => continue,
            (_, Status::Over) => GameNews::GameEnd { game: Box::new(game.clone()) },
            _ => continue,
        };
        lines.push(serde_json::to_string(&news).unwrap_or_default());
    }
    lines
}

/// The writing end of a stream.
struct Lines {
    sender: mpsc::Sender<Bytes>,
    _guard: SocketGuard,
}

impl Lines {
    /// Sends a line. Fails when the client is gone, or was disconnected because it does not read.
    async fn send(&self, line: &str) -> Result<(), ()> {
        self.sender.send(Bytes::from(format!("{line}\n"))).await.map_err(|_| ())
    }
}

fn stream(guard: SocketGuard) -> (Lines, Response) {
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
    (Lines { sender, _guard: guard }, (headers, Body::from_stream(body)).into_response())
}
