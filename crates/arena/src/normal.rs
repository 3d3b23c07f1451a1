//! The cumulative normal distribution, and the width of 95 % intervals.

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

/// The standard errors on each side of a 95 % interval of a mean whose variance was estimated from `n`
/// numbers (Student's t). Infinite for a single number, which says nothing about its error.
pub(crate) fn t95(n: f64) -> f64 {
    const FEW: [f64; 9] = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262];
    let freedom = n - 1.0;
    if freedom < 1.0 {
        return f64::INFINITY;
    }
    // The first terms of the Cornish-Fisher expansion; too coarse below ten degrees of freedom.
    let (z, z3, z5) = (Z95, Z95.powi(3), Z95.powi(5));
    let many = z
        + (z3 + z) / (4.0 * freedom)
        + (5.0 * z5 + 16.0 * z3 + 3.0 * z) / (96.0 * freedom * freedom);
    FEW.get(freedom as usize - 1).copied().unwrap_or(many)
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

    /// Values from printed tables of Student's distribution.
    #[test]
    fn few_numbers_have_wide_intervals() {
        assert_eq!(t95(1.0), f64::INFINITY);
        for (n, expected) in
            [(2.0, 12.706), (3.0, 4.303), (4.0, 3.182), (6.0, 2.571), (11.0, 2.228), (1e6, Z95)]
        {
            assert!((t95(n) - expected).abs() < 0.01, "{n}: {}", t95(n));
        }
    }
}
