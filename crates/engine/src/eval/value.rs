//! The value that the search maximizes, a weighted sum of win probability and point difference, and
//! how much of the game it rests on.

use super::network::{Estimate, LOG_ODDS, POINT};

/// The value of a position for a seat.
pub(crate) type Value = i32;

/// How much of the game a value rests on, from the least to the most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Certainty {
    /// Estimated within the round, at the horizon of the search.
    Estimated,
    /// All drafts of the round were searched, but the evaluation made wall choices.
    Drafted,
    /// The rest of the round was searched completely; only later rounds are estimated.
    Exact,
    /// The game ends with this round on every line that matters: the value is the true result.
    Proved,
}

/// A value and how much of the game it rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) value: Value,
    pub(crate) certainty: Certainty,
}

impl Found {
    /// The same for the opponent.
    #[inline]
    pub(crate) fn negated(self) -> Found {
        Found { value: -self.value, ..self }
    }
}

/// A certain win, without points.
pub(crate) const WIN: Value = 5_000;
/// A shared victory.
pub(crate) const DRAW: Value = 0;
/// The value of a point of difference, in addition to its effect on the win probability. Points are
/// learned with less noise than wins: the search plays worse with a tenth of this and with twice as
/// much (docs/log/2026-11-16-value-of-points.md).
const PER_POINT: Value = 200;
/// Above every value.
pub(crate) const INFINITE: Value = 32_000;

/// `WINS[1024 + x]` is `WIN * tanh(x / 256)`: the value of a win probability with log odds `x / 128`.
static WINS: [i16; 2048] = {
    // e^(-1 / 128) by its series, in fixed point with 40 bits.
    const ONE: i128 = 1 << 40;
    const STEP: i128 = ONE - ONE / 128 + ONE / (2 * 128 * 128) - ONE / (6 * 128 * 128 * 128);
    let mut wins = [0; 2048];
    let mut power = ONE;
    let mut x = 0;
    while x < 1024 {
        let win = (WIN as i128 * (ONE - power) / (ONE + power)) as i16;
        wins[1024 + x] = win;
        wins[1024 - x] = -win;
        power = (power * STEP) >> 40;
        x += 1;
    }
    wins[0] = wins[1];
    wins
};

/// The value of an estimate.
#[inline]
pub(crate) fn of_estimate(estimate: Estimate) -> Value {
    let points = estimate.difference.clamp(-128 * POINT, 128 * POINT) * PER_POINT / POINT;
    of_log_odds(estimate.log_odds) + points
}

/// The part of a value that comes from the log odds of a win.
#[inline]
fn of_log_odds(log_odds: i32) -> Value {
    let index = (log_odds / (LOG_ODDS / 128)).clamp(-1024, 1023) + 1024;
    Value::from(WINS[index as usize])
}

/// The win probability of log odds, as the search counts it.
pub(crate) fn win_of_log_odds(log_odds: i32) -> f32 {
    share(of_log_odds(log_odds) as f32)
}

/// The win probability in a mean value with a mean difference in points: values are linear in both.
pub(crate) fn win_of_mean(value: f32, points: f32) -> f32 {
    share(value - points.clamp(-MOST_POINTS, MOST_POINTS) * PER_POINT as f32)
}

/// The probability that is worth this much.
fn share(value: f32) -> f32 {
    (0.5 + value / (2 * WIN) as f32).clamp(0.0, 1.0)
}

/// Larger differences count as this one, in points.
const MOST_POINTS: f32 = 128.0;

/// The value of a certain result.
#[inline]
pub(crate) fn of_result(win: Value, difference: i32) -> Value {
    win + difference.clamp(-128, 128) * PER_POINT
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wins_follow_the_hyperbolic_tangent() {
        for (i, &win) in WINS.iter().enumerate().skip(1) {
            let exact = f64::from(WIN) * ((i as f64 - 1024.0) / 256.0).tanh();
            assert!((f64::from(win) - exact).abs() < 2.0, "{i}: {win} for {exact}");
        }
    }

    #[test]
    fn values_stay_within_bounds() {
        let best = Estimate { difference: i32::MAX, log_odds: i32::MAX };
        assert!(of_estimate(best) < INFINITE);
        assert!(of_result(WIN, 1000) < INFINITE);
    }
}
