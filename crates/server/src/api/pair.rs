//! Quick pairing: two strangers who want to play now meet at a table with the same terms. The one who comes
//! first waits in a listed game, which others also find in the lobby.

use crate::api::App;
use crate::api::caller::Caller;
use crate::api::create;
use crate::api::error::{ApiError, ErrorEnvelope};
use crate::api::guard::Address;
use crate::api::limits::Action;
use crate::ids::new_id;
use crate::store::{ListedGame, Person};
use crate::tables::CommandError;
use axum::extract::State;
use axum::{Extension, Json};
use azulejo_table::{ClockSpec, Command, CreateGame, SeatSpec, Settings};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// The listed games in which an opponent is looked for.
const MAX_GAMES: u32 = 200;

/// Somebody who has just asked may not be connected to the game yet.
const CONNECTING_MS: i64 = 10_000;

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(pair))
}

/// The terms: two players, the official rules, ten minutes each and ten seconds more for each move,
/// without take-backs and hints.
fn terms() -> CreateGame {
    CreateGame {
        seats: vec![SeatSpec::Me { name: None }, SeatSpec::Open {}],
        clock: ClockSpec::Total { seconds: 600, increment: 10 },
        listed: true,
        takebacks: Some(false),
        hints: Some(false),
        ..CreateGame::default()
    }
}

/// Where an opponent is, or comes to.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Paired {
    /// The id of the game.
    pub game: String,
    /// Whether the opponent is there and the game has begun.
    pub begun: bool,
}

/// Play against anybody: take a seat in a waiting game with the usual terms, or wait in a new one.
#[utoipa::path(post, path = "/pair", tag = "games", security(("token" = [])),
    responses((status = 200, body = Paired), (status = 409, body = ErrorEnvelope)))]
pub(crate) async fn pair(
    State(app): State<App>,
    Extension(Address(address)): Extension<Address>,
    caller: Caller,
) -> Result<Json<Paired>, ApiError> {
    let person = caller.person()?;
    app.spend(address, Some(&person.id), Action::New)?;
    let (settings, seed) = create::settings(&terms(), person)?;
    // One at a time: two people who ask at the same moment would wait for each other.
    let _turn = app.pairing.lock().await;
    for game in app.store.lobby(MAX_GAMES).await? {
        if game.columns.status != "waiting" || !has_terms(&game.settings, &settings) {
            continue;
        }
        if game.settings.creator == *person.id {
            return Ok(Json(Paired { game: game.id, begun: false }));
        }
        if sit(&app, &game, person).await? {
            return Ok(Json(Paired { game: game.id, begun: true }));
        }
    }
    app.may_list(&person.id).await?;
    let created = create::open(&app, new_id().into(), settings, seed, &person.id).await?;
    Ok(Json(Paired { game: created.game.id, begun: false }))
}

/// Whether a game was made by quick pairing.
fn has_terms(found: &Settings, usual: &Settings) -> bool {
    let terms = |settings: &Settings| {
        let Settings { rules, clock, takebacks, hints, position, .. } = settings.clone();
        (rules, clock, takebacks, hints, position, settings.seats.len())
    };
    terms(found) == terms(usual)
}

/// Takes the free seat if the creator of the game is there.
async fn sit(app: &App, game: &ListedGame, person: &Person) -> Result<bool, ApiError> {
    let is_new = app.clock.now_ms() - game.created_ms < CONNECTING_MS;
    let snapshot = app.tables.snapshot(&game.id).await?;
    if !is_new && !snapshot.presence.seats.contains(&true) {
        return Ok(false);
    }
    let join = Command::Join { seat: None, name: person.name.clone(), is_invited: false };
    match app.tables.execute(&game.id, Some(person.id.clone()), join).await {
        Ok(_) => Ok(true),
        // Somebody else was faster, or the creator has left.
        Err(CommandError::Rejected(_) | CommandError::NoGame) => Ok(false),
        Err(error) => Err(error.into()),
    }
}
