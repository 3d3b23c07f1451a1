//! The offer: the tiles on the factories and in the center (not the marker).
//!
//! Beside the piles there is a bitboard with one bit for every pair of a tile kind and a source that
//! holds it, ten bits of sources for each kind. Taking from a source moves bits instead of comparing
//! counts, and a move can be drawn without making a list.

use crate::lanes::{self, Lane};
use crate::names::{Color, Source, Tile};
use crate::sets::SourceSet;
use crate::tiles::Tiles;

/// The sources of one kind of tile in ten bits; bit 0 is the center.
pub(crate) const SOURCES: usize = Source::ALL.len();
const SOURCE_MASK: u64 = (1 << SOURCES) - 1;
/// The lowest bit of each kind: the center's.
const EVERY_KIND: u64 = lanes::ONES;

/// The kind and the source of each bit of `present`.
static PAIRS: [(Tile, Source); 64] = {
    let mut pairs = [(Tile::Joker, Source::Center); 64];
    let mut bit = 0;
    while bit < SOURCES * Tile::ALL.len() {
        pairs[bit] = (Tile::ALL[bit / SOURCES], Source::ALL[bit % SOURCES]);
        bit += 1;
    }
    pairs
};

/// The piles of tiles on the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Offer {
    /// By source; the entry of the center stays empty.
    factories: [Tiles; SOURCES],
    /// Kept apart from the factories: it changes at every move, and a load that may or may not hit
    /// the pile just stored is mispredicted half of the time.
    center: Tiles,
    present: u64,
    /// The number of sources of each kind, in [lanes]: the bit counts of `present`, kept up to date
    /// because every move needs them.
    n_sources: u64,
}

/// Iterator over the kinds of tile and the sources that hold them; see
/// [`Position::piles`](crate::Position::piles).
#[derive(Clone, Debug)]
pub struct Piles(u64);

impl Iterator for Piles {
    type Item = (Tile, Source);

    #[inline]
    fn next(&mut self) -> Option<(Tile, Source)> {
        if self.0 == 0 {
            return None;
        }
        let pair = PAIRS[self.0.trailing_zeros() as usize % 64];
        self.0 &= self.0 - 1;
        Some(pair)
    }
}

/// What a draft takes from its source, and what it leaves there.
pub(crate) struct Taken {
    pub(crate) colored: u32,
    pub(crate) jokers: u32,
    pub(crate) rest: Tiles,
}

impl Offer {
    #[inline]
    pub(crate) const fn is_empty(&self) -> bool {
        self.present == 0
    }

    #[inline]
    pub(crate) const fn pile(&self, source: Source) -> Tiles {
        match source {
            Source::Center => self.center,
            factory => self.factories[factory.index()],
        }
    }

    /// The sources that hold a kind of tile.
    #[inline]
    pub(crate) const fn sources_of(&self, tile: Tile) -> SourceSet {
        let sources = self.present >> (SOURCES * tile.index()) & SOURCE_MASK;
        SourceSet::from_bits(sources as u32)
    }

    /// The sources that hold tiles of any kind.
    #[inline]
    pub(crate) const fn filled_sources(&self) -> SourceSet {
        let present = self.present;
        let halves = present | present >> (3 * SOURCES);
        let filled = (halves | halves >> SOURCES | halves >> (2 * SOURCES)) & SOURCE_MASK;
        SourceSet::from_bits(filled as u32)
    }

    /// The number of pairs of a kind and a source that holds it.
    #[inline]
    pub(crate) const fn n_piles(&self) -> u32 {
        lanes::sum(self.n_sources)
    }

    /// The sources that hold the kind of a lane, and how many they are.
    #[inline]
    pub(crate) const fn sources_in(&self, lane: Lane) -> (u32, u32) {
        let n_sources = lane.of(self.n_sources) & lanes::LANE_MASK;
        ((lane.of(self.present) & SOURCE_MASK) as u32, n_sources as u32)
    }

    /// Every kind of tile with each source that holds it, kind by kind.
    #[inline]
    pub(crate) const fn piles(&self) -> Piles {
        Piles(self.present)
    }

    /// How many sources hold each kind, in [lanes].
    #[inline]
    pub(crate) const fn n_sources(&self) -> u64 {
        self.n_sources
    }

    /// The kinds of tile at a source, one bit each at the place of the center.
    #[inline]
    const fn kinds_at(&self, source: Source) -> u64 {
        self.present >> source.index() & EVERY_KIND
    }

    /// Lays the tiles of all factories out, which were empty.
    #[inline]
    pub(crate) fn set_factories(&mut self, factories: &[Tiles]) {
        let (mut present, mut n_sources) = (0, 0);
        for (i, &tiles) in factories.iter().enumerate().take(SOURCES - 1) {
            debug_assert!(self.factories[i + 1].is_empty());
            self.factories[i + 1] = tiles;
            let kinds = tiles.kinds();
            present |= kinds << (i + 1);
            n_sources += kinds;
        }
        self.present |= present;
        self.n_sources += n_sources;
    }

    /// Lays tiles into the empty center.
    pub(crate) fn set_center(&mut self, tiles: Tiles) {
        self.center = tiles;
        self.present |= tiles.kinds();
        self.n_sources += tiles.kinds();
    }

    /// Takes a pick from a source that holds it. The rest of a factory moves to the center. The
    /// center needs no case of its own: its rest moves to where it was.
    #[inline]
    pub(crate) fn take(&mut self, source: Source, color: Option<Color>, jokers: bool) -> Taken {
        let is_center = matches!(source, Source::Center);
        // One of the two is empty.
        let pile = self.factories[source.index()] + self.center.only_if(is_center);
        let mut taken = Taken { colored: 0, jokers: 0, rest: pile };
        let mut kinds = 0;
        if let Some(color) = color {
            taken.colored = pile.count(color.into());
            taken.rest -= pile.only(color.into());
            kinds |= 1 << (SOURCES * color.index());
        }
        if jokers {
            taken.jokers = pile.count(Tile::Joker);
            taken.rest -= pile.only(Tile::Joker);
            kinds |= 1 << (SOURCES * Tile::Joker.index());
        }
        self.factories[source.index()] = Tiles::EMPTY;
        self.center = self.center.only_if(!is_center) + taken.rest;
        let moved = self.kinds_at(source) & !kinds;
        self.present &= !(EVERY_KIND << source.index());
        // A kind that was in the center already now has one source fewer.
        let merged = moved & self.present;
        self.present |= moved;
        self.n_sources -= kinds + merged;
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tiles(letters: &str) -> Tiles {
        letters.chars().filter_map(Tile::from_letter).collect()
    }

    #[test]
    fn a_factory_empties_into_the_center() {
        let mut offer = Offer::default();
        offer.set_factories(&[Tiles::EMPTY, Tiles::EMPTY, tiles("BBYJ")]);
        offer.set_center(tiles("YK"));
        assert_eq!((offer.filled_sources().bits(), offer.n_piles()), (0b1001, 5));
        let taken = offer.take(Source::Factory3, Some(Color::Blue), false);
        assert_eq!((taken.colored, taken.jokers, taken.rest), (2, 0, tiles("YJ")));
        assert_eq!(offer.pile(Source::Center), tiles("YYKJ"));
        assert!(offer.sources_of(Color::Yellow.into()).iter().eq([Source::Center]));
        assert!(offer.sources_of(Color::Blue.into()).is_empty());

        let taken = offer.take(Source::Center, Some(Color::Yellow), true);
        assert_eq!((taken.colored, taken.jokers), (2, 1));
        assert_eq!(offer.pile(Source::Center), tiles("K"));
        assert_eq!((offer.filled_sources().bits(), offer.n_piles()), (1, 1));
        offer.take(Source::Center, Some(Color::Black), false);
        assert!(offer.is_empty());
        assert_eq!((offer.filled_sources().bits(), offer.n_piles()), (0, 0));
    }
}
