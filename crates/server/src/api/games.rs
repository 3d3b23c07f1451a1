//! Reading a game: its state, its record and its replay.

use crate::api::App;
use crate::api::caller::{Caller, GameId};
use crate::api::error::{ApiError, ErrorEnvelope};
use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, QueryRejection};
use axum::extract::{DefaultBodyLimit, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use azulejo_notation::Record;
use azulejo_table::view::{GameView, ReplayView};
use serde::Deserialize;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(state)).routes(routes!(record)).routes(routes!(replay))
}

/// The routes that take records, which may be larger than other bodies.
pub(super) fn record_routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(replay_record))
        .layer(DefaultBodyLimit::max(azulejo_notation::MAX_JSON + 1024))
}

/// The state of a game: everything a user interface needs, with all legal moves for the player to move.
#[utoipa::path(get, path = "/games/{id}", tag = "games", params(("id" = String, Path)),
    responses((status = 200, body = GameView), (status = 404, body = ErrorEnvelope)))]
pub(crate) async fn state(
    State(app): State<App>,
    GameId(id): GameId,
    caller: Caller,
) -> Result<Json<GameView>, ApiError> {
    let snapshot = app.tables.snapshot(&id).await?;
    let person = caller.id();
    let now_ms = app.clock.now_ms();
    Ok(Json(GameView::new(&snapshot.game, person.as_deref(), &snapshot.presence, now_ms)))
}

/// The format of a record.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct RecordFormat {
    /// `text` (if left out) or `json`.
    format: Option<String>,
}

/// The record of a game so far. The record of a finished game has its seed.
#[utoipa::path(get, path = "/games/{id}/record", tag = "records", params(("id" = String, Path), RecordFormat),
    responses((status = 200, body = String, content_type = "text/plain"), (status = 404, body = ErrorEnvelope)))]
pub(crate) async fn record(
    State(app): State<App>,
    GameId(id): GameId,
    format: Result<Query<RecordFormat>, QueryRejection>,
) -> Result<Response, ApiError> {
    let Query(RecordFormat { format }) = format?;
    let record = app.tables.snapshot(&id).await?.game.record();
    let (text, kind, ending) = match format.as_deref() {
        None | Some("text") => (record.to_string(), "text/plain; charset=utf-8", "txt"),
        Some("json") => (record.to_json(), "application/json", "json"),
        Some(_) => {
            return Err(ApiError::BadRequest("`format` must be `text` or `json`".to_owned()));
        }
    };
    let name = format!("attachment; filename=\"azulejo-{id}.{ending}\"");
    Ok(([(header::CONTENT_TYPE, kind.to_owned()), (header::CONTENT_DISPOSITION, name)], text)
        .into_response())
}

/// The replay of a game so far: every deal and move with its steps and the position after it.
#[utoipa::path(get, path = "/games/{id}/replay", tag = "records", params(("id" = String, Path)),
    responses((status = 200, body = ReplayView), (status = 404, body = ErrorEnvelope)))]
pub(crate) async fn replay(
    State(app): State<App>,
    GameId(id): GameId,
) -> Result<Json<ReplayView>, ApiError> {
    let game = app.tables.snapshot(&id).await?.game;
    Ok(Json(ReplayView::new(&game.record())))
}

/// The replay of a record that the client sends, as text or JSON.
#[utoipa::path(post, path = "/records/replay", tag = "records", request_body(content = String, content_type = "text/plain"),
    responses((status = 200, body = ReplayView), (status = "4XX", body = ErrorEnvelope)))]
pub(crate) async fn replay_record(
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<ReplayView>, ApiError> {
    let body = body.map_err(|rejection| match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => ApiError::TooLarge,
        _ => ApiError::BadRequest("the body is incomplete".to_owned()),
    })?;
    let bad = |problem: String| ApiError::BadRequest(problem);
    let text = str::from_utf8(&body).map_err(|_| bad("a record must be UTF-8 text".to_owned()))?;
    let read = if text.trim_start().starts_with('{') {
        Record::from_json(text)
    } else {
        Record::parse(text)
    };
    let record = read.map_err(|e| bad(format!("the record is invalid: {e}")))?;
    Ok(Json(ReplayView::new(&record)))
}
