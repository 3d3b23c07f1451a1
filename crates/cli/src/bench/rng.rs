//! The fast pseudo-random generator of the benchmarks. Its numbers may change between versions:
//! no recorded game depends on them.

/// A generator for random games.
pub(crate) struct Rng(fastrand::Rng);

impl Rng {
    pub(crate) fn new(seed: u64) -> Rng {
        Rng(fastrand::Rng::with_seed(seed))
    }

    /// 64 random bits.
    #[inline]
    pub(crate) fn bits(&mut self) -> u64 {
        self.0.u64(..)
    }

    /// A number below `n` by multiply-and-shift. The bias is below 2⁻²² for the small `n` of a move
    /// list, too small to show in any number of games.
    #[inline]
    pub(crate) fn below(&mut self, n: u32) -> u32 {
        (((self.bits() >> 32) * u64::from(n)) >> 32) as u32
    }
}
