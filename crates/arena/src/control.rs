//! Control variates: results adjusted by numbers that go along with them and whose mean is known to be
//! zero.

use crate::elo::Estimate;

/// Fewer observations are not adjusted: with so few, the slope follows their noise.
const MIN_OBSERVATIONS: f64 = 10.0;

/// Results with their controls, in constant memory.
///
/// ```
/// use azulejo_arena::Controlled;
///
/// let mut results = Controlled::default();
/// for i in 0..100_i32 {
///     // A share of 0.6, and luck that is good as often as bad.
///     let luck = f64::from(i % 5 - 2) / 10.0;
///     results.add(0.6 + luck, luck);
/// }
/// let adjusted = results.adjusted_share(2.0).expect("enough observations");
/// assert!((adjusted.mean - 0.6).abs() < 1e-9);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Controlled {
    n: f64,
    /// Means of results and controls.
    result: f64,
    control: f64,
    /// Sums of squares and products of the deviations from the means (Welford).
    result_squares: f64,
    control_squares: f64,
    products: f64,
}

impl Controlled {
    /// Adds a result with its control.
    pub fn add(&mut self, result: f64, control: f64) {
        self.n += 1.0;
        let (off_result, off_control) = (result - self.result, control - self.control);
        self.result += off_result / self.n;
        self.control += off_control / self.n;
        self.result_squares += off_result * (result - self.result);
        self.control_squares += off_control * (control - self.control);
        self.products += off_result * (control - self.control);
    }

    /// By how much a result changes with its control (least squares).
    #[must_use]
    pub fn slope(&self) -> f64 {
        // Rounding may leave a tiny sum where all controls are equal.
        if self.control_squares > 1e-12 { self.products / self.control_squares } else { 0.0 }
    }

    /// The mean result without what its controls explain, and its variance per observation. `None` for
    /// fewer than ten observations.
    #[must_use]
    pub fn adjusted(&self) -> Option<(f64, f64)> {
        if self.n < MIN_OBSERVATIONS {
            return None;
        }
        let slope = self.slope();
        let rest = (self.result_squares - slope * self.products).max(0.0);
        Some((self.result - slope * self.control, rest / (self.n - 2.0)))
    }

    /// The adjusted mean of shares of `games_each` games with its interval.
    #[must_use]
    pub fn adjusted_share(&self, games_each: f64) -> Option<Estimate> {
        let (mean, variance) = self.adjusted()?;
        Some(Estimate::of_share(mean.clamp(0.0, 1.0), variance, self.n, games_each))
    }

    /// The part of the variance that the controls do not explain, from 0 to 1: how many games the
    /// adjusted result needs for the error of one unadjusted game.
    #[must_use]
    pub fn variance_left(&self) -> Option<f64> {
        let (_, variance) = self.adjusted()?;
        let plain = self.result_squares / (self.n - 1.0);
        (plain > 1e-12).then(|| (variance / plain).min(1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_match_a_calculation_by_hand() {
        let mut pairs = Controlled::default();
        assert_eq!(pairs.adjusted(), None);
        // y = 0.5 + 2x + e, with e = ±0.1 independent of x = ±0.1 and mean(x) = 0.02.
        let rows = [(0.1, 0.1), (0.1, -0.1), (-0.1, 0.1), (-0.1, -0.1), (0.1, 0.1), (0.1, -0.1)];
        for (x, e) in rows.into_iter().chain(rows) {
            pairs.add(0.5 + 2.0 * x + e, x);
        }
        assert!((pairs.slope() - 2.0).abs() < 1e-12);
        let (mean, variance) = pairs.adjusted().unwrap();
        assert!((mean - 0.5).abs() < 1e-12, "{mean}");
        assert!((variance - 12.0 * 0.01 / 10.0).abs() < 1e-12, "{variance}");
    }

    #[test]
    fn useless_controls_change_nothing() {
        let mut pairs = Controlled::default();
        (0..20).for_each(|i| pairs.add(f64::from(i % 3) / 2.0, 0.0));
        let (mean, _) = pairs.adjusted().unwrap();
        assert!((mean - 9.5 / 20.0).abs() < 1e-12, "{mean}");
        assert_eq!(pairs.variance_left(), Some(1.0));
    }
}
