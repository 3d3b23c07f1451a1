//! What the next deal may bring: values after sampled deals, with their mean and spread.

use azulejo_engine::{Engine, Forecast, Limits, Options, Stop};
use azulejo_notation::{Chance, Seed};
use azulejo_rules::{Phase, Position};
use serde::Serialize;

/// The most deals in one sample.
const MAX_DEALS: u32 = 1_000;

/// Values after sampled deals.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DealsView {
    /// By seat, the mean win chance.
    pub mean: Vec<f32>,
    /// By seat, how far single deals lie from the mean (standard deviation).
    pub spread: Vec<f32>,
    /// By seat, the standard error of the mean.
    pub error: Vec<f32>,
    /// The deals, in the order in which they were drawn.
    pub deals: Vec<SampledDeal>,
}

/// A deal and the win chances after it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SampledDeal {
    /// The deal in the notation.
    pub deal: String,
    /// By seat.
    pub win: Vec<f32>,
}

impl DealsView {
    /// Samples deals; `None` if the position does not wait for one.
    pub(crate) fn sample(
        engine: &mut Engine,
        position: &Position,
        n_deals: u32,
        nodes: u64,
        seed: u64,
    ) -> Option<DealsView> {
        if position.phase() != Phase::Deal {
            return None;
        }
        let hash_mb = engine.options().hash_mb;
        engine.set_options(Options { hash_mb, ..Options::default() });
        let seed: Seed = seed.to_string().parse().ok()?;
        let mut chance = Chance::new(&seed);
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let mut sample = || {
            let deal = position.draw_deal(|n| chance.below(n));
            let Forecast { win, .. } =
                engine.after_deal(position, &deal, &limits, &Stop::new()).ok()?;
            Some(SampledDeal { deal: deal.to_string(), win: win.to_vec() })
        };
        let n_deals = n_deals.clamp(2, MAX_DEALS);
        let deals: Vec<SampledDeal> = (0..n_deals).map(|_| sample()).collect::<Option<_>>()?;
        let n = n_deals as f32;
        let seats = 0..position.rules().players().count();
        let mean = |i: usize| deals.iter().map(|deal| deal.win[i]).sum::<f32>() / n;
        let spread = |i: usize| {
            let squares = deals.iter().map(|deal| (deal.win[i] - mean(i)).powi(2)).sum::<f32>();
            (squares / (n - 1.0)).sqrt()
        };
        Some(DealsView {
            mean: seats.clone().map(mean).collect(),
            spread: seats.clone().map(spread).collect(),
            error: seats.map(|i| spread(i) / n.sqrt()).collect(),
            deals,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use azulejo_rules::{Players, Rules, Seat};

    #[test]
    fn sampled_deals_share_the_win() {
        let position = Position::new(Rules::official(Players::Three), Seat::One);
        let mut engine = Engine::new(Options { hash_mb: 1, ..Options::default() });
        let view = DealsView::sample(&mut engine, &position, 4, 1_000, 7).unwrap();
        assert_eq!((view.deals.len(), view.mean.len()), (4, 3));
        assert!((view.mean.iter().sum::<f32>() - 1.0).abs() < 0.01, "{view:?}");
        assert!(view.spread.iter().zip(&view.error).all(|(spread, error)| spread > error));
        let again = DealsView::sample(&mut engine, &position, 4, 1_000, 7).unwrap();
        assert_eq!(view, again);
        let mut dealt = position;
        dealt.deal(&view.deals[0].deal.parse().unwrap()).unwrap();
        assert_eq!(DealsView::sample(&mut engine, &dealt, 4, 1_000, 7), None);
    }
}
