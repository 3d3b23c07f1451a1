//! The network while it learns: the same sums as the engine's, in floating-point numbers, and how
//! the loss changes with each weight.
//!
//! Activations are 1 where the engine's are `CLIP`. The difference is counted in units of
//! [`UNIT`] points, so that all weights are of the same size and one learning rate fits all.

use crate::luck::Luck;
use crate::samples::{Facts, Sample};
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

/// How many rows there are beside those of the features.
pub(crate) const EXTRA_ROWS: usize = 3;

/// How far the rows of features may go in the hidden lanes: thirty-two of them at the limit, more
/// than ever were, still add up to less than the engine's 16 bits hold.
const HIDDEN_LIMIT: f32 = {
    let most = i16::MAX as f32 / (32.0 * CLIP as f32);
    if most < 1.9 { most } else { 1.9 }
};
/// The same for the lanes that are answers, in units of points and in log odds: no single
/// fact is worth more.
const ANSWER_LIMIT: f32 = 4.0;
/// For the weights of the hidden lanes in the answers.
const OUTPUT_LIMIT: f32 = 8.0;

impl Model {
    /// A model that has learned nothing: no linear part, and hidden lanes that differ by chance.
    pub(crate) fn new(n_features: usize, luck: &mut Luck) -> Model {
        let mut rows = vec![Row::ZERO; n_features + EXTRA_ROWS];
        let (features, [bias, difference, win]) = split(&mut rows);
        for row in features {
            // Just enough to differ: a feature that is hardly ever seen keeps what it gets here.
            row.0[FIRST_HIDDEN..].fill_with(|| luck.within(0.02));
        }
        // All lanes begin in the middle of their range, where they can learn.
        bias.0[FIRST_HIDDEN..].fill_with(|| 0.5 + luck.within(0.2));
        difference.0[FIRST_HIDDEN..].fill_with(|| luck.within(0.2));
        win.0[FIRST_HIDDEN..].fill_with(|| luck.within(0.2));
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

    /// The sum of all lanes for a sample.
    #[inline]
    fn sum(&self, sample: Sample) -> Row {
        let mut sum = *self.bias();
        for &feature in sample.features {
            sum.add(&self.rows[usize::from(feature)]);
        }
        sum
    }

    /// The answer for a sample.
    pub(crate) fn answer(&self, sample: Sample) -> Answer {
        self.answer_of(&self.sum(sample), sample.facts.lead)
    }

    #[inline]
    fn answer_of(&self, sum: &Row, lead: f32) -> Answer {
        let (difference, win) = (self.difference(), self.win());
        let (mut points, mut log_odds) = (0.0, 0.0);
        for lane in FIRST_HIDDEN..LANES {
            let active = sum.0[lane].clamp(0.0, 1.0);
            points += active * difference.0[lane];
            log_odds += active * win.0[lane];
        }
        Answer {
            difference: lead / UNIT + sum.0[DIFFERENCE_LANE] + points,
            log_odds: sum.0[WIN_LANE] + log_odds,
        }
    }

    /// Adds the gradient of a sample's loss to `gradient` and gives the loss.
    pub(crate) fn learn(&self, sample: Sample, goal: &Goal, gradient: &mut Gradient) -> f32 {
        let sum = self.sum(sample);
        let answer = self.answer_of(&sum, sample.facts.lead);
        let loss = goal.loss(answer, sample.facts);
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
            // A lane that is off or fully on does not move with its sum.
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

    /// Keeps a row within what the engine's whole numbers can hold.
    pub(crate) fn limit(row: &mut Row, is_feature: bool) {
        let (answers, hidden) = row.0.split_at_mut(FIRST_HIDDEN);
        answers.iter_mut().for_each(|x| *x = x.clamp(-ANSWER_LIMIT, ANSWER_LIMIT));
        let limit = if is_feature { HIDDEN_LIMIT } else { OUTPUT_LIMIT };
        hidden.iter_mut().for_each(|x| *x = x.clamp(-limit, limit));
    }
}

/// Rows of the features, and the three others.
fn split(rows: &mut [Row]) -> (&mut [Row], &mut [Row; EXTRA_ROWS]) {
    rows.split_last_chunk_mut().expect("a model has rows beside those of its features")
}

/// What the model says about a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Answer {
    /// In units of [`UNIT`].
    pub(crate) difference: f32,
    pub(crate) log_odds: f32,
}

impl Answer {
    /// The cross entropy of a share of the victory, in nats.
    pub(crate) fn cross_entropy(self, win: f32) -> f32 {
        // ln(1 + e^x) without overflow, minus the share of x.
        let x = self.log_odds;
        x.max(0.0) + (-x.abs()).exp().ln_1p() - win * x
    }
}

/// What counts how much in the loss.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Goal {
    /// How much more positions between rounds count than others.
    pub(crate) between_rounds: f32,
    /// How much the chance to win counts beside the difference.
    pub(crate) win: f32,
}

/// Errors of the difference beyond this, in units, count in proportion and not by their square:
/// a landslide should not outweigh many close games.
const HUBER: f32 = 2.0;

struct Loss {
    value: f32,
    by_difference: f32,
    by_log_odds: f32,
}

impl Goal {
    /// How much a sample counts.
    pub(crate) fn weight(&self, facts: &Facts) -> f32 {
        if facts.between_rounds { self.between_rounds } else { 1.0 }
    }

    /// The weighted loss of an answer.
    pub(crate) fn value(&self, answer: Answer, facts: &Facts) -> f32 {
        self.loss(answer, facts).value
    }

    #[inline]
    fn loss(&self, answer: Answer, facts: &Facts) -> Loss {
        let weight = self.weight(facts);
        let error = answer.difference - facts.target.difference / UNIT;
        let size = error.abs();
        let huber = if size <= HUBER { 0.5 * error * error } else { HUBER * (size - 0.5 * HUBER) };
        let expected = 1.0 / (1.0 + (-answer.log_odds).exp());
        Loss {
            value: weight * (huber + self.win * answer.cross_entropy(facts.target.win)),
            by_difference: weight * error.clamp(-HUBER, HUBER),
            by_log_odds: weight * self.win * (expected - facts.target.win),
        }
    }
}

/// How the loss of some samples changes with each weight.
pub(crate) struct Gradient {
    pub(crate) rows: Vec<Row>,
    /// The rows that are not zero.
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
    const GOAL: Goal = Goal { between_rounds: 4.0, win: 1.5 };

    fn sample(samples: &mut Samples, features: &[Feature], lead: f32, difference: f32, win: f32) {
        let target = Target { difference, win };
        let between_rounds = samples.len() == 1;
        samples.push(features, Facts { lead, target, outcome: target, between_rounds });
    }

    fn samples() -> Samples {
        let mut samples = Samples::default();
        sample(&mut samples, &[0, 1, 2], 3.0, 9.0, 1.0);
        sample(&mut samples, &[2, 3, 4], -7.0, -5.0, 0.5);
        // A feature twice, as two equal factories have it.
        sample(&mut samples, &[5, 5, 1], 0.0, -12.0, 0.0);
        // An error beyond the square.
        sample(&mut samples, &[0], 2.0, 90.0, 1.0);
        samples
    }

    /// A model with weights large enough that some lanes are off, some between, some on.
    fn model() -> Model {
        let mut luck = Luck::new(3);
        let mut model = Model::new(N_FEATURES, &mut luck);
        for row in &mut model.rows {
            row.0.fill_with(|| luck.within(0.6));
        }
        let n = model.n_features();
        for row in &mut model.rows[n + 1..] {
            row.0[..FIRST_HIDDEN].fill(0.0);
        }
        model
    }

    fn loss(model: &Model, samples: &Samples) -> f64 {
        samples.iter().map(|sample| f64::from(GOAL.value(model.answer(sample), sample.facts))).sum()
    }

    /// Whether a small change of a weight would switch a lane of some sample.
    fn is_near_a_corner(model: &Model, samples: &Samples, lane: usize) -> bool {
        let near = |x: f32| x.abs() < 0.02 || (x - 1.0).abs() < 0.02;
        lane >= FIRST_HIDDEN && samples.iter().any(|sample| near(model.sum(sample).0[lane]))
    }

    #[test]
    fn the_gradient_is_that_of_the_loss() {
        const STEP: f32 = 4e-3;
        let (mut model, samples) = (model(), samples());
        let mut gradient = Gradient::new(&model);
        let mut sum = 0.0;
        for sample in samples.iter() {
            sum += f64::from(model.learn(sample, &GOAL, &mut gradient));
        }
        assert!((sum - loss(&model, &samples)).abs() < 1e-4);
        let mut n_checked = 0;
        for row in 0..model.rows.len() {
            for lane in 0..LANES {
                if is_near_a_corner(&model, &samples, lane) {
                    continue;
                }
                // The last two rows weigh hidden lanes only.
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
            let entropy = Answer { difference: 0.0, log_odds }.cross_entropy(win);
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
