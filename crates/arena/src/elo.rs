//! The logistic Elo scale, and Wilson score intervals (95 %) of a share of points.

use crate::normal::{Z95, t95};

/// The share of points, from 0 to 1, that an Elo difference predicts.
#[must_use]
pub fn share_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// The Elo difference that predicts a share of points; infinite for 0 and 1.
#[must_use]
pub fn elo_of_share(share: f64) -> f64 {
    400.0 * (share / (1.0 - share)).log10()
}

/// A mean and its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The mean.
    pub mean: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

impl Estimate {
    /// A mean with a symmetric interval.
    #[must_use]
    pub fn symmetric(mean: f64, error: f64) -> Estimate {
        Estimate { mean, low: mean - error, high: mean + error }
    }

    /// Half the width of the interval.
    #[must_use]
    pub fn error(&self) -> f64 {
        (self.high - self.low) / 2.0
    }

    /// The estimate on another scale, which must increase with this one.
    #[must_use]
    pub fn map(&self, scale: impl Fn(f64) -> f64) -> Estimate {
        Estimate { mean: scale(self.mean), low: scale(self.low), high: scale(self.high) }
    }

    /// The Wilson score interval of a share: the mean of `n` independent observations from 0 to 1 with
    /// this variance, each the mean of `games_each` games.
    ///
    /// The usual interval (mean ± 1.96 standard errors) has no width when everything is won and
    /// exceeds 1 shortly before. So this is Wilson's interval for the number of won or lost games that
    /// has the same standard error. Without any variance there is no such number, and the real number
    /// of games is used, which is also the limit for few scattered losses.
    ///
    /// A few observations may be alike by chance. So their variance is at least what it would be with
    /// one more that has the variance of independent games.
    #[must_use]
    pub fn of_share(mean: f64, variance: f64, n: f64, games_each: f64) -> Estimate {
        if n <= 0.0 {
            return Estimate { mean, low: 0.0, high: 1.0 };
        }
        let spread = mean * (1.0 - mean);
        // Rounding may leave a tiny variance where there is none.
        let varies = variance > 1e-12;
        let variance = variance.max((n * variance + spread / games_each) / (n + 1.0));
        // Never below `n`: no distribution on 0..1 has more variance than won and lost games.
        let games = n * if varies { (spread / variance).max(1.0) } else { games_each };
        let z2 = Z95 * Z95;
        let center = (mean + z2 / (2.0 * games)) / (1.0 + z2 / games);
        let half = Z95 / (1.0 + z2 / games)
            * (spread / games + z2 / (4.0 * games * games)).max(0.0).sqrt();
        // At the ends the formula is exact, but rounding is not.
        let low = if mean <= 0.0 { 0.0 } else { (center - half).max(0.0) };
        let high = if mean >= 1.0 { 1.0 } else { (center + half).min(1.0) };
        Estimate { mean, low, high }
    }
}

/// The mean and variance of a stream of numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mean {
    n: f64,
    sum: f64,
    sum_of_squares: f64,
}

impl Mean {
    /// Adds a number.
    pub fn add(&mut self, x: f64) {
        self.n += 1.0;
        self.sum += x;
        self.sum_of_squares += x * x;
    }

    /// The count of numbers.
    #[must_use]
    pub fn count(&self) -> f64 {
        self.n
    }

    /// The mean; `None` without numbers.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        (self.n > 0.0).then(|| self.sum / self.n)
    }

    /// The sample variance; 0 for fewer than two numbers.
    #[must_use]
    pub fn variance(&self) -> f64 {
        if self.n < 2.0 {
            return 0.0;
        }
        let mean = self.sum / self.n;
        ((self.sum_of_squares - self.n * mean * mean) / (self.n - 1.0)).max(0.0)
    }

    /// The mean with its interval, which is infinite for a single number.
    #[must_use]
    pub fn estimate(&self) -> Option<Estimate> {
        let mean = self.mean()?;
        let error = if self.n < 2.0 {
            f64::INFINITY
        } else {
            t95(self.n) * (self.variance() / self.n).sqrt()
        };
        Some(Estimate::symmetric(mean, error))
    }

    /// The mean of shares of `games_each` games with its Wilson interval, from the population variance
    /// as in [`Pentanomial::share`](crate::Pentanomial::share).
    #[must_use]
    pub fn share(&self, games_each: f64) -> Option<Estimate> {
        let variance = self.variance() * (self.n - 1.0) / self.n;
        Some(Estimate::of_share(self.mean()?, variance, self.n, games_each))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_close(is: f64, expected: f64, precision: f64) {
        assert!((is - expected).abs() < precision, "{is} is not {expected}");
    }

    #[test]
    fn elo_and_share_are_inverse() {
        for (elo, share) in [(0.0, 0.5), (400.0, 10.0 / 11.0), (-400.0, 1.0 / 11.0)] {
            assert_close(share_of_elo(elo), share, 1e-12);
            assert_close(elo_of_share(share), elo, 1e-9);
        }
        // Three of four points.
        assert_close(elo_of_share(0.75), 190.848_501_887_864_98, 1e-9);
        assert_eq!(elo_of_share(1.0), f64::INFINITY);
        assert_eq!(elo_of_share(0.0), f64::NEG_INFINITY);
    }

    /// Wilson's interval for 8 of 10 and for 10 of 10 successes, from its closed formula.
    #[test]
    fn independent_games_have_the_wilson_interval() {
        let eight = Estimate::of_share(0.8, 0.16, 10.0, 1.0);
        assert_close(eight.low, 0.490_162, 1e-6);
        assert_close(eight.high, 0.943_318, 1e-6);
        let all = Estimate::of_share(1.0, 0.0, 10.0, 1.0);
        assert_close(all.low, 10.0 / (10.0 + Z95 * Z95), 1e-12);
        assert_eq!(all.high, 1.0);
        let none = Estimate::of_share(0.0, 0.0, 10.0, 1.0);
        assert_close(none.high, 1.0 - all.low, 1e-12);
    }

    #[test]
    fn less_variance_narrows_the_interval() {
        let paired = Estimate::of_share(0.5, 0.0625, 100.0, 2.0);
        let independent = Estimate::of_share(0.5, 0.25, 100.0, 2.0);
        assert_close(independent.error(), 0.0962, 2e-4);
        assert!(paired.error() < independent.error() * 0.51);
        assert_eq!(Estimate::of_share(0.5, 0.25, 0.0, 2.0).error(), 0.5);
    }

    /// One more loss must not raise the lower end of the interval.
    #[test]
    fn all_won_is_better_than_nearly_all() {
        let all = Estimate::of_share(1.0, 0.0, 200.0, 2.0);
        let mut one_lost = Mean::default();
        (0..200).for_each(|i| one_lost.add(if i == 0 { 0.5 } else { 1.0 }));
        let one_lost = one_lost.share(2.0).unwrap();
        assert_close(one_lost.mean, 0.9975, 1e-12);
        assert!(all.low > one_lost.low, "{all:?} {one_lost:?}");
        assert_close(all.low, 400.0 / (400.0 + Z95 * Z95), 1e-12);
    }

    /// Two pairs that are alike by chance are not as good as thirty games.
    #[test]
    fn few_observations_are_not_taken_for_many() {
        let few = Estimate::of_share(0.625, 0.0156, 2.0, 2.0);
        let games = Estimate::of_share(0.625, 0.625 * 0.375, 10.0, 1.0);
        assert!(few.low < games.low + 0.05 && few.high > games.high - 0.05, "{few:?} {games:?}");
        let one = Estimate::of_share(1.0, 0.0, 1.0, 2.0);
        assert_close(one.low, 2.0 / (2.0 + Z95 * Z95), 1e-12);
    }

    #[test]
    fn mean_and_variance_of_a_stream() {
        let mut mean = Mean::default();
        assert_eq!(mean.estimate(), None);
        for x in [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0] {
            mean.add(x);
        }
        assert_close(mean.variance(), 32.0 / 7.0, 1e-12);
        let estimate = mean.estimate().unwrap();
        assert_eq!(estimate.mean, 5.0);
        // Student's t for seven degrees of freedom.
        assert_close(estimate.error(), 2.365 * (4.0_f64 / 7.0).sqrt(), 0.01);
        let mut one = Mean::default();
        one.add(5.0);
        assert_eq!(one.estimate().map(|one| (one.mean, one.low)), Some((5.0, f64::NEG_INFINITY)));
    }
}
