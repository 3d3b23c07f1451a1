//! Values before a deal, and the luck of a deal.

mod common {
    pub(crate) mod kinds;
    #[allow(dead_code, reason = "shared with other tests")]
    pub(crate) mod value;
}

use azulejo_engine::network::{Network, POINT};
use azulejo_engine::{Engine, Forecast, Limits, Options, Stop};
use azulejo_rules::{Phase, Position, Rules, Seat};
use azulejo_testkit::Rng;
use common::{kinds, value};

const LIMITS: Limits = Limits { nodes: Some(150), time: None, depth: None, clock: None };

fn engine() -> Engine {
    Engine::new(Options { hash_mb: 1, ..Options::default() })
}

/// Some positions of a random game that wait for a deal, from the second round on.
fn before_deals(rules: Rules, seed: u64) -> Vec<Position> {
    let mut rng = Rng::new(seed);
    let mut position = Position::new(rules, Seat::One);
    let mut found = Vec::new();
    while position.ended_by().is_none() && found.len() < 3 {
        if position.phase() == Phase::Deal {
            found.push(position);
            let deal = position.draw_deal(|n| rng.below(n));
            position.deal(&deal).expect("the deal was drawn from this bag");
        }
        position.play_random(rng.next_u64());
    }
    found
}

/// Differences, then win probabilities.
fn numbers(forecast: &Forecast) -> impl Iterator<Item = f64> {
    forecast.difference.iter().chain(&forecast.win).map(|&x| f64::from(x))
}

#[test]
fn mean_luck_is_zero_within_its_error() {
    const N: u32 = 80;
    let mut engine = engine();
    for rules in kinds::all() {
        let mut rng = Rng::new(9);
        let position = before_deals(rules, 4)[1];
        let stop = Stop::new();
        let before = engine.deal_value(&position, N, &LIMITS, &stop, |n| rng.below(n));
        let before = before.expect("the position waits for a deal");
        assert_eq!(before.n_deals, N);
        // The luck of other deals: its mean is the difference of two sample means.
        let other = engine.deal_value(&position, N, &LIMITS, &stop, |n| rng.below(n));
        let other = other.expect("the position waits for a deal");
        let luck = before.luck(&other.mean);
        let mean_luck = luck.difference.iter().chain(&luck.win).map(|&x| f64::from(x));
        for ((mean, a), b) in mean_luck.zip(numbers(&before.error)).zip(numbers(&other.error)) {
            let error = a.hypot(b);
            assert!(mean.abs() < 3.5 * error, "{mean} with error {error} in {position}");
            assert!(error > 0.0, "{position}");
        }
        let sum: f32 = luck.win.iter().sum();
        assert!(sum.abs() < 1e-4, "someone's luck is someone else's misfortune: {luck:?}");
    }
}

#[test]
fn error_shrinks_with_more_deals() {
    let mut engine = engine();
    let mut rng = Rng::new(3);
    let position = before_deals("2c".parse().expect("rules"), 1)[2];
    let errors = [16, 256].map(|n_deals| {
        let value = engine.deal_value(&position, n_deals, &LIMITS, &Stop::new(), |n| rng.below(n));
        value.expect("the position waits for a deal").error.difference[0]
    });
    // Sixteen times the deals: a quarter of the error, give or take its own.
    let ratio = errors[0] / errors[1];
    assert!((2.0..8.0).contains(&ratio), "{errors:?}");
}

#[test]
fn quick_forecast_is_the_networks() {
    let network = Network::built_in();
    let mut engine = engine();
    for rules in kinds::all() {
        for position in before_deals(rules, 8) {
            let forecast = engine.forecast(&position);
            for &seat in rules.players().seats() {
                let estimate = value::estimate(&position, &network, seat);
                let difference = estimate.difference as f32 / POINT as f32;
                assert_eq!(forecast.difference[seat.index()], difference, "{position}");
            }
            let sum: f32 = forecast.win.iter().sum();
            assert!((sum - 1.0).abs() < 1e-4, "{forecast:?} in {position}");
        }
    }
}

#[test]
fn only_positions_before_a_deal_have_such_a_value() {
    let mut engine = engine();
    let mut rng = Rng::new(1);
    let mut position = Position::new("2c".parse().expect("rules"), Seat::One);
    let stop = Stop::new();
    let one = engine.deal_value(&position, 1, &LIMITS, &stop, |n| rng.below(n));
    assert!(one.is_some_and(|value| value.error.win[0].is_infinite()));
    assert_eq!(engine.deal_value(&position, 0, &LIMITS, &stop, |_| 0), None);
    let deal = position.draw_deal(|n| rng.below(n));
    position.deal(&deal).expect("the deal was drawn from this bag");
    assert_eq!(engine.deal_value(&position, 5, &LIMITS, &stop, |_| 0), None);
    assert!(engine.after_deal(&position, &deal, &LIMITS, &stop).is_err());
    stop.stop();
    let start = Position::new("2c".parse().expect("rules"), Seat::One);
    assert_eq!(engine.deal_value(&start, 5, &LIMITS, &stop, |_| 0), None);
}
