//! Looking at a game: its state, its record, and all its steps.

use crate::api::App;
use crate::api::caller::{Caller, GameId};
use crate::api::error::ApiError;
use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, QueryRejection};
use axum::extract::{Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use azulejo_notation::Record;
use azulejo_table::view::{GameView, ReplayView};
use serde::Deserialize;

/// The state of a game: everything a screen needs, and for the one to move all legal moves.
#[utoipa::path(get, path = "/api/v1/games/{id}", tag = "games", params(("id" = String, Path)),
    responses((status = 200, body = GameView), (status = 404, body = super::error::ErrorEnvelope)))]
pub(crate) async fn state(
    State(app): State<App>,
    GameId(id): GameId,
    caller: Caller,
) -> Result<Json<GameView>, ApiError> {
    let seen = app.tables.look(&id).await?;
    let person = caller.id();
    let now_ms = app.clock.now_ms();
    Ok(Json(GameView::new(&seen.game, person.as_deref(), &seen.presence, now_ms)))
}

/// In which form a record is wanted.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Form {
    /// `text` (if left out) or `json`.
    format: Option<String>,
}

/// The record of a game so far; of a finished game with its seed.
#[utoipa::path(get, path = "/api/v1/games/{id}/record", tag = "records", params(("id" = String, Path), Form),
    responses((status = 200, body = String, content_type = "text/plain"), (status = 404, body = super::error::ErrorEnvelope)))]
pub(crate) async fn record(
    State(app): State<App>,
    GameId(id): GameId,
    form: Result<Query<Form>, QueryRejection>,
) -> Result<Response, ApiError> {
    let Query(form) = form?;
    let record = app.tables.look(&id).await?.game.record();
    let (text, kind, ending) = match form.format.as_deref() {
        None | Some("text") => (record.to_string(), "text/plain; charset=utf-8", "txt"),
        Some("json") => (record.to_json(), "application/json", "json"),
        Some(_) => {
            return Err(ApiError::BadRequest("`format` is `text` or `json`".to_owned()));
        }
    };
    let name = format!("attachment; filename=\"azulejo-{id}.{ending}\"");
    Ok(([(header::CONTENT_TYPE, kind.to_owned()), (header::CONTENT_DISPOSITION, name)], text)
        .into_response())
}

/// All steps of a game so far, each with its report and the position after it.
#[utoipa::path(get, path = "/api/v1/games/{id}/replay", tag = "records", params(("id" = String, Path)),
    responses((status = 200, body = ReplayView), (status = 404, body = super::error::ErrorEnvelope)))]
pub(crate) async fn replay(
    State(app): State<App>,
    GameId(id): GameId,
) -> Result<Json<ReplayView>, ApiError> {
    let game = app.tables.look(&id).await?.game;
    Ok(Json(ReplayView::new(&game.record())))
}

/// All steps of a record that the client sends, as text or JSON.
#[utoipa::path(post, path = "/api/v1/records/replay", tag = "records", request_body(content = String, content_type = "text/plain"),
    responses((status = 200, body = ReplayView), (status = "4XX", body = super::error::ErrorEnvelope)))]
pub(crate) async fn replay_record(
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<ReplayView>, ApiError> {
    let body = body.map_err(|rejection| match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => ApiError::TooLarge,
        _ => ApiError::BadRequest("the body broke off".to_owned()),
    })?;
    let bad = |problem: String| ApiError::BadRequest(problem);
    let text = str::from_utf8(&body).map_err(|_| bad("a record is UTF-8 text".to_owned()))?;
    let read = if text.trim_start().starts_with('{') {
        Record::from_json(text)
    } else {
        Record::parse(text)
    };
    let record = read.map_err(|e| bad(format!("the record: {e}")))?;
    Ok(Json(ReplayView::new(&record)))
}
