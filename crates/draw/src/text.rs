//! Draws a position as text: factories, center, bag and lid, and all boards side by side.
//!
//! Every tile is a letter on its color, so that nothing depends on color alone. Free spaces of the
//! colored wall show their letter in lower case.

use crate::ink::Ink;
use anstyle::Style;
use azulejo_rules::{
    Column, FloorPenalties, Phase, Position, Row, Rules, Seat, Source, Tile, Tiles, WallKind,
};
use azulejo_words::{self as words, Names, wrap};

/// The least width of a picture: a board of small cells, or the table of bag and lid.
pub const MIN_WIDTH: u16 = 25;
/// Columns between boards.
const GAP: usize = 5;
/// Columns between factories.
const FACTORY_GAP: usize = 2;

/// How a picture is laid out.
#[derive(Clone, Copy)]
struct Layout {
    /// The width in columns.
    width: usize,
    /// The width of a tile or a free space: three columns, or two where room is short.
    cell: usize,
}

impl Layout {
    /// Large cells, unless only small ones fit, or only small ones fit all boards side by side.
    fn new(width: usize, n_boards: usize) -> Layout {
        let [large, small] = [3, 2].map(|cell| Layout { width, cell });
        let fits = |layout: Layout, n: usize| layout.boards_per_row() >= n;
        let is_small = !fits(large, n_boards) && fits(small, n_boards) || !fits(large, 1);
        if is_small { small } else { large }
    }

    /// Five cells of lines, an arrow, five cells of wall.
    fn board_width(self) -> usize {
        5 * self.cell + self.arrow().len() + 5 * self.cell
    }

    /// The separator between a line that is not full and the wall.
    fn arrow(self) -> &'static str {
        if self.cell == 3 { " | " } else { " |" }
    }

    fn boards_per_row(self) -> usize {
        (self.width + GAP) / (self.board_width() + GAP)
    }

    /// The number and four cells.
    fn factory_width(self) -> usize {
        2 + 4 * self.cell
    }

    /// As many as fit, spread evenly over the rows.
    fn factories_per_row(self, n_factories: usize) -> usize {
        let most = (self.width + FACTORY_GAP) / (self.factory_width() + FACTORY_GAP);
        n_factories.div_ceil(n_factories.div_ceil(most.max(1)))
    }
}

/// Draws a position, `width` columns wide, at least [`MIN_WIDTH`].
#[must_use]
pub fn picture(position: &Position, width: usize, has_colors: bool) -> String {
    let layout = Layout::new(width.max(MIN_WIDTH.into()), position.boards().len());
    let mut lines = title(position, layout);
    lines.push(Ink::default());
    if position.phase() == Phase::Draft {
        lines.extend(table(position, layout));
        lines.push(Ink::default());
    }
    lines.extend(stock(position, layout));
    for seats in position.rules().players().seats().chunks(layout.boards_per_row().max(1)) {
        lines.push(Ink::default());
        let boards: Vec<_> = seats.iter().map(|&seat| board(position, seat, layout)).collect();
        for i in 0..boards[0].len() {
            let row = boards.iter().map(|board| board[i].clone().padded(layout.board_width()));
            lines.push(join(row, GAP));
        }
    }
    if let Some(outcome) = position.outcome() {
        lines.push(Ink::default());
        lines.extend(wrapped(
            &words::winners(&outcome, Names::Numbers),
            Style::new().bold(),
            layout,
        ));
        let ranking = words::ranking(&outcome, position.rules(), Names::Numbers);
        lines.extend(ranking.iter().flat_map(|line| wrapped(line, Style::new(), layout)));
    }
    lines.iter().map(|line| line.print(has_colors) + "\n").collect()
}

/// The phase and the rules.
fn title(position: &Position, layout: Layout) -> Vec<Ink> {
    let (phase, rules) = (words::phase(position, Names::Numbers), words::rules(position.rules()));
    let one_line = format!("{phase} - {rules}");
    let mut texts =
        if one_line.len() <= layout.width { vec![one_line] } else { vec![phase, rules] };
    if let Phase::Tiling(_) = position.phase() {
        let choices: Vec<_> = position.legal_moves().iter().map(ToString::to_string).collect();
        texts.push(format!("Choices: {}", choices.join(", ")));
    }
    let (n_dry, limit) = (position.dry_rounds(), position.rules().stall_rounds);
    if position.ended_by().is_none() && n_dry > 1 && limit > 0 {
        // The number includes the current round, in which a tile may still be placed.
        let rounds = words::count(n_dry - 1, "round");
        texts.push(format!("No tile was placed for {rounds}; the game ends after {limit}"));
    }
    texts.iter().flat_map(|text| wrapped(text, Style::new(), layout)).collect()
}

/// The factories and the center.
fn table(position: &Position, layout: Layout) -> Vec<Ink> {
    let factories: Vec<_> = position.factories().collect();
    let rows = factories.chunks(layout.factories_per_row(factories.len()));
    let mut lines: Vec<_> = rows
        .map(|row| {
            let drawn = row.iter().map(|&(factory, tiles)| {
                let label = Ink::plain(format!("{factory}:"));
                label.with(pile(tiles, layout)).padded(layout.factory_width())
            });
            join(drawn, FACTORY_GAP)
        })
        .collect();
    lines.extend(center(position, layout));
    lines
}

fn pile(tiles: Tiles, layout: Layout) -> Ink {
    if tiles.is_empty() { Ink::space(layout.cell) } else { Ink::tiles(tiles, layout.cell) }
}

/// The center, on several lines if needed.
fn center(position: &Position, layout: Layout) -> Vec<Ink> {
    let tiles = position.pile(Source::Center);
    let marker = position.marker().is_none().then(|| Ink::marker(position.rules(), layout.cell));
    let mut cells: Vec<_> =
        marker.into_iter().chain(tiles.each().map(|tile| Ink::tile(tile, layout.cell))).collect();
    if cells.is_empty() {
        cells.push(Ink::space(layout.cell));
    }
    let mut lines = Vec::new();
    for (i, row) in cells.chunks((layout.width - 2) / layout.cell).enumerate() {
        let label = Ink::plain(if i == 0 { "0:" } else { "  " });
        lines.push(label.with(row.iter().cloned().collect()));
    }
    let label = Ink::dim("  (center)");
    match lines.pop() {
        Some(last) if last.width() + label.width() <= layout.width => lines.push(last.with(label)),
        Some(last) => lines.extend([last, label]),
        None => {}
    }
    lines
}

/// Bag and lid by color. The head of the table says which letter is which color.
fn stock(position: &Position, layout: Layout) -> Vec<Ink> {
    const LABEL: usize = "Bag 100".len();
    let tiles = Tile::ALL.into_iter().filter(|&tile| position.rules().all_tiles().count(tile) > 0);
    let tiles: Vec<_> = tiles.collect();
    let long: Vec<_> = tiles.iter().map(|tile| 3 + 3 + tile.name().len()).collect();
    let is_long = LABEL + long.iter().sum::<usize>() <= layout.width;
    let short = if LABEL + 4 * tiles.len() <= layout.width { 4 } else { 3 };
    let widths = if is_long { long } else { vec![short; tiles.len()] };
    let mut head = Ink::plain(" ".repeat(LABEL));
    for (&tile, &width) in tiles.iter().zip(&widths) {
        let cell = if short == 3 { 2 } else { 3 };
        let name = Ink::tile(tile, cell).with(Ink::plain(if is_long { tile.name() } else { "" }));
        head = head.with(Ink::plain(" ".repeat(width - name.width()))).with(name);
    }
    let row = |name: &str, stock: Tiles| {
        let mut line = Ink::plain(format!("{name} {:>3}", stock.total()));
        for (&tile, &width) in tiles.iter().zip(&widths) {
            // Numbers end below the end of a long head, and below the letter of a short one.
            let edge = usize::from(!is_long && short == 4);
            let n = match stock.count(tile) {
                0 => Ink::dim(format!("{:>1$}", "-", width - edge)),
                n => Ink::plain(format!("{n:>0$}", width - edge)),
            };
            line = line.with(n.padded(width));
        }
        line
    };
    vec![head, row("Bag", position.stock().bag), row("Lid", position.stock().lid)]
}

/// A board, line by line.
fn board(position: &Position, seat: Seat, layout: Layout) -> Vec<Ink> {
    let mut lines = vec![header(position, seat, layout)];
    lines.extend(Row::ALL.map(|row| {
        let is_full = position.board(seat).line(row).is_full();
        let arrow = layout.arrow().replace('|', if is_full { ">" } else { "|" });
        let line = pattern_line(position, seat, row, layout);
        line.with(Ink::plain(arrow)).with(wall_row(position, seat, row, layout))
    }));
    lines.extend(floor(position, seat, layout));
    lines
}

fn header(position: &Position, seat: Seat, layout: Layout) -> Ink {
    let is_under_way = matches!(position.phase(), Phase::Draft | Phase::Tiling(_));
    let is_due = is_under_way && position.turn() == seat;
    let score = position.board(seat).score();
    let unit = match (layout.cell, score) {
        (2, _) => "",
        (_, 1) => " point",
        _ => " points",
    };
    let points = if is_under_way {
        format!("{score}{unit} -> {}", position.projection(seat).score)
    } else {
        format!("{score}{unit}")
    };
    let style = if is_due { Style::new().bold().underline() } else { Style::new().bold() };
    let mark = Ink::plain(if is_due { "> " } else { "  " });
    let name = mark.with(Ink::styled(style, format!("Seat {seat}")));
    name.padded(layout.board_width() - points.len()).with(Ink::plain(points))
}

fn pattern_line(position: &Position, seat: Seat, row: Row, layout: Layout) -> Ink {
    let line = position.board(seat).line(row);
    let outside = " ".repeat(layout.cell * (5 - row.capacity() as usize));
    // Lines fill from the right, next to the wall.
    let free = (0..line.room()).map(|_| Ink::space(layout.cell)).collect();
    Ink::plain(outside).with(free).with(Ink::tiles(line.tiles(), layout.cell))
}

fn wall_row(position: &Position, seat: Seat, row: Row, layout: Layout) -> Ink {
    let wall = position.board(seat).wall();
    let space = |column| match (wall.tile(row, column), position.rules().wall) {
        (Some(tile), _) => Ink::tile(tile, layout.cell),
        (None, WallKind::Colored) => Ink::printed(Rules::printed_color(row, column), layout.cell),
        (None, WallKind::Grey) => Ink::space(layout.cell),
    };
    Column::ALL.map(space).into_iter().collect()
}

/// The cost of the floor spaces and the tiles on them. A marker beside seven tiles is drawn eighth.
fn floor(position: &Position, seat: Seat, layout: Layout) -> [Ink; 2] {
    const LABEL: &str = "Floor: ";
    let penalties = position.rules().floor_penalties.each();
    let cost = |n: u8| format!("{:>1$}", format!("-{n}"), layout.cell);
    let costs: String = penalties.into_iter().map(cost).collect();
    let holds_marker = position.marker() == Some(seat);
    let tiles = position.board(seat).floor();
    let marker =
        if holds_marker { Ink::marker(position.rules(), layout.cell) } else { Ink::default() };
    let n_items = tiles.total() as usize + usize::from(holds_marker);
    let free = FloorPenalties::SPACES.saturating_sub(n_items);
    let free = (0..free).map(|_| Ink::space(layout.cell)).collect();
    [
        Ink::plain(" ".repeat(LABEL.len())).with(Ink::dim(costs)),
        Ink::plain(LABEL).with(marker).with(Ink::tiles(tiles, layout.cell)).with(free),
    ]
}

fn join(parts: impl Iterator<Item = Ink>, gap: usize) -> Ink {
    let mut line = Ink::default();
    for (i, part) in parts.enumerate() {
        let gap = if i == 0 { 0 } else { gap };
        line = line.with(Ink::plain(" ".repeat(gap))).with(part);
    }
    line
}

/// Wraps a text that does not fit on one line. The following lines of an indented text, like an item
/// of a list, are indented further.
fn wrapped(text: &str, style: Style, layout: Layout) -> Vec<Ink> {
    if text.chars().count() <= layout.width {
        return vec![Ink::styled(style, text)];
    }
    let indent = &text[..text.len() - text.trim_start().len()];
    let next_indent = if indent.is_empty() { String::new() } else { format!("{indent}   ") };
    let lines = wrap(text, layout.width, indent, &next_indent);
    lines.into_iter().map(|line| Ink::styled(style, line)).collect()
}
