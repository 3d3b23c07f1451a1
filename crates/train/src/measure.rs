//! Validation: errors of a model on held-out games, measured against their results.

use crate::model::{Loss, Model, UNIT, sample_weight};
use crate::parallel;
use crate::samples::Samples;

/// Errors of a model on held-out samples.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Measured {
    /// The mean loss, weighted as in training.
    pub(crate) loss: f64,
    pub(crate) between: Errors,
    pub(crate) within: Errors,
}

/// Errors on some samples, measured against the results of their games.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Errors {
    n: f64,
    squares: f64,
    entropy: f64,
    right_signs: f64,
    n_signs: f64,
}

impl Errors {
    fn add(&mut self, other: &Errors) {
        self.n += other.n;
        self.squares += other.squares;
        self.entropy += other.entropy;
        self.right_signs += other.right_signs;
        self.n_signs += other.n_signs;
    }

    /// The root of the mean square error of the difference, in points.
    pub(crate) fn rmse(&self) -> f64 {
        (self.squares / self.n.max(1.0)).sqrt()
    }

    pub(crate) fn mean_entropy(&self) -> f64 {
        self.entropy / self.n.max(1.0)
    }

    /// The share of samples with the right sign of the final difference.
    pub(crate) fn sign(&self) -> f64 {
        self.right_signs / self.n_signs.max(1.0)
    }

    pub(crate) fn csv(&self) -> String {
        format!("{:.4},{:.5},{:.5}", self.rmse(), self.mean_entropy(), self.sign())
    }
}

/// Measures a model.
pub(crate) fn measure(model: &Model, samples: &Samples, threads: usize) -> Measured {
    let share = samples.len().div_ceil(threads).max(1);
    let ranges =
        (0..samples.len()).step_by(share).map(|start| start..samples.len().min(start + share));
    let measure_part = |range: std::ops::Range<usize>| {
        let mut sums = (0.0, 0.0, Measured::default());
        for sample in range.map(|i| samples.get(i)) {
            let output = model.forward(sample);
            let labels = sample.labels;
            sums.0 += f64::from(Loss::new(output, labels).value);
            sums.1 += f64::from(sample_weight(labels));
            let measured = &mut sums.2;
            let errors =
                if labels.between_rounds { &mut measured.between } else { &mut measured.within };
            let error = f64::from(output.difference * UNIT - labels.outcome.difference);
            errors.n += 1.0;
            errors.squares += error * error;
            errors.entropy += f64::from(output.cross_entropy(labels.outcome.win));
            if labels.outcome.difference != 0.0 {
                errors.n_signs += 1.0;
                let is_right = (output.difference > 0.0) == (labels.outcome.difference > 0.0);
                errors.right_signs += f64::from(u8::from(is_right));
            }
        }
        sums
    };
    let parts = parallel::run(ranges.map(|range| move || measure_part(range)));
    let (mut loss, mut weight, mut all) = (0.0, 0.0, Measured::default());
    for (part_loss, part_weight, part) in parts {
        loss += part_loss;
        weight += part_weight;
        all.between.add(&part.between);
        all.within.add(&part.within);
    }
    all.loss = if weight > 0.0 { loss / weight } else { 0.0 };
    all
}
