//! From the trainer's floating-point weights to the engine's whole numbers, and back.

use crate::model::{EXTRA_ROWS, Model, Row, UNIT};
use crate::samples::{Sample, Samples};
use anyhow::{Context, ensure};
use azulejo_engine::features::N_FEATURES;
use azulejo_engine::network::{
    DIFFERENCE_LANE, HIDDEN, LANES, LOG_ODDS, Lanes, Layers, ON, POINT, Sum, WIN_LANE,
};

/// What one unit of the trainer is in a row of the engine, by lane.
fn row_scale(lane: usize) -> f32 {
    match lane {
        DIFFERENCE_LANE => POINT as f32 * UNIT,
        WIN_LANE => LOG_ODDS as f32,
        _ => ON as f32,
    }
}

const DIFFERENCE_SCALE: f32 = POINT as f32 * UNIT;
const WIN_SCALE: f32 = LOG_ODDS as f32;

/// The engine's weights for a model.
pub(crate) fn quantize(model: &Model) -> anyhow::Result<Layers> {
    let n_features = model.n_features();
    ensure!(n_features == N_FEATURES, "the model is for {n_features} features");
    let round = |row: &Row, scale: &dyn Fn(usize) -> f32| {
        let mut lanes = Lanes::ZERO;
        for (lane, weight) in row.0.iter().enumerate() {
            let rounded = (weight * scale(lane)).round();
            lanes.0[lane] = rounded.clamp(f32::from(i16::MIN), f32::from(i16::MAX)) as i16;
        }
        lanes
    };
    let rows = model.rows[..n_features].iter().map(|row| round(row, &row_scale)).collect();
    let bias = round(model.bias(), &row_scale);
    let difference = round(model.difference(), &|_| DIFFERENCE_SCALE);
    let win = round(model.win(), &|_| WIN_SCALE);
    Layers::new(rows, bias, difference, win).context("the engine takes no such layers")
}

/// A model that goes on from the engine's weights.
pub(crate) fn dequantize(layers: &Layers) -> Model {
    let unscale = |lanes: &Lanes| {
        let mut row = Row::ZERO;
        for (lane, weight) in lanes.0.iter().enumerate() {
            row.0[lane] = f32::from(*weight) / row_scale(lane);
        }
        row
    };
    let mut rows = Vec::with_capacity(N_FEATURES + EXTRA_ROWS);
    rows.extend((0..N_FEATURES).map(|feature| unscale(layers.row(feature as u16))));
    rows.push(unscale(layers.bias()));
    let (mut difference, mut win) = (Row::ZERO, Row::ZERO);
    for lane in HIDDEN..LANES {
        // The answer to a single lane that is fully on is its weight.
        let mut only = Lanes::ZERO;
        only.0[lane] = ON as i16;
        let answer = layers.answer(&Sum::of(&only), 0);
        difference.0[lane] = answer.difference as f32 / DIFFERENCE_SCALE;
        win.0[lane] = answer.log_odds as f32 / WIN_SCALE;
    }
    rows.extend([difference, win]);
    Model { rows }
}

/// How the engine's whole numbers do on samples.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Check {
    /// The largest sum of any lane.
    pub(crate) largest_sum: i32,
    /// The mean distance from the model's difference, in points.
    pub(crate) points_off: f64,
    /// The mean distance from the model's log odds.
    pub(crate) log_odds_off: f64,
}

/// Compares the engine's answers with the model's.
///
/// # Errors
/// If a sum is more than the engine's 16 bits can hold.
pub(crate) fn check(layers: &Layers, model: &Model, samples: &Samples) -> anyhow::Result<Check> {
    let mut check = Check::default();
    for sample in samples.iter() {
        check.largest_sum = check.largest_sum.max(largest_sum(layers, sample));
        let exact = model.answer(sample);
        let (difference, log_odds) = answer(layers, sample);
        check.points_off += f64::from((exact.difference * UNIT - difference).abs());
        check.log_odds_off += f64::from((exact.log_odds - log_odds).abs());
    }
    let n = samples.len().max(1) as f64;
    check.points_off /= n;
    check.log_odds_off /= n;
    ensure!(
        check.largest_sum <= i32::from(i16::MAX),
        "a sum of the network is {}, more than 16 bits hold; train with a smaller rate",
        check.largest_sum
    );
    Ok(check)
}

/// The engine's answer for a sample: points and log odds.
pub(crate) fn answer(layers: &Layers, sample: Sample) -> (f32, f32) {
    let mut sum = Sum::of(layers.bias());
    for &feature in sample.features {
        sum.add(layers.row(feature));
    }
    let estimate = layers.answer(&sum, sample.facts.lead as i32);
    (estimate.difference as f32 / POINT as f32, estimate.log_odds as f32 / LOG_ODDS as f32)
}

/// The largest sum of a sample's lanes, in numbers that cannot overflow.
fn largest_sum(layers: &Layers, sample: Sample) -> i32 {
    let mut sum = layers.bias().0.map(i32::from);
    for &feature in sample.features {
        for (sum, lane) in sum.iter_mut().zip(&layers.row(feature).0) {
            *sum += i32::from(*lane);
        }
    }
    sum.into_iter().map(i32::abs).max().unwrap_or(0)
}
