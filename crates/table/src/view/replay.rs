//! A whole game, deal by deal and move by move, for a replay viewer.

use crate::view::position::PositionView;
use crate::view::step::StepView;
use azulejo_notation::{Action, Record};
use azulejo_rules::Seat;
use serde::Serialize;

/// A game from its start to its current position.
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
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub seed: Option<String>,
    /// The position before the first entry.
    pub start: PositionView,
    /// The deals and moves in order.
    pub steps: Vec<ReplayStepView>,
}

/// One entry of a replay: a deal or a move.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReplayStepView {
    /// The round it belongs to.
    pub round: u16,
    /// The seat that moves; null for a deal.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub seat: Option<u8>,
    /// The move in the notation; null for a deal.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    #[serde(rename = "move")]
    pub m: Option<String>,
    /// The comment after it.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub comment: Option<String>,
    /// Its steps.
    pub report: Vec<StepView>,
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
                .map(|step| ReplayStepView {
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
                    report: step.report.iter().map(StepView::new).collect(),
                    position: PositionView::new(&step.after),
                })
                .collect(),
        }
    }
}
