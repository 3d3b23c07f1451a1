//! A position as an SVG picture: factories, center, bag and lid, and the boards side by side. It needs
//! no style sheet, font file or script, so it can be shown wherever pictures can.

use azulejo_rules::{
    Column, Destination, FloorPenalties, Phase, Position, Row, Rules, Seat, Source, Tile, Tiles,
    WallKind,
};
use azulejo_words::{self as words, Names};
use std::fmt::Write;

/// The side of a tile.
const TILE: i32 = 22;
/// The distance from one tile to the next.
const STEP: i32 = TILE + 3;
const MARGIN: i32 = 14;
/// The distance from one factory to the next.
const FACTORY: i32 = 84;
/// Five cells of lines, an arrow, five cells of wall.
const BOARD_WIDTH: i32 = 10 * STEP + 18;
const BOARD_GAP: i32 = 26;
const BOARD_HEIGHT: i32 = 24 + 5 * STEP + 46;
const HEAD: i32 = 34;

/// Draws a position as an SVG document.
///
/// ```
/// use azulejo_rules::{Players, Position, Rules, Seat};
///
/// let svg = azulejo_draw::svg(&Position::new(Rules::official(Players::Two), Seat::One));
/// assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
/// ```
#[must_use]
pub fn svg(position: &Position) -> String {
    let n_factories = position.rules().players().factories() as i32;
    let n_boards = position.boards().len() as i32;
    let per_row = if n_boards == 4 { 2 } else { n_boards };
    let n_rows = (n_boards + per_row - 1) / per_row;
    let width = (n_factories * FACTORY).max(per_row * (BOARD_WIDTH + BOARD_GAP) - BOARD_GAP);
    let boards_top = HEAD + 2 * FACTORY + 24;
    let height = boards_top + n_rows * BOARD_HEIGHT;
    let mut picture = Picture { text: String::new() };
    picture.open(width + 2 * MARGIN, height + MARGIN, position);
    picture.label(MARGIN, 22, 14, "start", &words::phase(position, Names::Numbers));
    picture.table(position, n_factories);
    for (i, &seat) in position.rules().players().seats().iter().enumerate() {
        let (row, column) = (i as i32 / per_row, i as i32 % per_row);
        let left = MARGIN + column * (BOARD_WIDTH + BOARD_GAP);
        picture.board(position, seat, left, boards_top + row * BOARD_HEIGHT);
    }
    picture.text.push_str("</svg>\n");
    picture.text
}

/// The document so far.
struct Picture {
    text: String,
}

impl Picture {
    fn open(&mut self, width: i32, height: i32, position: &Position) {
        let title = words::phase(position, Names::Numbers);
        self.put(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             width=\"{width}\" height=\"{height}\" role=\"img\" font-family=\"sans-serif\">\n\
             <title>{title}</title>\n\
             <rect width=\"{width}\" height=\"{height}\" rx=\"8\" fill=\"#f6f1e7\"/>\n"
        ));
    }

    fn put(&mut self, text: std::fmt::Arguments<'_>) {
        self.text.write_fmt(text).expect("writing to a string does not fail");
    }

    fn label(&mut self, x: i32, y: i32, size: i32, anchor: &str, text: &str) {
        self.put(format_args!(
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" text-anchor=\"{anchor}\" \
             fill=\"#2b2b2b\">{text}</text>\n"
        ));
    }

    /// A tile: its letter on its color, in a frame with cut corners like a glazed tile.
    fn tile(&mut self, x: i32, y: i32, tile: Tile) {
        let (fill, ink) = colors(tile);
        self.square(x, y, fill, "#4a4a4a", "");
        let (middle_x, middle_y, r) = (x + TILE / 2, y + TILE / 2, TILE / 2 - 3);
        let corners = [
            (middle_x, middle_y - r),
            (middle_x + r, middle_y),
            (middle_x, middle_y + r),
            (middle_x - r, middle_y),
        ];
        let points = corners.map(|(x, y)| format!("{x},{y}")).join(" ");
        self.put(format_args!(
            "<polygon points=\"{points}\" fill=\"none\" stroke=\"{ink}\" stroke-opacity=\"0.45\"/>\n"
        ));
        self.letter(x, y, ink, "bold", tile.letter());
    }

    fn letter(&mut self, x: i32, y: i32, ink: &str, weight: &str, letter: char) {
        let (x, y) = (x + TILE / 2, y + TILE / 2 + 4);
        self.put(format_args!(
            "<text x=\"{x}\" y=\"{y}\" font-size=\"12\" font-weight=\"{weight}\" \
             text-anchor=\"middle\" fill=\"{ink}\">{letter}</text>\n"
        ));
    }

    fn square(&mut self, x: i32, y: i32, fill: &str, stroke: &str, more: &str) {
        self.put(format_args!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{TILE}\" height=\"{TILE}\" rx=\"3\" \
             fill=\"{fill}\" stroke=\"{stroke}\"{more}/>\n"
        ));
    }

    /// A free space; of the colored wall with the letter of its color.
    fn space(&mut self, x: i32, y: i32, printed: Option<Tile>) {
        match printed {
            None => self.square(x, y, "#ffffff", "#c9bfa9", ""),
            Some(tile) => {
                let (fill, _) = colors(tile);
                self.square(x, y, fill, "#c9bfa9", " fill-opacity=\"0.18\"");
                self.letter(x, y, "#8d8471", "normal", tile.letter().to_ascii_lowercase());
            }
        }
    }

    fn marker(&mut self, x: i32, y: i32) {
        self.square(x, y, "#fffdf5", "#2b2b2b", " stroke-width=\"2\"");
        self.letter(x, y, "#2b2b2b", "bold", '1');
    }

    fn tiles(&mut self, x: i32, y: i32, tiles: Tiles) -> i32 {
        let mut next = x;
        for tile in tiles.each() {
            self.tile(next, y, tile);
            next += STEP;
        }
        next
    }

    /// Factories, center, bag and lid.
    fn table(&mut self, position: &Position, n_factories: i32) {
        for ((factory, tiles), i) in position.factories().zip(0..n_factories) {
            let (x, y) = (MARGIN + i * FACTORY + FACTORY / 2, HEAD + FACTORY / 2);
            self.put(format_args!(
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"38\" fill=\"#e8dfcc\" stroke=\"#c9bfa9\"/>\n"
            ));
            for (tile, n) in tiles.each().zip(0..) {
                self.tile(x - STEP + 1 + n % 2 * STEP, y - STEP + 1 + n / 2 * STEP, tile);
            }
            self.label(x - 36, y - 30, 10, "middle", &factory.to_string());
        }
        let y = HEAD + FACTORY + 8;
        self.label(MARGIN, y + 16, 12, "start", "Center");
        let mut x = MARGIN + 52;
        if position.marker().is_none() {
            self.marker(x, y);
            x += STEP;
        }
        self.tiles(x, y, position.pile(Source::Center));
        for (name, tiles, row) in
            [("Bag", position.stock().bag, 0), ("Lid", position.stock().lid, 1)]
        {
            let counts: Vec<String> =
                tiles.iter().map(|(tile, n)| format!("{}\u{a0}{n}", tile.letter())).collect();
            let text = format!("{name} {}: {}", tiles.total(), counts.join(", "));
            self.label(MARGIN, y + 46 + row * 18, 12, "start", &text);
        }
    }

    fn board(&mut self, position: &Position, seat: Seat, left: i32, top: i32) {
        let board = position.board(seat);
        let is_due = matches!(position.phase(), Phase::Draft | Phase::Tiling(_));
        let mark = if is_due && position.turn() == seat { "\u{25b6} " } else { "" };
        let points = words::count(board.score(), "point");
        self.label(left, top + 14, 13, "start", &format!("{mark}Seat {seat}: {points}"));
        let wall_left = left + 5 * STEP + 18;
        for row in Row::ALL {
            let y = top + 24 + row.index() as i32 * STEP;
            let line = board.line(row);
            let first = left + (5 - row.capacity() as i32) * STEP;
            for i in 0..line.room() as i32 {
                self.space(first + i * STEP, y, None);
            }
            self.tiles(first + board.room(Destination::Line(row)) as i32 * STEP, y, line.tiles());
            if line.is_full() {
                self.label(wall_left - 11, y + 16, 12, "middle", "\u{203a}");
            }
            for column in Column::ALL {
                let x = wall_left + column.index() as i32 * STEP;
                match (board.wall().tile(row, column), position.rules().wall) {
                    (Some(tile), _) => self.tile(x, y, tile),
                    (None, WallKind::Colored) => {
                        self.space(x, y, Some(Rules::printed_color(row, column).into()));
                    }
                    (None, WallKind::Grey) => self.space(x, y, None),
                }
            }
        }
        self.floor(position, seat, left, top + 24 + 5 * STEP + 4);
    }

    fn floor(&mut self, position: &Position, seat: Seat, left: i32, y: i32) {
        let costs = position.rules().floor_penalties.each();
        for (i, cost) in costs.into_iter().enumerate() {
            let x = left + i as i32 * STEP;
            self.label(x + TILE / 2, y + 9, 9, "middle", &format!("\u{2212}{cost}"));
        }
        let y = y + 12;
        let mut x = left;
        if position.marker() == Some(seat) {
            self.marker(x, y);
            x += STEP;
        }
        x = self.tiles(x, y, position.board(seat).floor());
        while x < left + FloorPenalties::SPACES as i32 * STEP {
            self.space(x, y, None);
            x += STEP;
        }
    }
}

/// The color of a tile and of its letter.
const fn colors(tile: Tile) -> (&'static str, &'static str) {
    use azulejo_rules::Color::{Black, Blue, Red, White, Yellow};
    match tile {
        Tile::Color(Blue) => ("#2f6db5", "#ffffff"),
        Tile::Color(Yellow) => ("#f2c230", "#3a2d00"),
        Tile::Color(Red) => ("#c23b33", "#ffffff"),
        Tile::Color(Black) => ("#3c3c44", "#ffffff"),
        Tile::Color(White) => ("#d9eef2", "#1d4a57"),
        Tile::Joker => ("#7d4aa0", "#ffffff"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every tile of the position is in the picture, with its letter.
    #[test]
    fn all_tiles_are_drawn() {
        for rules in ["2c", "3g", "4gj"] {
            let mut position = Position::new(rules.parse().unwrap(), Seat::One);
            let mut n = 0;
            let deal = position.draw_deal(|below| {
                n += 7;
                n % below
            });
            position.deal(&deal).unwrap();
            for _ in 0..6 {
                position.play_random(u64::MAX / 3);
            }
            let picture = svg(&position);
            let on_boards: u32 = position.boards().iter().map(|board| board.tiles().total()).sum();
            let on_table: u32 = position.factories().map(|(_, tiles)| tiles.total()).sum();
            let n_tiles = on_boards + on_table + position.pile(Source::Center).total();
            assert_eq!(picture.matches("<polygon").count() as u32, n_tiles, "{rules}");
            assert_eq!(picture.matches("<circle").count(), position.factories().count());
        }
    }
}
