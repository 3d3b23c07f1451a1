//! Chance for games that nobody records: fast, and free to change.

/// A generator for random games.
pub(crate) struct Luck(fastrand::Rng);

impl Luck {
    pub(crate) fn new(seed: u64) -> Luck {
        Luck(fastrand::Rng::with_seed(seed))
    }

    /// 64 random bits.
    #[inline]
    pub(crate) fn bits(&mut self) -> u64 {
        self.0.u64(..)
    }

    /// A number below `n`, a small number: the high half of a product. Some numbers are likelier
    /// than others by less than 2⁻²², which no number of games would show.
    #[inline]
    pub(crate) fn below(&mut self, n: u32) -> u32 {
        (((self.bits() >> 32) * u64::from(n)) >> 32) as u32
    }
}
