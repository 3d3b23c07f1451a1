//! Wall-tiling: what happens to the full lines of a board, from the top, and then to its floor.
//!
//! [`Board::full_line`] is the one place that knows where a full line can go.
//! [`Position::play`] applies it up to the first choice of a seat; [`Tilings`] applies every
//! choice and gives all boards that can come out.

use crate::board::{Board, Line};
use crate::names::{Column, Row, Seat};
use crate::position::{Phase, Position};
use crate::preview::{ProjectedRow, Projection};
use crate::rules::{Rules, WallKind};
use crate::sets::ColumnSetIter;
use crate::step::Step;
use arrayvec::ArrayVec;

/// What wall-tiling does with a full line.
pub(crate) enum FullLine {
    /// The colored wall has one space for its color, which is free (rule 3.5).
    Printed(Line, Column),
    /// One space takes its tile.
    Only(Line, Column),
    /// The seat chooses one of several spaces: the leftmost or another.
    Choose(Line, Column, ColumnSetIter),
    /// No space takes it (grey wall): its tiles fall.
    Spill,
}

impl Board {
    /// What wall-tiling does with a full line, after those above it.
    #[inline(always)]
    pub(crate) fn full_line(&self, row: Row, rules: &Rules) -> FullLine {
        let mut line = self.line(row);
        if let (WallKind::Colored, Some(color)) = (rules.wall, line.color) {
            if !rules.jokers {
                // Constants that the compiler cannot know.
                line = Line { row, color: Some(color), jokers: 0, n_tiles: row.capacity() };
            }
            return FullLine::Printed(line, Rules::printed_column(row, color));
        }
        let mut others = self.spaces_for(line, rules).iter();
        match (others.next(), others.clone().next()) {
            (None, _) => FullLine::Spill,
            (Some(column), None) => FullLine::Only(line, column),
            (Some(leftmost), Some(_)) => FullLine::Choose(line, leftmost, others),
        }
    }

    /// All boards that can come out of wall-tiling, one for each way to choose spaces.
    #[must_use]
    pub fn tilings<'a>(&self, holds_marker: bool, rules: &'a Rules) -> Tilings<'a> {
        Tilings::new(self, Some((holds_marker, rules)))
    }
}

/// Iterator over the boards that can come out of wall-tiling; see [`Position::tilings`].
///
/// ```
/// use azulejo_rules::{BoardSetup, Phase, Players, Row, Rules, Seat, Setup, Source, WallKind};
///
/// // Line 3 is full, and on the grey wall its tile can go to each of five columns.
/// let board = BoardSetup::default().with_line(Row::Three, "YYY".parse()?);
/// let position = Setup::new(Rules::official(Players::Two).with_wall(WallKind::Grey))
///     .with_phase(Phase::Draft, Seat::Two)
///     .with_pile(Source::Center, "RR".parse()?)
///     .with_board(Seat::One, board)
///     .with_rest_in_bag()
///     .validate()?;
/// assert_eq!(position.tilings(Seat::One).count(), 5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Tilings<'a> {
    /// Whether the marker is held, and the rules; `None` if the seat has tiled already and its
    /// board comes out as it is.
    tiling: Option<(bool, &'a Rules)>,
    /// The board before wall-tiling, then each one that comes out.
    board: Board,
    /// How `board` came out.
    pub(crate) projection: Projection,
    has_started: bool,
    /// The choices with spaces left to try, from the top row.
    choices: ArrayVec<Choice, 5>,
}

/// A full line for which several spaces are free.
#[derive(Clone, Debug)]
struct Choice {
    before: Board,
    line: Line,
    leftmost: Column,
    /// The other spaces that have not been tried.
    others: ColumnSetIter,
}

impl<'a> Tilings<'a> {
    #[inline]
    fn new(board: &Board, tiling: Option<(bool, &'a Rules)>) -> Tilings<'a> {
        let projection = Projection { rows: [None; 5], loss: 0, score: board.score() };
        let choices = ArrayVec::new();
        Tilings { tiling, board: *board, projection, has_started: false, choices }
    }

    /// Tiles the board in the next way; `false` if there is none left.
    #[inline]
    pub(crate) fn advance(&mut self) -> bool {
        if std::mem::replace(&mut self.has_started, true) && self.choices.is_empty() {
            return false;
        }
        let Some((holds_marker, rules)) = self.tiling else { return true };
        if !self.choices.is_empty() {
            self.choose(rules);
        }
        while let Some(row) = self.board.full_lines().first() {
            match self.board.full_line(row, rules) {
                FullLine::Printed(line, column) | FullLine::Only(line, column) => {
                    self.place(line, column, rules);
                }
                FullLine::Choose(line, leftmost, others) => {
                    self.choices.push(Choice { before: self.board, line, leftmost, others });
                    self.choose(rules);
                }
                FullLine::Spill => {
                    self.board.spill(row, holds_marker, rules);
                    let fallen = ProjectedRow { column: None, points: 0 };
                    self.projection.rows[row.index()] = Some(fallen);
                }
            }
        }
        (self.projection.loss, _) = self.board.clear_floor(holds_marker, rules);
        self.projection.score = self.board.score();
        true
    }

    /// Goes on from the last choice with its next space. The leftmost space comes last:
    /// evaluations that keep the first of equal boards, and so the fingerprint of the search,
    /// depend on this order.
    fn choose(&mut self, rules: &Rules) {
        let Some(choice) = self.choices.last_mut() else { return };
        self.board = choice.before;
        let (line, other) = (choice.line, choice.others.next());
        let column = other.unwrap_or(choice.leftmost);
        if other.is_none() {
            self.choices.pop();
        }
        self.place(line, column, rules);
    }

    /// The rows above are as they were at the choice, and those below are tiled again.
    #[inline(always)]
    fn place(&mut self, line: Line, column: Column, rules: &Rules) {
        let points = self.board.place(line, column, rules).points;
        let row = ProjectedRow { column: Some(column), points };
        self.projection.rows[line.row.index()] = Some(row);
    }
}

impl Iterator for Tilings<'_> {
    type Item = Board;

    #[inline]
    fn next(&mut self) -> Option<Board> {
        self.advance().then_some(self.board)
    }
}

impl Position {
    /// All boards of a seat that can come out of wall-tiling if the round ended now, one for each
    /// way to choose spaces. After its wall-tiling, a seat's board is the only one.
    #[must_use]
    pub fn tilings(&self, seat: Seat) -> Tilings<'_> {
        let tiling = (self.marker == Some(seat), &self.rules);
        Tilings::new(self.board(seat), self.has_tiling_ahead(seat).then_some(tiling))
    }

    /// Whether wall-tiling of this round is not over for a seat.
    pub(crate) fn has_tiling_ahead(&self, seat: Seat) -> bool {
        match self.phase {
            Phase::Draft => true,
            Phase::Tiling(_) => seat == self.turn || self.tiles_later(seat),
            Phase::Deal | Phase::Over(_) => false,
        }
    }

    /// Tiles the walls from a seat on: seats in turn from the round's starter, lines from the top,
    /// then the floor. Stops where the seat has a choice.
    pub(crate) fn tile_walls(&mut self, mut seat: Seat, report: &mut impl FnMut(&Position, Step)) {
        loop {
            for row in self.board(seat).full_lines() {
                match self.board(seat).full_line(row, &self.rules) {
                    FullLine::Printed(line, column) => self.place(seat, line, column, report),
                    // Not merged with the case above, which compiles to less.
                    FullLine::Only(line, column) => self.place(seat, line, column, report),
                    FullLine::Spill => self.spill(seat, row, report),
                    FullLine::Choose(..) => {
                        self.phase = Phase::Tiling(row);
                        self.turn = seat;
                        return;
                    }
                }
            }
            self.clear_floor(seat, report);
            seat = self.rules.players.next(seat);
            if seat == self.starter {
                break;
            }
        }
        self.finish_round(report);
    }

    #[inline(always)]
    pub(crate) fn place(
        &mut self,
        seat: Seat,
        line: Line,
        column: Column,
        report: &mut impl FnMut(&Position, Step),
    ) {
        let placed = self.boards[seat.index()].place(line, column, &self.rules);
        self.stock.lid += placed.to_lid;
        self.dry_rounds = 0;
        let step = Step::Placed {
            seat,
            row: line.row,
            column,
            tile: placed.tile,
            horizontal: placed.horizontal,
            vertical: placed.vertical,
            points: placed.points,
            to_lid: placed.to_lid,
        };
        report(self, step);
    }

    fn spill(&mut self, seat: Seat, row: Row, report: &mut impl FnMut(&Position, Step)) {
        let holds_marker = self.marker == Some(seat);
        let board = &mut self.boards[seat.index()];
        let floor_before = board.floor();
        let to_lid = board.spill(row, holds_marker, &self.rules);
        let to_floor = board.floor() - floor_before;
        self.stock.lid += to_lid;
        report(self, Step::Spilled { seat, row, to_floor, to_lid });
    }

    #[inline]
    fn clear_floor(&mut self, seat: Seat, report: &mut impl FnMut(&Position, Step)) {
        let n_spaces = self.floor_spaces(seat);
        let holds_marker = self.marker == Some(seat);
        let board = &mut self.boards[seat.index()];
        let (loss, to_lid) = board.clear_floor(holds_marker, &self.rules);
        let score = board.score();
        self.stock.lid += to_lid;
        report(self, Step::FloorCleared { seat, n_spaces, loss, score, to_lid });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seat_that_has_tiled_pays_no_more() {
        // Seat 1 started, has tiled and holds the marker; seat 2 chooses.
        let text = "az1_2g_w2r3_3s1_.-.-.-.-._._rest_._9~.-..-...-....-.....~B....-.....-.....-.....-.....~1_4~.-..-YYY-....-RRR..~.....-.....-.....-.....-.....~KK";
        let position: Position = text.parse().unwrap();
        let done = position.projection(Seat::One);
        assert_eq!((done.loss, done.score, done.rows), (0, 9, [None; 5]));
        let ways: Vec<Board> = position.tilings(Seat::One).collect();
        assert_eq!(ways, [*position.board(Seat::One)]);
        let ways: Vec<Board> = position.tilings(Seat::Two).collect();
        assert!(ways.iter().all(|board| board.score() == 3 && board.wall().n_tiles() == 1));
        let columns: Vec<_> = ways.iter().map(|way| way.wall().row(Row::Three).bits()).collect();
        assert_eq!(columns, [0b00010, 0b00100, 0b01000, 0b10000, 0b00001]);
        let choosing = position.projection(Seat::Two);
        let row = ProjectedRow { column: Some(Column::One), points: 1 };
        assert_eq!((choosing.loss, choosing.score, choosing.rows[2]), (2, 3, Some(row)));
    }
}
