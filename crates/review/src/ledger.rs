//! The ledger of a seat: how its win chance came from the start of the game to the result. The lines
//! add up exactly; what belongs to no other line is the residual.

use crate::amount::{Share, Shares, change};
use crate::deals::DealLuck;
use crate::decision::Decision;
use azulejo_rules::Seat;

/// The ledger of a seat, in win chance.
///
/// `start + lot + luck + own_errors + others_errors + others_choices + substitute + ended_early + residual
/// = result`
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Ledger {
    /// The chance before the first deal, and before the lot decided who starts.
    pub start: Share,
    /// The luck of the lot.
    pub lot: Share,
    /// The luck of the deals.
    pub luck: Share,
    /// What own errors cost; never positive.
    pub own_errors: Share,
    /// What the errors of others brought, or cost.
    pub others_errors: Share,
    /// With three and four players, what happened to the chance between own moves and was nobody's error:
    /// moves that cost their player nothing and yet helped or hurt, and replies that the search before them had
    /// not foreseen. Zero over all seats, and for each of two, where a move that costs nothing gives nothing.
    pub others_choices: Share,
    /// What the errors cost that the engine made after it had taken over the seat.
    pub substitute: Share,
    /// What the end by resignation, on time or by agreement brought or cost.
    pub ended_early: Share,
    /// What is left: places where the engine changed its mind although nobody else had moved, and moves that
    /// turned out better than its choice. Zero over all seats.
    pub residual: Share,
    /// The result, or the chance at the end of an unfinished record.
    pub result: Share,
}

/// What happened to the chances of all seats, in order.
pub(crate) struct Events<'a> {
    pub(crate) start: &'a Shares,
    pub(crate) lot: &'a Shares,
    pub(crate) deals: &'a [DealLuck],
    pub(crate) decisions: &'a [Decision],
    /// The chances at the end of the record, and the result.
    pub(crate) last: &'a Shares,
    pub(crate) result: &'a Shares,
}

impl Ledger {
    /// The ledger of a seat; `is_substitute` says whether the engine made a decision for it.
    pub(crate) fn new(
        events: &Events<'_>,
        seat: Seat,
        is_substitute: impl Fn(&Decision) -> bool,
    ) -> Ledger {
        let i = seat.index();
        let mut ledger = Ledger {
            start: events.start[i],
            lot: events.lot[i],
            luck: events.deals.iter().map(|deal| deal.luck[i]).sum(),
            own_errors: Share::ZERO,
            others_errors: Share::ZERO,
            others_choices: Share::ZERO,
            substitute: Share::ZERO,
            ended_early: change(events.last, events.result)[i],
            residual: Share::ZERO,
            result: events.result[i],
        };
        let mut before: Option<&Decision> = None;
        for decision in events.decisions {
            let cost = decision.cost()[i];
            ledger.others_choices += decision.choices(before)[i];
            if decision.seat != seat {
                ledger.others_errors += cost;
            } else if is_substitute(decision) {
                ledger.substitute += cost;
            } else {
                ledger.own_errors += cost;
            }
            before = Some(decision);
        }
        ledger.residual = ledger.result - (ledger.sum() - ledger.residual);
        ledger
    }

    /// The sum of all lines but the result, which it equals.
    #[must_use]
    pub fn sum(&self) -> Share {
        let Ledger { start, lot, luck, own_errors, others_errors, .. } = *self;
        let Ledger { others_choices, substitute, ended_early, residual, .. } = *self;
        let others = others_errors + others_choices;
        start + lot + luck + own_errors + others + substitute + ended_early + residual
    }
}

impl Decision {
    /// By seat, what changed between own moves and was nobody's error; the sum is zero. With two players there
    /// is no such thing.
    fn choices(&self, before: Option<&Decision>) -> Shares {
        let changed = self.change.iter().zip(&self.revision).zip(self.cost());
        let mut choices: Shares = changed.map(|((&a, &b), cost)| a + b - cost).collect();
        if choices.len() == 2 {
            choices.fill(Share::ZERO);
            return choices;
        }
        // At a seat's turn the value is that of its best move, so what changed until then belongs to those who
        // moved before it.
        if before.is_some_and(|at| at.round == self.round && at.seat != self.seat) {
            return choices;
        }
        // Nobody has: the engine changed its mind about the mover, at the expense of all others alike.
        let mover = self.seat.index();
        let mut surprise = std::mem::take(&mut choices[mover]);
        let n_others = choices.len() as i32 - 1;
        let others = choices.iter_mut().enumerate().filter(|&(i, _)| i != mover);
        for (n_left, (_, choice)) in (1..=n_others).rev().zip(others) {
            let part = surprise / n_left;
            *choice += part;
            surprise -= part;
        }
        choices
    }

    /// By seat, what an error changed; nothing if the move was best, or turned out better for the seat than
    /// the engine's choice.
    #[must_use]
    pub fn cost(&self) -> Shares {
        let own = self.change[self.seat.index()];
        if self.is_error() && own < Share::ZERO {
            self.change.clone()
        } else {
            self.change.iter().map(|_| Share::ZERO).collect()
        }
    }
}
