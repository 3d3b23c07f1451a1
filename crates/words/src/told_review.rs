//! A review together with its sentences, as a page and a server tell it.

use crate::{Names, better, luck, verdict};
use azulejo_review::{Decision, Review};
use azulejo_rules::Seat;

/// A review and its sentences: in JSON the keys of the review, and `words`.
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ToldReview {
    /// The review.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub review: Review,
    /// Its sentences.
    pub words: ReviewWords,
}

/// The sentences of a review.
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ReviewWords {
    /// By move: the verdict, and what would have been better.
    pub moves: Vec<Vec<String>>,
    /// By deal: its luck.
    pub deals: Vec<String>,
}

impl ToldReview {
    /// Adds the sentences, with the names of the record.
    #[must_use]
    pub fn new(review: Review) -> ToldReview {
        let name = |seat: Seat| {
            let name = review.players.get(seat.index()).and_then(|player| player.name.clone());
            name.unwrap_or_else(|| format!("Seat {seat}"))
        };
        let names = Names::Given(&name);
        let words = ReviewWords {
            moves: review.decisions.iter().map(|decision| judged(decision, names)).collect(),
            deals: review.deals.iter().map(|deal| luck(deal, names)).collect(),
        };
        ToldReview { review, words }
    }
}

/// The sentences about a decision.
#[must_use]
pub fn judged(decision: &Decision, names: Names<'_>) -> Vec<String> {
    let mut told = vec![verdict(decision)];
    told.extend(better(decision, names));
    told
}
