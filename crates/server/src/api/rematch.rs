//! Rematches: a new game between the same players, with every seat moved by one. The first player who
//! asks creates it; the seats of the others are reserved for them.

use crate::api::App;
use crate::api::caller::{Caller, GameId};
use crate::api::create::{Created, open};
use crate::api::error::{ApiError, ErrorEnvelope};
use crate::api::guard::Address;
use crate::api::limits::Action;
use crate::ids::{new_id, new_seed};
use axum::extract::State;
use axum::{Extension, Json};
use azulejo_table::Command;
use std::sync::Arc;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(create))
}

/// Create a rematch with rotated seats. The other players find it in the events of this game.
#[utoipa::path(post, path = "/games/{id}/rematch", tag = "play", params(("id" = String, Path)), security(("token" = [])),
    responses((status = 200, body = Created), (status = 409, body = ErrorEnvelope)))]
pub(crate) async fn create(
    State(app): State<App>,
    Extension(Address(address)): Extension<Address>,
    GameId(id): GameId,
    caller: Caller,
) -> Result<Json<Created>, ApiError> {
    let person = caller.person()?;
    app.spend(address, Some(&person.id), Action::New)?;
    let game = app.tables.snapshot(&id).await?.game;
    game.check_rematch(Some(&person.id))?;
    let seed = new_seed();
    let settings = game.rematch_settings(&person.id, &seed);
    // The game is created before the link to it, so that no link is dead. If two players ask at the
    // same time, the first gets the link, and the game of the second is aborted.
    let new: Arc<str> = new_id().into();
    let created = open(&app, Arc::clone(&new), settings, seed, &person.id).await?;
    let link = Command::Rematch { game: new.to_string() };
    if let Err(error) = app.tables.execute(&id, caller.id(), link).await {
        let _ = app.tables.execute(&new, caller.id(), Command::Abort {}).await;
        return Err(error.into());
    }
    Ok(Json(created))
}
