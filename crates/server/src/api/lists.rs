//! Lists: my games, the lobby, and what can be chosen.

use crate::api::App;
use crate::api::caller::Caller;
use crate::api::error::ApiError;
use axum::Json;
use axum::extract::State;
use azulejo_engine::Level;
use azulejo_rules::{Players, Preset};
use azulejo_table::Phrase;
use azulejo_table::view::SummaryView;
use serde::Serialize;
use utoipa::ToSchema;

/// The most games in a list.
const MOST: u32 = 200;

/// A list of games.
#[derive(Debug, Serialize, ToSchema)]
pub struct Lists {
    /// The games.
    pub games: Vec<SummaryView>,
}

/// My games, the latest first.
#[utoipa::path(get, path = "/api/v1/me/games", tag = "people", security(("token" = [])),
    responses((status = 200, body = Lists), (status = 401, body = super::error::ErrorEnvelope)))]
pub(crate) async fn mine(State(app): State<App>, caller: Caller) -> Result<Json<Lists>, ApiError> {
    let person = caller.person()?;
    Ok(Json(Lists { games: app.store.games_of(&person.id, MOST).await? }))
}

/// The games that everybody may join or watch.
#[utoipa::path(get, path = "/api/v1/lobby", tag = "games", responses((status = 200, body = Lists)))]
pub(crate) async fn lobby(State(app): State<App>) -> Result<Json<Lists>, ApiError> {
    Ok(Json(Lists { games: app.store.lobby(MOST).await? }))
}

/// What can be chosen.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Options {
    /// The levels of the engine, the weakest first.
    pub levels: Vec<LevelView>,
    /// The presets, the official rules first.
    pub presets: Vec<PresetView>,
    /// The walls.
    pub walls: [&'static str; 2],
    /// The phrases that players can say.
    pub phrases: [Phrase; 8],
}

/// A level of the engine.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct LevelView {
    /// Its number, from 1.
    pub level: u8,
    /// Its name.
    pub name: &'static str,
    /// One sentence that says how it finds its moves.
    pub summary: &'static str,
}

/// A named rule set.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PresetView {
    /// Its name in requests and records.
    pub name: &'static str,
    /// One sentence that says how it differs from the official rules.
    pub summary: &'static str,
    /// The numbers of players that it allows.
    pub players: Vec<u8>,
}

/// What can be chosen: levels, presets, walls, phrases.
#[utoipa::path(get, path = "/api/v1/options", tag = "games", responses((status = 200, body = Options)))]
pub(crate) async fn options() -> Json<Options> {
    let level = |level: Level| LevelView {
        level: level.number(),
        name: level.name(),
        summary: level.summary(),
    };
    let preset = |preset: Preset| PresetView {
        name: preset.name(),
        summary: preset.summary(),
        players: Players::ALL
            .into_iter()
            .filter(|&players| preset.allows(players))
            .map(|players| players as u8)
            .collect(),
    };
    Json(Options {
        levels: Level::all().map(level).collect(),
        presets: Preset::ALL.into_iter().map(preset).collect(),
        walls: ["colored", "grey"],
        phrases: Phrase::ALL,
    })
}
