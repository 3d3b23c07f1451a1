//! Adam: each weight moves by its mean gradient, measured in how much that gradient varies.
//! Rows whose features did not occur stay as they are.

use crate::model::{Gradient, Model, Row};

const FADE_MEAN: f32 = 0.9;
const FADE_SQUARE: f32 = 0.999;
const TINY: f32 = 1e-8;

/// The memory of the method.
pub(crate) struct Adam {
    mean: Vec<Row>,
    square: Vec<Row>,
    steps: i32,
}

/// A range of rows with all that belongs to them, for one thread.
struct Part<'a> {
    weights: &'a mut [Row],
    mean: &'a mut [Row],
    square: &'a mut [Row],
    /// One for each thread that learned.
    gradients: Vec<(&'a mut [Row], &'a mut [bool])>,
    first_row: usize,
}

/// How to step.
#[derive(Clone, Copy)]
struct Stride {
    n_features: usize,
    /// What a weight keeps of itself.
    keep: f32,
    /// Turns the sum of a gradient over samples into a mean.
    scale: f32,
    rate: f32,
    /// Corrects that both means begin at zero.
    mean_correction: f32,
    square_correction: f32,
}

impl Adam {
    pub(crate) fn new(model: &Model) -> Adam {
        let zeros = vec![Row::ZERO; model.rows.len()];
        Adam { mean: zeros.clone(), square: zeros, steps: 0 }
    }

    /// Takes a step against the sum of the gradients, which are zero afterwards. The sum is made in
    /// the order of the list, so that the result does not depend on which thread was faster.
    pub(crate) fn step(
        &mut self,
        model: &mut Model,
        gradients: &mut [Gradient],
        weight: f32,
        rate: f32,
        decay: f32,
    ) {
        self.steps = self.steps.saturating_add(1);
        let stride = Stride {
            n_features: model.n_features(),
            keep: 1.0 - rate * decay,
            scale: 1.0 / weight,
            rate,
            mean_correction: 1.0 / (1.0 - FADE_MEAN.powi(self.steps)),
            square_correction: 1.0 / (1.0 - FADE_SQUARE.powi(self.steps)),
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
        let weights = model.rows.chunks_mut(part_len);
        let memory = self.mean.chunks_mut(part_len).zip(self.square.chunks_mut(part_len));
        let parts: Vec<Part> = weights
            .zip(memory)
            .enumerate()
            .map(|(i, (weights, (mean, square)))| Part {
                weights,
                mean,
                square,
                gradients: gradient_parts.iter_mut().filter_map(Iterator::next).collect(),
                first_row: i * part_len,
            })
            .collect();
        std::thread::scope(|scope| {
            let mut parts = parts.into_iter();
            let first = parts.next();
            for part in parts {
                scope.spawn(move || part.step(stride));
            }
            if let Some(part) = first {
                part.step(stride);
            }
        });
    }
}

impl Part<'_> {
    fn step(mut self, stride: Stride) {
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
            let is_feature = self.first_row + i < stride.n_features;
            if is_feature {
                // Also where nothing was learned: what is rarely seen should say little.
                self.weights[i].0.iter_mut().for_each(|weight| *weight *= stride.keep);
            }
            if is_touched {
                move_row(&mut self.weights[i], &mut self.mean[i], &mut self.square[i], &sum, stride);
                Model::limit(&mut self.weights[i], is_feature);
            }
        }
    }
}

fn move_row(weights: &mut Row, mean: &mut Row, square: &mut Row, sum: &Row, stride: Stride) {
    let lanes = weights.0.iter_mut().zip(&mut mean.0).zip(&mut square.0).zip(&sum.0);
    for (((weight, mean), square), sum) in lanes {
        let gradient = sum * stride.scale;
        *mean = FADE_MEAN * *mean + (1.0 - FADE_MEAN) * gradient;
        *square = FADE_SQUARE * *square + (1.0 - FADE_SQUARE) * gradient * gradient;
        let spread = (*square * stride.square_correction).sqrt() + TINY;
        *weight -= stride.rate * *mean * stride.mean_correction / spread;
    }
}
