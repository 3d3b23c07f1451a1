//! What a player wants to know before deciding: the score if the round ended now, and what a
//! move would do.

use crate::board::Board;
use crate::check::IllegalMove;
use crate::moves::Move;
use crate::names::{Column, Destination, Row, Seat};
use crate::position::{Phase, Position};
use crate::rules::Rules;
use crate::step::Step;
use crate::tiles::Tiles;

/// What a full line will bring in wall-tiling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProjectedRow {
    /// Where its tile will go; `None` if no space takes it and the line will fall.
    pub column: Option<Column>,
    /// The points for it.
    pub points: u32,
}

/// A seat's score if the round ended now. Where the seat will have a choice, the projection is of
/// the choices that give the best score for this round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Projection {
    /// The lines that are full now, by row.
    pub rows: [Option<ProjectedRow>; 5],
    /// What the floor will cost.
    pub loss: u16,
    /// The score after it, without bonuses.
    pub score: u16,
}

impl Projection {
    /// The points of all placements.
    #[must_use]
    pub fn points(&self) -> u32 {
        self.rows.iter().flatten().map(|row| row.points).sum()
    }
}

/// What a move would do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preview {
    /// Who would play it.
    pub seat: Seat,
    /// The move's own step: [`Step::Drafted`] or [`Step::Placed`].
    pub step: Step,
    /// Whether a line would become full.
    pub completes_line: bool,
    /// The mover's projection before the move.
    pub before: Projection,
    /// The mover's projection after it (and before anybody else moves).
    pub after: Projection,
}

impl Preview {
    /// The change in the mover's projected score.
    #[must_use]
    pub fn change(&self) -> i32 {
        i32::from(self.after.score) - i32::from(self.before.score)
    }

    /// What the line that tiles would go to is going to score, if it is full then.
    #[must_use]
    pub fn line(&self) -> Option<ProjectedRow> {
        match self.step {
            Step::Drafted { to: Destination::Line(row), .. } => self.after.rows[row.index()],
            _ => None,
        }
    }
}

impl Position {
    /// A seat's score if the round ended now.
    #[must_use]
    pub fn projection(&self, seat: Seat) -> Projection {
        if !self.has_tiling_ahead(seat) {
            return Projection { rows: [None; 5], loss: 0, score: self.board(seat).score() };
        }
        let holds_marker = self.marker == Some(seat);
        best_tiling(self.board(seat), holds_marker, &self.rules)
    }

    /// Calls `visit` with a seat's board as it would be after wall-tiling if the round ended now,
    /// once for every way to tile it.
    pub fn each_tiling(&self, seat: Seat, mut visit: impl FnMut(&Board)) {
        if self.has_tiling_ahead(seat) {
            self.board(seat).each_tiling(self.marker == Some(seat), &self.rules, visit);
        } else {
            visit(self.board(seat));
        }
    }

    /// Whether wall-tiling of this round is not over for a seat.
    fn has_tiling_ahead(&self, seat: Seat) -> bool {
        match self.phase {
            Phase::Draft => true,
            Phase::Tiling(_) => seat == self.turn || self.tiles_later(seat),
            Phase::Deal | Phase::Over(_) => false,
        }
    }

    /// What a move would do.
    ///
    /// # Errors
    /// If the move is illegal.
    pub fn preview(&self, m: Move) -> Result<Preview, IllegalMove> {
        self.check(m)?;
        let seat = self.turn;
        let mut first = None;
        let mut next = *self;
        next.take_turn(m, &mut |step| first = first.or(Some(step)));
        let full_before = self.board(seat).full_lines();
        Ok(Preview {
            seat,
            step: first.expect("every move reports itself"),
            completes_line: next.board(seat).full_lines() & !full_before != 0,
            before: self.projection(seat),
            after: next.projection(seat),
        })
    }
}

/// Tries all ways to tile and keeps the one with the best score.
fn best_tiling(board: &Board, holds_marker: bool, rules: &Rules) -> Projection {
    let Some(row) = first_full_row(board) else {
        let mut board = *board;
        let (loss, _) = board.clear_floor(holds_marker, rules);
        return Projection { rows: [None; 5], loss, score: board.score() };
    };
    let spaces = board.spaces_for(board.line(row), rules);
    let columns = Column::ALL.into_iter().filter(|column| spaces >> column.index() & 1 == 1);
    let placements = columns.map(|column| {
        let mut next = *board;
        let points = next.place(board.line(row), column, rules).points;
        let mut projection = best_tiling(&next, holds_marker, rules);
        projection.rows[row.index()] = Some(ProjectedRow { column: Some(column), points });
        projection
    });
    // The first of the best: equal ones keep to the left.
    let best = placements.reduce(|a, b| if b.score > a.score { b } else { a });
    best.unwrap_or_else(|| {
        let mut next = *board;
        let _: Tiles = next.spill(row, holds_marker, rules);
        let mut projection = best_tiling(&next, holds_marker, rules);
        projection.rows[row.index()] = Some(ProjectedRow { column: None, points: 0 });
        projection
    })
}

impl Board {
    /// Calls `visit` with the board as it would be after wall-tiling, once for every way to tile it.
    pub fn each_tiling(&self, holds_marker: bool, rules: &Rules, mut visit: impl FnMut(&Board)) {
        tile_each_way(*self, holds_marker, rules, &mut visit);
    }
}

fn tile_each_way(
    mut board: Board,
    holds_marker: bool,
    rules: &Rules,
    visit: &mut impl FnMut(&Board),
) {
    while let Some(row) = first_full_row(&board) {
        let line = board.line(row);
        let spaces = board.spaces_for(line, rules);
        let mut columns =
            Column::ALL.into_iter().filter(|column| spaces >> column.index() & 1 == 1);
        let Some(first) = columns.next() else {
            board.spill(row, holds_marker, rules);
            continue;
        };
        for column in columns {
            let mut other = board;
            other.place(line, column, rules);
            tile_each_way(other, holds_marker, rules, visit);
        }
        board.place(line, first, rules);
    }
    board.clear_floor(holds_marker, rules);
    visit(&board);
}

/// The next line to tile. Lines above it are not full any more.
fn first_full_row(board: &Board) -> Option<Row> {
    Row::from_index(board.full_lines().trailing_zeros() as usize)
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
        let choosing = position.projection(Seat::Two);
        let mut ways = Vec::new();
        position.each_tiling(Seat::One, |board| ways.push(*board));
        assert_eq!(ways, [*position.board(Seat::One)]);
        position.each_tiling(Seat::Two, |board| ways.push(*board));
        assert_eq!(ways.len(), 1 + 5);
        assert!(ways[1..].iter().all(|board| board.score() == 3 && board.wall().n_tiles() == 1));
        let row = ProjectedRow { column: Some(Column::One), points: 1 };
        assert_eq!((choosing.loss, choosing.score, choosing.rows[2]), (2, 3, Some(row)));
    }
}
