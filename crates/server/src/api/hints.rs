//! Hints and evaluations by the engine, for games that allow them.

use crate::api::App;
use crate::api::caller::{Caller, GameId};
use crate::api::error::{ApiError, ErrorEnvelope};
use crate::api::guard::Address;
use crate::api::limits::{Action, customer};
use crate::tables::{Asker, Purpose};
use axum::extract::State;
use axum::{Extension, Json};
use azulejo_rules::{Bonuses, Move, Phase, Position, Seat};
use azulejo_table::view::MoveView;
use azulejo_table::{Game, Rejection, Status};
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(hint)).routes(routes!(evaluation))
}

/// The engine's analysis of a position.
#[derive(Debug, Serialize, ToSchema)]
pub struct HintView {
    /// The number of the last event before the analyzed position.
    pub number: u64,
    /// The seat to move.
    pub seat: u8,
    /// The probability of winning by seat, from 0 to 1.
    pub win: Vec<f32>,
    /// The expected final score minus that of the best opponent, by seat.
    pub difference: Vec<f32>,
    /// Whether the rest of the round was searched completely.
    pub exact: bool,
    /// Whether the game ends with this round, so that the numbers are the result of best play.
    pub proved: bool,
    /// The search depth in plies.
    pub depth: u32,
    /// The best moves, the best first; empty in an evaluation.
    pub moves: Vec<HintMove>,
    /// The time of the search, in milliseconds.
    pub time_ms: u64,
    /// Whether the search had less time than usual because the server is busy.
    pub is_short: bool,
}

/// A good move.
#[derive(Debug, Serialize, ToSchema)]
pub struct HintMove {
    /// The move and its effect in this round.
    pub preview: MoveView,
    /// The probability of winning with it, for the seat to move.
    pub win: f32,
    /// The expected final score minus that of the best opponent, for the seat to move.
    pub difference: f32,
    /// The principal variation, which starts with this move.
    pub line: Vec<String>,
    /// What the move completes on the wall at the end of the round.
    pub completes: Completes,
    /// The expected reply of the next player, if the round goes on.
    #[schema(required = true)]
    pub reply: Option<MoveView>,
}

/// What a move completes on a wall.
#[derive(Debug, Serialize, ToSchema)]
pub struct Completes {
    /// Rows.
    pub rows: u32,
    /// Columns.
    pub columns: u32,
    /// Colors.
    pub colors: u32,
}

/// The best moves for the player to move.
#[utoipa::path(get, path = "/games/{id}/hint", tag = "play", params(("id" = String, Path)), security(("token" = [])),
    responses((status = 200, body = HintView), (status = 403, body = ErrorEnvelope), (status = 409, body = ErrorEnvelope)))]
pub(crate) async fn hint(
    State(app): State<App>,
    Extension(Address(address)): Extension<Address>,
    GameId(id): GameId,
    caller: Caller,
) -> Result<Json<HintView>, ApiError> {
    let game = app.tables.snapshot(&id).await?.game;
    let person = caller.person()?;
    let seat = allowed(&game)?;
    if !game.seats_of(Some(&person.id)).any(|own| own == seat) {
        return Err(Rejection::NotYourTurn { turn: seat }.into());
    }
    app.spend(address, Some(&person.id), Action::Hint)?;
    Ok(Json(analyze(&app, &game, seat, Arc::clone(&person.id), Purpose::Hint).await?))
}

/// The evaluation of a game, for players and spectators.
#[utoipa::path(get, path = "/games/{id}/evaluation", tag = "play", params(("id" = String, Path)), security((), ("token" = [])),
    responses((status = 200, body = HintView), (status = 403, body = ErrorEnvelope), (status = 409, body = ErrorEnvelope)))]
pub(crate) async fn evaluation(
    State(app): State<App>,
    Extension(Address(address)): Extension<Address>,
    GameId(id): GameId,
    caller: Caller,
) -> Result<Json<HintView>, ApiError> {
    let game = app.tables.snapshot(&id).await?.game;
    let seat = allowed(&game)?;
    app.spend(address, caller.id().as_ref(), Action::Hint)?;
    let asker = caller.id().unwrap_or_else(|| customer(address).to_string().into());
    Ok(Json(analyze(&app, &game, seat, asker, Purpose::Evaluation).await?))
}

/// The seat to move, if the game allows hints.
fn allowed(game: &Game) -> Result<u8, ApiError> {
    if !game.settings.hints {
        return Err(ApiError::Forbidden("this game is played without hints"));
    }
    match game.status() {
        Status::Waiting => Err(Rejection::NotStarted.into()),
        Status::Over => Err(Rejection::GameOver.into()),
        Status::Playing => game.turn().ok_or(ApiError::Busy),
    }
}

async fn analyze(
    app: &App,
    game: &Arc<Game>,
    seat: u8,
    asker: Asker,
    purpose: Purpose,
) -> Result<HintView, ApiError> {
    let analysis = app.engines.analyze(asker, purpose, game.position).await;
    let analysis = analysis.ok_or(ApiError::Busy)?;
    let lines = &analysis.lines;
    let best = lines.first().ok_or(ApiError::Busy)?;
    let own = usize::from(seat) - 1;
    let hints = lines.iter().filter(|_| purpose == Purpose::Hint).filter_map(|line| {
        let first = *line.pv.first()?;
        Some(HintMove {
            preview: MoveView::new(&game.position, first)?,
            win: line.forecast.win.get(own).copied().unwrap_or(0.0),
            difference: line.forecast.difference.get(own).copied().unwrap_or(0.0),
            line: line.pv.iter().map(ToString::to_string).collect(),
            completes: completes(&game.position, first),
            reply: reply(&game.position, &line.pv),
        })
    });
    Ok(HintView {
        number: game.number,
        seat,
        win: best.forecast.win.to_vec(),
        difference: best.forecast.difference.to_vec(),
        exact: best.exact,
        proved: best.proved,
        depth: best.depth,
        moves: hints.collect(),
        time_ms: u64::try_from(analysis.time.as_millis()).unwrap_or(u64::MAX),
        is_short: analysis.is_cut,
    })
}

/// What a move adds to the wall that its seat will have at the end of the round.
fn completes(before: &Position, m: Move) -> Completes {
    let seat = before.turn();
    let mut after = *before;
    // An illegal move adds nothing.
    let _ = after.play(m);
    let (without, with) = (wall_ahead(before, seat), wall_ahead(&after, seat));
    Completes {
        rows: with.rows.saturating_sub(without.rows),
        columns: with.columns.saturating_sub(without.columns),
        colors: with.colors.saturating_sub(without.colors),
    }
}

/// The bonuses of a seat's wall as it would be if the round ended now, tiled for the best score.
fn wall_ahead(position: &Position, seat: Seat) -> Bonuses {
    let mut best = (0, Bonuses::default());
    for board in position.tilings(seat) {
        let bonuses = Bonuses::of(&board, position.rules());
        let score = board.score() + bonuses.total();
        if score >= best.0 {
            best = (score, bonuses);
        }
    }
    best.1
}

/// The second move of a variation, if another seat plays it in the same round.
fn reply(before: &Position, line: &[Move]) -> Option<MoveView> {
    let mut after = *before;
    after.play(*line.first()?).ok()?;
    if after.phase() != Phase::Draft || after.turn() == before.turn() {
        return None;
    }
    MoveView::new(&after, *line.get(1)?)
}
