//! Playing: every action of a game as a request.

use crate::api::App;
use crate::api::caller::{Body, Caller, GameId, check_name};
use crate::api::error::ApiError;
use crate::ids::Secret;
use axum::Json;
use axum::extract::State;
use azulejo_table::view::{GameView, Presence};
use azulejo_table::{Action, Phrase};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What came of an action.
#[derive(Debug, Serialize, ToSchema)]
pub struct Played {
    /// The event in which it was done.
    pub number: u64,
    /// Whether it had been done before: the move id is known.
    pub repeated: bool,
    /// The game after it.
    pub game: GameView,
}

async fn act(
    app: &App,
    id: &str,
    caller: &Caller,
    action: Action,
) -> Result<Json<Played>, ApiError> {
    let person = caller.person()?;
    let done = app.tables.act(id, caller.id(), action).await?;
    let now_ms = app.clock.now_ms();
    // Who is there is told on sockets; an answer to a request does not wait for it.
    let game = GameView::new(&done.game, Some(&person.id), &Presence::default(), now_ms);
    Ok(Json(Played { number: done.number, repeated: done.is_repeated, game }))
}

/// A move.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MoveRequest {
    /// The move in the notation, one of `moves` of the state.
    #[serde(rename = "move")]
    pub m: String,
    /// A name for this move, 1 to 64 letters, digits, `-` and `_`. Sent again with the same id it
    /// is the same move, not another one.
    pub id: Option<String>,
    /// The number of the last event seen. If the position has changed since, the move is refused.
    pub after: Option<u64>,
    /// The seat, for those who play several.
    pub seat: Option<u8>,
}

/// Play a move, or choose a space on the wall.
#[utoipa::path(post, path = "/api/v1/games/{id}/moves", tag = "play", request_body = MoveRequest,
    params(("id" = String, Path)), security(("token" = [])),
    responses((status = 200, body = Played), (status = "4XX", body = super::error::ErrorEnvelope)))]
pub(crate) async fn play(
    State(app): State<App>,
    GameId(id): GameId,
    caller: Caller,
    Body(MoveRequest { m, id: move_id, after, seat }): Body<MoveRequest>,
) -> Result<Json<Played>, ApiError> {
    act(&app, &id, &caller, Action::Move { m, id: move_id, after, seat }).await
}

/// For which seat.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SeatRequest {
    /// The seat, for those who play several.
    pub seat: Option<u8>,
}

/// Resign.
#[utoipa::path(post, path = "/api/v1/games/{id}/resign", tag = "play", request_body = SeatRequest,
    params(("id" = String, Path)), security(("token" = [])),
    responses((status = 200, body = Played), (status = "4XX", body = super::error::ErrorEnvelope)))]
pub(crate) async fn resign(
    State(app): State<App>,
    GameId(id): GameId,
    caller: Caller,
    Body(SeatRequest { seat }): Body<SeatRequest>,
) -> Result<Json<Played>, ApiError> {
    act(&app, &id, &caller, Action::Resign { seat }).await
}

/// Call the game off before the first move.
#[utoipa::path(post, path = "/api/v1/games/{id}/abort", tag = "play", params(("id" = String, Path)), security(("token" = [])),
    responses((status = 200, body = Played), (status = "4XX", body = super::error::ErrorEnvelope)))]
pub(crate) async fn abort(
    State(app): State<App>,
    GameId(id): GameId,
    caller: Caller,
) -> Result<Json<Played>, ApiError> {
    act(&app, &id, &caller, Action::Abort).await
}

/// Take the last move back, ask for it, or agree to it.
#[utoipa::path(post, path = "/api/v1/games/{id}/takeback", tag = "play", params(("id" = String, Path)), security(("token" = [])),
    responses((status = 200, body = Played), (status = "4XX", body = super::error::ErrorEnvelope)))]
pub(crate) async fn takeback(
    State(app): State<App>,
    GameId(id): GameId,
    caller: Caller,
) -> Result<Json<Played>, ApiError> {
    act(&app, &id, &caller, Action::Takeback).await
}

/// Say no to a take-back, or no longer ask for it.
#[utoipa::path(delete, path = "/api/v1/games/{id}/takeback", tag = "play", params(("id" = String, Path)), security(("token" = [])),
    responses((status = 200, body = Played), (status = "4XX", body = super::error::ErrorEnvelope)))]
pub(crate) async fn refuse_takeback(
    State(app): State<App>,
    GameId(id): GameId,
    caller: Caller,
) -> Result<Json<Played>, ApiError> {
    act(&app, &id, &caller, Action::RefuseTakeback).await
}

/// Something to say.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SayRequest {
    /// One of the phrases.
    pub phrase: Phrase,
    /// The seat, for those who play several.
    pub seat: Option<u8>,
}

/// Say one of the phrases.
#[utoipa::path(post, path = "/api/v1/games/{id}/say", tag = "play", request_body = SayRequest,
    params(("id" = String, Path)), security(("token" = [])),
    responses((status = 200, body = Played), (status = "4XX", body = super::error::ErrorEnvelope)))]
pub(crate) async fn say(
    State(app): State<App>,
    GameId(id): GameId,
    caller: Caller,
    Body(SayRequest { phrase, seat }): Body<SayRequest>,
) -> Result<Json<Played>, ApiError> {
    act(&app, &id, &caller, Action::Say { phrase, seat }).await
}

/// A seat to sit down on.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct JoinRequest {
    /// The seat; if left out, the one of the invitation, or the first free one.
    pub seat: Option<u8>,
    /// The secret of the invitation; a listed game needs none.
    pub secret: Option<String>,
    /// The name to show in this game; the person's if left out.
    pub name: Option<String>,
}

/// Sit down.
#[utoipa::path(post, path = "/api/v1/games/{id}/join", tag = "games", request_body = JoinRequest,
    params(("id" = String, Path)), security(("token" = [])),
    responses((status = 200, body = Played), (status = "4XX", body = super::error::ErrorEnvelope)))]
pub(crate) async fn join(
    State(app): State<App>,
    GameId(id): GameId,
    caller: Caller,
    Body(body): Body<JoinRequest>,
) -> Result<Json<Played>, ApiError> {
    let person = caller.person()?;
    let name = check_name(body.name.as_ref().unwrap_or(&person.name))?;
    let mut seat = body.seat;
    let mut is_invited = false;
    if let Some(secret) = body.secret.as_deref() {
        let secret = Secret::read(secret).ok_or(azulejo_table::Refusal::NotInvited)?;
        // The game has to be there before anything is said about its invitations.
        app.tables.look(&id).await?;
        let known = app.store.invitations(&id).await?;
        let found = known
            .iter()
            .find(|(n, hash)| secret.has_hash(hash) && seat.is_none_or(|wanted| wanted == *n));
        let (n, _) = found.ok_or(azulejo_table::Refusal::NotInvited)?;
        seat = Some(*n);
        is_invited = true;
    }
    act(&app, &id, &caller, Action::Join { seat, name, is_invited }).await
}
