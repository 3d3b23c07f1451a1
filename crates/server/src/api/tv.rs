//! Azulejo TV: one game of the engine against itself at full strength, always on for those who watch it.
//!
//! It is a game like any other, created by nobody. The engine thinks while somebody watches, after every
//! other search has been served, and not faster than people can follow. When a game is over, the next one
//! begins with the next look. The id of the next game follows from that of the last one, so that two
//! nodes, or two watchers, create the same.

use crate::api::App;
use crate::api::error::ApiError;
use crate::api::lists::summaries;
use crate::ids::{TV, following_id, new_seed};
use crate::store::{Change, ListedGame, StoreError, Write};
use crate::tables::CommandError;
use axum::Json;
use axum::extract::State;
use azulejo_engine::Level;
use azulejo_rules::{Players, Rules};
use azulejo_table::view::SummaryView;
use azulejo_table::{ClockSpec, SeatKind, SeedBy, Settings, seed_hash};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// The pause after a game, for its result.
const PAUSE_MS: i64 = 10_000;

/// The number of games that are kept.
const MAX_KEPT: u32 = 20;

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(tv))
}

/// What is on TV.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TvView {
    /// The game; null if this server has no TV.
    #[schema(required = true)]
    pub game: Option<SummaryView>,
}

/// The game of the engine against itself that everybody can watch.
#[utoipa::path(get, path = "/tv", tag = "games", responses((status = 200, body = TvView)))]
pub(crate) async fn tv(State(app): State<App>) -> Result<Json<TvView>, ApiError> {
    if !app.has_tv {
        return Ok(Json(TvView { game: None }));
    }
    let mut last = latest(&app).await?;
    let now_ms = app.clock.now_ms();
    let is_on = last.as_ref().is_some_and(|game| {
        game.columns.status != "over" || now_ms - game.columns.updated_ms < PAUSE_MS
    });
    if !is_on {
        next(&app, last.as_ref().map_or("", |game| &game.id)).await?;
        last = latest(&app).await?;
    }
    let game = summaries(last.into_iter().collect(), None)?.pop();
    Ok(Json(TvView { game }))
}

async fn latest(app: &App) -> Result<Option<ListedGame>, StoreError> {
    Ok(app.store.games_by(TV, 1).await?.pop())
}

/// Creates the game after another one, unless somebody else has done so.
async fn next(app: &App, last: &str) -> Result<(), ApiError> {
    let seed = new_seed();
    let engine = SeatKind::Engine { level: Level::MAX.number() };
    let settings = Settings {
        rules: Rules::official(Players::Two).to_string(),
        seats: vec![engine.clone(), engine],
        clock: ClockSpec::None,
        listed: false,
        takebacks: false,
        hints: false,
        seed_hash: seed_hash(&seed),
        seed_by: SeedBy::Server,
        position: None,
        rematch_of: None,
        daily: None,
        creator: TV.to_owned(),
    };
    match app.tables.create(following_id(last).into(), settings, seed).await {
        Ok(_) | Err(CommandError::Busy) => {}
        Err(error) => return Err(error.into()),
    }
    let now_ms = app.clock.now_ms();
    for game in app.store.games_by(TV, 2 * MAX_KEPT).await?.into_iter().skip(MAX_KEPT as usize) {
        app.store.write(Write::People(Change::DeleteGame { id: game.id, now_ms })).await?;
    }
    Ok(())
}
