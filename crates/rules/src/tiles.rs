//! A multiset of tiles in one word with SWAR lanes: a factory, the center, the bag, the lid, a floor.
//!
//! Each kind has a [lane](crate::lanes) for its count, so adding two multisets is one addition. A
//! game has twenty tiles of a color; a lane holds more, so that an illegal setup can be described.

use crate::lanes::{self, LANE, LANE_MASK};
use crate::names::{Color, Tile};
use std::fmt;
use std::ops::{Add, AddAssign, Sub, SubAssign};
use std::str::FromStr;

/// A multiset of tiles: how many of each kind there are.
///
/// ```
/// use azulejo_rules::{Color, Tile, Tiles};
///
/// let tiles: Tiles = "BBYJ".parse()?;
/// assert_eq!((tiles.total(), tiles.count(Color::Blue.into())), (4, 2));
/// let more = tiles + Tiles::of(Tile::Joker, 2);
/// assert_eq!(more.to_string(), "BBYJJJ");
/// assert_eq!(more.iter().count(), 3);
/// # Ok::<(), azulejo_rules::ParseTilesError>(())
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Tiles(u64);

impl Tiles {
    /// No tiles.
    pub const EMPTY: Tiles = Tiles(0);

    /// The largest number of one kind that can be held.
    pub const MAX: u32 = 99;

    /// `n` tiles of one kind, at most [`Tiles::MAX`].
    #[inline]
    #[must_use]
    pub const fn of(tile: Tile, n: u32) -> Tiles {
        debug_assert!(n <= Self::MAX);
        Tiles((n as u64) << (LANE * tile.index()))
    }

    /// How many there are of one kind.
    #[inline]
    #[must_use]
    pub const fn count(self, tile: Tile) -> u32 {
        (self.0 >> (LANE * tile.index()) & LANE_MASK) as u32
    }

    /// How many there are in all.
    #[inline]
    #[must_use]
    pub const fn total(self) -> u32 {
        lanes::sum(self.0)
    }

    /// Whether there are none.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether all of `other` is among these.
    #[must_use]
    pub fn contains(self, other: Tiles) -> bool {
        Tile::ALL.into_iter().all(|tile| self.count(tile) >= other.count(tile))
    }

    /// The tiles of one kind only.
    #[inline]
    #[must_use]
    pub const fn only(self, tile: Tile) -> Tiles {
        Tiles(self.0 & LANE_MASK << (LANE * tile.index()))
    }

    /// These tiles, or none: branchless, for unpredictable conditions.
    #[inline]
    pub(crate) const fn only_if(self, condition: bool) -> Tiles {
        Tiles(self.0 & (condition as u64).wrapping_neg())
    }

    /// Adds `n` of a kind; `None` if that is more than [`Tiles::MAX`].
    #[must_use]
    pub fn checked_with(self, tile: Tile, n: u32) -> Option<Tiles> {
        let sum = self.count(tile).checked_add(n)?;
        (sum <= Self::MAX).then(|| self + Tiles::of(tile, n))
    }

    /// The kinds that are here with their numbers, in the order of the notation.
    pub fn iter(self) -> impl Iterator<Item = (Tile, u32)> {
        Tile::ALL.into_iter().map(move |tile| (tile, self.count(tile))).filter(|&(_, n)| n > 0)
    }

    /// Every single tile, in the order of the notation.
    pub fn each(self) -> impl Iterator<Item = Tile> {
        self.iter().flat_map(|(tile, n)| std::iter::repeat_n(tile, n as usize))
    }

    /// The numbers in one word, ten bits for each kind: different tiles, different words.
    #[inline]
    #[must_use]
    pub const fn lanes(self) -> u64 {
        self.0
    }

    /// Tiles from numbers in their lanes.
    #[inline]
    pub(crate) const fn from_lanes(lanes: u64) -> Tiles {
        Tiles(lanes)
    }

    /// A one in the lane of every kind that is there.
    #[inline]
    pub(crate) const fn kinds(self) -> u64 {
        lanes::not_zero(self.0)
    }

    /// The tiles that exist in a game: 20 of each color, or fewer of each and some jokers.
    #[must_use]
    pub fn of_game(jokers: bool, players: u32) -> Tiles {
        let removed = u32::from(jokers) * if players == 2 { 1 } else { 2 };
        let colors = Color::ALL.into_iter().map(|color| Tiles::of(color.into(), 20 - removed));
        colors.fold(Tiles::of(Tile::Joker, 5 * removed), Tiles::add)
    }
}

impl Add for Tiles {
    type Output = Tiles;
    #[inline]
    fn add(self, other: Tiles) -> Tiles {
        Tiles(self.0 + other.0)
    }
}

impl AddAssign for Tiles {
    #[inline]
    fn add_assign(&mut self, other: Tiles) {
        self.0 += other.0;
    }
}

impl Sub for Tiles {
    type Output = Tiles;
    /// Takes tiles away; the caller makes sure that they are there.
    #[inline]
    fn sub(self, other: Tiles) -> Tiles {
        debug_assert!(self.contains(other));
        Tiles(self.0.wrapping_sub(other.0))
    }
}

impl SubAssign for Tiles {
    #[inline]
    fn sub_assign(&mut self, other: Tiles) {
        *self = *self - other;
    }
}

impl std::iter::Sum for Tiles {
    fn sum<I: Iterator<Item = Tiles>>(tiles: I) -> Tiles {
        tiles.fold(Tiles::EMPTY, Tiles::add)
    }
}

impl FromIterator<Tile> for Tiles {
    fn from_iter<I: IntoIterator<Item = Tile>>(tiles: I) -> Tiles {
        tiles.into_iter().map(|tile| Tiles::of(tile, 1)).sum()
    }
}

/// The letters of the tiles, `.` for none.
impl fmt::Display for Tiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str(".");
        }
        self.each().try_for_each(|tile| write!(f, "{tile}"))
    }
}

parse_error! {
    /// Why a text is not a multiset of tiles.
    ParseTilesError, "not tiles at character {}: {}", problem: &'static str
}

/// Reads the letters of tiles in any order, or `.` for none.
impl FromStr for Tiles {
    type Err = ParseTilesError;

    fn from_str(text: &str) -> Result<Tiles, ParseTilesError> {
        let fault = |at: usize, problem| ParseTilesError { column: at + 1, problem };
        match text {
            "" => return Err(fault(0, "nothing is written `.`")),
            "." => return Ok(Tiles::EMPTY),
            _ => {}
        }
        let mut tiles = Tiles::EMPTY;
        for (at, letter) in text.chars().enumerate() {
            let tile = Tile::from_letter(letter);
            let tile = tile.ok_or_else(|| fault(at, "expected a tile (B Y R K W J) or `.`"))?;
            tiles = tiles.checked_with(tile, 1).ok_or_else(|| fault(at, "too many tiles"))?;
        }
        Ok(tiles)
    }
}

impl fmt::Debug for Tiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tiles({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLUE: Tile = Tile::Color(Color::Blue);
    const WHITE: Tile = Tile::Color(Color::White);

    #[test]
    fn lanes_do_not_touch_each_other() {
        let full: Tiles = Tile::ALL.into_iter().map(|tile| Tiles::of(tile, Tiles::MAX)).sum();
        assert_eq!(full.total(), 6 * 99);
        assert_eq!((full - Tiles::of(WHITE, 99)).count(Tile::Joker), 99);
        assert_eq!(full.only(BLUE), Tiles::of(BLUE, 99));
        assert!(full.checked_with(BLUE, 1).is_none());
        assert!(Tiles::EMPTY.checked_with(BLUE, u32::MAX).is_none());
    }

    #[test]
    fn contains_compares_every_kind() {
        let some = Tiles::of(BLUE, 2) + Tiles::of(WHITE, 1);
        assert!(some.contains(Tiles::of(BLUE, 2)));
        assert!(!some.contains(Tiles::of(BLUE, 3)));
        assert!(!some.contains(Tiles::of(Tile::Joker, 1)));
        assert_eq!(some.total(), 3);
        assert_eq!(some.kinds(), 1 | 1 << 40);
        assert_eq!(some.to_string().parse(), Ok(some));
        assert_eq!(".".parse(), Ok(Tiles::EMPTY));
        assert_eq!("BX".parse::<Tiles>().unwrap_err().column, 2);
        assert!("".parse::<Tiles>().is_err());
    }

    #[test]
    fn a_game_has_a_hundred_tiles() {
        for jokers in [false, true] {
            for players in 2..=4 {
                assert_eq!(Tiles::of_game(jokers, players).total(), 100);
            }
        }
        assert_eq!(Tiles::of_game(true, 2).count(Tile::Joker), 5);
        assert_eq!(Tiles::of_game(true, 3).count(Tile::Joker), 10);
        assert_eq!(Tiles::of_game(true, 4).count(BLUE), 18);
    }
}
