//! The Adam optimizer with decoupled weight decay (AdamW) and sparse updates: rows of features that did
//! not occur in a batch only decay.

use crate::model::{Gradient, Model, Row};
use crate::parallel;

const BETA1: f32 = 0.9;
const BETA2: f32 = 0.999;
const EPSILON: f32 = 1e-8;

/// The moments of all weights.
pub(crate) struct Adam {
    /// What weights decay to: zeros, or the weights of another model.
    anchor: Vec<Row>,
    mean: Vec<Row>,
    square: Vec<Row>,
    steps: i32,
}

/// A range of rows with their moments and gradients, for one thread.
struct Part<'a> {
    weights: &'a mut [Row],
    anchor: &'a [Row],
    mean: &'a mut [Row],
    square: &'a mut [Row],
    /// One for each thread that computed gradients.
    gradients: Vec<(&'a mut [Row], &'a mut [bool])>,
    first_row: usize,
}

/// The constants of one step.
#[derive(Clone, Copy)]
struct StepSize {
    n_features: usize,
    /// The share of a weight's distance from its anchor that decay leaves.
    keep: f32,
    /// Turns the sum of the gradients of a batch into a mean.
    scale: f32,
    rate: f32,
    /// Bias corrections: both moments start at zero.
    mean_correction: f32,
    square_correction: f32,
}

impl Adam {
    /// An optimizer for a model whose weights decay to zero.
    pub(crate) fn new(model: &Model) -> Adam {
        let zeros = vec![Row::ZERO; model.rows.len()];
        Adam { anchor: zeros.clone(), mean: zeros.clone(), square: zeros, steps: 0 }
    }

    /// An optimizer that lets the weights decay to those that the model has now.
    pub(crate) fn anchored(model: &Model) -> Adam {
        Adam { anchor: model.rows.clone(), ..Adam::new(model) }
    }

    /// Takes a step against the sum of the gradients and clears them. The sum is made in the order of
    /// the list, so the result does not depend on the timing of threads.
    pub(crate) fn step(
        &mut self,
        model: &mut Model,
        gradients: &mut [Gradient],
        weight: f32,
        rate: f32,
        decay: f32,
    ) {
        self.steps = self.steps.saturating_add(1);
        let step = StepSize {
            n_features: model.n_features(),
            keep: 1.0 - rate * decay,
            scale: 1.0 / weight,
            rate,
            mean_correction: 1.0 / (1.0 - BETA1.powi(self.steps)),
            square_correction: 1.0 / (1.0 - BETA2.powi(self.steps)),
        };
        let n_parts = gradients.len();
        let part_len = model.rows.len().div_ceil(n_parts);
        let mut gradient_parts: Vec<_> = gradients
            .iter_mut()
            .map(|gradient| {
                let rows = gradient.rows.chunks_mut(part_len);
                rows.zip(gradient.touched.chunks_mut(part_len))
            })
            .collect();
        let weights = model.rows.chunks_mut(part_len).zip(self.anchor.chunks(part_len));
        let memory = self.mean.chunks_mut(part_len).zip(self.square.chunks_mut(part_len));
        let parts: Vec<Part> = weights
            .zip(memory)
            .enumerate()
            .map(|(i, ((weights, anchor), (mean, square)))| Part {
                weights,
                anchor,
                mean,
                square,
                gradients: gradient_parts.iter_mut().filter_map(Iterator::next).collect(),
                first_row: i * part_len,
            })
            .collect();
        parallel::run(parts.into_iter().map(|part| move || part.step(step)));
    }
}

impl Part<'_> {
    fn step(mut self, step: StepSize) {
        for i in 0..self.weights.len() {
            let mut sum = Row::ZERO;
            let mut is_touched = false;
            for (rows, touched) in &mut self.gradients {
                if touched[i] {
                    is_touched = true;
                    touched[i] = false;
                    sum.add(&rows[i]);
                    rows[i] = Row::ZERO;
                }
            }
            let is_feature = self.first_row + i < step.n_features;
            let is_bias = self.first_row + i == step.n_features;
            if !is_bias {
                // Rows without a gradient decay too: rare features should have small weights. So do
                // the output weights; otherwise they would grow while the others shrink, and small
                // weights are quantized badly.
                for (weight, anchor) in self.weights[i].0.iter_mut().zip(self.anchor[i].0) {
                    *weight = anchor + (*weight - anchor) * step.keep;
                }
            }
            if is_touched {
                let weights = &mut self.weights[i];
                update_row(weights, &mut self.mean[i], &mut self.square[i], &sum, step);
                Model::limit(weights, is_feature);
            }
        }
    }
}

fn update_row(weights: &mut Row, mean: &mut Row, square: &mut Row, sum: &Row, step: StepSize) {
    let lanes = weights.0.iter_mut().zip(&mut mean.0).zip(&mut square.0).zip(&sum.0);
    for (((weight, mean), square), sum) in lanes {
        let gradient = sum * step.scale;
        *mean = BETA1 * *mean + (1.0 - BETA1) * gradient;
        *square = BETA2 * *square + (1.0 - BETA2) * gradient * gradient;
        let spread = (*square * step.square_correction).sqrt() + EPSILON;
        *weight -= step.rate * *mean * step.mean_correction / spread;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;
    use azulejo_engine::network::LANES;

    fn gradient(model: &Model, row: usize, value: f32) -> Gradient {
        let mut gradient = Gradient::new(model);
        gradient.rows[row] = Row([value; LANES]);
        gradient.touched[row] = true;
        gradient
    }

    #[test]
    fn untouched_rows_only_decay() {
        let mut model = Model::new(9, &mut Rng::new(1));
        let before = model.clone();
        let mut gradients = [gradient(&model, 2, 0.5), gradient(&model, 2, 0.25)];
        Adam::new(&model).step(&mut model, &mut gradients, 1.0, 0.01, 1.0);
        for (i, (row, old)) in model.rows.iter().zip(&before.rows).enumerate() {
            for (weight, old) in row.0.iter().zip(&old.0) {
                let keep = if i == model.n_features() { 1.0 } else { 0.99 };
                // The first step of Adam has the size of the rate for every gradient.
                let expected = old * keep - if i == 2 { 0.01 } else { 0.0 };
                assert!((weight - expected).abs() < 1e-6, "row {i}: {weight} for {expected}");
            }
        }
        for gradient in &gradients {
            assert!(gradient.rows.iter().all(|&row| row == Row::ZERO));
            assert!(gradient.touched.iter().all(|&touched| !touched));
        }
    }

    #[test]
    fn anchored_weights_decay_to_where_they_started() {
        let mut model = Model::new(9, &mut Rng::new(1));
        let before = model.clone();
        let mut adam = Adam::anchored(&model);
        adam.step(&mut model, &mut [gradient(&before, 2, 0.5)], 1.0, 0.01, 1.0);
        assert!((model.rows[2].0[0] - before.rows[2].0[0] + 0.01).abs() < 1e-6);
        for _ in 0..2000 {
            adam.step(&mut model, &mut [Gradient::new(&before)], 1.0, 0.01, 1.0);
        }
        for (row, old) in
            model.rows.iter().flat_map(|row| row.0).zip(before.rows.iter().flat_map(|row| row.0))
        {
            assert!((row - old).abs() < 1e-5, "{row} for {old}");
        }
    }

    #[test]
    fn quadratic_loss_converges() {
        let mut model = Model::new(1, &mut Rng::new(1));
        let mut adam = Adam::new(&model);
        for _ in 0..2000 {
            // The loss is the square of the distance from 0.7.
            let slope = 2.0 * (model.rows[0].0[0] - 0.7);
            let mut gradients = [gradient(&model, 0, slope)];
            adam.step(&mut model, &mut gradients, 1.0, 0.01, 0.0);
        }
        assert!((model.rows[0].0[0] - 0.7).abs() < 1e-3, "{}", model.rows[0].0[0]);
    }

    #[test]
    fn weights_stay_within_their_limits() {
        let mut model = Model::new(1, &mut Rng::new(1));
        let mut adam = Adam::new(&model);
        for _ in 0..100 {
            let mut gradients = [gradient(&model, 0, -1.0)];
            adam.step(&mut model, &mut gradients, 1.0, 1.0, 0.0);
        }
        assert!(model.rows[0].0.iter().all(|weight| (0.5..=4.0).contains(weight)));
    }
}
