//! Asking the engine about a game, where the game allows it.

use crate::api::App;
use crate::api::caller::{Caller, GameId};
use crate::api::error::ApiError;
use crate::api::guard::Address;
use crate::api::limits::{What, Who};
use crate::table::Analysis;
use axum::extract::State;
use axum::{Extension, Json};
use azulejo_rules::{Bonuses, Move, Phase, Position, Seat};
use azulejo_table::view::{MoveView, moves};
use azulejo_table::{Game, Status};
use serde::Serialize;
use std::sync::Arc;
use tokio::sync::oneshot;
use utoipa::ToSchema;

/// What the engine thinks of a position.
#[derive(Debug, Serialize, ToSchema)]
pub struct HintView {
    /// The event after which the position is the one that was looked at.
    pub number: u64,
    /// The seat to move.
    pub seat: u8,
    /// The probability of winning by seat, from 0 to 1.
    pub win: Vec<f32>,
    /// The expected final score minus the best other's, by seat.
    pub difference: Vec<f32>,
    /// Whether the rest of the round was searched completely.
    pub exact: bool,
    /// How many plies were looked ahead.
    pub depth: u32,
    /// The best moves, the best first; empty in an evaluation.
    pub moves: Vec<HintMove>,
}

/// A good move.
#[derive(Debug, Serialize, ToSchema)]
pub struct HintMove {
    /// The move and what it brings in this round.
    pub preview: MoveView,
    /// The probability of winning with it, for the seat to move.
    pub win: f32,
    /// The expected final score minus the best other's, for the seat to move.
    pub difference: f32,
    /// How the engine expects the game to go on, with this move first.
    pub line: Vec<String>,
    /// What the mover's wall will have complete at the round's end because of it.
    pub completes: Completes,
    /// What the engine expects of the next player, if the round goes on.
    pub reply: Option<MoveView>,
}

/// What becomes complete on a wall.
#[derive(Debug, Serialize, ToSchema)]
pub struct Completes {
    /// Rows across.
    pub rows: u32,
    /// Columns.
    pub columns: u32,
    /// Colors.
    pub colors: u32,
}

/// The best moves for the one who is to move.
#[utoipa::path(get, path = "/api/v1/games/{id}/hint", tag = "play", params(("id" = String, Path)), security(("token" = [])),
    responses((status = 200, body = HintView), (status = "4XX", body = super::error::ErrorEnvelope)))]
pub(crate) async fn hint(
    State(app): State<App>,
    Extension(Address(address)): Extension<Address>,
    GameId(id): GameId,
    caller: Caller,
) -> Result<Json<HintView>, ApiError> {
    let game = app.tables.look(&id).await?.game;
    let person = caller.person()?;
    let seat = allowed(&game)?;
    if !game.seats_of(Some(&person.id)).any(|own| own == seat) {
        return Err(azulejo_table::Refusal::NotYourTurn { turn: seat }.into());
    }
    let who = [Who::address(address), Who::Person(Arc::clone(&person.id))];
    Ok(Json(ask(&app, &game, seat, who, true).await?))
}

/// How the game stands, for everybody who may know.
#[utoipa::path(get, path = "/api/v1/games/{id}/evaluation", tag = "play", params(("id" = String, Path)),
    responses((status = 200, body = HintView), (status = "4XX", body = super::error::ErrorEnvelope)))]
pub(crate) async fn evaluation(
    State(app): State<App>,
    Extension(Address(address)): Extension<Address>,
    GameId(id): GameId,
) -> Result<Json<HintView>, ApiError> {
    let game = app.tables.look(&id).await?.game;
    let seat = allowed(&game)?;
    Ok(Json(ask(&app, &game, seat, [Who::address(address)], false).await?))
}

/// The seat to move, if the engine may be asked about it.
fn allowed(game: &Game) -> Result<u8, ApiError> {
    if !game.settings.hints {
        return Err(ApiError::Forbidden("this game is played without hints"));
    }
    match game.status() {
        Status::Waiting => Err(azulejo_table::Refusal::NotStarted.into()),
        Status::Over => Err(azulejo_table::Refusal::GameOver.into()),
        Status::Playing => game.turn().ok_or(ApiError::Busy),
    }
}

async fn ask(
    app: &App,
    game: &Arc<Game>,
    seat: u8,
    who: impl IntoIterator<Item = Who>,
    with_moves: bool,
) -> Result<HintView, ApiError> {
    for who in who {
        if !app.limits.allows(who, What::Hint) {
            return Err(ApiError::TooMany);
        }
    }
    let (sender, answer) = oneshot::channel();
    let is_asked = app.engines.analyze(game.position, move |lines| {
        let _ = sender.send(lines);
    });
    if !is_asked {
        return Err(ApiError::Busy);
    }
    let lines: Analysis = answer.await.map_err(|_| ApiError::Busy)?;
    let best = lines.first().ok_or(ApiError::Busy)?;
    let own = usize::from(seat) - 1;
    let mut views = moves(&game.position);
    let hints = lines.iter().filter(|_| with_moves).filter_map(|line| {
        let first = *line.pv.first()?;
        let m = first.to_string();
        let at = views.iter().position(|view| view.m == m)?;
        Some(HintMove {
            preview: views.swap_remove(at),
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
        depth: best.depth,
        moves: hints.collect(),
    })
}

/// What a move adds to the wall that its seat will have at the round's end.
fn completes(before: &Position, m: Move) -> Completes {
    let seat = before.turn();
    let mut after = *before;
    // A move that cannot be played adds nothing.
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

/// The second move of a line, if another seat plays it in the same round.
fn reply(before: &Position, line: &[Move]) -> Option<MoveView> {
    let mut after = *before;
    after.play(*line.first()?).ok()?;
    if after.phase() != Phase::Draft || after.turn() == before.turn() {
        return None;
    }
    let m = line.get(1)?.to_string();
    moves(&after).into_iter().find(|view| view.m == m)
}
