//! The network while it learns: the same sums as the engine's, in floating-point numbers, and how
//! the loss changes with each weight.
//!
//! Activations are 1 where the engine's are `ON`. The difference is counted in units of
//! [`UNIT`] points, so that all weights are of the same size and one learning rate fits all.

use crate::luck::Luck;
use crate::samples::{Facts, Sample};
use azulejo_engine::network::{DIFFERENCE_LANE, HIDDEN, LANES, WIN_LANE};

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

/// How far rows of the hidden lanes may go. Seventy features at this limit still add up to less
/// than the engine's 16-bit sums can hold.
const HIDDEN_LIMIT: f32 = 1.9;
/// The same for the lanes that are answers, in units of points and in log odds: no single
/// fact is worth more.
const ANSWER_LIMIT: f32 = 4.0;
/// For the weights of the hidden lanes in the answers.
const OUTPUT_LIMIT: f32 = 8.0;

impl Model {
    /// A model that has learned nothing: no linear part, and hidden lanes that differ by chance.
    pub(crate) fn new(n_features: usize, init: f32, luck: &mut Luck) -> Model {
        let mut rows = vec![Row::ZERO; n_features + EXTRA_ROWS];
        let (features, [bias, difference, win]) = split(&mut rows);
        for row in features {
            row.0[HIDDEN..].fill_with(|| luck.within(init));
        }
        // All lanes begin in the middle of their range, where they can learn.
        bias.0[HIDDEN..].fill_with(|| 0.5 + luck.within(0.2));
        difference.0[HIDDEN..].fill_with(|| luck.within(0.2));
        win.0[HIDDEN..].fill_with(|| luck.within(0.2));
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
        for lane in HIDDEN..LANES {
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
        for lane in HIDDEN..LANES {
            let active = sum.0[lane].clamp(0.0, 1.0);
            by_difference.0[lane] += active * loss.by_difference;
            by_win.0[lane] += active * loss.by_log_odds;
            // A lane that is off or fully on does not move with its sum.
            let moves = if active == sum.0[lane] { 1.0 } else { 0.0 };
            by_sum.0[lane] = moves
                * (loss.by_difference * difference.0[lane] + loss.by_log_odds * win.0[lane]);
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
        let (answers, hidden) = row.0.split_at_mut(HIDDEN);
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
