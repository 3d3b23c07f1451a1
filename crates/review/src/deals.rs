//! The luck of a deal.

use crate::amount::{Share, Shares, change, shares};
use crate::analyst::Analyst;
use crate::decision::Outlook;
use azulejo_engine::Stop;
use azulejo_rules::{Deal, Position};

/// A deal and its luck, by seat.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct DealLuck {
    /// The index of the next move in the record.
    pub ply: usize,
    /// The round that it opens.
    pub round: u16,
    /// The deal.
    pub deal: Deal,
    /// The win chance before the deal: the mean over sampled deals.
    pub before: Shares,
    /// The standard error of that mean.
    pub error: Shares,
    /// The win chance after the deal.
    pub after: Shares,
    /// The luck: `after` minus `before`, and `beyond`.
    pub luck: Shares,
    /// The part of the luck that a search of this round alone does not see: what sampled deals at the end of
    /// the round say, minus what the network expected there. Zero until the round is over.
    pub beyond: Shares,
}

/// The luck of a deal, and the outlook after it.
pub(crate) fn judge(
    analyst: &mut Analyst,
    before: &Position,
    after: &Position,
    (deal, ply): (Deal, usize),
    stop: &Stop,
) -> Option<(DealLuck, Outlook)> {
    let value = analyst.before_deal(before, stop)?;
    let outlook = Outlook { position: *after, look: analyst.look_after_deal(after, stop)? };
    let mean = shares(&value.mean);
    let luck = DealLuck {
        ply,
        round: after.round(),
        deal,
        luck: change(&mean, &outlook.win()),
        beyond: mean.iter().map(|_| Share::ZERO).collect(),
        before: mean,
        error: value.error.win.iter().map(|&error| Share::new(f64::from(error))).collect(),
        after: outlook.win(),
    };
    Some((luck, outlook))
}

impl DealLuck {
    /// Sets what became visible only at the end of the round.
    pub(crate) fn look_beyond(&mut self, beyond: Shares) {
        let luck = change(&self.before, &self.after);
        self.luck = luck.iter().zip(&beyond).map(|(&luck, &beyond)| luck + beyond).collect();
        self.beyond = beyond;
    }
}
