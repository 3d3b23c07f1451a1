//! Lists: my games, the lobby, and the options for a new game.

use crate::api::App;
use crate::api::caller::Caller;
use crate::api::error::ApiError;
use crate::store::{GameRow, StoreError};
use axum::Json;
use axum::extract::State;
use azulejo_engine::Level;
use azulejo_rules::{Players, Preset};
use azulejo_table::Phrase;
use azulejo_table::view::SummaryView;
use serde::Serialize;
use std::time::Duration;
use utoipa::ToSchema;
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

/// My games, the latest first.
#[utoipa::path(get, path = "/me/games", tag = "people", security(("token" = [])),
    responses((status = 200, body = GameList)))]
pub(crate) async fn mine(
    State(app): State<App>,
    caller: Caller,
) -> Result<Json<GameList>, ApiError> {
    let person = caller.person()?;
    Ok(Json(GameList { games: summaries(app.store.games_of(&person.id, MAX_GAMES).await?)? }))
}

/// The listed games, which anybody may join or watch.
#[utoipa::path(get, path = "/lobby", tag = "games", responses((status = 200, body = GameList)))]
pub(crate) async fn lobby(State(app): State<App>) -> Result<Json<GameList>, ApiError> {
    Ok(Json(GameList { games: summaries(app.store.lobby(MAX_GAMES).await?)? }))
}

/// The stored summaries with the seats of the viewer.
pub(super) fn summaries(rows: Vec<GameRow>) -> Result<Vec<SummaryView>, StoreError> {
    let summary = |row: GameRow| {
        let mut summary: SummaryView = serde_json::from_str(&row.summary)
            .map_err(|error| StoreError::Corrupt(error.to_string()))?;
        summary.your_seats = row.seats;
        Ok(summary)
    };
    rows.into_iter().map(summary).collect()
}

/// The options for a new game.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Options {
    /// The levels of the engine, the weakest first.
    pub levels: Vec<LevelView>,
    /// The presets, the official rules first.
    pub presets: Vec<PresetView>,
    /// The walls.
    pub walls: [&'static str; 2],
    /// The phrases that players can say.
    pub phrases: [Phrase; Phrase::ALL.len()],
    /// The thinking time of the engine.
    pub thinking: ThinkingView,
}

/// How long the engine thinks about a move at full strength. Weak levels need a few milliseconds.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ThinkingView {
    /// The longest time, in milliseconds.
    pub full_ms: u64,
    /// The time for a question asked now; less than `full_ms` while the server is busy.
    pub now_ms: u64,
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

/// A preset of the rules.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PresetView {
    /// Its name, as `preset` of a new game.
    pub name: &'static str,
    /// One sentence about it.
    pub summary: &'static str,
    /// The numbers of players that it allows.
    pub players: Vec<usize>,
}

/// The options for a new game: levels, presets, walls, phrases, and the engine's thinking time.
#[utoipa::path(get, path = "/options", tag = "games", responses((status = 200, body = Options)))]
pub(crate) async fn options(State(app): State<App>) -> Json<Options> {
    let ms = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    let (now, full) = app.engines.thinking_time();
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
            .map(Players::count)
            .collect(),
    };
    Json(Options {
        levels: Level::all().map(level).collect(),
        presets: Preset::ALL.into_iter().map(preset).collect(),
        walls: ["colored", "grey"],
        phrases: Phrase::ALL,
        thinking: ThinkingView { full_ms: ms(full), now_ms: ms(now) },
    })
}
