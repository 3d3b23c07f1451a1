//! Draws a position for a person: factories, center, bag and lid, and all boards side by side.
//!
//! Every tile is a letter on its color, so that nothing depends on color alone. Free spaces of the
//! colored wall show their letter in lower case.

use crate::words;
use anstyle::{Ansi256Color, Color as TermColor, Style};
use azulejo_rules::{
    Board, Bonuses, Color, Column, FloorPenalties, Outcome, Phase, Position, Row, Rules, Seat,
    Source, Tile, Tiles, WallKind,
};
use std::fmt::Write;

/// A tile or a free space is so many columns wide.
const CELL: usize = 3;
/// A board: five cells of lines, an arrow, five cells of wall.
const BOARD_WIDTH: usize = 5 * CELL + 3 + 5 * CELL;
const GAP: usize = 5;
/// A factory: its number and four cells.
const FACTORY_WIDTH: usize = 3 + 4 * CELL;

/// The picture, with colors, for a screen of so many columns.
pub(crate) fn picture(position: &Position, width: usize) -> String {
    let mut lines =
        vec![format!("{} - {}", words::phase(position), words::rules(position.rules()))];
    lines.push(String::new());
    lines.extend(table(position, width));
    lines.push(String::new());
    let per_row = ((width + GAP) / (BOARD_WIDTH + GAP)).clamp(1, position.boards().len());
    for seats in position.rules().players.seats().chunks(per_row) {
        let boards: Vec<_> = seats.iter().map(|&seat| board(position, seat)).collect();
        for i in 0..boards[0].len() {
            let row: Vec<_> = boards.iter().map(|board| board[i].as_str()).collect();
            lines.push(row.join(&" ".repeat(GAP)));
        }
        lines.push(String::new());
    }
    if let Some(outcome) = position.outcome() {
        lines.extend(result(&outcome, position.rules()));
    } else {
        lines.pop();
    }
    lines.iter().map(|line| line.trim_end().to_owned() + "\n").collect()
}

/// The factories, the center, the bag and the lid.
fn table(position: &Position, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    if position.phase() == Phase::Draft {
        let per_row = (width / (FACTORY_WIDTH + 2)).max(1);
        let factories: Vec<_> = position.factories().collect();
        for row in factories.chunks(per_row) {
            let drawn = row.iter().map(|&(factory, tiles)| {
                let used = CELL * tiles.total() as usize;
                let free = CELL * 4 - used;
                format!("{factory}: {}{:free$}", cells(tiles), "")
            });
            lines.push(drawn.collect::<Vec<_>>().join("  "));
        }
        let marker = if position.marker().is_none() { marker() } else { String::new() };
        lines.push(format!("0: {marker}{}  (center)", cells(position.pile(Source::Center))));
        lines.push(String::new());
    }
    let stock = position.stock();
    lines.push(format!("Bag {}   Lid {}", counts(stock.bag), counts(stock.lid)));
    lines
}

fn counts(tiles: Tiles) -> String {
    let mut text = tiles.total().to_string();
    for (i, (tile, n)) in tiles.iter().enumerate() {
        let _ = write!(text, "{}{n} {}", if i == 0 { ": " } else { ", " }, tile.name());
    }
    text
}

/// A board in lines of the same visible width.
fn board(position: &Position, seat: Seat) -> Vec<String> {
    let board = position.board(seat);
    let mut lines = vec![header(position, seat)];
    lines.extend(Row::ALL.map(|row| {
        format!(
            "{}{}{}",
            pattern_line(board, row),
            arrow(board, row),
            wall_row(board, row, position.rules())
        )
    }));
    lines.extend(floor(position, seat));
    lines
}

fn header(position: &Position, seat: Seat) -> String {
    let is_due =
        matches!(position.phase(), Phase::Draft | Phase::Tiling(_)) && position.turn() == seat;
    let name = format!("{} Seat {seat}", if is_due { ">" } else { " " });
    let score = position.board(seat).score();
    let projected = position.projection(seat).score;
    let points = match position.phase() {
        Phase::Draft | Phase::Tiling(_) => format!("{score} points -> {projected}"),
        _ => format!("{score} points"),
    };
    let style = if is_due { Style::new().bold().underline() } else { Style::new().bold() };
    let free = BOARD_WIDTH - name.len() - points.len();
    format!("{style}{name}{style:#}{:free$}{points}", "")
}

fn pattern_line(board: &Board, row: Row) -> String {
    let line = board.line(row);
    let outside = CELL * (5 - row.capacity() as usize);
    let free = " . ".repeat(line.room() as usize);
    // Lines fill from the right, next to the wall.
    format!("{:outside$}{}{}", "", dim(&free), cells(line.tiles()))
}

fn arrow(board: &Board, row: Row) -> &'static str {
    if board.line(row).is_full() { " > " } else { " | " }
}

fn wall_row(board: &Board, row: Row, rules: &Rules) -> String {
    let space = |column| match (board.wall().tile(row, column), rules.wall) {
        (Some(tile), _) => cell(tile),
        (None, WallKind::Colored) => {
            let printed = Rules::printed_color(row, column);
            faint(printed)
        }
        (None, WallKind::Grey) => dim(" . "),
    };
    Column::ALL.map(space).concat()
}

fn floor(position: &Position, seat: Seat) -> [String; 2] {
    let penalties = position.rules().floor_penalties.each();
    let costs: String = penalties.iter().map(|n| format!(" -{n}")).collect();
    let holds_marker = position.marker() == Some(seat);
    let tiles = position.board(seat).floor();
    let mut drawn = if holds_marker { marker() } else { String::new() };
    drawn += &cells(tiles);
    let n_spaces = tiles.total() as usize + usize::from(holds_marker);
    let free = FloorPenalties::SPACES.saturating_sub(n_spaces);
    drawn += &dim(&" . ".repeat(free));
    // A marker beside seven tiles takes an eighth place.
    let rest = BOARD_WIDTH - 7 - CELL * n_spaces.max(FloorPenalties::SPACES);
    let pad = BOARD_WIDTH - 7 - costs.len();
    [format!("{:7}{}{:pad$}", "", dim(&costs), ""), format!("Floor: {drawn}{:rest$}", "")]
}

fn result(outcome: &Outcome, rules: &Rules) -> Vec<String> {
    let mut lines = vec![words::winners(outcome)];
    let rows = outcome.ranks.iter().zip(&outcome.scores).zip(&outcome.bonuses);
    for (((rank, score), bonuses), seat) in rows.zip(Seat::ALL) {
        let extra: &Bonuses = bonuses;
        let bonuses = words::bonuses(extra, rules);
        let bonuses = if bonuses.is_empty() { bonuses } else { format!("  ({bonuses})") };
        lines.push(format!("  {rank}. seat {seat}  {score:>3} points{bonuses}"));
    }
    lines
}

fn cells(tiles: Tiles) -> String {
    tiles.each().map(cell).collect()
}

fn cell(tile: Tile) -> String {
    let style = tile_style(tile);
    format!("{style} {tile} {style:#}")
}

fn marker() -> String {
    let style = Style::new().bold().invert();
    format!("{style} 1 {style:#}")
}

/// A free space of the colored wall.
fn faint(printed: Color) -> String {
    let style = Style::new().fg_color(Some(background(printed.into())));
    format!("{style} {} {style:#}", printed.letter().to_ascii_lowercase())
}

fn dim(text: &str) -> String {
    let style = Style::new().dimmed();
    format!("{style}{text}{style:#}")
}

fn tile_style(tile: Tile) -> Style {
    let ink = match tile {
        Tile::Color(Color::Yellow | Color::White) => 16,
        _ => 231,
    };
    let ink = TermColor::Ansi256(Ansi256Color(ink));
    Style::new().bold().fg_color(Some(ink)).bg_color(Some(background(tile)))
}

fn background(tile: Tile) -> TermColor {
    TermColor::Ansi256(Ansi256Color(match tile {
        Tile::Color(Color::Blue) => 26,
        Tile::Color(Color::Yellow) => 220,
        Tile::Color(Color::Red) => 160,
        Tile::Color(Color::Black) => 240,
        Tile::Color(Color::White) => 159,
        Tile::Joker => 91,
    }))
}
