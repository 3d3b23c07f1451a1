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
    faults: Vec<Fault>,
}

impl InvalidSetup {
    pub(crate) const NO_FAULT: InvalidSetup = InvalidSetup { faults: Vec::new() };

    pub(crate) fn add_if(&mut self, is_wrong: bool, fault: Fault) {
        self.faults.extend(is_wrong.then_some(fault));
    }

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

reasons! {
    /// One reason why a setup is not a legal position.
    #[allow(missing_docs, reason = "the sentences say what each variant and field is")]
    Fault {
        BoardCount { found: usize, expected: usize } => "boards: {found} instead of {expected}";
        FactoryCount { found: usize, expected: usize } =>
            "factories: {found} instead of {expected}";
        NoSuchSeat(seat: Seat) => "seat {seat} is not in the game";
        FactoryTooFull { factory: Source, n_tiles: u32 } =>
            "factory {factory} holds {n_tiles} tiles, more than four";
        NoRound => "rounds are counted from 1";
        MoreDryRoundsThanRounds { dry: u8, round: u16 } =>
            "{dry} rounds without a placement are too many for round {round}";
        MarkerPlaces(n: usize) => "the marker is {}", match n {
            0 => "missing".to_owned(),
            _ => format!("in {n} places"),
        };
        TileCount { tile: Tile, found: u32, expected: u32 } =>
            "{} tiles: {found} instead of {expected}", tile.name();
        ScoreTooHigh { seat: Seat, score: u16 } => "seat {seat}: a score of {score}";
        FloorTooFull { seat: Seat, n_tiles: u32 } =>
            "seat {seat}: {n_tiles} tiles on a floor of seven spaces";
        LineTooLong { seat: Seat, row: Row, n_tiles: u32 } =>
            "seat {seat}: {n_tiles} tiles on line {row}";
        LineMixed { seat: Seat, row: Row } => "seat {seat}: several colors on line {row}";
        LineBarred { seat: Seat, row: Row, color: Color } =>
            "seat {seat}: {} on line {row}, whose wall row no longer takes it", color.name();
        LineBesideFullRow { seat: Seat, row: Row } =>
            "seat {seat}: tiles on line {row}, whose wall row is full";
        WrongSpace { seat: Seat, row: Row, column: Column, tile: Tile, printed: Color } =>
            "seat {seat}: a {} tile on the {} space in row {row}, column {column} of the wall",
            tile.name(), printed.name();
        TwiceInRow { seat: Seat, row: Row, color: Color } =>
            "seat {seat}: {} twice in row {row} of the wall", color.name();
        TwiceInColumn { seat: Seat, column: Column, color: Color } =>
            "seat {seat}: {} twice in column {column} of the wall", color.name();
        NothingToDraft => "there is no tile to draft";
        TilesOnTable => "there are still tiles to draft";
        MarkerStillHeld => "between rounds and after the end the marker is in the center";
        TurnIsNotStarter => "between rounds and after the end it is the starter's turn";
        NoDryRound => "before wall-tiling, this round counts as one without a placement";
        LineNotTiled { seat: Seat, row: Row } =>
            "seat {seat}: full line {row} should have been tiled";
        FloorNotCleared { seat: Seat } => "seat {seat}: the floor should have been cleared";
        FullRow { seat: Seat } =>
            "seat {seat}: the wall has a full row, so the game should be over";
        NoWallChoice { seat: Seat, row: Row } =>
            "seat {seat}: there is no wall space to choose for line {row}";
        ScoreBelowBonuses { seat: Seat, score: u16, bonuses: u16 } =>
            "seat {seat}: a final score of {score} with bonuses of {bonuses}";
        GameShouldBeOver(by: EndedBy) => "the game should be over: {}", by.describe();
        WrongEnd(by: EndedBy) => "the game cannot have ended like this: {}", by.describe();
    }
}
