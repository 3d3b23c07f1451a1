//! The sequential probability ratio test (SPRT) over pentanomial results: play until one of two
//! hypotheses about the Elo difference is accepted.
//!
//! It is the generalized test: the likelihood of a hypothesis is that of the most likely distribution
//! of pair results with the mean that the hypothesis predicts, since the distribution is unknown.

use crate::elo::share_of_elo;
use crate::pairs::Pentanomial;

/// The count of a pair result that has not occurred. With 0 a hypothesis that needs the result would
/// have likelihood 0.
const UNSEEN: f64 = 1e-3;

/// Two hypotheses and their error rates.
///
/// ```
/// use azulejo_arena::{Pentanomial, Sprt, Verdict};
///
/// let sprt = Sprt::new(0.0, 10.0, 0.05, 0.05)?;
/// // Pairs with 0, ½, 1, 1½ and 2 points for the first engine.
/// let pairs = Pentanomial([500, 1000, 2000, 1200, 700]);
/// assert_eq!(sprt.verdict(&pairs), Verdict::AcceptH1);
/// # Ok::<(), azulejo_arena::SprtError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

/// Why a test is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SprtError {
    /// `elo0` is not below `elo1`.
    #[error("elo0 must be below elo1")]
    Hypotheses,
    /// A hypothesis is out of range.
    #[error("elo0 and elo1 must be between -2000 and 2000")]
    Range,
    /// An error rate is out of range.
    #[error("alpha and beta must be above 0 and below 0.5")]
    Rates,
}

/// The state of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Neither hypothesis is accepted yet.
    Undecided,
    /// `elo0` is accepted.
    AcceptH0,
    /// `elo1` is accepted.
    AcceptH1,
}

impl Sprt {
    /// A test of `elo0` against `elo1`. `alpha` is the probability of accepting `elo1` when `elo0` is
    /// true, `beta` that of accepting `elo0` when `elo1` is true.
    ///
    /// # Errors
    /// If a value is out of range.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Sprt, SprtError> {
        let is_sane = |elo: f64| (-2000.0..=2000.0).contains(&elo);
        let is_rate = |rate: f64| rate > 0.0 && rate < 0.5;
        if !is_sane(elo0) || !is_sane(elo1) {
            Err(SprtError::Range)
        } else if elo0 >= elo1 {
            Err(SprtError::Hypotheses)
        } else if !is_rate(alpha) || !is_rate(beta) {
            Err(SprtError::Rates)
        } else {
            Ok(Sprt { elo0, elo1, alpha, beta })
        }
    }

    /// The lower hypothesis.
    #[must_use]
    pub fn elo0(&self) -> f64 {
        self.elo0
    }

    /// The upper hypothesis.
    #[must_use]
    pub fn elo1(&self) -> f64 {
        self.elo1
    }

    /// The probability of accepting the upper hypothesis when the lower one is true.
    #[must_use]
    pub fn alpha(&self) -> f64 {
        self.alpha
    }

    /// The probability of accepting the lower hypothesis when the upper one is true.
    #[must_use]
    pub fn beta(&self) -> f64 {
        self.beta
    }

    /// The log-likelihood ratios at which the lower and the upper hypothesis are accepted.
    #[must_use]
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log-likelihood ratio of the upper hypothesis to the lower one.
    #[must_use]
    pub fn llr(&self, pairs: &Pentanomial) -> f64 {
        if pairs.pairs() == 0 {
            return 0.0;
        }
        let counts = pairs.0.map(|n| if n == 0 { UNSEEN } else { n as f64 });
        let (share0, share1) = (share_of_elo(self.elo0), share_of_elo(self.elo1));
        let (tilt0, tilt1) = (tilt(&counts, share0), tilt(&counts, share1));
        let ratio = |(i, &n): (usize, &f64)| {
            let share = i as f64 / 4.0;
            // The most likely probability of result `i` is its frequency divided by this.
            let weight0 = 1.0 + tilt0 * (share - share0);
            let weight1 = 1.0 + tilt1 * (share - share1);
            n * (weight0 / weight1).ln()
        };
        counts.iter().enumerate().map(ratio).sum()
    }

    /// The hypothesis that is accepted, if any.
    #[must_use]
    pub fn verdict(&self, pairs: &Pentanomial) -> Verdict {
        let (lower, upper) = self.bounds();
        match self.llr(pairs) {
            llr if llr >= upper => Verdict::AcceptH1,
            llr if llr <= lower => Verdict::AcceptH0,
            _ => Verdict::Undecided,
        }
    }
}

/// The multiplier `t` for which `n / (1 + t·(share − mean))` is the most likely distribution with the
/// given mean. It solves `Σ n·(share − mean) / (1 + t·(share − mean)) = 0`, whose left side falls in
/// `t` between the poles, so bisection finds it.
fn tilt(counts: &[f64; 5], mean: f64) -> f64 {
    let slope = |t: f64| -> f64 {
        counts
            .iter()
            .enumerate()
            .map(|(i, n)| {
                let distance = i as f64 / 4.0 - mean;
                n * distance / (1.0 + t * distance)
            })
            .sum()
    };
    // All probabilities must stay positive for shares from 0 to 1.
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    // A hundred bisections exhaust the precision of f64.
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if slope(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_close(is: f64, expected: f64, precision: f64) {
        assert!((is - expected).abs() < precision, "{is} is not {expected}");
    }

    fn sprt(elo0: f64, elo1: f64) -> Sprt {
        Sprt::new(elo0, elo1, 0.05, 0.05).unwrap()
    }

    #[test]
    fn bounds_follow_from_the_rates() {
        let (lower, upper) = sprt(0.0, 10.0).bounds();
        assert_close(lower, -2.944_438_979_166_44, 1e-12);
        assert_close(upper, 2.944_438_979_166_44, 1e-12);
        let (lower, upper) = Sprt::new(0.0, 5.0, 0.05, 0.1).unwrap().bounds();
        assert_close(lower, (0.1_f64 / 0.95).ln(), 1e-12);
        assert_close(upper, (0.9_f64 / 0.05).ln(), 1e-12);
    }

    #[test]
    fn invalid_tests_are_refused() {
        let check = |elo0, elo1, alpha, beta, expected| {
            assert_eq!(Sprt::new(elo0, elo1, alpha, beta).unwrap_err(), expected);
        };
        check(5.0, 5.0, 0.05, 0.05, SprtError::Hypotheses);
        check(5.0, 0.0, 0.05, 0.05, SprtError::Hypotheses);
        check(0.0, 5.0, 0.0, 0.05, SprtError::Rates);
        check(0.0, 5.0, 0.05, 0.5, SprtError::Rates);
        check(f64::NAN, 5.0, 0.05, 0.05, SprtError::Range);
        check(0.0, f64::INFINITY, 0.05, 0.05, SprtError::Range);
    }

    /// With two possible results the mean determines the distribution, and the ratio is binomial.
    #[test]
    fn two_results_are_binomial() {
        let pairs = Pentanomial([40, 0, 0, 0, 60]);
        let (p0, p1) = (share_of_elo(0.0), share_of_elo(50.0));
        let coins: f64 = 60.0 * (p1 / p0).ln() + 40.0 * ((1.0 - p1) / (1.0 - p0)).ln();
        assert_close(sprt(0.0, 50.0).llr(&pairs), coins, 0.01);
    }

    /// For small differences the ratio is nearly that of normal distributions with the sample
    /// variance.
    #[test]
    fn small_differences_are_nearly_normal() {
        let pairs = Pentanomial([500, 2000, 4000, 2200, 600]);
        let (s0, s1) = (share_of_elo(0.0), share_of_elo(5.0));
        let n = pairs.pairs() as f64;
        let normal = n * (s1 - s0) * (2.0 * pairs.mean() - s0 - s1) / (2.0 * pairs.variance());
        assert_close(sprt(0.0, 5.0).llr(&pairs), normal, normal.abs() * 0.02);
        assert!(normal > 1.0);
    }

    #[test]
    fn symmetric_hypotheses_and_results_cancel() {
        let pairs = Pentanomial([3, 10, 20, 10, 3]);
        assert_close(sprt(-10.0, 10.0).llr(&pairs), 0.0, 1e-9);
        let (one, other) = (Pentanomial([1, 2, 3, 5, 8]), Pentanomial([8, 5, 3, 2, 1]));
        let sum = sprt(0.0, 10.0).llr(&one) + sprt(-10.0, 0.0).llr(&other);
        assert_close(sum, 0.0, 1e-9);
    }

    #[test]
    fn verdicts() {
        let check = |counts, expected| {
            assert_eq!(sprt(0.0, 10.0).verdict(&Pentanomial(counts)), expected, "{counts:?}");
        };
        check([0; 5], Verdict::Undecided);
        check([10, 20, 40, 20, 10], Verdict::Undecided);
        check([500, 1000, 2000, 1000, 500], Verdict::AcceptH0);
        check([500, 1000, 2000, 1200, 700], Verdict::AcceptH1);
        check([0, 0, 0, 0, 300], Verdict::AcceptH1);
        check([300, 0, 0, 0, 0], Verdict::AcceptH0);
    }
}
