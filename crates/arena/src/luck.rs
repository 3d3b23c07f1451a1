//! The luck of the deals of a game, a control variate for its result.
//!
//! The luck of a deal is the value after it minus the mean value after other deals from the same bag, as
//! a fixed evaluation sees them, whoever plays. Its expectation is zero, whatever has been played before,
//! so the sum over a game can be subtracted from the result without bias, and what remains has less
//! variance.

use azulejo_engine::{Engine, Limits, Options, Stop};
use azulejo_notation::{Action, Chance, Record};
use azulejo_rules::{Deal, Position};

/// Deals that stand for all others. Their mean adds 1/24 to the variance of a deal's luck.
const N_DEALS: u32 = 24;

/// The nodes of each search. More nodes see more of the luck; the errors of a match shrink little
/// beyond this (`docs/arena.md`).
const NODES: u64 = 100;

/// Measures luck with an engine of its own.
pub(crate) struct LuckMeter {
    engine: Engine,
}

impl LuckMeter {
    pub(crate) fn new() -> LuckMeter {
        LuckMeter { engine: Engine::new(Options { hash_mb: 1, ..Options::default() }) }
    }

    /// By seat, the luck of all deals of a game, as win probability.
    pub(crate) fn of_game(&mut self, record: &Record) -> Vec<f64> {
        let mut sums = vec![0.0; record.rules().players().count()];
        for step in record.replay() {
            if let Action::Deal(deal) = &step.action {
                let lucks = self.of_deal(&step.before, deal);
                for (sum, luck) in sums.iter_mut().zip(lucks) {
                    *sum += luck;
                }
            }
        }
        sums
    }

    fn of_deal(&mut self, position: &Position, deal: &Deal) -> Vec<f64> {
        // The other deals follow from the position alone, so they are independent of the deal.
        let seed = format!("luck-{:016x}", position.hash_key());
        let mut chance = Chance::new(&seed.parse().expect("a short seed"));
        let (limits, stop) = (Limits { nodes: Some(NODES), ..Limits::default() }, Stop::new());
        let after = self.engine.after_deal(position, deal, &limits, &stop);
        let before =
            self.engine.deal_value(position, N_DEALS, &limits, &stop, |n| chance.below(n));
        match (before, after) {
            (Some(before), Ok(after)) => {
                before.luck(&after).win.iter().map(|&luck| f64::from(luck)).collect()
            }
            _ => Vec::new(),
        }
    }
}
