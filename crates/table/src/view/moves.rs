//! Previews: every legal move with its effect on the score, and for every line that does not take a
//! pick, the reason.

use crate::view::step::StepView;
use azulejo_rules::{Destination, Draft, Move, Phase, Pick, Position, Row, Source};
use serde::Serialize;

/// A legal move and its effect.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MoveView {
    /// The move in the notation.
    #[serde(rename = "move")]
    pub m: String,
    /// The first step of the move: `drafted` or `placed`.
    pub step: StepView,
    /// Whether a line becomes full.
    pub completes_line: bool,
    /// The points that the line will score, if the move fills it.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub line_points: Option<u32>,
    /// The mover's score if the round ended after it.
    pub score: u16,
    /// The change of that score.
    pub change: i32,
}

/// A line that does not take a pick, from any source.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Blocked {
    /// The pick: a color, `J`, or `J` and a color.
    pub pick: String,
    /// The line.
    pub line: u8,
    /// The reason for programs.
    pub code: &'static str,
    /// The reason for people.
    pub reason: String,
}

/// All legal moves.
#[must_use]
pub fn moves(position: &Position) -> Vec<MoveView> {
    let view = |&m: &Move| {
        let preview = position.preview(m).ok()?;
        Some(MoveView {
            m: m.to_string(),
            step: StepView::new(&preview.step),
            completes_line: preview.completes_line,
            line_points: preview.line().map(|line| line.points),
            score: preview.after.score,
            change: preview.change(),
        })
    };
    position.legal_moves().iter().filter_map(view).collect()
}

/// The lines that do not take a pick, for every pick on the table.
#[must_use]
pub fn blocked(position: &Position) -> Vec<Blocked> {
    if position.phase() != Phase::Draft {
        return Vec::new();
    }
    let mut blocked = Vec::new();
    for pick in Pick::ALL {
        let draft = |source, to| Move::Draft(Draft { source, pick, to, extra_jokers: 0 });
        // The floor takes everything, so a pick is on the table if it may go to the floor.
        let is_there = |source: &Source| position.is_legal(draft(*source, Destination::Floor));
        let Some(source) = Source::ALL.into_iter().find(is_there) else { continue };
        for row in Row::ALL {
            if let Err(reason) = position.check(draft(source, Destination::Line(row))) {
                blocked.push(Blocked {
                    pick: pick.to_string(),
                    line: row.index() as u8 + 1,
                    code: reason.code(),
                    reason: reason.to_string(),
                });
            }
        }
    }
    blocked
}
