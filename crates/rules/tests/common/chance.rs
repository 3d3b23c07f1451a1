//! Chance for the tests: a small generator whose numbers follow from a seed, so that every failure
//! can be repeated, and games started with it.

use azulejo_rules::{Position, Rules};

/// The SplitMix64 generator.
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) fn new(seed: u64) -> Chance {
        Chance(seed)
    }

    /// A number from 0 to `n - 1`. The bias of the multiplication is far below what a test sees.
    pub(crate) fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^= word >> 31;
        (((word >> 32) * u64::from(n)) >> 32) as u32
    }

    /// A game before its first deal whose starting player was drawn.
    pub(crate) fn new_game(&mut self, rules: Rules) -> Position {
        let seats = rules.players().seats();
        Position::new(rules, seats[self.below(seats.len() as u32) as usize])
    }
}
