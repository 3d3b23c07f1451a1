//! Lists: my games, the lobby, and the options for a new game.

use crate::api::App;
use crate::api::caller::Caller;
use crate::api::error::ApiError;
use crate::store::{ListedGame, SeatRow, StoreError};
use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use azulejo_table::view::{KeptView, OptionsView, SeatView, SummaryView};
use azulejo_table::{GameResult, ResultBy, engine_name};
use serde::de::DeserializeOwned;
use serde::de::value::StrDeserializer;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(mine)).routes(routes!(lobby)).routes(routes!(options))
}

/// The largest number of games in a list.
const MAX_GAMES: u32 = 200;

/// A list of games.
#[derive(Debug, Serialize, ToSchema)]
pub struct GameList {
    /// The games.
    pub games: Vec<SummaryView>,
}

/// A part of a list.
#[derive(Debug, Deserialize, IntoParams)]
pub(crate) struct Part {
    /// How many games to leave out at the beginning.
    #[serde(default)]
    pub skip: u32,
}

/// My games, the latest first, at most 200 at a time.
#[utoipa::path(get, path = "/me/games", tag = "people", params(Part), security(("token" = [])),
    responses((status = 200, body = GameList)))]
pub(crate) async fn mine(
    State(app): State<App>,
    caller: Caller,
    part: Result<Query<Part>, QueryRejection>,
) -> Result<Json<GameList>, ApiError> {
    let person = caller.person()?;
    let Query(Part { skip }) = part.map_err(|error| ApiError::BadRequest(error.body_text()))?;
    let games = app.store.games_of(&person.id, MAX_GAMES, skip).await?;
    Ok(Json(GameList { games: summaries(games, Some(&person.id))? }))
}

/// The listed games, which anybody may join or watch.
#[utoipa::path(get, path = "/lobby", tag = "games", responses((status = 200, body = GameList)))]
pub(crate) async fn lobby(State(app): State<App>) -> Result<Json<GameList>, ApiError> {
    Ok(Json(GameList { games: summaries(app.store.lobby(MAX_GAMES).await?, None)? }))
}

/// Listed games as a viewer sees them; the seats of the viewer only in the list of the viewer's games.
pub(super) fn summaries(
    games: Vec<ListedGame>,
    viewer: Option<&str>,
) -> Result<Vec<SummaryView>, StoreError> {
    games.into_iter().map(|game| summary(game, viewer)).collect()
}

fn summary(game: ListedGame, viewer: Option<&str>) -> Result<SummaryView, StoreError> {
    let ListedGame { id, settings, created_ms, columns, seats } = game;
    let invalid = |what: &str| StoreError::Corrupt(format!("game {id}: invalid {what} in its row"));
    let scores = columns.scores.split(' ').map(str::parse);
    let scores: Vec<u16> = scores.collect::<Result<_, _>>().map_err(|_| invalid("scores"))?;
    let is_viewers = |seat: &&SeatRow| {
        seat.kind == "person" && viewer.is_some() && seat.person.as_deref() == viewer
    };
    let your_seats = seats.iter().filter(is_viewers).map(|seat| small(seat.seat)).collect();
    let result = match &columns.ended_by {
        Some(name) => {
            let ended_by: ResultBy = named(name).ok_or_else(|| invalid("end"))?;
            let ranks: Vec<u8> = seats.iter().filter_map(|seat| seat.place).map(small).collect();
            let winners = (1..).zip(&ranks).filter(|&(_, &rank)| rank == 1).map(|(n, _)| n);
            Some(GameResult { ended_by, scores: scores.clone(), winners: winners.collect(), ranks })
        }
        None => None,
    };
    let seats = seats.iter().map(|row| {
        let level = row.level.map(small);
        Some(SeatView {
            seat: small(row.seat),
            kind: named(&row.kind)?,
            name: row.name.clone().or_else(|| level.map(engine_name)),
            level,
            left: match &row.left_why {
                Some(why) => Some(named(why)?),
                None => None,
            },
        })
    });
    Ok(SummaryView {
        status: named(&columns.status).ok_or_else(|| invalid("status"))?,
        rules: settings.rules,
        seats: seats.collect::<Option<_>>().ok_or_else(|| invalid("seat"))?,
        your_seats,
        clock: settings.clock,
        turn: columns.turn.map(small),
        round: small(columns.round),
        scores,
        result,
        daily: settings.daily,
        number: small(columns.number),
        created_ms,
        updated_ms: columns.updated_ms,
        id,
    })
}

/// The value with a stored name: the same names as in JSON.
fn named<T: DeserializeOwned>(name: &str) -> Option<T> {
    T::deserialize(StrDeserializer::<serde::de::value::Error>::new(name)).ok()
}

/// A stored number. A number out of range, which only a damaged database has, becomes 0.
fn small<T: TryFrom<i64> + Default>(number: i64) -> T {
    T::try_from(number).unwrap_or_default()
}

/// The options for a new game: levels, presets, walls, phrases, and the engine's thinking time.
#[utoipa::path(get, path = "/options", tag = "games", responses((status = 200, body = OptionsView)))]
pub(crate) async fn options(State(app): State<App>) -> Json<OptionsView> {
    let (now, full) = app.engines.thinking_time();
    let kept = KeptView {
        finished_days: app.retention.finished_days,
        unfinished_days: app.retention.unfinished_days,
        people_days: app.retention.people_days,
    };
    Json(OptionsView::new(full, now, kept))
}
