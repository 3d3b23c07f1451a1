//! The output of the commands with `--json`. `docs/json.md` documents the shapes.

use azulejo_rules::{
    Deal, DealError, EndedBy, IllegalMove, Move, Outcome, Position, Preview, Rules, Seat, Step,
};
use azulejo_table::view::{OutcomeView, PositionView, ProjectionView, RulesView, StepView};
use serde_json::{Value, json};

/// Seats are numbered from 1, as in the notation.
pub(crate) fn seat(seat: Seat) -> usize {
    seat.index() + 1
}

pub(crate) fn rules(rules: &Rules) -> Value {
    shape(&RulesView(*rules))
}

pub(crate) fn position(position: &Position) -> Value {
    shape(&PositionView::new(position))
}

pub(crate) fn outcome(outcome: &Outcome) -> Value {
    shape(&OutcomeView::new(outcome))
}

pub(crate) fn ended_by(by: Option<EndedBy>) -> Value {
    json!(by.map(EndedBy::name))
}

pub(crate) fn illegal(m: Move, reason: &IllegalMove) -> Value {
    json!({ "move": m.to_string(), "legal": false, "code": reason.code(), "reason": reason.to_string() })
}

pub(crate) fn illegal_deal(deal: &Deal, reason: &DealError) -> Value {
    json!({ "deal": deal.to_string(), "legal": false, "code": reason.code(), "reason": reason.to_string() })
}

pub(crate) fn preview(m: Move, preview: &Preview) -> Value {
    json!({
        "move": m.to_string(),
        "legal": true,
        "seat": seat(preview.seat),
        "step": step(&preview.step),
        "completes_line": preview.completes_line,
        "line_points": preview.line().map(|line| line.points),
        "before": shape(&ProjectionView::new(&preview.before)),
        "after": shape(&ProjectionView::new(&preview.after)),
        "change": preview.change(),
    })
}

pub(crate) fn step(step: &Step) -> Value {
    shape(&StepView::new(step))
}

/// The same views as the server's.
fn shape(view: &impl serde::Serialize) -> Value {
    serde_json::to_value(view).unwrap_or_default()
}
