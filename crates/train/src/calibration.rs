//! Statistics of calibration: predicted against observed win shares in ten bins, and the bias of the
//! expected difference by round. Positions of one game have the same result, so errors are clustered by
//! game.

use crate::targets::Target;
use azulejo_engine::network::{Correction, POINT};
use azulejo_rules::{Players, Rules};
use std::fmt;

/// The number of bins of win probability.
pub(crate) const BINS: usize = 10;

/// How far a bin may be off beyond its 95 % error, with two players and with more.
const MOST_OFF: (f64, f64) = (0.02, 0.03);

/// How far the expected difference of a round may be off beyond its 95 % error, in points. Of the sixty
/// or so rounds of all kinds of game some are always beyond their error by chance.
const MOST_BIAS: f64 = 0.25;

/// Two-sided 95 % of the normal distribution.
const Z95: f64 = 1.959_964;

/// A forecast for a seat in a position, and the result of its game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sighting {
    /// The round, from 1.
    pub(crate) round: u16,
    pub(crate) predicted: Target,
    pub(crate) happened: Target,
}

/// The comparison of forecasts and results in one kind of game.
pub(crate) struct Calibration {
    pub(crate) rules: Rules,
    n_games: usize,
    n_positions: usize,
    pub(crate) bins: Vec<Bin>,
    /// What happened minus the expected difference, by round.
    bias: Vec<(u16, Residuals)>,
    /// The factor of the log odds around those of a fair share that fits best, with its 95 % error.
    pub(crate) scale: (f64, f64),
}

/// The forecasts within a range of win probability.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bin {
    /// The mean win probability.
    pub(crate) predicted: f64,
    /// What happened minus the prediction.
    pub(crate) off: Residuals,
}

/// A mean of residuals with an error clustered by game.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Residuals {
    pub(crate) n: usize,
    pub(crate) mean: f64,
    /// Half of the 95 % interval.
    pub(crate) error: f64,
}

impl Residuals {
    /// From the residuals of each game.
    fn new(games: impl Iterator<Item = Vec<f64>>) -> Residuals {
        let games: Vec<Vec<f64>> = games.filter(|game| !game.is_empty()).collect();
        let n: usize = games.iter().map(Vec::len).sum();
        if n == 0 {
            return Residuals::default();
        }
        let mean = games.iter().flatten().sum::<f64>() / n as f64;
        let deviation = |game: &Vec<f64>| game.iter().map(|x| x - mean).sum::<f64>();
        let squares: f64 = games.iter().map(|game| deviation(game).powi(2)).sum();
        let error = match games.len() {
            // With one game nothing is known about the spread.
            1 => f64::INFINITY,
            n_games => Z95 * (squares * n_games as f64 / (n_games as f64 - 1.0)).sqrt() / n as f64,
        };
        Residuals { n, mean, error }
    }

    /// How far the mean is off beyond its error.
    fn beyond_error(&self) -> f64 {
        (self.mean.abs() - self.error).max(0.0)
    }
}

fn bin_of(win: f32) -> usize {
    ((win * BINS as f32) as usize).min(BINS - 1)
}

impl Calibration {
    /// From the positions of each game.
    pub(crate) fn new(rules: Rules, games: &[Vec<Sighting>]) -> Calibration {
        let residuals =
            |kept: &dyn Fn(&Sighting) -> bool, off: fn(&Sighting) -> f64| {
                Residuals::new(games.iter().map(|game| {
                    game.iter().filter(|seen| kept(seen)).map(off).collect::<Vec<f64>>()
                }))
            };
        let bins = (0..BINS).map(|bin| {
            let is_here = |seen: &Sighting| bin_of(seen.predicted.win) == bin;
            let here = games.iter().flatten().filter(|seen| is_here(seen));
            let (n, sum) = here
                .fold((0.0, 0.0), |(n, sum), seen| (n + 1.0, sum + f64::from(seen.predicted.win)));
            let off = residuals(&is_here, |seen| f64::from(seen.happened.win - seen.predicted.win));
            Bin { predicted: if n > 0.0 { sum / n } else { 0.0 }, off }
        });
        let last_round = games.iter().flatten().map(|seen| seen.round).max().unwrap_or(0);
        let bias = (1..=last_round).map(|round| {
            let off =
                |seen: &Sighting| f64::from(seen.happened.difference - seen.predicted.difference);
            (round, residuals(&|seen: &Sighting| seen.round == round, off))
        });
        Calibration {
            rules,
            n_games: games.len(),
            n_positions: games.iter().map(Vec::len).sum(),
            bins: bins.collect(),
            bias: bias.collect(),
            scale: fit_scale(games, 1.0 / rules.players().count() as f64),
        }
    }

    /// The correction of the network that takes the deviations away, given the one that was in force. A round
    /// whose difference is within its error keeps its correction.
    pub(crate) fn corrected(&self, old: Correction) -> Correction {
        // The win chances that were measured have the old factor in them.
        let win_scale = (self.scale.0 * f64::from(old.win_scale)).round() as u16;
        let mut differences = old.differences;
        // With two players what one seat gains the other loses.
        if self.rules.players() != Players::Two {
            for (round, off) in self.bias.iter().filter(|(_, off)| off.beyond_error() > 0.0) {
                let points = (off.mean * f64::from(POINT)).round() as i16;
                if usize::from(*round) <= Correction::ROUNDS {
                    let difference = &mut differences[Correction::index(*round)];
                    *difference = difference.saturating_add(points);
                }
            }
        }
        Correction { win_scale, differences }
    }

    /// Every bin and round that is too far off.
    pub(crate) fn faults(&self) -> Vec<String> {
        let rules = &self.rules;
        let most = if rules.players() == Players::Two { MOST_OFF.0 } else { MOST_OFF.1 };
        let bins = self.bins.iter().filter(|bin| bin.off.beyond_error() > most).map(|bin| {
            let (predicted, off) = (100.0 * bin.predicted, 100.0 * bin.off.mean);
            format!("{rules}: a win chance of {predicted:.1} % is off by {off:+.1}")
        });
        let rounds = self.bias.iter().filter(|(_, off)| off.beyond_error() > MOST_BIAS);
        let rounds = rounds.map(|(round, off)| {
            format!("{rules}: the difference expected in round {round} is off by {:+.2}", off.mean)
        });
        bins.chain(rounds).collect()
    }

    /// The largest deviation of a bin beyond its 95 % error.
    fn worst(&self) -> f64 {
        self.bins.iter().map(|bin| bin.off.beyond_error()).fold(0.0, f64::max)
    }
}

/// The factor of the log odds around those of a fair share with the largest likelihood (logistic
/// regression with a fixed intercept, by Newton's method), and its 95 % error, clustered by game.
fn fit_scale(games: &[Vec<Sighting>], fair_share: f64) -> (f64, f64) {
    // Certain results say nothing about the scale.
    let is_open = |seen: &&Sighting| (1e-4..=1.0 - 1e-4).contains(&seen.predicted.win);
    let log_odds = |win: f64| (win / (1.0 - win)).ln();
    let fair = log_odds(fair_share);
    let mut scale = 1.0;
    let mut error = f64::INFINITY;
    for _ in 0..20 {
        let (mut slope, mut curvature, mut squares) = (0.0, 0.0, 0.0);
        for game in games {
            let mut own = 0.0;
            for seen in game.iter().filter(is_open) {
                let x = log_odds(f64::from(seen.predicted.win)) - fair;
                let win = 1.0 / (1.0 + (-fair - scale * x).exp());
                own += x * (f64::from(seen.happened.win) - win);
                curvature += x * x * win * (1.0 - win);
            }
            slope += own;
            squares += own * own;
        }
        if curvature <= 0.0 {
            break;
        }
        scale += (slope / curvature).clamp(-0.5, 0.5);
        error = Z95 * squares.sqrt() / curvature;
    }
    (scale, error)
}

impl fmt::Display for Calibration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Calibration { rules, n_games, n_positions, .. } = self;
        writeln!(f, "{rules}: {n_positions} positions of {n_games} games")?;
        writeln!(f, "  predicted  happened     n      off    (95 %)")?;
        for bin in self.bins.iter().filter(|bin| bin.off.n > 0) {
            let Residuals { n, mean, error } = bin.off;
            let (predicted, happened) = (100.0 * bin.predicted, 100.0 * (bin.predicted + mean));
            let (off, error) = (100.0 * mean, 100.0 * error);
            writeln!(f, "  {predicted:7.1} % {happened:7.1} % {n:6} {off:+7.1} ± {error:.1}")?;
        }
        writeln!(f, "  largest deviation beyond its error: {:.1} %", 100.0 * self.worst())?;
        let (scale, error) = self.scale;
        writeln!(f, "  log odds fit best when multiplied by {scale:.3} ± {error:.3}")?;
        write!(f, "  difference, happened minus expected, by round:")?;
        for (round, Residuals { n, mean, error }) in &self.bias {
            write!(
                f,
                "{} {round}: {mean:+.2} ± {error:.2} ({n})",
                if *round > 1 { "," } else { "" }
            )?;
        }
        writeln!(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    /// Games in which the log odds are `1 / scale` times what was predicted.
    fn games(n: u64, scale: f64) -> Vec<Vec<Sighting>> {
        let mut rng = Rng::new(5);
        let mut game = || {
            let x = f64::from(rng.within(3.0));
            let chance = |x: f64| 1.0 / (1.0 + (-x).exp());
            let won = rng.chance(chance(x / scale));
            let happened = Target { win: f32::from(u8::from(won)), difference: 10.0 };
            let predicted = Target { win: chance(x) as f32, difference: 8.0 };
            // All positions of a game have its result.
            (1..=5).map(|round| Sighting { round, predicted, happened }).collect()
        };
        (0..n).map(|_| game()).collect()
    }

    fn calibration(scale: f64) -> Calibration {
        Calibration::new("2c".parse().unwrap(), &games(4000, scale))
    }

    #[test]
    fn true_probabilities_are_calibrated() {
        let calibration = calibration(1.0);
        assert_eq!(calibration.bins.iter().map(|bin| bin.off.n).sum::<usize>(), 20_000);
        assert!(calibration.worst() < 0.02, "{calibration}");
        let (scale, error) = calibration.scale;
        assert!((scale - 1.0).abs() < 1.5 * error && error < 0.1, "{calibration}");
        // The games of this test have two points more than predicted in all five rounds.
        let faults = calibration.faults();
        assert_eq!(faults.len(), 5, "{faults:?}");
        assert_eq!(faults[1], "2c: the difference expected in round 2 is off by +2.00");
        for (_, residuals) in &calibration.bias {
            assert!((residuals.mean - 2.0).abs() < 1e-9 && residuals.error < 1e-9);
        }
    }

    #[test]
    fn a_correction_takes_the_deviations_away() {
        let old = Correction { win_scale: 1100, differences: [10; Correction::ROUNDS] };
        let corrected =
            |rules: &str| Calibration::new(rules.parse().unwrap(), &games(400, 2.0)).corrected(old);
        // The games of this test have two points more than predicted in all five rounds, and none has a sixth.
        let more = 10 + 2 * POINT as i16;
        assert_eq!(corrected("3c").differences, [more, more, more, more, more, 10]);
        // With two players only the log odds are corrected: to half of the 1.1 times that were in force.
        let two = corrected("2c");
        assert_eq!(two.differences, old.differences);
        assert!((450..=650).contains(&two.win_scale), "{two:?}");
    }

    #[test]
    fn one_game_says_nothing_about_errors() {
        let one = Calibration::new("3c".parse().unwrap(), &games(1, 1.0));
        assert!(one.bias.iter().all(|(_, off)| off.error.is_infinite()), "{one}");
        assert_eq!(one.corrected(Correction::NONE).differences, Correction::NONE.differences);
    }

    #[test]
    fn overconfidence_is_found() {
        let calibration = calibration(2.0);
        assert!(calibration.worst() > 0.05, "{calibration}");
        let (scale, error) = calibration.scale;
        assert!((scale - 0.5).abs() < 1.5 * error, "{calibration}");
        let faults = calibration.faults();
        assert!(faults.iter().any(|fault| fault.contains("win chance of 9")), "{faults:?}");
    }

    #[test]
    fn errors_are_clustered_by_game() {
        // Five copies of each position tell no more than one.
        let all = games(2000, 1.0);
        let once: Vec<_> = all.iter().map(|game| game[..1].to_vec()).collect();
        let rules: Rules = "2c".parse().unwrap();
        let (five, one) = (Calibration::new(rules, &all), Calibration::new(rules, &once));
        for (five, one) in five.bins.iter().zip(&one.bins) {
            assert!((five.off.error - one.off.error).abs() < 1e-9, "{five:?} {one:?}");
        }
    }

    #[test]
    fn every_probability_has_a_bin() {
        assert_eq!([0.0, 0.0999, 0.1, 0.95, 1.0].map(bin_of), [0, 0, 1, 9, 9]);
    }
}
