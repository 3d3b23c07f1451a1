//! Training and play see the same position: the engine's evaluation, with its caches and sums made in
//! advance, is the network over the features that training uses, in all twelve kinds of game.

mod common {
    pub(crate) mod kinds;
    #[allow(dead_code, reason = "shared with other tests")]
    pub(crate) mod value;
}

use azulejo_engine::features::tilings;
use azulejo_engine::network::{LOG_ODDS, Network, POINT};
use azulejo_engine::{Engine, Options};
use azulejo_rules::{Phase, Position, Rules, WallKind};
use azulejo_testkit::games::positions;
use common::{kinds, value};
use std::sync::Arc;

/// Whether the game ends with the round: then the engine gives the result instead of an estimate.
fn is_result(position: &Position, network: &Network) -> bool {
    let layers = network.section(position.rules());
    let boards = tilings(position, layers);
    matches!(position.phase(), Phase::Tiling(_))
        && boards.iter().any(|board| board.wall().has_full_row())
}

/// Compares all positions of some games; returns how many had wall choices ahead.
fn compare(engine: &mut Engine, network: &Network, rules: Rules) -> usize {
    let mut n_choices = 0;
    for seed in 0..3 {
        for position in positions(rules, seed) {
            if is_result(&position, network) {
                continue;
            }
            let forecast = engine.forecast(&position);
            let estimates: Vec<_> = rules
                .players()
                .seats()
                .iter()
                .map(|&seat| value::estimate(&position, network, seat))
                .collect();
            let odds = |log_odds: i32| (-log_odds as f32 / LOG_ODDS as f32).clamp(-8.0, 8.0).exp();
            let wins: Vec<f32> =
                estimates.iter().map(|estimate| 1.0 / (1.0 + odds(estimate.log_odds))).collect();
            let sum: f32 = wins.iter().sum();
            for ((estimate, win), i) in estimates.iter().zip(wins).zip(0..) {
                let difference = estimate.difference as f32 / POINT as f32;
                assert_eq!(forecast.difference[i], difference, "seat {} in {position}", i + 1);
                // The engine counts log odds in steps of 1/128.
                let off = forecast.win[i] - win / sum;
                assert!(off.abs() < 0.004, "{off} for seat {} in {position}", i + 1);
            }
            let mut seats = rules.players().seats().iter();
            n_choices += usize::from(seats.any(|&seat| position.tilings(seat).count() > 1));
        }
    }
    n_choices
}

#[test]
fn evaluation_is_the_network_over_the_training_features() {
    let networks = [Network::built_in(), Arc::new(value::random_network(5))];
    for network in networks {
        let mut engine = Engine::new(Options { hash_mb: 1, ..Options::default() });
        engine.set_network(Arc::clone(&network));
        for rules in kinds::all() {
            let n_choices = compare(&mut engine, &network, rules);
            let has_choices = rules.wall == WallKind::Grey || rules.jokers;
            assert!(!has_choices || n_choices > 5, "{rules}: {n_choices} wall choices");
        }
    }
}
