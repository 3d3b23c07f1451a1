//! A whole game step by step, for a screen that plays it back.

use crate::view::events::EventView;
use crate::view::position::PositionView;
use azulejo_notation::{Action, Record};
use azulejo_rules::Seat;
use serde::Serialize;

/// A game from its beginning to where it stands.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReplayView {
    /// The rule set in the notation.
    pub rules: String,
    /// The names, by seat.
    pub names: Vec<Option<String>>,
    /// The tags of the record.
    pub tags: Vec<(String, String)>,
    /// The seed, if the record has it.
    pub seed: Option<String>,
    /// The position before the first step.
    pub start: PositionView,
    /// The deals and moves in order.
    pub steps: Vec<StepView>,
}

/// A deal or a move.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct StepView {
    /// The round it belongs to.
    pub round: u16,
    /// The seat that moves; null for a deal.
    pub seat: Option<u8>,
    /// The move in the notation; null for a deal.
    #[serde(rename = "move")]
    pub m: Option<String>,
    /// The comment after it.
    pub comment: Option<String>,
    /// Everything that happens.
    pub report: Vec<EventView>,
    /// The position after it.
    pub position: PositionView,
}

impl ReplayView {
    /// The view of a record.
    #[must_use]
    pub fn new(record: &Record) -> ReplayView {
        let seats = Seat::ALL.into_iter().take(record.rules().players().count());
        ReplayView {
            rules: record.rules().to_string(),
            names: seats.map(|seat| record.name(seat).map(str::to_owned)).collect(),
            tags: record.tags().to_vec(),
            seed: record.seed().map(ToString::to_string),
            start: PositionView::new(&record.first_position()),
            steps: record
                .replay()
                .map(|step| StepView {
                    round: step.before.round(),
                    seat: match step.action {
                        Action::Deal(_) => None,
                        Action::Move(_) => Some(step.before.turn().index() as u8 + 1),
                    },
                    m: match step.action {
                        Action::Deal(_) => None,
                        Action::Move(m) => Some(m.to_string()),
                    },
                    comment: step.comment.map(str::to_owned),
                    report: step.report.iter().map(EventView::new).collect(),
                    position: PositionView::new(&step.after),
                })
                .collect(),
        }
    }
}
