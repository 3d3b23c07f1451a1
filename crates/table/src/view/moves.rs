//! Previews: every legal move with its effect on the score, and for every line that does not take a
//! pick, the reason.

use crate::view::step::StepView;
use azulejo_rules::{Destination, Draft, Move, Phase, Pick, Position, Row, Source};
use serde::Serialize;

/// A legal move and its effect, in short: a position has up to a hundred legal moves, and every state
/// lists them. A key that is left out means an empty text, false or null. Source, pick and destination
/// are in the move itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LegalMove {
    /// The move in the notation.
    #[serde(rename = "move")]
    pub m: String,
    /// The tiles that enter the line.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub into_line: String,
    /// The tiles that fall on the floor.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub to_floor: String,
    /// The tiles for which the floor has no space.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub to_lid: String,
    /// The tiles that move from the factory to the center.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub to_center: String,
    /// Whether the marker is taken.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub takes_marker: bool,
    /// The points that the line will score, if the move fills it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line_points: Option<u32>,
    /// The tile that a wall choice places.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub placed: Option<StepView>,
    /// The change of the mover's projected score.
    pub change: i32,
}

/// A move and its effect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
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

impl MoveView {
    /// A move and its effect; `None` if it is illegal.
    #[must_use]
    pub fn new(position: &Position, m: Move) -> Option<MoveView> {
        let preview = position.preview(m).ok()?;
        Some(MoveView {
            m: m.to_string(),
            step: StepView::new(&preview.step),
            completes_line: preview.completes_line,
            line_points: preview.line().map(|line| line.points),
            score: preview.after.score,
            change: preview.change(),
        })
    }
}

/// All legal moves.
#[must_use]
pub fn moves(position: &Position) -> Vec<LegalMove> {
    let view = |&m: &Move| {
        let MoveView { m, step, line_points, change, .. } = MoveView::new(position, m)?;
        let legal = LegalMove { m, line_points, change, ..LegalMove::default() };
        Some(match step {
            StepView::Drafted { into_line, to_floor, to_lid, to_center, takes_marker, .. } => {
                LegalMove { into_line, to_floor, to_lid, to_center, takes_marker, ..legal }
            }
            placed => LegalMove { placed: Some(placed), ..legal },
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
