//! The hand-written evaluation, kept as a baseline: points that a good player would expect from each
//! board by itself.

use super::features::{TiledBoard, aim};
use super::network::POINT;
use azulejo_rules::{Board, Color, ColorBonus, Column, Line, Row, Rules};

/// What the unfinished lines and the wall of a tiled board should still bring, in units of
/// [`POINT`], without the score that it already has.
pub(super) fn board_value(tiled: &TiledBoard, rules: &Rules) -> i32 {
    if tiled.is_last_round {
        return 0;
    }
    let board = tiled.board;
    let lines: i32 =
        Row::ALL.into_iter().map(|row| line_value(board, board.line(row), rules)).sum();
    lines + bonus_prospects(board, rules) + neighbors(board)
}

/// The points of an unfinished line, scaled by the square of its filled share.
fn line_value(board: &Board, line: Line, rules: &Rules) -> i32 {
    if line.n_tiles == 0 {
        return 0;
    }
    let Some(column) = aim(board, line, rules) else { return 0 };
    let points = board.points_at(line.row, column, rules) as i32 + 1;
    // The square, because a line that lacks one tile will almost surely be finished, while a
    // bottom line with one tile mostly blocks its row.
    let (n_tiles, capacity) = (line.n_tiles as i32, line.row.capacity() as i32);
    points * POINT * n_tiles * n_tiles / (capacity * capacity)
}

/// A share of the bonus of each row, column and color, by how complete it is.
fn bonus_prospects(board: &Board, rules: &Rules) -> i32 {
    /// Percent of a bonus by the number of tiles placed.
    const SHARE: [i32; 6] = [0, 3, 10, 25, 55, 100];
    let wall = board.wall();
    let rows: i32 = Row::ALL.map(|row| SHARE[wall.row(row).len()]).iter().sum();
    let columns: i32 = Column::ALL.map(|column| SHARE[wall.column(column).len()]).iter().sum();
    let (colors, each) = match rules.color_bonus {
        ColorBonus::FiveOfColor(points) => {
            let share = |color: Color| SHARE[wall.count(color.into()).min(5) as usize];
            (Color::ALL.map(share).iter().sum::<i32>(), points)
        }
        ColorBonus::BottomRowTiles(points) => (100 * wall.row(Row::Five).len() as i32, points),
    };
    let bonus = rows * i32::from(rules.row_bonus)
        + columns * i32::from(rules.column_bonus)
        + colors * i32::from(each);
    bonus * POINT / 100
}

/// Tiles in the middle columns will have more neighbors.
fn neighbors(board: &Board) -> i32 {
    const WORTH: [i32; 5] = [0, 20, 32, 20, 0];
    let wall = board.wall();
    Column::ALL
        .into_iter()
        .map(|column| WORTH[column.index()] * wall.column(column).len() as i32)
        .sum()
}

/// The log odds of a win for a difference; a point counts more in the last round.
pub(super) fn log_odds(difference: i32, is_last_round: bool) -> i32 {
    // A point is about 0.1 of log odds in the middle of a game.
    let per_point = if is_last_round { 300 } else { 110 };
    difference.clamp(-100 * POINT, 100 * POINT) * per_point / POINT
}
