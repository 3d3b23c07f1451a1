//! The value of a position after a round, computed the slow way: from the result of the game, or from an
//! estimate of win and difference combined as the engine does.

use super::kinds;
use azulejo_engine::features::{N_FEATURES, all_features, lead, tilings};
use azulejo_engine::network::{
    Accumulator, Correction, DIFFERENCE_LANE, Estimate, LANES, LOG_ODDS, Lanes, Layers, Network,
    POINT, WIN_SCALE,
};
use azulejo_rules::{Phase, Players, Position, Seat};
use azulejo_testkit::Rng;
use azulejo_testkit::result::GameResult;

/// The engine rounds values; those within this distance may be equal to it.
pub(crate) const TOLERANCE: i32 = 4;

/// The values of a certain win and of a point.
const WIN: f64 = 5_000.0;
const PER_POINT: i32 = 200;

/// The value of a result.
pub(crate) fn of_result(result: GameResult) -> i32 {
    (WIN * f64::from(2.0 * result.share() - 1.0)) as i32 + PER_POINT * result.difference
}

/// The network's value of a position between rounds, for the seat to move.
pub(crate) fn of_network(position: &Position, network: &Network) -> i32 {
    of_estimate(estimate(position, network, position.turn()))
}

/// The network's estimate for a seat, feature by feature.
pub(crate) fn estimate(position: &Position, network: &Network, seat: Seat) -> Estimate {
    let layers = network.section(position.rules());
    // With two players the engine evaluates from the perspective of the seat that drafts next.
    let perspective = match (position.rules().players(), position.phase()) {
        (Players::Two, Phase::Tiling(_)) => position.marker().unwrap_or(position.starter()),
        (Players::Two, _) => position.turn(),
        _ => seat,
    };
    let tilings = tilings(position, layers);
    let mut sum = Accumulator::new(layers.bias());
    for feature in all_features(position, &tilings, perspective) {
        sum.add(layers.row(feature));
    }
    let Correction { win_scale, differences } = network.correction(position.rules());
    // Between rounds the number of the round is that of the next one.
    let is_between = position.phase() == Phase::Deal;
    let round = position.round() - u16::from(is_between);
    if round > 0 {
        let mut lanes = Lanes::ZERO;
        lanes.0[DIFFERENCE_LANE] = differences[Correction::index(round)];
        sum.add(&lanes);
    }
    let Estimate { difference, log_odds } =
        layers.forward(&sum, lead(position, &tilings, perspective));
    let (factor, n_seats) = (i32::from(win_scale), position.rules().players().count());
    let fair = (-1000.0 * (n_seats as f64 - 1.0).ln()).round() as i32 * LOG_ODDS / 1000;
    let log_odds = log_odds * factor / WIN_SCALE + fair * (WIN_SCALE - factor) / WIN_SCALE;
    let sign = if perspective == seat { 1 } else { -1 };
    Estimate { difference: sign * difference, log_odds: sign * log_odds }
}

/// The value of a reported forecast.
pub(crate) fn of_forecast(win: f32, difference: f32) -> i32 {
    let log_odds = f64::from(win).ln() - f64::from(1.0 - win).ln();
    of_estimate(Estimate {
        difference: (difference * POINT as f32).round() as i32,
        log_odds: (log_odds * f64::from(LOG_ODDS)).round() as i32,
    })
}

pub(crate) fn of_estimate(estimate: Estimate) -> i32 {
    // The engine has a table for log odds in steps of 1/128, up to 8.
    let step = (estimate.log_odds / (LOG_ODDS / 128)).clamp(-1023, 1023);
    let win = WIN * (f64::from(step) / 256.0).tanh();
    win as i32 + estimate.difference.clamp(-128 * POINT, 128 * POINT) * PER_POINT / POINT
}

/// A network with random weights, others for every kind of game.
pub(crate) fn random_network(seed: u64) -> Network {
    let mut rng = Rng::new(seed);
    let mut network = Network::blank();
    for rules in kinds::all() {
        let mut weight = |most: u32| rng.below(2 * most + 1) as i16 - most as i16;
        let mut lanes = |most| Lanes([(); LANES].map(|()| weight(most)));
        let rows = (0..N_FEATURES).map(|_| lanes(60)).collect();
        let (bias, difference, win) = (lanes(60), lanes(60), lanes(60));
        let layers = Layers::new(rows, bias, difference, win);
        network.set_section(&[rules], layers.expect("there is a row for each feature").into());
        let differences = match rules.players() {
            Players::Two => [0; Correction::ROUNDS],
            _ => [(); Correction::ROUNDS].map(|()| rng.below(400) as i16 - 200),
        };
        let win_scale = 800 + 50 * rng.below(10) as u16;
        network.set_correction(&rules, Correction { win_scale, differences });
    }
    network
}
