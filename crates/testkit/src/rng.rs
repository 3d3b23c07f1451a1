//! The random numbers of all tests: SplitMix64, whose numbers follow from a seed, so that every
//! failure can be repeated.

use azulejo_rules::{Position, Rules};

/// The SplitMix64 generator.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// A generator whose numbers follow from the seed.
    #[must_use]
    pub const fn new(seed: u64) -> Rng {
        Rng(seed)
    }

    /// 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ word >> 31
    }

    /// A number from 0 to `n - 1`. The bias of the multiplication is far below what a test sees.
    pub fn below(&mut self, n: u32) -> u32 {
        (((self.next_u64() >> 32) * u64::from(n)) >> 32) as u32
    }

    /// An index into a list of `n` elements.
    pub fn index(&mut self, n: usize) -> usize {
        self.below(n as u32) as usize
    }

    /// One of the elements.
    ///
    /// # Panics
    /// If there are none.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.index(from.len())]
    }

    /// A game before its first deal whose starting player was drawn.
    pub fn new_game(&mut self, rules: Rules) -> Position {
        let starter = self.pick(rules.players().seats());
        Position::new(rules, starter)
    }
}
