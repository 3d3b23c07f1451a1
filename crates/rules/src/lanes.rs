//! SWAR lanes: six small numbers in one word, ten bits each, one for every kind of tile. Prefix sums
//! of all six are one multiplication, and finding where a number falls among them one subtraction.

use crate::names::Tile;

/// The distance from one lane to the next.
pub(crate) const LANE: usize = 10;
/// The bits of the lowest lane.
pub(crate) const LANE_MASK: u64 = (1 << LANE) - 1;
/// The lowest bit of each lane.
pub(crate) const ONES: u64 = 1 | 1 << 10 | 1 << 20 | 1 << 30 | 1 << 40 | 1 << 50;
/// The highest bit of each lane, which totals never reach.
const HIGH: u64 = ONES << (LANE - 1);

/// A lane, by its lowest bit.
#[derive(Clone, Copy)]
pub(crate) struct Lane(u32);

impl Lane {
    /// The word shifted so that the lane is at the bottom; other lanes are above it.
    #[inline]
    pub(crate) const fn of(self, word: u64) -> u64 {
        word >> self.0
    }

    /// The kind of tile.
    #[inline]
    pub(crate) const fn tile(self) -> Tile {
        /// Indexed by bit, to avoid a division.
        const TILES: [Tile; 64] = {
            let mut tiles = [Tile::Joker; 64];
            let mut bit = 0;
            while bit < 6 * LANE {
                tiles[bit] = Tile::ALL[bit / LANE];
                bit += 1;
            }
            tiles
        };
        TILES[self.0 as usize % 64]
    }
}

/// Prefix sums over the kinds of tile: for each kind, the number of things that belong to it or to a
/// kind before it; at most 512.
///
/// Every lane holds its total plus 511: taking `n` away leaves the highest bit of the lane set
/// exactly where the total is more than `n`.
#[derive(Clone, Copy)]
pub(crate) struct Totals(u64);

impl Totals {
    const BIAS: u64 = ONES * 511;

    /// Adds up six numbers, given in lanes.
    #[inline]
    pub(crate) const fn of(lanes: u64) -> Totals {
        // Multiplying by ones adds every lane to all lanes above it. What overflows beyond the
        // sixth lane is not used.
        Totals(lanes.wrapping_mul(ONES).wrapping_add(Totals::BIAS))
    }

    /// The highest bit of every lane whose total is more than `n`: the kind that the n-th thing
    /// belongs to, and all kinds after it.
    #[inline]
    const fn above(self, n: u32) -> u64 {
        self.0.wrapping_sub(n as u64 * ONES) & HIGH
    }

    /// The lane of the kind that the n-th thing belongs to.
    #[inline]
    pub(crate) const fn lane(self, n: u32) -> Lane {
        // The top bit changes nothing; it tells the compiler that the word is not zero.
        Lane((self.above(n) >> (LANE - 1) | 1 << 63).trailing_zeros())
    }

    /// The lane of the kind that the n-th thing belongs to, and how many of its things come before
    /// that one.
    #[inline]
    pub(crate) const fn find(self, n: u32) -> (Lane, u32) {
        let lane = self.lane(n);
        // One lane up, so that the first kind finds nothing before it.
        let before = lane.of(self.0 << LANE | 511) & LANE_MASK;
        (lane, n + 511 - before as u32)
    }

    /// Takes the n-th thing away and returns a one in the lane of its kind.
    #[inline]
    pub(crate) const fn take(&mut self, n: u32) -> u64 {
        let ones = self.above(n) >> (LANE - 1);
        self.0 = self.0.wrapping_sub(ones);
        ones & ones.wrapping_neg()
    }
}

/// The sum of six numbers in lanes; at most 1023.
#[inline]
pub(crate) const fn sum(lanes: u64) -> u32 {
    (lanes.wrapping_mul(ONES) >> (5 * LANE) & LANE_MASK) as u32
}

/// A one in every lane that does not hold 0; the numbers are at most 512.
#[inline]
pub(crate) const fn not_zero(lanes: u64) -> u64 {
    // With 511 added, every number but 0 reaches the highest bit of its lane.
    (lanes + ONES * 511) >> (LANE - 1) & ONES
}

/// Multiplies lane by lane, the second numbers being less than 8 and the first less than 16.
#[inline]
pub(crate) const fn multiply(a: u64, b: u64) -> u64 {
    // For every bit of b, all of a lane of a or nothing.
    const fn times(a: u64, b: u64, bit: usize) -> u64 {
        (a & ((b >> bit & ONES) * 0b1111)) << bit
    }
    times(a, b, 0) + times(a, b, 1) + times(a, b, 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_but_zero_is_not_zero() {
        for n in 1..=512 {
            assert_eq!(not_zero(n | n << (5 * LANE)), 1 | 1 << (5 * LANE), "{n}");
        }
        assert_eq!(not_zero(0), 0);
    }

    #[test]
    fn things_are_found_in_order() {
        let counts = [2, 0, 100, 1, 0, 3];
        let lanes = counts.iter().rev().fold(0, |lanes, &n| lanes << LANE | n);
        let totals = Totals::of(lanes);
        assert_eq!(sum(lanes), 106);
        let mut n = 0;
        for (kind, &count) in counts.iter().enumerate() {
            for i in 0..count as u32 {
                let (lane, before) = totals.find(n);
                assert_eq!((lane.tile(), before), (Tile::ALL[kind], i));
                n += 1;
            }
        }
        let mut left = totals;
        assert_eq!(left.take(2), 1 << (2 * LANE));
        assert_eq!(left.take(0), 1);
        assert_eq!(left.take(103), 1 << (5 * LANE));
        assert_eq!(left.take(0), 1);
        assert_eq!(left.take(0), 1 << (2 * LANE));
    }
}
