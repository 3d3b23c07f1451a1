//! Wall-tiling: what happens to the full lines of a board, from the top, and then to its floor.
//!
//! [`Board::full_line`] is the one place that knows where a full line can go.
//! [`Position::play`] applies it up to the first choice of a seat; [`Tilings`] applies every
//! choice and gives all boards that can come out.

use crate::board::{Board, Line};
use crate::names::{Column, Row, Seat};
use crate::position::{Phase, Position};
use crate::rules::{Rules, WallKind};
use crate::sets::ColumnSet;
use crate::step::Step;
use arrayvec::ArrayVec;

/// What wall-tiling does with a full line.
pub(crate) enum FullLine {
    /// One space takes its tile.
    Place(Line, Column),
    /// The seat chooses one of several spaces.
    Choose(Line, ColumnSet),
    /// No space takes it (grey wall): its tiles fall.
    Spill(Row),
}

impl Board {
    /// What wall-tiling does with a full line, after those above it.
    #[inline(always)]
    pub(crate) fn full_line(&self, row: Row, rules: &Rules) -> FullLine {
        let line = self.line(row);
        // On the colored wall a line with a color has one space, and it is free (rule 3.5).
        if let (WallKind::Colored, Some(color)) = (rules.wall, line.color) {
            let column = Rules::printed_column(row, color);
            if rules.jokers {
                return FullLine::Place(line, column);
            }
            // Constants that the compiler cannot know.
            let line = Line { row, color: Some(color), jokers: 0, n_tiles: row.capacity() };
            return FullLine::Place(line, column);
        }
        let spaces = self.spaces_for(line, rules);
        let mut columns = spaces.iter();
        match (columns.next(), columns.next()) {
            (None, _) => FullLine::Spill(row),
            (Some(column), None) => FullLine::Place(line, column),
            (Some(_), Some(_)) => FullLine::Choose(line, spaces),
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
    /// Boards that are tiled down to some row. Each of the five rows leaves at most four of them
    /// when one goes on.
    open: ArrayVec<Board, { 5 * 4 + 1 }>,
}

impl<'a> Tilings<'a> {
    fn new(board: &Board, tiling: Option<(bool, &'a Rules)>) -> Tilings<'a> {
        let mut open = ArrayVec::new();
        open.push(*board);
        Tilings { tiling, open }
    }
}

impl Iterator for Tilings<'_> {
    type Item = Board;

    fn next(&mut self) -> Option<Board> {
        let mut board = self.open.pop()?;
        let Some((holds_marker, rules)) = self.tiling else { return Some(board) };
        while let Some(row) = board.full_lines().first() {
            match board.full_line(row, rules) {
                FullLine::Place(line, column) => drop(board.place(line, column, rules)),
                FullLine::Spill(row) => drop(board.spill(row, holds_marker, rules)),
                FullLine::Choose(line, columns) => {
                    // The leftmost space comes last: evaluations that keep the first of equal
                    // boards, and so the fingerprint of the search, depend on this order.
                    let mut others = columns.iter();
                    let leftmost = others.next();
                    let next = others.next()?;
                    for column in leftmost.into_iter().chain(others.rev()) {
                        let mut other = board;
                        other.place(line, column, rules);
                        self.open.push(other);
                    }
                    board.place(line, next, rules);
                }
            }
        }
        board.clear_floor(holds_marker, rules);
        Some(board)
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
    pub(crate) fn tile_walls(&mut self, mut seat: Seat, report: &mut impl FnMut(Step)) {
        loop {
            for row in self.board(seat).full_lines() {
                match self.board(seat).full_line(row, &self.rules) {
                    FullLine::Place(line, column) => self.place(seat, line, column, report),
                    FullLine::Spill(row) => self.spill(seat, row, report),
                    FullLine::Choose(line, _) => {
                        self.phase = Phase::Tiling(line.row);
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
        report: &mut impl FnMut(Step),
    ) {
        let placed = self.boards[seat.index()].place(line, column, &self.rules);
        self.stock.lid += placed.to_lid;
        self.dry_rounds = 0;
        report(Step::Placed {
            seat,
            row: line.row,
            column,
            tile: placed.tile,
            horizontal: placed.horizontal,
            vertical: placed.vertical,
            points: placed.points,
            to_lid: placed.to_lid,
        });
    }

    fn spill(&mut self, seat: Seat, row: Row, report: &mut impl FnMut(Step)) {
        let holds_marker = self.marker == Some(seat);
        let board = &mut self.boards[seat.index()];
        let floor_before = board.floor();
        let to_lid = board.spill(row, holds_marker, &self.rules);
        let to_floor = board.floor() - floor_before;
        self.stock.lid += to_lid;
        report(Step::Spilled { seat, row, to_floor, to_lid });
    }

    #[inline]
    fn clear_floor(&mut self, seat: Seat, report: &mut impl FnMut(Step)) {
        let n_spaces = self.floor_spaces(seat);
        let holds_marker = self.marker == Some(seat);
        let board = &mut self.boards[seat.index()];
        let (loss, to_lid) = board.clear_floor(holds_marker, &self.rules);
        self.stock.lid += to_lid;
        report(Step::FloorCleared { seat, n_spaces, loss, score: board.score(), to_lid });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::preview::ProjectedRow;

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
