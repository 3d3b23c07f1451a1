//! A game, deal by deal and move by move, for a replay viewer, in pages of bounded size.

use crate::decide::MAX_MOVES;
use crate::view::position::PositionView;
use crate::view::step::StepView;
use azulejo_notation::{Action, Record};
use azulejo_rules::Seat;
use serde::Serialize;

/// A page of a game from its start to its current position.
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
    /// The number of deals and moves of the game.
    pub n_steps: usize,
    /// The number of those before this page.
    pub from: usize,
    /// The position before the first entry of this page.
    pub start: PositionView,
    /// The deals and moves of this page in order.
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
    /// The most entries of a page that a server sends.
    pub const MAX_STEPS: usize = 200;

    /// The most deals and moves of a record that is replayed: more than those of the longest game.
    const MAX_RECORD_STEPS: usize = 2 * MAX_MOVES;

    /// Reads a record to be replayed, as text or JSON.
    ///
    /// # Errors
    /// If it is not a record, or longer than any game.
    pub fn read_record(text: &str) -> Result<Record, String> {
        let read = if text.trim_start().starts_with('{') {
            Record::from_json(text)
        } else {
            Record::parse(text)
        };
        let record = read.map_err(|e| format!("the record is invalid: {e}"))?;
        match n_steps(&record) {
            0..=ReplayView::MAX_RECORD_STEPS => Ok(record),
            n => Err(format!(
                "the record has {n} deals and moves; at most {} can be replayed",
                ReplayView::MAX_RECORD_STEPS
            )),
        }
    }

    /// The view of a whole record.
    #[must_use]
    pub fn whole(record: &Record) -> ReplayView {
        ReplayView::page(record, 0, usize::MAX)
    }

    /// The view of at most `limit` entries of a record, from the entry with index `from`.
    #[must_use]
    pub fn page(record: &Record, from: usize, limit: usize) -> ReplayView {
        let n_steps = n_steps(record);
        let from = from.min(n_steps);
        let mut steps = record.replay();
        let start = match from.checked_sub(1) {
            None => record.first_position(),
            Some(last) => steps.nth(last).map_or(*record.final_position(), |step| step.after),
        };
        let seats = Seat::ALL.into_iter().take(record.rules().players().count());
        ReplayView {
            rules: record.rules().to_string(),
            names: seats.map(|seat| record.name(seat).map(str::to_owned)).collect(),
            tags: record.tags().to_vec(),
            seed: record.seed().map(ToString::to_string),
            n_steps,
            from,
            start: PositionView::new(&start),
            steps: steps
                .take(limit)
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

/// The number of deals and moves of a record.
fn n_steps(record: &Record) -> usize {
    record.rounds().iter().map(|round| usize::from(round.deal.is_some()) + round.turns.len()).sum()
}
