//! A deal: the tiles laid on the factories at the start of a round.
//!
//! Chance is an argument: a position between rounds waits for a deal, which a seed, a record, a search
//! or a test supplies. This module checks whether the stock can supply a deal, and draws one with
//! random numbers from outside.

use crate::lanes::Totals;
use crate::names::{Source, Tile};
use crate::rules::{Players, RefillRemainder, Rules};
use crate::tiles::Tiles;
use std::fmt;
use std::str::FromStr;

/// The number of tiles on a full factory.
pub const FACTORY_SIZE: u32 = 4;

const MAX_FACTORIES: usize = Players::Four.factories();

/// The tiles of each factory, as dealt.
///
/// ```
/// use azulejo_rules::{Deal, DealError, Players, Position, Rules, Seat};
///
/// let mut position = Position::new(Rules::official(Players::Two), Seat::One);
/// let short: Deal = "BBYR-KKKK".parse()?;
/// assert_eq!(position.deal(&short), Err(DealError::FactoryCount { found: 2, expected: 5 }));
/// position.deal(&"BBYR-KKKK-BYRK-YWWW-RRKK".parse()?)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Deal {
    factories: [Tiles; MAX_FACTORIES],
    n_factories: u8,
}

impl Deal {
    /// A deal of these factories; `None` if there are more than nine.
    #[must_use]
    pub fn new(factories: &[Tiles]) -> Option<Deal> {
        let mut deal = Deal { factories: [Tiles::EMPTY; MAX_FACTORIES], n_factories: 0 };
        deal.factories.get_mut(..factories.len())?.copy_from_slice(factories);
        deal.n_factories = factories.len() as u8;
        Some(deal)
    }

    /// The factories, empty ones among them.
    #[inline]
    #[must_use]
    pub fn factories(&self) -> &[Tiles] {
        &self.factories[..usize::from(self.n_factories)]
    }

    /// All tiles of the deal.
    #[must_use]
    pub fn total(&self) -> Tiles {
        self.factories.into_iter().sum()
    }
}

/// Where the tiles of a deal come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stock {
    /// What is in the bag.
    pub bag: Tiles,
    /// What is in the lid.
    pub lid: Tiles,
}

reasons! {
    /// Why a deal is refused.
    #[non_exhaustive]
    DealError {
        /// The position does not wait for a deal.
        NotNow => "no deal is due: the round is under way, or the game is over";
        /// The deal has another number of factories than the game.
        FactoryCount {
            /// How many the deal has.
            found: usize,
            /// How many the game has.
            expected: usize,
        } => "factories in the deal: {found} instead of {expected}";
        /// A factory does not get the number of tiles that it must get.
        FactorySize {
            /// The factory.
            factory: Source,
            /// How many tiles the deal puts there.
            found: u32,
            /// How many must be put there.
            expected: u32,
        } => "tiles on factory {factory}: {found} instead of {expected}";
        /// A factory gets tiles that were not there to be drawn.
        NotInStock {
            /// The first factory that cannot be filled like this.
            factory: Source,
            /// The kind of tile that was missing.
            tile: Tile,
        } => "factory {factory} gets a {} tile that is not there to be drawn at that moment",
            tile.name();
    }
}

impl DealError {
    /// A short name for the reason, for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            DealError::NotNow => "not_now",
            DealError::FactoryCount { .. } => "factory_count",
            DealError::FactorySize { .. } => "factory_size",
            DealError::NotInStock { .. } => "not_in_stock",
        }
    }
}

impl std::error::Error for DealError {}

impl Stock {
    /// The number of tiles of the next deal: what the factories hold, or what is left.
    #[inline]
    #[must_use]
    pub fn deal_size(&self, rules: &Rules) -> u32 {
        let wanted = FACTORY_SIZE * rules.players.factories() as u32;
        let left = (self.bag + self.lid).total();
        match rules.refill_remainder {
            _ if left >= wanted => wanted,
            RefillRemainder::PartialDisplay => left,
            RefillRemainder::FullDisplaysOnly => left - left % FACTORY_SIZE,
        }
    }

    /// Checks that a deal can be drawn from here, factory by factory.
    ///
    /// # Errors
    /// The first factory that cannot be filled like this.
    pub fn check(&self, deal: &Deal, rules: &Rules) -> Result<(), DealError> {
        let (found, expected) = (deal.factories().len(), rules.players.factories());
        if found != expected {
            return Err(DealError::FactoryCount { found, expected });
        }
        let mut left = self.deal_size(rules);
        let mut stock = *self;
        for (&tiles, factory) in deal.factories().iter().zip(&Source::ALL[1..]) {
            let expected = left.min(FACTORY_SIZE);
            let found = tiles.total();
            if found != expected {
                return Err(DealError::FactorySize { factory: *factory, found, expected });
            }
            left -= found;
            stock = stock
                .without(tiles)
                .map_err(|tile| DealError::NotInStock { factory: *factory, tile })?;
        }
        Ok(())
    }

    /// The stock after one factory has been filled, or a kind of tile that could not be drawn.
    /// The lid is poured into the bag only when a tile must be drawn and the bag is empty.
    fn without(self, tiles: Tiles) -> Result<Stock, Tile> {
        let must_pour = tiles.total() > self.bag.total();
        let (stock, wanted) = match must_pour && tiles.contains(self.bag) {
            // All that is left in the bag is drawn first.
            true => (Stock { bag: self.lid, lid: Tiles::EMPTY }, tiles - self.bag),
            false => (self, tiles),
        };
        match wanted.iter().find(|&(tile, n)| n > stock.bag.count(tile)) {
            None => Ok(Stock { bag: stock.bag - wanted, lid: stock.lid }),
            Some((tile, _)) => Err(tile),
        }
    }

    /// The stock after a valid deal.
    #[inline]
    #[must_use]
    pub(crate) fn after(self, dealt: Tiles) -> Stock {
        if dealt.total() <= self.bag.total() {
            Stock { bag: self.bag - dealt, lid: self.lid }
        } else {
            Stock { bag: self.bag + self.lid - dealt, lid: Tiles::EMPTY }
        }
    }

    /// Draws a deal from the stock of a position. `below(n)` gives a random number from 0 to `n - 1`, each equally likely.
    #[inline]
    pub(crate) fn draw(&self, rules: &Rules, mut below: impl FnMut(u32) -> u32) -> Deal {
        let mut deal = Deal {
            factories: [Tiles::EMPTY; MAX_FACTORIES],
            n_factories: rules.players.factories() as u8,
        };
        let mut left = self.deal_size(rules);
        let mut urn = Totals::of(self.bag.lanes());
        let mut n_tiles = self.bag.total();
        for factory in &mut deal.factories[..rules.players.factories()] {
            let mut drawn = 0;
            if n_tiles >= FACTORY_SIZE && left >= FACTORY_SIZE {
                for i in 0..FACTORY_SIZE {
                    drawn += urn.take(below(n_tiles - i));
                }
                n_tiles -= FACTORY_SIZE;
            } else {
                for _ in 0..left.min(FACTORY_SIZE) {
                    if n_tiles == 0 {
                        urn = Totals::of(self.lid.lanes());
                        n_tiles = self.lid.total();
                    }
                    drawn += urn.take(below(n_tiles));
                    n_tiles -= 1;
                }
            }
            *factory = Tiles::from_lanes(drawn);
            left = left.saturating_sub(FACTORY_SIZE);
        }
        deal
    }
}

/// The factories separated by `-`.
impl fmt::Display for Deal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let factories: Vec<_> = self.factories().iter().map(Tiles::to_string).collect();
        f.write_str(&factories.join("-"))
    }
}

impl fmt::Debug for Deal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Deal({self})")
    }
}

parse_error! {
    /// Why a text is not a deal.
    ParseDealError, "not a deal at character {}: {}", problem: &'static str
}

/// Reads factories separated by `-`, in any order of their tiles.
impl FromStr for Deal {
    type Err = ParseDealError;

    fn from_str(text: &str) -> Result<Deal, ParseDealError> {
        let mut factories = Vec::new();
        let mut column = 1;
        for part in text.split('-') {
            let fault = |at: usize, problem| ParseDealError { column: column + at, problem };
            if factories.len() == MAX_FACTORIES {
                return Err(fault(0, "more than nine factories"));
            }
            if part.is_empty() {
                return Err(fault(0, "an empty factory is written `.`"));
            }
            let tiles = part.parse::<Tiles>();
            factories.push(tiles.map_err(|error| fault(error.column - 1, error.problem))?);
            column += part.chars().count() + 1;
        }
        Ok(Deal::new(&factories).expect("counted above"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tiles(letters: &str) -> Tiles {
        letters.chars().filter_map(Tile::from_letter).collect()
    }

    #[test]
    fn the_bag_comes_before_the_lid() {
        let rules = Rules::official(Players::Two);
        let stock = Stock { bag: tiles("BBBBBY"), lid: tiles("YRRRKKKWWWWWWWWW") };
        let check = |text: &str, expected: Result<(), DealError>| {
            assert_eq!(stock.check(&text.parse().unwrap(), &rules), expected, "{text}");
        };
        let foreign = |factory, letter| {
            Err(DealError::NotInStock { factory, tile: Tile::from_letter(letter).unwrap() })
        };
        check("BBBB-BYWW-RRRK-KKWW-YWWW", Ok(()));
        check("BBBB-BYRR-YRKK-KWWW-WWWW", Ok(()));
        check("BBBR-BBYW-RRRK-KKWW-YWWW", foreign(Source::Factory1, 'R'));
        check("BBBB-BRRW-YRRK-KKWW-YWWW", foreign(Source::Factory2, 'R'));
        check("BBBB-BYWW-RRRK-KKWW-YYWW", foreign(Source::Factory5, 'Y'));
        let expected =
            Err(DealError::FactorySize { factory: Source::Factory2, found: 3, expected: 4 });
        check("BBBB-BYW-RRRK-KKWW-YWWW", expected);
        check("BBBB", Err(DealError::FactoryCount { found: 1, expected: 5 }));
    }

    #[test]
    fn a_short_stock_leaves_factories_empty() {
        let mut rules = Rules::official(Players::Two);
        let stock = Stock { bag: tiles("BBB"), lid: tiles("YYY") };
        assert_eq!(stock.deal_size(&rules), 6);
        assert_eq!(stock.check(&"BBBY-YY-.-.-.".parse().unwrap(), &rules), Ok(()));
        rules.refill_remainder = RefillRemainder::FullDisplaysOnly;
        assert_eq!(stock.deal_size(&rules), 4);
        let deal: Deal = "BBBY-.-.-.-.".parse().unwrap();
        assert_eq!(stock.check(&deal, &rules), Ok(()));
        assert_eq!(stock.after(deal.total()), Stock { bag: tiles("YY"), lid: Tiles::EMPTY });
    }

    #[test]
    fn drawn_deals_can_be_dealt_and_are_fair() {
        let rules = Rules::official(Players::Two);
        let stock = Stock { bag: tiles("BBBBBYKWJ"), lid: tiles("YRRRKKKWWWWWWWWW") };
        let mut rng = azulejo_testkit::Rng::new(1);
        let mut below = |n: u32| rng.below(n);
        let mut first = [0_u32; 6];
        for _ in 0..90_000 {
            let deal = stock.draw(&rules, &mut below);
            assert_eq!(stock.check(&deal, &rules), Ok(()), "{deal}");
            for (tile, n) in deal.factories()[0].iter() {
                first[tile.index()] += n;
            }
        }
        // Five of the nine tiles in the bag are blue, no red one is, and one each of the others.
        let share = |n: u32| f64::from(n) / 360_000.0;
        assert!((share(first[0]) - 5.0 / 9.0).abs() < 0.01, "{first:?}");
        assert_eq!(first[2], 0);
        for other in [1, 3, 4, 5] {
            assert!((share(first[other]) - 1.0 / 9.0).abs() < 0.01, "{first:?}");
        }
    }

    #[test]
    fn text_faults_have_a_place() {
        let check = |text: &str, column: usize| {
            assert_eq!(text.parse::<Deal>().unwrap_err().column, column, "{text}");
        };
        check("", 1);
        check("BBYR-", 6);
        check("BBYR--KKKK", 6);
        check("BBYR-KX", 7);
        check(".-.-.-.-.-.-.-.-.-.", 19);
        check(&"B".repeat(200), 100);
        let deal: Deal = "RYBB-.-JK".parse().unwrap();
        assert_eq!(deal.to_string(), "BBYR-.-KJ");
    }
}
