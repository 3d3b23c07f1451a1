//! The faults of a [`Setup`](crate::Setup) that is not a position, each with a sentence.

use crate::ending::EndedBy;
use crate::names::{Color, Column, Row, Seat, Source, Tile};
use std::fmt;

/// A setup that is not a legal position, with all its faults.
///
/// ```
/// use azulejo_rules::{Fault, Players, Rules, Seat, Setup};
///
/// let mut setup = Setup::new(Rules::official(Players::Two));
/// setup.round = 0;
/// setup.starter = Seat::Two;
/// let error = setup.validate().unwrap_err();
/// assert_eq!(error.faults().len(), 2);
/// assert!(error.faults().contains(&Fault::NoRound));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct InvalidSetup {
    pub(crate) faults: Vec<Fault>,
}

impl InvalidSetup {
    /// The faults, at least one.
    #[must_use]
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }
}

impl fmt::Display for InvalidSetup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sentences: Vec<_> = self.faults.iter().map(ToString::to_string).collect();
        write!(f, "not a legal position: {}", sentences.join("; "))
    }
}

impl std::error::Error for InvalidSetup {}

/// One reason why a setup is not a legal position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the sentences below say what each field is")]
pub enum Fault {
    BoardCount { found: usize, expected: usize },
    FactoryCount { found: usize, expected: usize },
    NoSuchSeat(Seat),
    FactoryTooFull { factory: Source, n_tiles: u32 },
    NoRound,
    MoreDryRoundsThanRounds { dry: u8, round: u16 },
    MarkerPlaces(usize),
    TileCount { tile: Tile, found: u32, expected: u32 },
    ScoreTooHigh { seat: Seat, score: u16 },
    FloorTooFull { seat: Seat, n_tiles: u32 },
    LineTooLong { seat: Seat, row: Row, n_tiles: u32 },
    LineMixed { seat: Seat, row: Row },
    LineBarred { seat: Seat, row: Row, color: Color },
    LineBesideFullRow { seat: Seat, row: Row },
    WrongSpace { seat: Seat, row: Row, column: Column, tile: Tile, printed: Color },
    TwiceInRow { seat: Seat, row: Row, color: Color },
    TwiceInColumn { seat: Seat, column: Column, color: Color },
    NothingToDraft,
    TilesOnTable,
    MarkerStillHeld,
    TurnIsNotStarter,
    NoDryRound,
    LineNotTiled { seat: Seat, row: Row },
    FloorNotCleared { seat: Seat },
    FullRow { seat: Seat },
    NoWallChoice { seat: Seat, row: Row },
    ScoreBelowBonuses { seat: Seat, score: u16, bonuses: u16 },
    GameShouldBeOver(EndedBy),
    WrongEnd(EndedBy),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Fault::BoardCount { found, expected } => {
                write!(f, "boards: {found} instead of {expected}")
            }
            Fault::FactoryCount { found, expected } => {
                write!(f, "factories: {found} instead of {expected}")
            }
            Fault::NoSuchSeat(seat) => write!(f, "seat {seat} is not in the game"),
            Fault::FactoryTooFull { factory, n_tiles } => {
                write!(f, "factory {factory} holds {n_tiles} tiles, more than four")
            }
            Fault::NoRound => write!(f, "rounds are counted from 1"),
            Fault::MoreDryRoundsThanRounds { dry, round } => {
                write!(f, "round {round} cannot be number {dry} without a placement")
            }
            Fault::MarkerPlaces(0) => write!(f, "the marker is missing"),
            Fault::MarkerPlaces(n) => write!(f, "the marker is in {n} places"),
            Fault::TileCount { tile, found, expected } => {
                write!(f, "{} tiles: {found} instead of {expected}", tile.name())
            }
            Fault::ScoreTooHigh { seat, score } => write!(f, "seat {seat}: a score of {score}"),
            Fault::FloorTooFull { seat, n_tiles } => {
                write!(f, "seat {seat}: {n_tiles} tiles on a floor of seven spaces")
            }
            Fault::LineTooLong { seat, row, n_tiles } => {
                write!(f, "seat {seat}: {n_tiles} tiles on line {row}")
            }
            Fault::LineMixed { seat, row } => {
                write!(f, "seat {seat}: several colors on line {row}")
            }
            Fault::LineBarred { seat, row, color } => write!(
                f,
                "seat {seat}: {} on line {row}, whose wall row no longer takes it",
                color.name()
            ),
            Fault::LineBesideFullRow { seat, row } => {
                write!(f, "seat {seat}: tiles on line {row}, whose wall row is full")
            }
            Fault::WrongSpace { seat, row, column, tile, printed } => write!(
                f,
                "seat {seat}: a {} tile on the {} space in row {row}, column {column} of the wall",
                tile.name(),
                printed.name()
            ),
            Fault::TwiceInRow { seat, row, color } => {
                write!(f, "seat {seat}: {} twice in row {row} of the wall", color.name())
            }
            Fault::TwiceInColumn { seat, column, color } => {
                write!(f, "seat {seat}: {} twice in column {column} of the wall", color.name())
            }
            Fault::NothingToDraft => write!(f, "there is no tile to draft"),
            Fault::TilesOnTable => write!(f, "there are still tiles to draft"),
            Fault::MarkerStillHeld => {
                write!(f, "between rounds and after the end the marker is in the center")
            }
            Fault::TurnIsNotStarter => {
                write!(f, "between rounds and after the end it is the starter's turn")
            }
            Fault::NoDryRound => {
                write!(f, "before wall-tiling, this round is always without a placement")
            }
            Fault::LineNotTiled { seat, row } => {
                write!(f, "seat {seat}: full line {row} should have been tiled")
            }
            Fault::FloorNotCleared { seat } => {
                write!(f, "seat {seat}: the floor should have been cleared")
            }
            Fault::FullRow { seat } => {
                write!(f, "seat {seat}: the wall has a full row, so the game should be over")
            }
            Fault::NoWallChoice { seat, row } => {
                write!(f, "seat {seat}: there is no wall space to choose for line {row}")
            }
            Fault::ScoreBelowBonuses { seat, score, bonuses } => {
                write!(f, "seat {seat}: a final score of {score} with bonuses of {bonuses}")
            }
            Fault::GameShouldBeOver(by) => write!(f, "the game should be over: {}", by.describe()),
            Fault::WrongEnd(by) => {
                write!(f, "the game cannot have ended like this: {}", by.describe())
            }
        }
    }
}
