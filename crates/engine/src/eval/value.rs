//! The value that the search maximizes: a weighted sum of win probability and point difference.

use super::network::{Estimate, LOG_ODDS, POINT};

/// The value of a position for a seat.
pub(crate) type Value = i32;

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
    let index = (estimate.log_odds / (LOG_ODDS / 128)).clamp(-1024, 1023) + 1024;
    let points = estimate.difference.clamp(-128 * POINT, 128 * POINT) * PER_POINT / POINT;
    Value::from(WINS[index as usize]) + points
}

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
