//! Another game between the same players, each one seat further. Whoever asks first creates it;
//! the seats of the others are kept for them until they sit down.

use crate::api::App;
use crate::api::caller::{Caller, GameId};
use crate::api::create::{Created, open};
use crate::api::error::ApiError;
use crate::ids::{new_id, new_seed};
use axum::Json;
use axum::extract::State;
use azulejo_table::{Action, Game, Holder, Refusal, SeatKind, SeedBy, Settings, Status, seed_hash};
use std::sync::Arc;

/// Ask for a rematch: the seats are rotated, and the others find it in this game's events.
#[utoipa::path(post, path = "/api/v1/games/{id}/rematch", tag = "play", params(("id" = String, Path)), security(("token" = [])),
    responses((status = 200, body = Created), (status = "4XX", body = super::error::ErrorEnvelope)))]
pub(crate) async fn create(
    State(app): State<App>,
    GameId(id): GameId,
    caller: Caller,
) -> Result<Json<Created>, ApiError> {
    let person = caller.person()?;
    let game = app.tables.look(&id).await?.game;
    check(&game, &person.id)?;
    let seed = new_seed();
    let mut seats: Vec<SeatKind> =
        game.seats.iter().map(|seat| seat_kind(&seat.holder, &person.id)).collect();
    seats.rotate_right(1);
    let settings = Settings {
        seats,
        seed_hash: seed_hash(&seed),
        seed_by: SeedBy::Server,
        position: None,
        rematch_of: Some(game.id.to_string()),
        creator: person.id.to_string(),
        ..(*game.settings).clone()
    };
    // The game first, then the link to it: a link never leads nowhere. Of two who ask at the same
    // moment one gets the link, and the game of the other is called off.
    let new: Arc<str> = new_id().into();
    let created = open(&app, Arc::clone(&new), settings, seed, &person.id).await?;
    let link = Action::Rematch { game: new.to_string() };
    if let Err(error) = app.tables.act(&id, caller.id(), link).await {
        let _ = app.tables.act(&new, caller.id(), Action::Abort).await;
        return Err(error.into());
    }
    Ok(Json(created))
}

fn check(game: &Game, person: &str) -> Result<(), Refusal> {
    if game.seats_of(Some(person)).next().is_none() {
        return Err(Refusal::NotSeated);
    }
    if game.status() != Status::Over {
        return Err(Refusal::NotOver);
    }
    match &game.rematch {
        Some(rematch) => Err(Refusal::RematchExists(rematch.to_string())),
        None => Ok(()),
    }
}

fn seat_kind(holder: &Holder, asking: &str) -> SeatKind {
    match holder {
        Holder::Vacant => SeatKind::Open,
        Holder::Engine { level } => SeatKind::Engine { level: *level },
        Holder::Person { person, name } | Holder::Reserved { person, name } => {
            let (person, name) = (person.to_string(), name.to_string());
            if person == asking {
                SeatKind::Person { person, name }
            } else {
                SeatKind::Reserved { person, name }
            }
        }
    }
}
