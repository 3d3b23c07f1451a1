//! Hints and evaluations by the engine, for games that allow them.

use crate::api::App;
use crate::api::caller::{Caller, GameId};
use crate::api::error::{ApiError, ErrorEnvelope};
use crate::api::guard::Address;
use crate::api::limits::{Action, customer};
use crate::tables::{Asker, Purpose};
use axum::extract::State;
use axum::{Extension, Json};
use azulejo_table::Game;
use azulejo_table::view::HintView;
use std::sync::Arc;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(hint)).routes(routes!(evaluation))
}

/// The best moves for the player to move.
#[utoipa::path(get, path = "/games/{id}/hint", tag = "play", params(("id" = String, Path)), security(("token" = [])),
    responses((status = 200, body = HintView), (status = 403, body = ErrorEnvelope), (status = 409, body = ErrorEnvelope)))]
pub(crate) async fn hint(
    State(app): State<App>,
    Extension(Address(address)): Extension<Address>,
    GameId(id): GameId,
    caller: Caller,
) -> Result<Json<HintView>, ApiError> {
    let game = app.tables.snapshot(&id).await?.game;
    let person = caller.person()?;
    game.check_hint(Some(&person.id))?;
    app.spend(address, Some(&person.id), Action::Hint)?;
    Ok(Json(analyze(&app, &game, Arc::clone(&person.id), Purpose::Hint).await?))
}

/// The evaluation of a game, for players and spectators.
#[utoipa::path(get, path = "/games/{id}/evaluation", tag = "play", params(("id" = String, Path)), security((), ("token" = [])),
    responses((status = 200, body = HintView), (status = 403, body = ErrorEnvelope), (status = 409, body = ErrorEnvelope)))]
pub(crate) async fn evaluation(
    State(app): State<App>,
    Extension(Address(address)): Extension<Address>,
    GameId(id): GameId,
    caller: Caller,
) -> Result<Json<HintView>, ApiError> {
    let game = app.tables.snapshot(&id).await?.game;
    game.check_evaluation()?;
    app.spend(address, caller.id().as_ref(), Action::Hint)?;
    let asker = caller.id().unwrap_or_else(|| customer(address).to_string().into());
    Ok(Json(analyze(&app, &game, asker, Purpose::Evaluation).await?))
}

async fn analyze(
    app: &App,
    game: &Arc<Game>,
    asker: Asker,
    purpose: Purpose,
) -> Result<HintView, ApiError> {
    let analysis = app.engines.analyze(asker, purpose, game.position).await;
    let analysis = analysis.ok_or(ApiError::Busy)?;
    let view = match purpose {
        Purpose::Hint => HintView::hint,
        _ => HintView::evaluation,
    };
    view(&game.position, game.number, &analysis).ok_or(ApiError::Busy)
}
