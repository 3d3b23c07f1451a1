//! The hand-written evaluation, kept as a yardstick: what a good player would say about a board,
//! in points. It looks at each board by itself.

use super::features::{TiledBoard, aim};
use super::network::POINT;
use azulejo_rules::{Board, Color, ColorBonus, Column, Line, Row, Rules};

/// What one line of a tiled board is worth, and what the wall promises, in units of [`POINT`],
/// beside the score that the board has already.
pub(super) fn board_value(tiled: &TiledBoard, rules: &Rules) -> i32 {
    if tiled.is_last_round {
        return 0;
    }
    let board = tiled.board;
    let lines: i32 =
        Row::ALL.into_iter().map(|row| line_value(board, board.line(row), rules)).sum();
    lines + bonus_prospects(board, rules) + neighbors(board)
}

/// A line that is begun will mostly be finished: its points, by how far it is.
fn line_value(board: &Board, line: Line, rules: &Rules) -> i32 {
    if line.n_tiles == 0 {
        return 0;
    }
    let Some(column) = aim(board, line, rules) else { return 0 };
    let points = board.points_at(line.row, column, rules) as i32 + 1;
    // Finishing takes one more draft, and a line that misses one tile is as good as done, while a
    // bottom line that is barely begun blocks more than it promises.
    let (n_tiles, capacity) = (line.n_tiles as i32, line.row.capacity() as i32);
    points * POINT * n_tiles * n_tiles / (capacity * capacity)
}

/// Rows, columns and colors count more the nearer they are to their bonus.
fn bonus_prospects(board: &Board, rules: &Rules) -> i32 {
    /// Percent of a bonus that so many tiles are worth.
    const SHARE: [i32; 6] = [0, 3, 10, 25, 55, 100];
    let wall = board.wall();
    let rows: i32 = Row::ALL.map(|row| SHARE[wall.row(row).count_ones() as usize]).iter().sum();
    let columns: i32 =
        Column::ALL.map(|column| SHARE[wall.column(column).count_ones() as usize]).iter().sum();
    let (colors, each) = match rules.color_bonus {
        ColorBonus::FiveOfColor(points) => {
            let share = |color: Color| SHARE[wall.count(color.into()).min(5) as usize];
            (Color::ALL.map(share).iter().sum::<i32>(), points)
        }
        ColorBonus::BottomRowTiles(points) => {
            (100 * wall.row(Row::Five).count_ones() as i32, points)
        }
    };
    let bonus = rows * i32::from(rules.row_bonus)
        + columns * i32::from(rules.column_bonus)
        + colors * i32::from(each);
    bonus * POINT / 100
}

/// Tiles in the middle columns meet more neighbors later.
fn neighbors(board: &Board) -> i32 {
    const WORTH: [i32; 5] = [0, 20, 32, 20, 0];
    let wall = board.wall();
    Column::ALL
        .into_iter()
        .map(|column| WORTH[column.index()] * wall.column(column).count_ones() as i32)
        .sum()
}

/// The log odds to win for a difference: a point counts more the nearer the end is.
pub(super) fn log_odds(difference: i32, is_last_round: bool) -> i32 {
    // One point is about 0.1 of log odds in the middle of a game.
    let per_point = if is_last_round { 300 } else { 110 };
    difference.clamp(-100 * POINT, 100 * POINT) * per_point / POINT
}
