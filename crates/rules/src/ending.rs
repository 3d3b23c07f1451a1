//! The end of a game: why it ended, bonuses, and who won.

use crate::board::Board;
use crate::names::{Row, Seat};
use crate::position::Position;
use crate::rules::{ColorBonus, Rules};
use arrayvec::ArrayVec;
use std::fmt;

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EndedBy {
    /// A wall has a full row.
    Row,
    /// No tiles are left to deal.
    NoTiles,
    /// No tile left to deal fits on any line of any board.
    DeadPosition,
    /// Too many rounds in a row without a placement.
    Stall,
}

named! {
    EndedBy, ParseEndedByError, |_| ParseEndedByError,
    Row = "row", NoTiles = "no_tiles", DeadPosition = "dead_position", Stall = "stall",
}

impl EndedBy {
    /// A sentence for people, without its full stop.
    #[must_use]
    pub const fn describe(self) -> &'static str {
        match self {
            EndedBy::Row => "a row is complete",
            EndedBy::NoTiles => "no tile is left to deal",
            EndedBy::DeadPosition => "no tile that is left fits on any line",
            EndedBy::Stall => "no tile has reached a wall for too many rounds",
        }
    }
}

/// A text that is not the name of a reason why games end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ParseEndedByError;

impl fmt::Display for ParseEndedByError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected one of {}", EndedBy::ALL.map(EndedBy::name).join(", "))
    }
}

impl std::error::Error for ParseEndedByError {}

/// The bonuses of a wall: how often each was reached, and its points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Bonuses {
    /// Full rows.
    pub rows: u32,
    /// Full columns.
    pub columns: u32,
    /// Complete colors, or tiles in the bottom row, by the rule `color_bonus`.
    pub colors: u32,
    /// Points for the rows.
    pub row_points: u16,
    /// Points for the columns.
    pub column_points: u16,
    /// Points for the colors.
    pub color_points: u16,
}

impl Bonuses {
    /// The bonuses of a board as it is now.
    #[must_use]
    pub fn of(board: &Board, rules: &Rules) -> Bonuses {
        let wall = board.wall();
        let (rows, columns) = (wall.full_rows(), wall.full_columns());
        let (colors, each) = match rules.color_bonus {
            ColorBonus::FiveOfColor(points) => (wall.full_colors(), points),
            ColorBonus::BottomRowTiles(points) => (wall.row(Row::Five).len() as u32, points),
        };
        Bonuses {
            rows,
            columns,
            colors,
            row_points: rows as u16 * u16::from(rules.row_bonus),
            column_points: columns as u16 * u16::from(rules.column_bonus),
            color_points: colors as u16 * u16::from(each),
        }
    }

    /// All points together.
    #[must_use]
    pub const fn total(&self) -> u16 {
        self.row_points + self.column_points + self.color_points
    }
}

/// The result of a finished game.
///
/// ```
/// use azulejo_rules::{EndedBy, Position, Seat};
///
/// let position: Position = "az1_2c_xrow_6s1i0_.-.-.-.-._1_B8Y9R10K10W8_B6Y5R5K3W4_\
///     0~.-..-K..-WW..-.....~BYR.W-.BYRK-..BY.-....Y-...W.~._\
///     2~.-K.-WW.-KKK.-.....~BYRKW-WBYR.-.....-R....-....B~.".parse()?;
/// let outcome = position.outcome().expect("the game is over");
/// assert_eq!((outcome.by, outcome.scores.as_slice()), (EndedBy::Row, &[0, 2][..]));
/// assert_eq!(outcome.bonuses[Seat::Two.index()].rows, 1);
/// assert!(outcome.winners().eq([Seat::Two]));
/// # Ok::<(), azulejo_rules::ParsePositionError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// Why it ended.
    pub by: EndedBy,
    /// Final scores by seat.
    pub scores: ArrayVec<u16, 4>,
    /// The bonuses in them.
    pub bonuses: ArrayVec<Bonuses, 4>,
    /// The rank of each seat from 1; equal ones share a rank.
    pub ranks: ArrayVec<u8, 4>,
}

impl Outcome {
    /// The seats of rank 1; several share the victory.
    pub fn winners(&self) -> impl Iterator<Item = Seat> {
        Seat::ALL.into_iter().zip(&self.ranks).filter(|&(_, &rank)| rank == 1).map(|(seat, _)| seat)
    }
}

impl Position {
    /// The result, if the game is over.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        let by = self.ended_by()?;
        let standing = |board: &Board| (board.score(), board.wall().full_rows());
        let ranks = self.boards().iter().map(|board| {
            1 + self.boards().iter().filter(|other| standing(other) > standing(board)).count() as u8
        });
        Some(Outcome {
            by,
            scores: self.boards().iter().map(Board::score).collect(),
            bonuses: self.boards().iter().map(|board| Bonuses::of(board, self.rules())).collect(),
            ranks: ranks.collect(),
        })
    }

    /// Why the game ends now that all walls are tiled: the first reason that holds (rules 5.1, 5.6).
    #[inline]
    pub(crate) fn end_after_tiling(&self) -> Option<EndedBy> {
        let has_full_row = |any, board: &Board| any | board.wall().has_full_row();
        if self.boards().iter().fold(false, has_full_row) {
            Some(EndedBy::Row)
        } else if self.stock().deal_size(self.rules()) == 0 {
            Some(EndedBy::NoTiles)
        } else if self.is_dead() {
            Some(EndedBy::DeadPosition)
        } else if self.rules().stall_rounds > 0 && self.dry_rounds() >= self.rules().stall_rounds {
            Some(EndedBy::Stall)
        } else {
            None
        }
    }

    /// Whether no tile of bag or lid fits on any line of any board.
    #[inline]
    pub(crate) fn is_dead(&self) -> bool {
        let left = self.stock().bag + self.stock().lid;
        let fitting = self.boards().iter().fold(0, |kinds, board| kinds | board.fitting_kinds());
        left.kinds() & fitting == 0
    }
}
