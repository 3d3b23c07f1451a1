//! Quantization of the trainer's floating-point weights to the engine's integers, and back.

use crate::model::{EXTRA_ROWS, Model, Row, UNIT};
use crate::samples::{Sample, Samples};
use anyhow::{Context, ensure};
use azulejo_engine::features::N_FEATURES;
use azulejo_engine::network::{
    Accumulator, CLIP, DIFFERENCE_LANE, FIRST_HIDDEN, LANES, LOG_ODDS, Lanes, Layers, POINT,
    WIN_LANE,
};

/// The quantization scale of a feature row, by lane.
fn row_scale(lane: usize) -> f32 {
    match lane {
        DIFFERENCE_LANE => POINT as f32 * UNIT,
        WIN_LANE => LOG_ODDS as f32,
        _ => CLIP as f32,
    }
}

const DIFFERENCE_SCALE: f32 = POINT as f32 * UNIT;
const WIN_SCALE: f32 = LOG_ODDS as f32;

/// The quantization scale of any row.
fn scale(row: usize, n_features: usize, lane: usize) -> f32 {
    match row.checked_sub(n_features) {
        None | Some(0) => row_scale(lane),
        Some(1) => DIFFERENCE_SCALE,
        Some(_) => WIN_SCALE,
    }
}

/// Quantizes a model.
pub(crate) fn quantize(model: &Model) -> anyhow::Result<Layers> {
    let n_features = model.n_features();
    ensure!(
        n_features == N_FEATURES,
        "the model has {n_features} features instead of {N_FEATURES}"
    );
    let mut rows = Vec::with_capacity(model.rows.len());
    for (i, row) in model.rows.iter().enumerate() {
        let mut lanes = Lanes::ZERO;
        for (lane, weight) in row.0.iter().enumerate() {
            let rounded = (weight * scale(i, n_features, lane)).round();
            lanes.0[lane] = rounded.clamp(f32::from(i16::MIN), f32::from(i16::MAX)) as i16;
        }
        rows.push(lanes);
    }
    let [bias, difference, win] = [0, 1, 2].map(|i| rows[n_features + i]);
    rows.truncate(n_features);
    Layers::new(rows, bias, difference, win).context("the engine refuses these layers")
}

/// Rounds the rows of a model to multiples of the quantization step.
pub(crate) fn round(model: &Model, rounded: &mut Model) {
    for (i, (row, rounded)) in model.rows.iter().zip(&mut rounded.rows).enumerate() {
        for (lane, (weight, rounded)) in row.0.iter().zip(&mut rounded.0).enumerate() {
            let scale = scale(i, model.n_features(), lane);
            *rounded = (weight * scale).round() / scale;
        }
    }
}

/// A model with the engine's weights, for further training.
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
    for lane in FIRST_HIDDEN..LANES {
        // The output of a single saturated unit is its weight.
        let mut only = Lanes::ZERO;
        only.0[lane] = CLIP as i16;
        let output = layers.forward(&Accumulator::new(&only), 0);
        difference.0[lane] = output.difference as f32 / DIFFERENCE_SCALE;
        win.0[lane] = output.log_odds as f32 / WIN_SCALE;
    }
    rows.extend([difference, win]);
    Model { rows }
}

/// The quantization error on samples.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Check {
    /// The largest sum of any lane.
    pub(crate) largest_sum: i32,
    /// The mean distance from the model's difference, in points.
    pub(crate) points_off: f64,
    /// The mean distance from the model's log odds.
    pub(crate) log_odds_off: f64,
}

/// Compares the quantized outputs with the model's.
///
/// # Errors
/// If a sum is more than the engine's 16 bits can hold.
pub(crate) fn check(layers: &Layers, model: &Model, samples: &Samples) -> anyhow::Result<Check> {
    let mut check = Check::default();
    for sample in samples.iter() {
        check.largest_sum = check.largest_sum.max(largest_sum(layers, sample));
        let exact = model.forward(sample);
        let (difference, log_odds) = forward(layers, sample);
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

/// The quantized forward pass for a sample: points and log odds.
pub(crate) fn forward(layers: &Layers, sample: Sample) -> (f32, f32) {
    let mut sum = Accumulator::new(layers.bias());
    for &feature in sample.features {
        sum.add(layers.row(feature));
    }
    let estimate = layers.forward(&sum, sample.labels.lead as i32);
    (estimate.difference as f32 / POINT as f32, estimate.log_odds as f32 / LOG_ODDS as f32)
}

/// The largest lane of a sample's accumulator, computed without overflow.
fn largest_sum(layers: &Layers, sample: Sample) -> i32 {
    let mut sum = layers.bias().0.map(i32::from);
    for &feature in sample.features {
        for (sum, lane) in sum.iter_mut().zip(&layers.row(feature).0) {
            *sum += i32::from(*lane);
        }
    }
    sum.into_iter().map(i32::abs).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;
    use crate::samples::tests::random_samples;

    /// A model with weights of the magnitude of a trained one.
    fn model() -> Model {
        let mut rng = Rng::new(5);
        let mut model = Model::new(N_FEATURES, &mut rng);
        for row in &mut model.rows[..N_FEATURES] {
            row.0.fill_with(|| rng.within(0.1));
        }
        model
    }

    #[test]
    fn quantized_outputs_match_the_model() {
        let model = model();
        let layers = quantize(&model).unwrap();
        for rules in ["2c", "2g", "2cj"] {
            let samples = random_samples(rules, 20);
            let check = check(&layers, &model, &samples).unwrap();
            assert!(check.points_off < 0.5, "{rules}: {check:?}");
            assert!(check.log_odds_off < 0.05, "{rules}: {check:?}");
            assert!(check.largest_sum > 100, "{rules}: {check:?}");
        }
    }

    #[test]
    fn rounded_model_quantizes_to_the_same_layers() {
        let model = model();
        let mut rounded = model.clone();
        round(&model, &mut rounded);
        let layers = quantize(&model).unwrap();
        assert_eq!(layers, quantize(&rounded).unwrap());
        // What is left are two divisions, rounded towards zero.
        for sample in random_samples("2c", 10).iter() {
            let (exact, found) = (rounded.forward(sample), forward(&layers, sample));
            assert!((exact.difference * UNIT - found.0).abs() < 1.1 / POINT as f32);
            assert!((exact.log_odds - found.1).abs() < 1.1 / LOG_ODDS as f32);
        }
    }

    #[test]
    fn dequantized_layers_quantize_back() {
        let layers = quantize(&model()).unwrap();
        assert_eq!(quantize(&dequantize(&layers)).unwrap(), layers);
    }

    #[test]
    fn overflowing_sums_are_refused() {
        let mut model = model();
        for row in &mut model.rows[..N_FEATURES] {
            row.0[FIRST_HIDDEN] = 20.0;
        }
        let layers = quantize(&model).unwrap();
        let error = check(&layers, &model, &random_samples("2c", 1)).unwrap_err();
        assert!(error.to_string().contains("16 bits"), "{error}");
        let small = Model::new(5, &mut Rng::new(1));
        assert!(quantize(&small).is_err());
    }
}
