//! Playing over REST: every [`Command`] at one address, and taking a seat.

use crate::api::App;
use crate::api::caller::{Body, Caller, GameId};
use crate::api::error::{ApiError, ErrorEnvelope};
use crate::ids::Secret;
use crate::names::check_name;
use axum::Json;
use axum::extract::State;
use azulejo_table::view::{GameView, Presence};
use azulejo_table::{Command, Rejection};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(execute)).routes(routes!(join))
}

/// A command that was executed.
#[derive(Debug, Serialize, ToSchema)]
pub struct Executed {
    /// The number of the event that did it.
    pub number: u64,
    /// Whether the command was a repetition: the move id is known.
    pub repeated: bool,
    /// The game after it.
    pub game: GameView,
}

/// Do something in a game: play a move, resign, ask for a take-back, …
#[utoipa::path(post, path = "/games/{id}/commands", tag = "play", request_body = Command,
    params(("id" = String, Path)), security(("token" = [])),
    responses((status = 200, body = Executed), (status = 409, body = ErrorEnvelope), (status = 422, body = ErrorEnvelope)))]
pub(crate) async fn execute(
    State(app): State<App>,
    GameId(id): GameId,
    caller: Caller,
    Body(command): Body<Command>,
) -> Result<Json<Executed>, ApiError> {
    run(&app, &id, &caller, command).await
}

async fn run(
    app: &App,
    id: &str,
    caller: &Caller,
    command: Command,
) -> Result<Json<Executed>, ApiError> {
    let person = caller.person()?;
    let executed = app.tables.execute(id, caller.id(), command).await?;
    let now_ms = app.clock.now_ms();
    // Sockets are told who is connected; an answer to a request does not wait for it.
    let game = GameView::new(&executed.game, Some(&person.id), &Presence::default(), now_ms);
    Ok(Json(Executed { number: executed.number, repeated: executed.is_repeated, game }))
}

/// A seat to take.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct JoinRequest {
    /// The seat; if left out, the one of the invitation, or the first free one.
    #[schema(minimum = 1, maximum = 4)]
    pub seat: Option<u8>,
    /// The secret of the invitation; a listed game needs none.
    pub secret: Option<String>,
    /// The name to show in this game; the person's if left out.
    #[schema(min_length = 1)]
    pub name: Option<String>,
}

/// Take a seat.
#[utoipa::path(post, path = "/games/{id}/join", tag = "games", request_body = JoinRequest,
    params(("id" = String, Path)), security(("token" = [])),
    responses((status = 200, body = Executed), (status = 409, body = ErrorEnvelope)))]
pub(crate) async fn join(
    State(app): State<App>,
    GameId(id): GameId,
    caller: Caller,
    Body(JoinRequest { mut seat, secret, name }): Body<JoinRequest>,
) -> Result<Json<Executed>, ApiError> {
    let person = caller.person()?;
    let name = check_name(name.as_ref().unwrap_or(&person.name))?;
    let mut is_invited = false;
    if let Some(secret) = &secret {
        let secret = Secret::read(secret).ok_or(Rejection::NotInvited)?;
        // A game that does not exist is reported before its invitations are checked.
        app.tables.snapshot(&id).await?;
        let known = app.store.invitations(&id).await?;
        let found = known
            .iter()
            .find(|(n, hash)| secret.has_hash(hash) && seat.is_none_or(|wanted| wanted == *n));
        let (n, _) = found.ok_or(Rejection::NotInvited)?;
        seat = Some(*n);
        is_invited = true;
    }
    run(&app, &id, &caller, Command::Join { seat, name, is_invited }).await
}
