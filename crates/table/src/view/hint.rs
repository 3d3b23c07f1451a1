//! Hints and evaluations: what the engine found, for people.

use crate::search::Analysis;
use crate::state::number;
use crate::view::moves::MoveView;
use azulejo_engine::{Answer, Info};
use azulejo_rules::{Bonuses, Move, Phase, Position, Seat};
use serde::Serialize;

/// The engine's analysis of a position.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
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
    /// The best moves, the best first; an evaluation has one.
    pub moves: Vec<HintMove>,
    /// The time of the search, in milliseconds.
    pub time_ms: u64,
    /// Whether the search had less time than usual because the server is busy.
    pub is_short: bool,
}

/// A good move.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
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
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub reply: Option<MoveView>,
}

/// What a move completes on a wall.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Completes {
    /// Rows.
    pub rows: u32,
    /// Columns.
    pub columns: u32,
    /// Colors.
    pub colors: u32,
}

impl HintView {
    /// The best moves in a position; `event` is the number of the last event before it. `None` if the
    /// search found nothing.
    #[must_use]
    pub fn hint(position: &Position, event: u64, analysis: &Analysis) -> Option<HintView> {
        HintView::new(position, event, analysis, usize::MAX)
    }

    /// The same with the best move alone.
    #[must_use]
    pub fn evaluation(position: &Position, event: u64, analysis: &Analysis) -> Option<HintView> {
        HintView::new(position, event, analysis, 1)
    }

    fn new(
        position: &Position,
        event: u64,
        analysis: &Analysis,
        n_moves: usize,
    ) -> Option<HintView> {
        let best = analysis.lines.first()?;
        let lines = analysis.lines.iter().take(n_moves);
        let mut moves: Vec<HintMove> =
            lines.filter_map(|line| HintMove::new(position, line)).collect();
        // The engine counts points, too; people ask which move wins most often.
        moves.sort_by(|a, b| b.win.total_cmp(&a.win));
        Some(HintView {
            number: event,
            seat: number(position.turn()),
            win: best.forecast.win.to_vec(),
            difference: best.forecast.difference.to_vec(),
            exact: best.exact,
            proved: best.proved,
            depth: best.depth,
            moves,
            time_ms: u64::try_from(analysis.time.as_millis()).unwrap_or(u64::MAX),
            is_short: analysis.is_cut,
        })
    }
}

impl HintMove {
    fn new(position: &Position, line: &Info) -> Option<HintMove> {
        let first = *line.pv.first()?;
        let own = position.turn().index();
        Some(HintMove {
            preview: MoveView::new(position, first)?,
            win: line.forecast.win.get(own).copied().unwrap_or(0.0),
            difference: line.forecast.difference.get(own).copied().unwrap_or(0.0),
            line: line.pv.iter().map(ToString::to_string).collect(),
            completes: completes(position, first),
            reply: reply(position, &line.pv),
        })
    }
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

/// The result of a search at full strength.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SearchView {
    /// The best move.
    #[serde(rename = "move")]
    pub m: String,
    /// The nodes searched.
    pub nodes: u64,
    /// The search depth in plies.
    pub depth: u32,
    /// The probability of winning by seat, from 0 to 1.
    pub win: Vec<f32>,
    /// The expected final score minus that of the best opponent, by seat.
    pub difference: Vec<f32>,
    /// Whether the rest of the round was searched completely.
    pub exact: bool,
    /// Whether the game ends with this round, so that the numbers are the result of best play.
    pub proved: bool,
    /// The principal variation.
    pub line: Vec<String>,
}

impl SearchView {
    pub(crate) fn new(answer: &Answer) -> SearchView {
        let Answer { best, info } = answer;
        SearchView {
            m: best.to_string(),
            nodes: info.nodes,
            depth: info.depth,
            win: info.forecast.win.to_vec(),
            difference: info.forecast.difference.to_vec(),
            exact: info.exact,
            proved: info.proved,
            line: info.pv.iter().map(ToString::to_string).collect(),
        }
    }
}
