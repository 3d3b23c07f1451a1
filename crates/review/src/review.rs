//! A review: the judgement of a game, or of the part that is done.

use crate::amount::Shares;
use crate::budget::Budget;
use crate::deals::DealLuck;
use crate::decision::Decision;
use crate::player::Player;
use azulejo_notation::Record;
use azulejo_rules::Rules;

/// The version of the shape of a review.
pub(crate) const VERSION: u32 = 1;

/// The judgement of a game.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Review {
    /// 1, the version of this shape.
    pub review: u32,
    /// The version of the program. Another one may judge otherwise.
    pub program: String,
    /// The rules of the game.
    pub rules: Rules,
    /// How much was computed.
    pub budget: Budget,
    /// The seed of the sampled deals.
    pub seed: String,
    /// The number of steps that are done.
    pub n_done: usize,
    /// The number of all steps. The review is complete when all are done.
    pub n_steps: usize,
    /// Whether the game is over, and all of it was reviewed.
    pub is_over: bool,
    /// Why a game ended before its end by the rules: `resigned`, `timed_out` and others.
    pub ended_early: Option<String>,
    /// By seat, the win chance before the first deal.
    pub start: Shares,
    /// By seat, the share of the win; in an unfinished game the chance at the end of the record.
    pub result: Shares,
    /// By seat.
    pub players: Vec<Player>,
    /// The deals, in order.
    pub deals: Vec<DealLuck>,
    /// The decisions, in order.
    pub decisions: Vec<Decision>,
}

impl Review {
    /// Whether everything is done.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.n_done == self.n_steps
    }

    /// The decision at a move of the record.
    #[must_use]
    pub fn decision(&self, ply: usize) -> Option<&Decision> {
        self.decisions.get(ply)
    }
}

/// Whether the game of a record is over: by the rules, or early by its tags (`EndedBy` and `Ranks`).
#[must_use]
pub fn is_over(record: &Record) -> bool {
    record.end().is_some() || Early::of(record).is_some()
}

/// The end of a game that did not end by the rules, from the tags that a server writes.
pub(crate) struct Early {
    pub(crate) by: String,
    pub(crate) ranks: Vec<u8>,
}

impl Early {
    /// The early end of a record; `None` if it ended by the rules, or has no result.
    pub(crate) fn of(record: &Record) -> Option<Early> {
        if record.end().is_some() {
            return None;
        }
        let ranks = record.tag("Ranks")?.split('-').map(|rank| rank.parse().ok());
        let ranks: Vec<u8> = ranks.collect::<Option<_>>()?;
        let is_result = ranks.len() == record.rules().players().count() && ranks.contains(&1);
        is_result.then(|| Early { by: record.tag("EndedBy").unwrap_or("early").to_owned(), ranks })
    }
}
