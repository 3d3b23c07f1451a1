//! Legality of one move, with the reason if it is illegal.

use crate::legal::joker_choices;
use crate::moves::{Draft, Move};
use crate::names::{Color, Column, Destination, Row, Seat, Source, Tile};
use crate::position::{Phase, Position};
use crate::rules::WallKind;

reasons! {
    /// Why a move is illegal.
    ///
    /// ```
    /// use azulejo_rules::{IllegalMove, Position, Rules, Players, Seat};
    ///
    /// let position = Position::new(Rules::official(Players::Two), Seat::One);
    /// let error = position.check("3B2".parse()?).unwrap_err();
    /// assert_eq!(error, IllegalMove::DealDue);
    /// assert_eq!(error.to_string(), "the next round has not been dealt yet");
    /// # Ok::<(), azulejo_rules::ParseMoveError>(())
    /// ```
    #[non_exhaustive]
    IllegalMove {
        /// The game is over.
        GameOver => "the game is over";
        /// The next deal comes first.
        DealDue => "the next round has not been dealt yet";
        /// A wall space has to be chosen, not tiles.
        WallChoiceDue {
            /// Who has to choose.
            seat: Seat,
            /// For which line.
            row: Row,
        } => "seat {seat} has to choose a wall space for line {row} first";
        /// The seat has to draft tiles; there is no wall space to choose.
        DraftDue => "it is time to draft tiles, not to choose a wall space";
        /// The game has fewer factories.
        NoSuchFactory(source: Source) => "there is no {} in this game", source.describe();
        /// There is no tile; in the center the marker may lie, which cannot be taken alone.
        SourceEmpty(source: Source) => "{}", match source {
            Source::Center => "there is no tile in the center (the marker cannot be taken alone)"
                .to_owned(),
            factory => format!("{} is empty", factory.describe()),
        };
        /// The kind of tile is not at the source.
        NotThere(source: Source, tile: Tile) => "there is no {} tile {} {}",
            tile.name(), if source == Source::Center { "in" } else { "on" }, source.describe();
        /// The line has no room.
        LineFull(row: Row) => "line {row} is full";
        /// The line holds another color.
        LineHolds(row: Row, color: Color) => "line {row} already holds {} tiles", color.name();
        /// The wall has the color in the row of the line.
        OnWall(row: Row, color: Color) =>
            "row {row} of the wall already has a {} tile", color.name();
        /// A joker lies on the space of the color in the row of the line.
        JokerOnWall(row: Row, color: Color) =>
            "a joker lies on the {} space of row {row} of the wall", color.name();
        /// The line cannot take this number of extra jokers.
        TooManyJokers {
            /// The largest legal number.
            most: u32,
        } => "{}", match most {
            0 => "there is no choice of jokers here: leave the `j` out".to_owned(),
            _ => format!("the largest number after the `j` is {most} here"),
        };
        /// The choice is due for another row.
        OtherRow(row: Row) => "the choice is for line {row}";
        /// The space has a tile.
        SpaceTaken(row: Row, column: Column) =>
            "the wall space in row {row}, column {column} is taken";
        /// The column has the color of the line.
        ColumnHolds(column: Column, color: Color) =>
            "column {column} of the wall already has a {} tile", color.name();
    }
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
            (Phase::Tiling(due), Move::Place { row, .. }) if row != due => {
                Err(IllegalMove::OtherRow(due))
            }
            (Phase::Tiling(_), Move::Place { row, column }) => self.check_place(row, column),
            (Phase::Draft, Move::Place { .. }) => Err(IllegalMove::DraftDue),
            (Phase::Tiling(row), Move::Draft(_)) => {
                Err(IllegalMove::WallChoiceDue { seat: self.turn, row })
            }
            (Phase::Deal, _) => Err(IllegalMove::DealDue),
            (Phase::Over(_), _) => Err(IllegalMove::GameOver),
        }
    }

    /// Asks for the legal destinations; the reason is worked out only for a refusal.
    fn check_draft(&self, draft: Draft) -> Result<(), IllegalMove> {
        let Draft { source, pick, to, extra_jokers } = draft;
        let (pile, board) = (self.pile(source), self.board(self.turn));
        let colored = pick.color().map_or(0, |color| pile.count(color.into()));
        let jokers = if pick.has_jokers() { pile.count(Tile::Joker) } else { 0 };
        let is_there =
            (pick.color().is_none() || colored > 0) && (!pick.has_jokers() || jokers > 0);
        // A pick with a color obeys the test of its color (rule 7.4).
        let kind = pick.color().map_or(Tile::Joker, Tile::Color);
        if !is_there || !board.destinations(kind).contains(to) {
            return Err(self.why_not_drafted(draft));
        }
        let most = joker_choices(board.room(to), colored, jokers).len() as u32 - 1;
        if u32::from(extra_jokers) > most {
            return Err(IllegalMove::TooManyJokers { most });
        }
        Ok(())
    }

    /// The reason why a source does not hold a pick, or a line does not take it.
    #[cold]
    fn why_not_drafted(&self, draft: Draft) -> IllegalMove {
        let Draft { source, pick, to, .. } = draft;
        let (pile, board) = (self.pile(source), self.board(self.turn));
        if source.index() > self.rules.players.factories() {
            return IllegalMove::NoSuchFactory(source);
        }
        if pile.is_empty() {
            return IllegalMove::SourceEmpty(source);
        }
        let jokers = pick.has_jokers().then_some(Tile::Joker);
        let mut wanted = pick.color().map(Tile::Color).into_iter().chain(jokers);
        if let Some(tile) = wanted.find(|&tile| pile.count(tile) == 0) {
            return IllegalMove::NotThere(source, tile);
        }
        let Destination::Line(row) = to else { unreachable!("the floor takes everything") };
        let line = board.line(row);
        match (line.color, pick.color()) {
            (Some(holds), Some(color)) if !line.is_full() && holds != color => {
                IllegalMove::LineHolds(row, holds)
            }
            (_, Some(color)) if !line.is_full() => {
                let is_color = |(at, _, tile)| at == row && tile == Tile::Color(color);
                if board.wall().tiles().any(is_color) {
                    IllegalMove::OnWall(row, color)
                } else {
                    IllegalMove::JokerOnWall(row, color)
                }
            }
            _ => IllegalMove::LineFull(row),
        }
    }

    fn check_place(&self, row: Row, column: Column) -> Result<(), IllegalMove> {
        let board = self.board(self.turn);
        if board.spaces_for(board.line(row), &self.rules).contains(column) {
            return Ok(());
        }
        Err(match board.line(row).color {
            Some(color) if board.wall().tile(row, column).is_none() => {
                debug_assert_eq!(self.rules.wall, WallKind::Grey);
                IllegalMove::ColumnHolds(column, color)
            }
            _ => IllegalMove::SpaceTaken(row, column),
        })
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
