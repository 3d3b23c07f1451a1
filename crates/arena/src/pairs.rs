//! Pentanomial statistics of game pairs: the same shuffle twice, with seats swapped.
//!
//! The two games of a pair are not independent, because a shuffle favors a seat. Pairs are
//! independent of each other, so all errors are computed from the five possible results of a pair.

use crate::elo::{Estimate, elo_of_share};
use crate::normal::{Z95, cumulative};

/// The numbers of pairs with 0, ½, 1, 1½ and 2 points for the first engine.
///
/// ```
/// use azulejo_arena::Pentanomial;
///
/// let pairs = Pentanomial([5, 20, 40, 25, 10]);
/// assert_eq!(pairs.mean(), 0.5375);
/// assert_eq!(pairs.elo().mean.round(), 26.0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pentanomial(pub [u64; 5]);

impl Pentanomial {
    /// Counts a pair by the half points of the first engine.
    ///
    /// # Panics
    /// With more than four half points.
    pub fn add(&mut self, half_points: usize) {
        self.0[half_points] += 1;
    }

    /// The number of pairs.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The share of points of each pair result, with the relative frequency of the result.
    pub(crate) fn parts(&self) -> [(f64, f64); 5] {
        let n = self.pairs().max(1) as f64;
        std::array::from_fn(|i| (i as f64 / 4.0, self.0[i] as f64 / n))
    }

    /// The mean share of points of a pair; ½ without pairs.
    #[must_use]
    pub fn mean(&self) -> f64 {
        if self.pairs() == 0 {
            return 0.5;
        }
        self.parts().iter().map(|(share, part)| share * part).sum()
    }

    /// The variance of the share of points of one pair.
    #[must_use]
    pub fn variance(&self) -> f64 {
        let mean = self.mean();
        self.parts().iter().map(|(share, part)| part * (share - mean) * (share - mean)).sum()
    }

    /// The share of points of the first engine; draws count half.
    #[must_use]
    pub fn share(&self) -> Estimate {
        Estimate::of_share(self.mean(), self.variance(), self.pairs() as f64, 2.0)
    }

    /// The Elo difference: the share and its interval on the Elo scale.
    #[must_use]
    pub fn elo(&self) -> Estimate {
        self.share().map(elo_of_share)
    }

    /// Normalized Elo: the mean in units of the standard deviation. It determines how many games a test
    /// needs and compares matches with different draw rates. `None` if the variance is 0.
    #[must_use]
    pub fn normalized_elo(&self) -> Option<Estimate> {
        let deviation = self.variance().sqrt();
        if deviation == 0.0 {
            return None;
        }
        // The standard deviation of a single game is √2 times that of the mean of a pair.
        let per_game = 800.0 / 10_f64.ln() / (deviation * 2_f64.sqrt());
        let error = Z95 * deviation / (self.pairs() as f64).sqrt();
        Some(Estimate::symmetric((self.mean() - 0.5) * per_game, error * per_game))
    }

    /// The likelihood of superiority (LOS): the probability, from 0 to 1, that the first engine is
    /// stronger.
    #[must_use]
    pub fn los(&self) -> f64 {
        let n = self.pairs().max(1) as f64;
        // Without any variance, pairs count as two games of equal engines, whose points have the
        // variance ¼ each.
        let variance = Some(self.variance()).filter(|&variance| variance > 0.0);
        cumulative((self.mean() - 0.5) / (variance.unwrap_or(0.125) / n).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_close(is: f64, expected: f64, precision: f64) {
        assert!((is - expected).abs() < precision, "{is} is not {expected}");
    }

    #[test]
    fn figures_match_a_calculation_by_hand() {
        let pairs = Pentanomial([5, 20, 40, 25, 10]);
        // (20·0.25 + 40·0.5 + 25·0.75 + 10·1) / 100
        assert_close(pairs.mean(), 0.5375, 1e-12);
        // E[x²] = (20/16 + 40/4 + 25·9/16 + 10) / 100 = 0.353125; minus 0.5375².
        let variance = 0.353_125 - 0.5375 * 0.5375;
        assert_close(pairs.variance(), variance, 1e-12);
        let error = (variance / 100.0_f64).sqrt();
        assert_close(pairs.los(), cumulative(0.0375 / error), 1e-12);
        assert_close(pairs.los(), 0.93, 0.01);
        let elo = pairs.elo();
        assert_close(elo.mean, 26.11, 0.01);
        // The textbook interval: the ends of mean ± 1.96 errors as Elo.
        let textbook = Estimate::symmetric(0.5375, Z95 * error).map(elo_of_share);
        assert_close(elo.low, textbook.low, 1.0);
        assert_close(elo.high, textbook.high, 1.0);
        let normalized = pairs.normalized_elo().unwrap();
        let per_game = 800.0 / 10_f64.ln() / (2.0 * variance).sqrt();
        assert_close(normalized.mean, 0.0375 * per_game, 1e-9);
        assert_close(normalized.error(), Z95 * error * per_game, 1e-9);
    }

    /// When the games of a pair are independent, pairs have the error of single games.
    #[test]
    fn independent_games_have_the_error_of_single_games() {
        // 3 of 4 games won: pairs 0, 1 and 2 points in the ratio 1 : 6 : 9.
        let pairs = Pentanomial([100, 0, 600, 0, 900]);
        assert_close(pairs.mean(), 0.75, 1e-12);
        assert_close(pairs.variance(), 0.75 * 0.25 / 2.0, 1e-12);
        let share = pairs.share();
        let single = Estimate::of_share(0.75, 0.75 * 0.25, 3200.0, 1.0);
        assert_close(share.low, single.low, 1e-12);
        assert_close(share.high, single.high, 1e-12);
    }

    #[test]
    fn mirrored_counts_mirror_the_figures() {
        let (one, other) = (Pentanomial([1, 2, 3, 5, 8]), Pentanomial([8, 5, 3, 2, 1]));
        assert_close(one.mean() + other.mean(), 1.0, 1e-12);
        assert_close(one.los() + other.los(), 1.0, 1e-12);
        assert_close(one.elo().mean, -other.elo().mean, 1e-9);
        assert_close(one.elo().low, -other.elo().high, 1e-9);
    }

    #[test]
    fn extreme_results_are_finite() {
        let check = |counts, mean: f64, los: f64| {
            let pairs = Pentanomial(counts);
            assert_eq!((pairs.mean(), pairs.los()), (mean, los), "{counts:?}");
            assert!(pairs.share().error().is_finite());
        };
        check([0; 5], 0.5, 0.5);
        check([0, 0, 50, 0, 0], 0.5, 0.5);
        check([0, 0, 0, 0, 200], 1.0, 1.0);
        check([200, 0, 0, 0, 0], 0.0, 0.0);
        // A single won pair: 0.5 above the mean of two coin tosses.
        assert_close(Pentanomial([0, 0, 0, 0, 1]).los(), cumulative(2_f64.sqrt()), 1e-12);
        let all = Pentanomial([0, 0, 0, 0, 200]);
        assert_eq!(all.elo().mean, f64::INFINITY);
        // 400 of 400: at least 99.0 %, which is 807 Elo.
        assert_close(all.share().low, 0.990_488, 1e-6);
        assert_close(all.elo().low, 807.0, 1.0);
        assert_eq!(all.normalized_elo(), None);
    }
}
