//! The cumulative normal distribution.

/// The standard errors on each side of a 95 % interval.
pub(crate) const Z95: f64 = 1.959_963_984_540_054;

/// The probability that a standard normal number is at most `z`.
///
/// The sum `z + z³/3 + z⁵/(3·5) + …` times the density at `z` is the probability between 0 and `z`.
/// All terms have the same sign, so nothing cancels.
pub(crate) fn cumulative(z: f64) -> f64 {
    if z.is_nan() {
        return 0.5;
    }
    // Beyond this the tail is below the precision of f64 near 1.
    if z.abs() > 8.5 {
        return if z > 0.0 { 1.0 } else { 0.0 };
    }
    let mut term = z;
    let mut sum = z;
    let mut odd = 1.0;
    while term.abs() > sum.abs() * 1e-17 {
        odd += 2.0;
        term *= z * z / odd;
        sum += term;
    }
    let density = (-0.5 * z * z).exp() / std::f64::consts::TAU.sqrt();
    (0.5 + sum * density).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values from printed tables of the normal distribution.
    #[test]
    fn known_values() {
        let check = |z: f64, expected: f64| {
            assert!((cumulative(z) - expected).abs() < 1e-12, "{z}: {}", cumulative(z));
            assert!((cumulative(-z) - (1.0 - expected)).abs() < 1e-12, "-{z}");
        };
        check(0.0, 0.5);
        check(0.5, 0.691_462_461_274_013);
        check(1.0, 0.841_344_746_068_543);
        check(1.644_853_626_951_472_7, 0.95);
        check(Z95, 0.975);
        check(3.0, 0.998_650_101_968_370);
        check(6.0, 0.999_999_999_013_412);
        check(40.0, 1.0);
        check(f64::INFINITY, 1.0);
    }
}
