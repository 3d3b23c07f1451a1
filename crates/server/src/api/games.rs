//! Reading a game: its state and its record.

use crate::api::App;
use crate::api::caller::{Caller, GameId};
use crate::api::error::{ApiError, ErrorEnvelope};
use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use azulejo_table::view::GameView;
use serde::Deserialize;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(state)).routes(routes!(record))
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
