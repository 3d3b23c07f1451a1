//! New games and the invitations to their seats.

use crate::api::App;
use crate::api::caller::{Body, Caller, GameId, check_name};
use crate::api::error::ApiError;
use crate::api::guard::Address;
use crate::api::limits::{What, Who};
use crate::ids::{Secret, new_id, new_seed};
use crate::store::{Person, Write};
use axum::extract::State;
use axum::http::StatusCode;
use axum::{Extension, Json};
use azulejo_notation::Seed;
use azulejo_rules::{Phase, Players, Position, Preset, Rules, RulesError};
use azulejo_table::view::GameView;
use azulejo_table::{ClockSpec, Game, Holder, SeatKind, SeedBy, Settings, Status, seed_hash};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use utoipa::ToSchema;

/// A game to be created.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct CreateGame {
    /// Two to four seats, in playing order.
    #[schema(required = true)]
    pub seats: Vec<SeatSpec>,
    /// `colored` (if left out) or `grey`.
    pub wall: Option<String>,
    /// Whether to play with the Joker tiles.
    pub jokers: bool,
    /// `official` (if left out), `overview`, `quick-guide` or `duel`.
    pub preset: Option<String>,
    /// Single rules, by key, as in `{"row_bonus": "3"}`.
    pub rules: BTreeMap<String, String>,
    /// A position to start from, in the notation; it carries its rules, and `wall`, `jokers`,
    /// `preset` and `rules` must be left out.
    pub position: Option<String>,
    /// A seed for the deals. Whoever gives one can know the deals, and everybody is told so. If it
    /// is left out the server draws one.
    pub seed: Option<String>,
    /// The clock; none if left out.
    pub clock: ClockSpec,
    /// Whether the lobby lists the game. Otherwise it is known to those who have its link.
    pub listed: bool,
    /// Whether moves may be taken back; yes if left out.
    pub takebacks: Option<bool>,
    /// Whether the engine may be asked. If left out: yes when one person plays, else no.
    pub hints: Option<bool>,
}

/// Who is to sit on a seat.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum SeatSpec {
    /// Somebody else, by invitation; in a listed game also by the lobby.
    Open {},
    /// Whoever creates the game.
    Me {
        /// The name to show in this game; the person's if left out.
        name: Option<String>,
    },
    /// Another person at the same screen, for whom the creator's token plays.
    Here {
        /// The name to show.
        name: Option<String>,
    },
    /// The engine.
    Engine {
        /// From 1 to 10.
        level: u8,
    },
}

/// A new game.
#[derive(Debug, Serialize, ToSchema)]
pub struct Created {
    /// The game as its creator sees it.
    pub game: GameView,
    /// One for each open seat. They are shown this once.
    pub invitations: Vec<Invitation>,
}

/// What opens a seat.
#[derive(Debug, Serialize, ToSchema)]
pub struct Invitation {
    /// The seat.
    pub seat: u8,
    /// What has to be shown to sit down.
    pub secret: String,
    /// The link to send, without the server's address. The part after `#` never reaches a server.
    pub link: String,
}

impl Invitation {
    fn new(game: &str, seat: u8, secret: &Secret) -> Invitation {
        let secret = secret.reveal().to_owned();
        Invitation { seat, link: format!("/join/{game}#{seat}.{secret}"), secret }
    }
}

/// Create a game.
#[utoipa::path(post, path = "/api/v1/games", tag = "games", request_body = CreateGame, security(("token" = [])),
    responses((status = 201, body = Created), (status = "4XX", body = super::error::ErrorEnvelope)))]
pub(crate) async fn create(
    State(app): State<App>,
    Extension(Address(address)): Extension<Address>,
    caller: Caller,
    Body(body): Body<CreateGame>,
) -> Result<(StatusCode, Json<Created>), ApiError> {
    let person = caller.person()?;
    for who in [Who::address(address), Who::Person(Arc::clone(&person.id))] {
        if !app.limits.allows(who, What::New) {
            return Err(ApiError::TooMany);
        }
    }
    let (settings, seed) = settings(&body, person)?;
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
    let seen = app.tables.create(Arc::clone(&id), settings, seed).await?;
    let mut invitations = Vec::new();
    for seat in open_seats {
        let secret = Secret::new();
        let (game, hash) = (Arc::clone(&id), secret.hash());
        app.store.write(Write::Invite { game, seat, hash }).await?;
        invitations.push(Invitation::new(&id, seat, &secret));
    }
    let now_ms = app.clock.now_ms();
    let game = GameView::new(&seen.game, Some(person), &seen.presence, now_ms);
    Ok(Created { game, invitations })
}

/// Which seat to invite to.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct InviteRequest {
    /// An open seat.
    pub seat: u8,
}

/// Make a new invitation to an open seat; the earlier one opens nothing any more.
#[utoipa::path(post, path = "/api/v1/games/{id}/invitations", tag = "games", request_body = InviteRequest,
    params(("id" = String, Path)), security(("token" = [])),
    responses((status = 201, body = Invitation), (status = "4XX", body = super::error::ErrorEnvelope)))]
pub(crate) async fn invite(
    State(app): State<App>,
    GameId(id): GameId,
    caller: Caller,
    Body(InviteRequest { seat }): Body<InviteRequest>,
) -> Result<(StatusCode, Json<Invitation>), ApiError> {
    let person = caller.person()?;
    let game: Arc<Game> = app.tables.look(&id).await?.game;
    if game.settings.creator != *person.id {
        return Err(ApiError::Forbidden("only who created the game can invite"));
    }
    let state = usize::from(seat).checked_sub(1).and_then(|i| game.seats.get(i));
    match state.map(|state| &state.holder) {
        None => return Err(azulejo_table::Refusal::NoSuchSeat(seat).into()),
        Some(Holder::Vacant) if game.status() == Status::Waiting => {}
        Some(_) => return Err(azulejo_table::Refusal::SeatTaken(seat).into()),
    }
    let secret = Secret::new();
    let (id, hash) = (Arc::clone(&game.id), secret.hash());
    app.store.write(Write::Invite { game: id, seat, hash }).await?;
    Ok((StatusCode::CREATED, Json(Invitation::new(&game.id, seat, &secret))))
}

/// What is agreed, if the request makes sense.
fn settings(body: &CreateGame, person: &Person) -> Result<(Settings, Seed), ApiError> {
    let bad = |problem: String| ApiError::BadRequest(problem);
    let (rules, position) = match &body.position {
        Some(text) => {
            let has_more = body.wall.is_some()
                || body.jokers
                || body.preset.is_some()
                || !body.rules.is_empty();
            if has_more {
                return Err(bad("a position carries its rules: leave the others out".to_owned()));
            }
            let position: Position = text.parse().map_err(|e| bad(format!("the position: {e}")))?;
            if matches!(position.phase(), Phase::Over(_)) {
                return Err(bad("the game is over in this position".to_owned()));
            }
            (*position.rules(), Some(position.to_string()))
        }
        None => (new_rules(body)?, None),
    };
    if body.seats.len() != rules.players().count() {
        return Err(bad(format!("this position has {} seats", rules.players().count())));
    }
    let seats = body.seats.iter().zip(1..).map(|(spec, n)| seat_kind(spec, n, person));
    let seats = seats.collect::<Result<Vec<_>, _>>()?;
    body.clock.check().map_err(|problem| bad(problem.to_owned()))?;
    let is_solo = !seats.contains(&SeatKind::Open);
    if is_solo && seats.iter().all(|seat| matches!(seat, SeatKind::Engine { .. })) {
        return Err(bad("at least one seat is not the engine's".to_owned()));
    }
    let (seed, seed_by) = match &body.seed {
        Some(seed) => (seed.parse().map_err(|e| bad(format!("the seed: {e}")))?, SeedBy::Creator),
        None => (new_seed(), SeedBy::Server),
    };
    let settings = Settings {
        rules: rules.to_string(),
        seats,
        clock: body.clock,
        listed: body.listed,
        takebacks: body.takebacks.unwrap_or(true),
        hints: body.hints.unwrap_or(is_solo),
        seed_hash: seed_hash(&seed),
        seed_by,
        position,
        rematch_of: None,
        creator: person.id.to_string(),
    };
    Ok((settings, seed))
}

fn new_rules(body: &CreateGame) -> Result<Rules, ApiError> {
    let bad = |problem: &str| ApiError::BadRequest(problem.to_owned());
    let players = Players::from_count(body.seats.len())
        .ok_or_else(|| bad("`seats` lists two to four seats"))?;
    let mut rules = Rules::official(players);
    if let Some(wall) = &body.wall {
        rules.wall =
            wall.parse().map_err(|e: RulesError| bad(&format!("`wall`: {}", e.problem)))?;
    }
    rules.jokers = body.jokers;
    if let Some(name) = &body.preset {
        let preset = Preset::from_name(name).ok_or_else(|| {
            bad(&format!("`preset` is {}", Preset::ALL.map(Preset::name).join(", ")))
        })?;
        rules = rules.with_preset(preset).map_err(|e| bad(&e.to_string()))?;
    }
    for (key, value) in &body.rules {
        if matches!(key.as_str(), "players" | "wall" | "jokers") {
            return Err(bad("`rules` does not repeat `players`, `wall` and `jokers`"));
        }
        rules.set(key, value).map_err(|e| bad(&e.to_string()))?;
    }
    Ok(rules)
}

fn seat_kind(spec: &SeatSpec, number: u8, person: &Person) -> Result<SeatKind, ApiError> {
    let me = |name: String| SeatKind::Person { person: person.id.to_string(), name };
    Ok(match spec {
        SeatSpec::Open {} => SeatKind::Open,
        SeatSpec::Me { name } => me(check_name(name.as_ref().unwrap_or(&person.name))?),
        SeatSpec::Here { name: Some(name) } => me(check_name(name)?),
        SeatSpec::Here { name: None } => me(format!("Player {number}")),
        SeatSpec::Engine { level } if (1..=10).contains(level) => {
            SeatKind::Engine { level: *level }
        }
        SeatSpec::Engine { .. } => {
            return Err(ApiError::BadRequest("`level` is 1 to 10".to_owned()));
        }
    })
}
