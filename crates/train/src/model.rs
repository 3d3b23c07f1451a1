//! The floating-point network in training: forward pass, loss, and gradients by backpropagation.
//!
//! Activations are 1 where the engine's are `CLIP`. The difference is counted in units of
//! [`UNIT`] points, so that all weights have the same magnitude and one learning rate fits all.

use crate::rng::Rng;
use crate::samples::{Labels, Sample};
use azulejo_engine::network::{CLIP, DIFFERENCE_LANE, FIRST_HIDDEN, LANES, WIN_LANE};

/// The unit of differences, in points: about the spread of final differences.
pub(crate) const UNIT: f32 = 15.0;

/// Weights of one feature, or sums of them.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(64))]
pub(crate) struct Row(pub(crate) [f32; LANES]);

impl Row {
    pub(crate) const ZERO: Row = Row([0.0; LANES]);

    #[inline]
    pub(crate) fn add(&mut self, other: &Row) {
        for (sum, lane) in self.0.iter_mut().zip(&other.0) {
            *sum += lane;
        }
    }
}

/// The weights for one section of the network: a row for each feature, and three more.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Model {
    /// The rows of all features, then bias, difference and win.
    pub(crate) rows: Vec<Row>,
}

/// The rows of bias and output weights.
pub(crate) const EXTRA_ROWS: usize = 3;

/// The largest weight of a feature in a hidden lane: the sum of thirty-two of them, more than ever
/// occurred, still fits the engine's 16 bits.
const HIDDEN_LIMIT: f32 = {
    let most = i16::MAX as f32 / (32.0 * CLIP as f32);
    if most < 1.9 { most } else { 1.9 }
};
/// The largest weight in a linear lane, in [`UNIT`]s and log odds.
const LINEAR_LIMIT: f32 = 4.0;
/// The largest output weight.
const OUTPUT_LIMIT: f32 = 8.0;

impl Model {
    /// An untrained model: zero linear lanes and random hidden lanes.
    pub(crate) fn new(n_features: usize, rng: &mut Rng) -> Model {
        let mut rows = vec![Row::ZERO; n_features + EXTRA_ROWS];
        let (features, [bias, difference, win]) = split(&mut rows);
        for row in features {
            // Small, because a feature that hardly ever occurs keeps its initial weights.
            row.0[FIRST_HIDDEN..].fill_with(|| rng.within(0.02));
        }
        // All units start in the middle of their range, where the gradient is not zero.
        bias.0[FIRST_HIDDEN..].fill_with(|| 0.5 + rng.within(0.2));
        difference.0[FIRST_HIDDEN..].fill_with(|| rng.within(0.2));
        win.0[FIRST_HIDDEN..].fill_with(|| rng.within(0.2));
        Model { rows }
    }

    pub(crate) fn n_features(&self) -> usize {
        self.rows.len() - EXTRA_ROWS
    }

    pub(crate) fn bias(&self) -> &Row {
        &self.rows[self.n_features()]
    }

    pub(crate) fn difference(&self) -> &Row {
        &self.rows[self.n_features() + 1]
    }

    pub(crate) fn win(&self) -> &Row {
        &self.rows[self.n_features() + 2]
    }

    /// The accumulator of a sample.
    #[inline]
    fn accumulate(&self, sample: Sample) -> Row {
        let mut sum = *self.bias();
        for &feature in sample.features {
            sum.add(&self.rows[usize::from(feature)]);
        }
        sum
    }

    /// The forward pass for a sample.
    pub(crate) fn forward(&self, sample: Sample) -> Output {
        self.output(&self.accumulate(sample), sample.labels.lead)
    }

    #[inline]
    fn output(&self, sum: &Row, lead: f32) -> Output {
        let (difference, win) = (self.difference(), self.win());
        let (mut points, mut log_odds) = (0.0, 0.0);
        for lane in FIRST_HIDDEN..LANES {
            let active = sum.0[lane].clamp(0.0, 1.0);
            points += active * difference.0[lane];
            log_odds += active * win.0[lane];
        }
        Output {
            difference: lead / UNIT + sum.0[DIFFERENCE_LANE] + points,
            log_odds: sum.0[WIN_LANE] + log_odds,
        }
    }

    /// Backpropagation: adds the gradient of a sample's loss to `gradient` and returns the loss.
    pub(crate) fn backpropagate(&self, sample: Sample, gradient: &mut Gradient) -> f32 {
        let sum = self.accumulate(sample);
        let loss = Loss::new(self.output(&sum, sample.labels.lead), sample.labels);
        let (difference, win) = (self.difference(), self.win());
        let mut by_sum = Row::ZERO;
        by_sum.0[DIFFERENCE_LANE] = loss.by_difference;
        by_sum.0[WIN_LANE] = loss.by_log_odds;
        let n_features = self.n_features();
        let (_, [bias, by_difference, by_win]) = split(&mut gradient.rows);
        for lane in FIRST_HIDDEN..LANES {
            let active = sum.0[lane].clamp(0.0, 1.0);
            by_difference.0[lane] += active * loss.by_difference;
            by_win.0[lane] += active * loss.by_log_odds;
            // The gradient of the clipped ReLU is zero outside its linear range.
            let moves = if active == sum.0[lane] { 1.0 } else { 0.0 };
            by_sum.0[lane] =
                moves * (loss.by_difference * difference.0[lane] + loss.by_log_odds * win.0[lane]);
        }
        bias.add(&by_sum);
        for &feature in sample.features {
            let feature = usize::from(feature);
            gradient.rows[feature].add(&by_sum);
            gradient.touched[feature] = true;
        }
        gradient.touched[n_features..].fill(true);
        loss.value
    }

    /// Clamps a row to what the engine's integers can hold.
    pub(crate) fn limit(row: &mut Row, is_feature: bool) {
        let (linear, hidden) = row.0.split_at_mut(FIRST_HIDDEN);
        linear.iter_mut().for_each(|x| *x = x.clamp(-LINEAR_LIMIT, LINEAR_LIMIT));
        let limit = if is_feature { HIDDEN_LIMIT } else { OUTPUT_LIMIT };
        hidden.iter_mut().for_each(|x| *x = x.clamp(-limit, limit));
    }
}

/// Splits the rows of the features from the three others.
fn split(rows: &mut [Row]) -> (&mut [Row], &mut [Row; EXTRA_ROWS]) {
    rows.split_last_chunk_mut().expect("a model has rows beside those of its features")
}

/// The outputs for a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Output {
    /// In units of [`UNIT`].
    pub(crate) difference: f32,
    pub(crate) log_odds: f32,
}

impl Output {
    /// The cross entropy of a share of the victory, in nats.
    pub(crate) fn cross_entropy(self, win: f32) -> f32 {
        // ln(1 + e^x) without overflow, minus the share of x.
        let x = self.log_odds;
        x.max(0.0) + (-x.abs()).exp().ln_1p() - win * x
    }
}

/// The weight of a sample: positions between rounds count four times, because they are rare and every
/// solved round ends in one.
pub(crate) fn sample_weight(labels: &Labels) -> f32 {
    if labels.between_rounds { 4.0 } else { 1.0 }
}

/// The Huber threshold in [`UNIT`]s: beyond it the loss is linear, so that one landslide does not
/// outweigh many close games.
const HUBER: f32 = 2.0;

/// The weighted loss of a sample, Huber loss of the difference plus cross entropy of the win, and its
/// derivatives by the outputs.
pub(crate) struct Loss {
    pub(crate) value: f32,
    by_difference: f32,
    by_log_odds: f32,
}

impl Loss {
    #[inline]
    pub(crate) fn new(output: Output, labels: &Labels) -> Loss {
        let weight = sample_weight(labels);
        let error = output.difference - labels.target.difference / UNIT;
        let size = error.abs();
        let huber = if size <= HUBER { 0.5 * error * error } else { HUBER * (size - 0.5 * HUBER) };
        let expected = 1.0 / (1.0 + (-output.log_odds).exp());
        Loss {
            value: weight * (huber + output.cross_entropy(labels.target.win)),
            by_difference: weight * error.clamp(-HUBER, HUBER),
            by_log_odds: weight * (expected - labels.target.win),
        }
    }
}

/// The gradient of the loss of some samples.
pub(crate) struct Gradient {
    pub(crate) rows: Vec<Row>,
    /// Whether a row is not zero.
    pub(crate) touched: Vec<bool>,
}

impl Gradient {
    pub(crate) fn new(model: &Model) -> Gradient {
        Gradient { rows: vec![Row::ZERO; model.rows.len()], touched: vec![false; model.rows.len()] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::Samples;
    use crate::targets::Target;
    use azulejo_engine::features::Feature;

    const N_FEATURES: usize = 7;

    fn sample(samples: &mut Samples, features: &[Feature], lead: f32, difference: f32, win: f32) {
        let target = Target { difference, win };
        let between_rounds = samples.len() == 1;
        samples.push(features, Labels { lead, target, outcome: target, between_rounds });
    }

    fn samples() -> Samples {
        let mut samples = Samples::default();
        sample(&mut samples, &[0, 1, 2], 3.0, 9.0, 1.0);
        sample(&mut samples, &[2, 3, 4], -7.0, -5.0, 0.5);
        // A feature twice, as two equal factories have it.
        sample(&mut samples, &[5, 5, 1], 0.0, -12.0, 0.0);
        // An error in the linear part of the Huber loss.
        sample(&mut samples, &[0], 2.0, 90.0, 1.0);
        samples
    }

    /// A model whose weights are large enough that some units are zero and some saturated.
    fn model() -> Model {
        let mut rng = Rng::new(3);
        let mut model = Model::new(N_FEATURES, &mut rng);
        for row in &mut model.rows {
            row.0.fill_with(|| rng.within(0.6));
        }
        let n = model.n_features();
        for row in &mut model.rows[n + 1..] {
            row.0[..FIRST_HIDDEN].fill(0.0);
        }
        model
    }

    fn loss(model: &Model, samples: &Samples) -> f64 {
        samples
            .iter()
            .map(|sample| f64::from(Loss::new(model.forward(sample), sample.labels).value))
            .sum()
    }

    /// Whether some sample has the unit near a corner of the clipped ReLU.
    fn is_near_a_corner(model: &Model, samples: &Samples, lane: usize) -> bool {
        let near = |x: f32| x.abs() < 0.02 || (x - 1.0).abs() < 0.02;
        lane >= FIRST_HIDDEN && samples.iter().any(|sample| near(model.accumulate(sample).0[lane]))
    }

    #[test]
    fn gradient_matches_finite_differences() {
        const STEP: f32 = 4e-3;
        let (mut model, samples) = (model(), samples());
        let mut gradient = Gradient::new(&model);
        let mut sum = 0.0;
        for sample in samples.iter() {
            sum += f64::from(model.backpropagate(sample, &mut gradient));
        }
        assert!((sum - loss(&model, &samples)).abs() < 1e-4);
        let mut n_checked = 0;
        for row in 0..model.rows.len() {
            for lane in 0..LANES {
                if is_near_a_corner(&model, &samples, lane) {
                    continue;
                }
                // The output weights have no linear lanes.
                let is_unused = row > N_FEATURES && lane < FIRST_HIDDEN;
                let weight = model.rows[row].0[lane];
                model.rows[row].0[lane] = weight + STEP;
                let more = loss(&model, &samples);
                model.rows[row].0[lane] = weight - STEP;
                let less = loss(&model, &samples);
                model.rows[row].0[lane] = weight;
                let slope = (more - less) / f64::from(2.0 * STEP);
                let found = f64::from(gradient.rows[row].0[lane]);
                if !is_unused {
                    let tolerance = 0.01 * slope.abs().max(0.5);
                    assert!((slope - found).abs() < tolerance, "{row} {lane}: {found} for {slope}");
                    n_checked += 1;
                } else {
                    assert_eq!(found, 0.0);
                }
            }
        }
        assert!(n_checked > 200, "{n_checked}");
        assert!(!gradient.touched[6], "feature 6 is in no sample");
        assert_eq!(gradient.touched.iter().filter(|&&touched| touched).count(), N_FEATURES - 1 + 3);
    }

    #[test]
    fn cross_entropy_has_no_overflow() {
        let check = |log_odds: f32, win: f32, expected: f32| {
            let entropy = Output { difference: 0.0, log_odds }.cross_entropy(win);
            assert!((entropy - expected).abs() < 1e-4 * expected.max(1.0), "{log_odds}: {entropy}");
        };
        check(0.0, 0.5, std::f32::consts::LN_2);
        check(0.0, 1.0, std::f32::consts::LN_2);
        check(200.0, 1.0, 0.0);
        check(200.0, 0.0, 200.0);
        check(-200.0, 1.0, 200.0);
        check(1.0, 0.0, 1.313_262);
    }
}
