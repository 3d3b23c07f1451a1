//! The hash key of a position, for transposition tables: a multiset hash over the factories, mixed
//! with the rest of the position (not Zobrist: nothing is updated move by move).
//!
//! Once dealt, no rule asks for a factory's number, so positions that differ only in the order of
//! their factories have the same future and the same key. The number of the round is left out for
//! the same reason. The key is the same on every machine and does not depend on how the position
//! was reached.

use crate::board::Board;
use crate::names::Source;
use crate::position::{Phase, Position};

/// Odd words with no pattern: the fractional digits of pi.
const SALTS: [u64; 4] =
    [0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7344, 0xa409_3822_299f_31d1, 0x082e_fa98_ec4e_6c89];

impl Position {
    /// The hash key, for transposition tables. Positions that differ only in the order of their factories, the number of the
    /// round or the rule for a new game's first player have the same one.
    #[must_use]
    pub fn hash_key(&self) -> u64 {
        let factories = self
            .factories()
            .map(|(_, tiles)| mix(tiles.lanes(), SALTS[0]))
            .fold(0, u64::wrapping_add);
        let center = self.pile(Source::Center);
        let mut hash = mix(factories ^ self.state_word(), center.lanes());
        hash = mix(hash ^ self.stock.bag.lanes(), self.stock.lid.lanes());
        for board in self.boards() {
            let (low, high) = board.hash_halves();
            hash = mix(hash ^ low, high);
        }
        let [switches, penalties] = self.rules.hash_words();
        mix(hash, mix(switches, penalties))
    }

    /// Phase, turn, starter, marker and dry rounds in 32 bits.
    fn state_word(&self) -> u64 {
        let phase = match self.phase {
            Phase::Draft => 0,
            Phase::Deal => 1,
            Phase::Tiling(row) => 2 + row.index(),
            Phase::Over(by) => 8 + by as usize,
        };
        let marker = self.marker.map_or(4, crate::Seat::index);
        let seats = self.turn.index() | self.starter.index() << 2 | marker << 4;
        (phase | seats << 8 | usize::from(self.dry_rounds) << 16) as u64
    }
}

impl Board {
    /// A hash that looks at how many spaces of the floor are taken and not at which tiles lie
    /// there: all that matters for scores.
    #[inline]
    #[must_use]
    pub const fn scoring_hash(&self, floor_spaces: u32) -> u64 {
        let [a, b, c, _] = self.words();
        mix(mix(a, b ^ SALTS[1]), mix(c, floor_spaces as u64 ^ SALTS[2]))
    }

    #[inline]
    const fn hash_halves(&self) -> (u64, u64) {
        let [a, b, c, d] = self.words();
        (mix(a, b ^ SALTS[1]), mix(c, d ^ SALTS[2]))
    }
}

/// Folds the 128-bit product of two salted words.
#[inline]
const fn mix(a: u64, b: u64) -> u64 {
    let product = (a ^ SALTS[2]) as u128 * (b ^ SALTS[3]) as u128;
    product as u64 ^ (product >> 64) as u64
}
