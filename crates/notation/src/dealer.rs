//! The dealer: the deals of a seed, and the check that recorded deals are those of their seed.
//!
//! The dealer hides the order of the tiles in the bag. A position knows only their counts, and nothing
//! prints the order before the tiles are dealt.

use crate::chance::Chance;
use crate::record::{Record, Start};
use crate::seed::Seed;
use azulejo_rules::{Deal, FACTORY_SIZE, Phase, Position, Rules, Seat, Tile, Tiles};
use std::fmt;

/// The bag of one game, in the order in which its tiles will be drawn.
///
/// ```
/// use azulejo_notation::{Dealer, Seed};
/// use azulejo_rules::{Position, Rules};
///
/// let (rules, seed): (Rules, Seed) = ("2c".parse()?, "5".parse()?);
/// let (first, mut dealer) = Dealer::new(&seed, &rules);
/// let position = Position::new(rules, first);
/// assert_eq!(dealer.deal(&position)?.to_string(), "BYYW-BYKW-BYRW-BRKK-BBYR");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Dealer {
    chance: Chance,
    /// The next tile to be drawn is the last.
    bag: Vec<Tile>,
    /// The tiles of the bag, counted.
    held: Tiles,
}

/// Why a dealer cannot deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum DealerError {
    /// The position does not wait for a deal.
    #[error("no deal is due: the round is under way, or the game is over")]
    NotNow,
    /// The bag of the position is not the dealer's.
    #[error("the bag of the position is not the one this dealer deals from")]
    OtherBag,
}

impl Dealer {
    /// The first starting player and the dealer of a new game.
    #[must_use]
    pub fn new(seed: &Seed, rules: &Rules) -> (Seat, Dealer) {
        let mut chance = Chance::new(seed);
        let seats = rules.players().seats();
        // Drawn even if the rules name a seat, so that the deals stay the same.
        let drawn = seats[chance.below(seats.len() as u32) as usize];
        let dealer = Dealer::with(chance, rules.all_tiles());
        (rules.first_player().unwrap_or(drawn), dealer)
    }

    /// The dealer of a game that starts from a position.
    #[must_use]
    pub fn resume(seed: &Seed, position: &Position) -> Dealer {
        Dealer::with(Chance::new(seed), position.stock().bag)
    }

    fn with(chance: Chance, bag: Tiles) -> Dealer {
        let mut dealer = Dealer { chance, bag: Vec::new(), held: Tiles::EMPTY };
        dealer.refill(bag);
        dealer
    }

    fn refill(&mut self, tiles: Tiles) {
        self.bag.clear();
        self.bag.extend(tiles.each());
        self.chance.shuffle(&mut self.bag);
        self.bag.reverse();
        self.held = tiles;
    }

    /// Draws the next deal.
    ///
    /// # Errors
    /// If no deal is due, or the position is not one of this dealer's game; nothing is drawn then.
    pub fn deal(&mut self, position: &Position) -> Result<Deal, DealerError> {
        if position.phase() != Phase::Deal {
            return Err(DealerError::NotNow);
        }
        let stock = position.stock();
        if self.held != stock.bag {
            return Err(DealerError::OtherBag);
        }
        let mut n_left = stock.deal_size(position.rules());
        let mut factories = vec![Tiles::EMPTY; position.rules().players().factories()];
        for factory in &mut factories {
            for _ in 0..n_left.min(FACTORY_SIZE) {
                if self.bag.is_empty() {
                    self.refill(stock.lid);
                }
                let tile = self.bag.pop().expect("bag and lid hold as many tiles as are dealt");
                let tile = Tiles::of(tile, 1);
                *factory += tile;
                self.held -= tile;
            }
            n_left = n_left.saturating_sub(FACTORY_SIZE);
        }
        Ok(Deal::new(&factories).expect("no game has more than nine factories"))
    }
}

/// Shows the number of tiles, never their order.
impl fmt::Debug for Dealer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Dealer({} tiles)", self.bag.len())
    }
}

/// Why the deals of a record are not those of its seed.
#[derive(Clone, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum SeedMismatch {
    /// The record names no seed.
    #[error("the record names no seed")]
    NoSeed,
    /// Another seat starts the game.
    #[error("seat {found} starts the game, by the seed it is seat {expected}")]
    First {
        /// Who starts in the record.
        found: Seat,
        /// Who starts by the seed.
        expected: Seat,
    },
    /// A deal differs.
    #[error("round {round} has the deal {found}, by the seed it is {expected}")]
    Deal {
        /// The number of the round.
        round: u16,
        /// The deal in the record.
        found: Box<Deal>,
        /// The deal by the seed.
        expected: Box<Deal>,
    },
}

/// Checks that the first starting player and all deals of a record are those of its seed. Returns the
/// dealer for the next rounds.
///
/// # Errors
/// The first difference.
pub fn verify_deals(record: &Record) -> Result<Dealer, SeedMismatch> {
    let seed = record.seed().ok_or(SeedMismatch::NoSeed)?;
    let mut dealer = match record.start() {
        Start::Position(position) => Dealer::resume(seed, position),
        &Start::New { first: found } => {
            let (expected, dealer) = Dealer::new(seed, record.rules());
            if found != expected {
                return Err(SeedMismatch::First { found, expected });
            }
            dealer
        }
    };
    for step in record.replay() {
        let crate::Action::Deal(found) = step.action else { continue };
        let expected = dealer.deal(&step.before).expect("all deals so far were the dealer's");
        if found != expected {
            return Err(SeedMismatch::Deal {
                round: step.before.round(),
                found: Box::new(found),
                expected: Box::new(expected),
            });
        }
    }
    Ok(dealer)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(text: &str) -> Rules {
        text.parse().unwrap()
    }

    fn seed(text: &str) -> Seed {
        text.parse().unwrap()
    }

    /// Plays everything to the floor, which brings the lid into play soonest.
    fn dump(position: &mut Position) {
        while position.phase() == Phase::Draft {
            let moves = position.legal_moves();
            let to_floor = moves.into_iter().find(|m| m.to_string().ends_with('F')).unwrap();
            position.play(to_floor).unwrap();
        }
    }

    /// The values come from a program of a few lines in another language.
    #[test]
    fn the_deals_of_a_seed_never_change() {
        let check = |game: &str, first: Seat, deals: &[&str]| {
            let rules = rules(game);
            let (starter, mut dealer) = Dealer::new(&seed("5"), &rules);
            assert_eq!(starter, first, "{game}");
            let mut position = Position::new(rules, starter);
            for deal in deals {
                let drawn = dealer.deal(&position).unwrap();
                assert_eq!(drawn.to_string(), *deal, "{game}");
                position.deal(&drawn).unwrap();
                dump(&mut position);
            }
        };
        let two = [
            "BYYW-BYKW-BYRW-BRKK-BBYR",
            "BWWW-BBRR-BBRR-YRRW-RRWW",
            "YRKW-BYKK-BRKW-BYYY-BKKW",
            "BBYR-YYKK-BRRW-BYYW-YKKW",
            "YRKW-RRRW-BKKK-YKWW-YKKW",
        ];
        check("2c", Seat::Two, &two);
        check("2c-first1", Seat::One, &two);
        let four = [
            "BYRW-BYKW-BYKJ-YKWW-BBRR-BWJJ-BBRR-BBRR-YKKW",
            "RKWJ-YRKW-BYKK-BRWJ-BYYY-BKKJ-BBRR-YYKW-BRRJ",
        ];
        check("4gj", Seat::Two, &four);
    }

    #[test]
    fn the_lid_is_poured_when_the_bag_is_empty() {
        for game in ["2c-stall0", "3g-stall0", "4cj-stall0", "4c-whole-stall0"] {
            let rules = rules(game);
            let (starter, mut dealer) = Dealer::new(&seed("lid"), &rules);
            let mut position = Position::new(rules, starter);
            for _ in 0..20 {
                let deal = dealer.deal(&position).unwrap();
                position.deal(&deal).unwrap();
                assert_eq!(dealer.bag.len() as u32, position.stock().bag.total());
                dump(&mut position);
            }
        }
    }

    #[test]
    fn whole_factories_leave_the_rest_in_the_bag() {
        // Every wall is full but for its yellow spaces, and six yellow tiles are left.
        let wall = "B.RKW-WB.RK-KWB.R-RKWB.-.RKWB";
        let lines = [
            ".-Y.-YY.-YYY.-YYYY.",
            ".-..-...-....-YYYY.",
            ".-..-...-....-.....",
            ".-..-...-....-.....",
        ];
        let boards = lines.map(|lines| format!("0~{lines}~{wall}~.")).join("_");
        let text = format!("az1_4c-whole_n_6s1_.-.-.-.-.-.-.-.-._1_Y6_._{boards}");
        let position: Position = text.parse().unwrap();
        let mut dealer = Dealer::resume(&seed("x"), &position);
        assert_eq!(dealer.deal(&position).unwrap().to_string(), "YYYY-.-.-.-.-.-.-.-.");
        assert_eq!(dealer.bag.len(), 2);
    }

    #[test]
    fn a_dealer_deals_to_its_own_game_only() {
        let (starter, mut dealer) = Dealer::new(&seed("5"), &rules("2c"));
        let mut position = Position::new(rules("2c"), starter);
        let other = Position::new(rules("2cj"), starter);
        assert_eq!(dealer.deal(&other), Err(DealerError::OtherBag));
        position.deal(&dealer.deal(&position).unwrap()).unwrap();
        assert_eq!(dealer.deal(&position), Err(DealerError::NotNow));
        assert_eq!(format!("{dealer:?}"), "Dealer(80 tiles)");
    }

    #[test]
    fn recorded_deals_are_compared_with_the_seed() {
        let (first, mut dealer) = Dealer::new(&seed("5"), &rules("2c"));
        let mut record = Record::new(rules("2c"), first).unwrap();
        assert_eq!(verify_deals(&record).unwrap_err(), SeedMismatch::NoSeed);
        record.set_seed(Some(seed("5")));
        let deal = dealer.deal(record.final_position()).unwrap();
        record.deal(&deal).unwrap();
        assert!(verify_deals(&record).is_ok());

        let mut other = Record::new(rules("2c"), Seat::One).unwrap();
        other.set_seed(Some(seed("5")));
        let expected = SeedMismatch::First { found: Seat::One, expected: Seat::Two };
        assert_eq!(verify_deals(&other).unwrap_err(), expected);

        let mut other = Record::new(rules("2c"), first).unwrap();
        other.set_seed(Some(seed("5")));
        let found: Deal = "BYYW-BYKW-BYRW-BRKK-BBYY".parse().unwrap();
        other.deal(&found).unwrap();
        let [found, expected] = [found, deal].map(Box::new);
        let expected = SeedMismatch::Deal { round: 1, found, expected };
        assert_eq!(verify_deals(&other).unwrap_err(), expected);

        let mut later = Record::from_position(Position::new(rules("2c"), first));
        later.set_seed(Some(seed("5")));
        let mut dealer = Dealer::resume(&seed("5"), later.final_position());
        let other_deal = dealer.deal(later.final_position()).unwrap();
        later.deal(&other_deal).unwrap();
        assert!(verify_deals(&later).is_ok());
        assert_ne!(other_deal, deal);
    }
}
