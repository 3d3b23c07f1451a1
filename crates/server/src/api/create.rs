//! Creating games, and invitations to their seats.

use crate::api::App;
use crate::api::caller::{Body, Caller, GameId};
use crate::api::error::{ApiError, ErrorEnvelope};
use crate::api::guard::Address;
use crate::api::limits::Action;
use crate::ids::{Secret, new_id, new_seed};
use crate::names::check_name;
use crate::store::{Person, Write};
use axum::extract::State;
use axum::http::StatusCode;
use axum::{Extension, Json};
use azulejo_notation::Seed;
use azulejo_table::view::GameView;
use azulejo_table::{CreateGame, Creator, Game, Holder, Rejection, SeatKind, Settings, Status};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(create)).routes(routes!(invite))
}

/// A new game.
#[derive(Debug, Serialize, ToSchema)]
pub struct Created {
    /// The game as its creator sees it.
    pub game: GameView,
    /// One for each open seat. They are not shown again.
    pub invitations: Vec<Invitation>,
}

/// An invitation to a seat.
#[derive(Debug, Serialize, ToSchema)]
pub struct Invitation {
    /// The seat.
    pub seat: u8,
    /// The secret for `join`.
    pub secret: String,
    /// The link to send, without the server's address. Browsers do not send the part after `#` to the
    /// server.
    pub link: String,
}

impl Invitation {
    fn new(game: &str, seat: u8, secret: &Secret) -> Invitation {
        let secret = secret.reveal().to_owned();
        Invitation { seat, link: format!("/join/{game}#{seat}.{secret}"), secret }
    }
}

/// Create a game.
#[utoipa::path(post, path = "/games", tag = "games", request_body = CreateGame, security(("token" = [])),
    responses((status = 201, body = Created), (status = 409, body = ErrorEnvelope)))]
pub(crate) async fn create(
    State(app): State<App>,
    Extension(Address(address)): Extension<Address>,
    caller: Caller,
    Body(body): Body<CreateGame>,
) -> Result<(StatusCode, Json<Created>), ApiError> {
    let person = caller.person()?;
    app.spend(address, Some(&person.id), Action::New)?;
    let (settings, seed) = settings(&body, person)?;
    if settings.listed {
        app.may_list(&person.id).await?;
    }
    let created = open(&app, new_id().into(), settings, seed, &person.id).await?;
    Ok((StatusCode::CREATED, Json(created)))
}

/// Creates a game from its settings, with invitations to its open seats.
pub(super) async fn open(
    app: &App,
    id: Arc<str>,
    settings: Settings,
    seed: Seed,
    person: &str,
) -> Result<Created, ApiError> {
    let open_seats: Vec<u8> = (1..)
        .zip(&settings.seats)
        .filter(|(_, kind)| **kind == SeatKind::Open)
        .map(|(seat, _)| seat)
        .collect();
    let created = app.tables.create(Arc::clone(&id), settings, seed).await?;
    let mut invitations = Vec::new();
    for seat in open_seats {
        let secret = Secret::new();
        let (game, hash) = (Arc::clone(&id), secret.hash());
        app.store.write(Write::Invite { game, seat, hash }).await?;
        invitations.push(Invitation::new(&id, seat, &secret));
    }
    let now_ms = app.clock.now_ms();
    let game = GameView::new(&created.game, Some(person), &created.presence, now_ms);
    Ok(Created { game, invitations })
}

/// The seat to invite to.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct InviteRequest {
    /// An open seat.
    pub seat: u8,
}

/// Make a new invitation to an open seat. The earlier one expires.
#[utoipa::path(post, path = "/games/{id}/invitations", tag = "games", request_body = InviteRequest,
    params(("id" = String, Path)), security(("token" = [])),
    responses((status = 201, body = Invitation), (status = 409, body = ErrorEnvelope)))]
pub(crate) async fn invite(
    State(app): State<App>,
    GameId(id): GameId,
    caller: Caller,
    Body(InviteRequest { seat }): Body<InviteRequest>,
) -> Result<(StatusCode, Json<Invitation>), ApiError> {
    let person = caller.person()?;
    let game: Arc<Game> = app.tables.snapshot(&id).await?.game;
    if game.settings.creator != *person.id {
        return Err(ApiError::Forbidden("only the creator can invite"));
    }
    let state = usize::from(seat).checked_sub(1).and_then(|i| game.seats.get(i));
    match state.map(|state| &state.holder) {
        None => return Err(Rejection::NoSuchSeat(seat).into()),
        Some(Holder::Vacant) if game.status() == Status::Waiting => {}
        Some(_) => return Err(Rejection::SeatTaken(seat).into()),
    }
    let secret = Secret::new();
    let (id, hash) = (Arc::clone(&game.id), secret.hash());
    app.store.write(Write::Invite { game: id, seat, hash }).await?;
    Ok((StatusCode::CREATED, Json(Invitation::new(&game.id, seat, &secret))))
}

/// The settings and the seed of a new game.
pub(super) fn settings(body: &CreateGame, person: &Person) -> Result<(Settings, Seed), ApiError> {
    let check_name = |name: &str| check_name(name).map_err(|error| error.to_string());
    let creator = Creator { id: &person.id, name: Some(&person.name), check_name: &check_name };
    Ok(body.settings(creator, new_seed())?)
}
