//! Whether a move is legal, and why not.

use crate::board::Board;
use crate::legal::joker_choices;
use crate::moves::{Draft, Move};
use crate::names::{Color, Column, Destination, Row, Seat, Source, Tile};
use crate::position::{Phase, Position};
use crate::rules::WallKind;
use std::fmt;

/// Why a move is illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IllegalMove {
    /// The game is over.
    GameOver,
    /// The next deal comes first.
    DealDue,
    /// A wall space has to be chosen, not tiles.
    WallChoiceDue {
        /// Who has to choose.
        seat: Seat,
        /// For which line.
        row: Row,
    },
    /// Tiles have to be drafted, no wall space is to be chosen.
    DraftDue,
    /// The game has fewer factories.
    NoSuchFactory(Source),
    /// There is no tile; in the center the marker may lie, which cannot be taken alone.
    SourceEmpty(Source),
    /// The kind of tile is not at the source.
    NotThere(Source, Tile),
    /// The line has no room.
    LineFull(Row),
    /// The line holds another color.
    LineHolds(Row, Color),
    /// The wall has the color in the row of the line.
    OnWall(Row, Color),
    /// A joker lies on the space of the color in the row of the line.
    JokerOnWall(Row, Color),
    /// So many extra jokers cannot enter the line; this is how many can.
    TooManyJokers {
        /// The largest number that the move could name.
        most: u32,
    },
    /// The choice is due for another row.
    OtherRow(Row),
    /// The space has a tile.
    SpaceTaken(Row, Column),
    /// The column has the color of the line.
    ColumnHolds(Column, Color),
}

impl IllegalMove {
    /// A short name for the reason, for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            IllegalMove::GameOver => "game_over",
            IllegalMove::DealDue => "deal_due",
            IllegalMove::WallChoiceDue { .. } => "wall_choice_due",
            IllegalMove::DraftDue => "draft_due",
            IllegalMove::NoSuchFactory(_) => "no_such_factory",
            IllegalMove::SourceEmpty(_) => "source_empty",
            IllegalMove::NotThere(..) => "not_there",
            IllegalMove::LineFull(_) => "line_full",
            IllegalMove::LineHolds(..) => "line_holds_other_color",
            IllegalMove::OnWall(..) => "color_on_wall",
            IllegalMove::JokerOnWall(..) => "joker_on_wall",
            IllegalMove::TooManyJokers { .. } => "too_many_jokers",
            IllegalMove::OtherRow(_) => "other_row",
            IllegalMove::SpaceTaken(..) => "space_taken",
            IllegalMove::ColumnHolds(..) => "column_holds_color",
        }
    }
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            IllegalMove::GameOver => write!(f, "the game is over"),
            IllegalMove::DealDue => write!(f, "the next round has not been dealt yet"),
            IllegalMove::WallChoiceDue { seat, row } => {
                write!(f, "seat {seat} has to choose a wall space for line {row} first")
            }
            IllegalMove::DraftDue => {
                write!(f, "tiles have to be drafted now, no wall space is to be chosen")
            }
            IllegalMove::NoSuchFactory(source) => {
                write!(f, "there is no {} in this game", source.describe())
            }
            IllegalMove::SourceEmpty(Source::Center) => {
                write!(f, "there is no tile in the center (the marker cannot be taken alone)")
            }
            IllegalMove::SourceEmpty(source) => write!(f, "{} is empty", source.describe()),
            IllegalMove::NotThere(source, tile) => {
                let place = if source == Source::Center { "in" } else { "on" };
                write!(f, "there is no {} tile {place} {}", tile.name(), source.describe())
            }
            IllegalMove::LineFull(row) => write!(f, "line {row} is full"),
            IllegalMove::LineHolds(row, color) => {
                write!(f, "line {row} already holds {} tiles", color.name())
            }
            IllegalMove::OnWall(row, color) => {
                write!(f, "row {row} of the wall already has a {} tile", color.name())
            }
            IllegalMove::JokerOnWall(row, color) => {
                write!(f, "a joker lies on the {} space of row {row} of the wall", color.name())
            }
            IllegalMove::TooManyJokers { most: 0 } => {
                write!(f, "there is no choice of jokers here: leave the `j` out")
            }
            IllegalMove::TooManyJokers { most } => {
                write!(f, "the largest number after the `j` is {most} here")
            }
            IllegalMove::OtherRow(row) => write!(f, "the choice is for line {row}"),
            IllegalMove::SpaceTaken(row, column) => {
                write!(f, "the wall space in row {row}, column {column} is taken")
            }
            IllegalMove::ColumnHolds(column, color) => {
                write!(f, "column {column} of the wall already has a {} tile", color.name())
            }
        }
    }
}

impl std::error::Error for IllegalMove {}

impl Position {
    /// Whether a move is legal.
    #[must_use]
    pub fn is_legal(&self, m: Move) -> bool {
        self.check(m).is_ok()
    }

    /// Says why a move is illegal, if it is.
    ///
    /// # Errors
    /// The first reason found.
    pub fn check(&self, m: Move) -> Result<(), IllegalMove> {
        match (self.phase, m) {
            (Phase::Draft, Move::Draft(draft)) => self.check_draft(draft),
            (Phase::Tiling(due), Move::Place { row, column }) => {
                if row == due {
                    self.check_place(row, column)
                } else {
                    Err(IllegalMove::OtherRow(due))
                }
            }
            (Phase::Draft, Move::Place { .. }) => Err(IllegalMove::DraftDue),
            (Phase::Tiling(row), Move::Draft(_)) => {
                Err(IllegalMove::WallChoiceDue { seat: self.turn, row })
            }
            (Phase::Deal, _) => Err(IllegalMove::DealDue),
            (Phase::Over(_), _) => Err(IllegalMove::GameOver),
        }
    }

    fn check_draft(&self, draft: Draft) -> Result<(), IllegalMove> {
        let Draft { source, pick, to, extra_jokers } = draft;
        if source.index() > self.rules.players.factories() {
            return Err(IllegalMove::NoSuchFactory(source));
        }
        let pile = self.pile(source);
        if pile.is_empty() {
            return Err(IllegalMove::SourceEmpty(source));
        }
        let colored = pick.color().map_or(0, |color| pile.count(color.into()));
        let jokers = if pick.has_jokers() { pile.count(Tile::Joker) } else { 0 };
        if let Some(color) = pick.color().filter(|_| colored == 0) {
            return Err(IllegalMove::NotThere(source, color.into()));
        }
        if pick.has_jokers() && jokers == 0 {
            return Err(IllegalMove::NotThere(source, Tile::Joker));
        }
        let board = self.board(self.turn);
        if let Destination::Line(row) = to {
            self.check_line(board, row, pick.color())?;
        }
        let most = joker_choices(board.room(to), colored, jokers).len() as u32 - 1;
        if u32::from(extra_jokers) > most {
            return Err(IllegalMove::TooManyJokers { most });
        }
        Ok(())
    }

    fn check_line(&self, board: &Board, row: Row, color: Option<Color>) -> Result<(), IllegalMove> {
        let line = board.line(row);
        if line.is_full() {
            return Err(IllegalMove::LineFull(row));
        }
        let Some(color) = color else { return Ok(()) };
        if let Some(holds) = line.color.filter(|&holds| holds != color) {
            return Err(IllegalMove::LineHolds(row, holds));
        }
        if board.wall().barred_colors(row, self.rules.wall) >> color.index() & 1 == 0 {
            return Ok(());
        }
        let has_color = Column::ALL
            .into_iter()
            .any(|column| board.wall().tile(row, column) == Some(Tile::Color(color)));
        Err(if has_color {
            IllegalMove::OnWall(row, color)
        } else {
            IllegalMove::JokerOnWall(row, color)
        })
    }

    fn check_place(&self, row: Row, column: Column) -> Result<(), IllegalMove> {
        let board = self.board(self.turn);
        if board.spaces_for(board.line(row), &self.rules) >> column.index() & 1 == 1 {
            return Ok(());
        }
        match board.line(row).color {
            Some(color) if board.wall().tile(row, column).is_none() => {
                debug_assert_eq!(self.rules.wall, WallKind::Grey);
                Err(IllegalMove::ColumnHolds(column, color))
            }
            _ => Err(IllegalMove::SpaceTaken(row, column)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_words_of_their_own() {
        let (row, color, column) = (Row::One, Color::Blue, Column::One);
        let reasons = [
            IllegalMove::GameOver,
            IllegalMove::DealDue,
            IllegalMove::WallChoiceDue { seat: Seat::One, row },
            IllegalMove::DraftDue,
            IllegalMove::NoSuchFactory(Source::Factory9),
            IllegalMove::SourceEmpty(Source::Center),
            IllegalMove::NotThere(Source::Center, Tile::Joker),
            IllegalMove::LineFull(row),
            IllegalMove::LineHolds(row, color),
            IllegalMove::OnWall(row, color),
            IllegalMove::JokerOnWall(row, color),
            IllegalMove::TooManyJokers { most: 1 },
            IllegalMove::OtherRow(row),
            IllegalMove::SpaceTaken(row, column),
            IllegalMove::ColumnHolds(column, color),
        ];
        let codes: std::collections::BTreeSet<_> = reasons.iter().map(IllegalMove::code).collect();
        assert_eq!(codes.len(), reasons.len());
        assert!(codes.iter().all(|code| code.chars().all(|c| c == '_' || c.is_ascii_lowercase())));
        assert!(!codes.contains(""));
    }
}
