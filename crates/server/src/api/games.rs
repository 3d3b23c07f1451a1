//! Reading a game: its state and its record.

use crate::api::App;
use crate::api::caller::{Caller, GameId};
use crate::api::error::ApiError;
use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use azulejo_table::view::GameView;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(state)).routes(routes!(record))
}

/// The state of a game: everything a user interface needs, with all legal moves for the player to move.
#[utoipa::path(get, path = "/games/{id}", tag = "games", params(("id" = String, Path)), security((), ("token" = [])),
    responses((status = 200, body = GameView)))]
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

/// The query of a record.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct RecordFormat {
    /// `text` if left out.
    #[param(inline)]
    format: Option<Format>,
}

/// The format of a record.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum Format {
    /// Text for people, like PGN for chess.
    #[default]
    Text,
    /// JSON.
    Json,
}

/// The record of a game so far. The record of a finished game has its seed.
#[utoipa::path(get, path = "/games/{id}/record", tag = "records", params(("id" = String, Path), RecordFormat),
    responses((status = 200, content((String = "text/plain"), (serde_json::Value = "application/json")))))]
pub(crate) async fn record(
    State(app): State<App>,
    GameId(id): GameId,
    format: Result<Query<RecordFormat>, QueryRejection>,
) -> Result<Response, ApiError> {
    let Query(RecordFormat { format }) = format?;
    let record = app.tables.snapshot(&id).await?.game.record();
    let (text, kind, ending) = match format.unwrap_or_default() {
        Format::Text => (record.to_string(), "text/plain; charset=utf-8", "txt"),
        Format::Json => (record.to_json(), "application/json", "json"),
    };
    let name = format!("attachment; filename=\"azulejo-{id}.{ending}\"");
    Ok(([(header::CONTENT_TYPE, kind.to_owned()), (header::CONTENT_DISPOSITION, name)], text)
        .into_response())
}
