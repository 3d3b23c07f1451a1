//! A position: everything on the table, always legal.
//!
//! It is made by validating a [`Setup`](crate::Setup) or by playing, and in no other way, so its
//! fields are private. One concrete type serves two to four seats and every variant; it is small
//! and `Copy`, and a search copies it instead of taking moves back.

use crate::board::Board;
use crate::deal::{Deal, Stock};
use crate::ending::EndedBy;
use crate::names::{Row, Seat, Source};
use crate::offer::{Offer, Piles};
use crate::rules::Rules;
use crate::sets::SourceSet;
use crate::tiles::Tiles;

/// What the game waits for.
///
/// ```
/// use azulejo_rules::{Phase, Players, Position, Rules, Seat};
///
/// let mut position = Position::new(Rules::official(Players::Two), Seat::One);
/// assert_eq!(position.phase(), Phase::Deal);
/// position.deal(&"BBYR-KKKK-BYRK-YWWW-RRKK".parse()?)?;
/// assert_eq!(position.phase(), Phase::Draft);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// A seat drafts tiles.
    Draft,
    /// A seat chooses the wall space for the tile of its full line in this row.
    Tiling(Row),
    /// The tiles of the next round are dealt.
    Deal,
    /// Nothing: the game is over.
    Over(EndedBy),
}

/// A legal position.
///
/// ```
/// use azulejo_rules::{Phase, Players, Position, Rules, Seat};
///
/// let mut position = Position::new(Rules::official(Players::Two), Seat::One);
/// // Chance is an argument: here every tile is the first of those left.
/// let deal = position.draw_deal(|_| 0);
/// position.deal(&deal)?;
/// while let Some(&m) = position.legal_moves().first() {
///     position.play(m)?;
/// }
/// // The round is over, and the next deal is due.
/// assert_eq!((position.phase(), position.round()), (Phase::Deal, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Equality
/// Two positions are equal if everything on the table is equal. The order of tiles on a floor is
/// not kept, and the factories are compared in order (not so by their [hash key](Position::hash_key)).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    pub(crate) offer: Offer,
    pub(crate) boards: [Board; 4],
    pub(crate) stock: Stock,
    pub(crate) rules: Rules,
    pub(crate) phase: Phase,
    /// Who drafts or chooses; the starter between rounds and after the end.
    pub(crate) turn: Seat,
    pub(crate) starter: Seat,
    /// Who holds the marker; `None` is the center.
    pub(crate) marker: Option<Seat>,
    pub(crate) round: u16,
    pub(crate) dry_rounds: u8,
}

impl Position {
    /// A new game before its first deal.
    ///
    /// # Panics
    /// If `starter` is not a seat of the game.
    #[must_use]
    pub fn new(rules: Rules, starter: Seat) -> Position {
        assert!(rules.players.seats().contains(&starter), "seat {starter} is not in the game");
        Position {
            offer: Offer::default(),
            boards: [Board::EMPTY; 4],
            stock: Stock { bag: rules.all_tiles(), lid: Tiles::EMPTY },
            rules,
            phase: Phase::Deal,
            turn: starter,
            starter,
            marker: None,
            round: 1,
            dry_rounds: 1,
        }
    }

    /// The rules of the game.
    #[inline]
    #[must_use]
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    getters! {
        /// What the game waits for.
        phase: Phase,
        /// The seat that drafts or chooses a space; between rounds the one that will start.
        turn: Seat,
        /// The seat that started this round; between rounds the one that will start the next.
        starter: Seat,
        /// The round, from 1; between rounds the one to come.
        round: u16,
        /// Who holds the marker; `None` if it lies in the center.
        marker: Option<Seat>,
        /// How many rounds in a row, this one included, no tile has been placed on any wall.
        dry_rounds: u8,
        /// Bag and lid.
        stock: Stock,
    }

    /// The boards, by seat.
    #[inline]
    #[must_use]
    pub fn boards(&self) -> &[Board] {
        &self.boards[..self.rules.players.count()]
    }

    /// The board of a seat of the game; an empty one for any other.
    #[inline]
    #[must_use]
    pub const fn board(&self, seat: Seat) -> &Board {
        &self.boards[seat.index()]
    }

    /// The tiles at a source.
    #[inline]
    #[must_use]
    pub const fn pile(&self, source: Source) -> Tiles {
        self.offer.pile(source)
    }

    /// The sources that hold tiles.
    #[inline]
    #[must_use]
    pub const fn filled_sources(&self) -> SourceSet {
        self.offer.filled_sources()
    }

    /// Every kind of tile with each source that holds it, kind by kind.
    #[inline]
    #[must_use]
    pub const fn piles(&self) -> Piles {
        self.offer.piles()
    }

    /// How many picks of one kind from one source there are, which is also the most drafts that
    /// this round can still have (jokers may be taken along with a color).
    #[inline]
    #[must_use]
    pub const fn n_piles(&self) -> u32 {
        self.offer.n_piles()
    }

    /// The factories of the game with their tiles.
    pub fn factories(&self) -> impl Iterator<Item = (Source, Tiles)> {
        Source::ALL
            .into_iter()
            .skip(1)
            .take(self.rules.players.factories())
            .map(|factory| (factory, self.pile(factory)))
    }

    /// Why the game ended, if it has.
    #[inline]
    #[must_use]
    pub const fn ended_by(&self) -> Option<EndedBy> {
        match self.phase {
            Phase::Over(by) => Some(by),
            _ => None,
        }
    }

    /// How many spaces of a seat's floor are taken.
    #[inline]
    #[must_use]
    pub fn floor_spaces(&self, seat: Seat) -> u32 {
        self.board(seat).floor_spaces(self.marker == Some(seat))
    }

    /// Draws the next deal. `below(n)` returns a uniformly random number from 0 to `n - 1`.
    #[inline]
    pub fn draw_deal(&self, below: impl FnMut(u32) -> u32) -> Deal {
        self.stock.draw(&self.rules, below)
    }

    /// Whether a seat tiles its wall after the seat to move, which has a wall choice: it comes later
    /// in the order that begins with the starter.
    pub(crate) fn tiles_later(&self, seat: Seat) -> bool {
        let players = self.rules.players.count();
        let order = |seat: Seat| (seat.index() + players - self.starter.index()) % players;
        order(seat) > order(self.turn)
    }
}
