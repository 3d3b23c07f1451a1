//! The luck of the deals of a game, a control variate for its result.
//!
//! The luck of a deal is the value after it minus the mean value after other deals from the same bag, as
//! a fixed evaluation sees them, whoever plays. Its expectation is zero, whatever has been played before,
//! so the sum over a game can be subtracted from the result without bias, and what remains has less
//! variance.

use azulejo_engine::{Engine, Limits, Options, Stop};
use azulejo_notation::{Action, Chance, Record};
use azulejo_rules::{Deal, Position};

/// Deals that stand for all others. Their mean adds a twelfth to the variance of a deal's luck.
const N_DEALS: u32 = 12;

/// Measures luck with an engine of its own.
pub(crate) struct LuckMeter {
    engine: Engine,
    /// The nodes for each deal.
    nodes: u64,
}

impl LuckMeter {
    pub(crate) fn new(nodes: u64) -> LuckMeter {
        LuckMeter { engine: Engine::new(Options { hash_mb: 4, ..Options::default() }), nodes }
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
        let (limits, stop) = (Limits { nodes: Some(self.nodes), ..Limits::default() }, Stop::new());
        let after = self.engine.after_deal(position, deal, &limits, &stop);
        let before = self.engine.deal_value(position, N_DEALS, &limits, &stop, |n| chance.below(n));
        match (before, after) {
            (Some(before), Ok(after)) => {
                before.luck(&after).win.iter().map(|&luck| f64::from(luck)).collect()
            }
            _ => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use azulejo_notation::Dealer;
    use azulejo_rules::Rules;

    /// The same position after many deals: their luck has the mean zero, and with two players what one
    /// seat gains the other loses.
    #[test]
    fn luck_has_no_bias() {
        let rules: Rules = "2c".parse().unwrap();
        let mut meter = LuckMeter::new(40);
        let (mut sum, mut squares, n) = (0.0, 0.0, 150.0);
        for i in 0..150 {
            let (first, mut dealer) = Dealer::new(&format!("deal-{i}").parse().unwrap(), &rules);
            let position = Position::new(rules, first);
            let luck = meter.of_deal(&position, &dealer.deal(&position).unwrap());
            assert!((luck[0] + luck[1]).abs() < 1e-4, "{luck:?}");
            sum += luck[0];
            squares += luck[0] * luck[0];
        }
        let (mean, deviation): (f64, f64) = (sum / n, (squares / n).sqrt());
        assert!(deviation > 0.01, "{deviation}");
        // The mean of the other deals is the same each time, so its error does not shrink with `n`.
        let error = deviation * (1.0 / n + 1.0 / f64::from(N_DEALS)).sqrt();
        assert!(mean.abs() < 3.0 * error, "{mean} ± {error}");
    }
}
