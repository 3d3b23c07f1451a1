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
use azulejo_engine::Level;
use azulejo_notation::Seed;
use azulejo_rules::{Phase, Players, Position, Preset, Rules, RulesError};
use azulejo_table::view::GameView;
use azulejo_table::{
    ClockSpec, Game, Holder, Rejection, SeatKind, SeedBy, Settings, Status, seed_hash,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(create)).routes(routes!(invite))
}

/// A game to create.
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
    /// A position to start from, in the notation. It contains its rules, so `wall`, `jokers`, `preset`
    /// and `rules` must be left out.
    pub position: Option<String>,
    /// A seed for the deals. The creator may then know the deals, which `fair.seed_by` tells all
    /// players. If left out, the server draws a random seed.
    pub seed: Option<String>,
    /// The clock; none if left out.
    pub clock: ClockSpec,
    /// Whether the lobby lists the game; otherwise only people with its link find it.
    pub listed: bool,
    /// Whether moves may be taken back; yes if left out.
    pub takebacks: Option<bool>,
    /// Whether players may ask the engine for hints. If left out: yes if one person plays, else no.
    pub hints: Option<bool>,
}

/// Who takes a seat.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum SeatSpec {
    /// Another person, by invitation; in a listed game also from the lobby.
    Open {},
    /// The creator of the game.
    Me {
        /// The name to show in this game; the person's if left out.
        name: Option<String>,
    },
    /// Another person on the creator's device, who plays with the creator's token.
    Here {
        /// The name to show.
        name: Option<String>,
    },
    /// The engine.
    Engine {
        /// The level, from 1; `GET /options` lists them.
        level: u8,
    },
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
fn settings(body: &CreateGame, person: &Person) -> Result<(Settings, Seed), ApiError> {
    let bad = |problem: String| ApiError::BadRequest(problem);
    let (rules, position) = match &body.position {
        Some(text) => {
            let has_more = body.wall.is_some()
                || body.jokers
                || body.preset.is_some()
                || !body.rules.is_empty();
            if has_more {
                return Err(bad("a position contains its rules: leave out `wall`, `jokers`, `preset` and `rules`".to_owned()));
            }
            let position: Position = text.parse().map_err(|e| bad(format!("`position`: {e}")))?;
            if matches!(position.phase(), Phase::Over(_)) {
                return Err(bad("`position`: the game is over".to_owned()));
            }
            (*position.rules(), Some(position.to_string()))
        }
        None => (new_rules(body)?, None),
    };
    if body.seats.len() != rules.players().count() {
        return Err(bad(format!("this position needs {} seats", rules.players().count())));
    }
    let seats = body.seats.iter().zip(1..).map(|(spec, n)| seat_kind(spec, n, person));
    let seats = seats.collect::<Result<Vec<_>, _>>()?;
    body.clock.check().map_err(|problem| bad(problem.to_owned()))?;
    let is_solo = !seats.contains(&SeatKind::Open);
    if is_solo && seats.iter().all(|seat| matches!(seat, SeatKind::Engine { .. })) {
        return Err(bad("at least one seat must not be the engine's".to_owned()));
    }
    let (seed, seed_by) = match &body.seed {
        Some(seed) => (seed.parse().map_err(|e| bad(format!("`seed`: {e}")))?, SeedBy::Creator),
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
        .ok_or_else(|| bad("`seats` must list two to four seats"))?;
    let mut rules = Rules::official(players);
    if let Some(wall) = &body.wall {
        rules.wall =
            wall.parse().map_err(|e: RulesError| bad(&format!("`wall`: {}", e.problem)))?;
    }
    rules.jokers = body.jokers;
    if let Some(name) = &body.preset {
        let preset = Preset::from_name(name).ok_or_else(|| {
            bad(&format!("`preset` must be one of {}", Preset::ALL.map(Preset::name).join(", ")))
        })?;
        rules = rules.with_preset(preset).map_err(|e| bad(&e.to_string()))?;
    }
    for (key, value) in &body.rules {
        if matches!(key.as_str(), "players" | "wall" | "jokers") {
            return Err(bad("`rules` must not contain `players`, `wall` and `jokers`"));
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
        SeatSpec::Engine { level } => match Level::new(*level) {
            Some(level) => SeatKind::Engine { level: level.number() },
            None => {
                let most = Level::MAX.number();
                return Err(ApiError::BadRequest(format!("`level` must be 1 to {most}")));
            }
        },
    })
}
