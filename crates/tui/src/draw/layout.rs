//! The layout of the table: where everything is drawn, and what the mouse points at. It follows from
//! the size of the window and the number of players alone.

use super::canvas::Cell;
use crate::app::pile;
use azulejo_rules::{Column, Players, Row, Seat, Setup, Source, Tile, Tiles};
use ratatui::layout::{Margin, Rect};

/// The least width of the side panel with the words beside the boards.
const SIDE: u16 = 26;
/// The widest side panel; longer lines are hard to read.
const MAX_SIDE: u16 = 52;
/// The least height of the words below the boards.
const BELOW: u16 = 3;

/// A kind of layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Plan {
    cell: Cell,
    /// Frames around boards and factories.
    framed: bool,
    /// Boards in a row.
    across: u16,
    /// Words beside the boards instead of below.
    side: bool,
}

impl Plan {
    /// A board: a number, lines, an arrow, the wall.
    fn board_width(self) -> u16 {
        1 + 5 * self.cell.w + 3 + 5 * self.cell.w + 2 * u16::from(self.framed)
    }

    /// A header, five rows, the floor; in a frame with a row between.
    fn board_height(self) -> u16 {
        let frame = if self.framed { 2 } else { 0 };
        1 + 5 * self.cell.h + self.cell.h + frame
    }

    fn factory_width(self) -> u16 {
        if self.framed { 2 * self.cell.w + 2 } else { 2 + 4 * self.cell.w }
    }

    /// Framed factories share one row; others have a text line each.
    fn offer_height(self, players: Players, width: u16) -> u16 {
        if self.framed { 2 * self.cell.h + 2 } else { self.factory_rows(players, width) + 1 }
    }

    fn factories_across(self, width: u16) -> u16 {
        ((width + 2) / (self.factory_width() + 2)).max(1)
    }

    fn factory_rows(self, players: Players, width: u16) -> u16 {
        (players.factories() as u16).div_ceil(self.factories_across(width))
    }

    /// Columns between boards. Large ones need none: their frames are enough.
    fn board_gap(self) -> u16 {
        u16::from(self.cell.h == 1)
    }

    fn boards_width(self) -> u16 {
        self.across * self.board_width() + (self.across - 1) * self.board_gap()
    }

    fn boards_height(self, players: Players) -> u16 {
        (players.count() as u16).div_ceil(self.across) * self.board_height()
    }

    /// The smallest window for it.
    fn least(self, players: Players) -> (u16, u16) {
        let offer = if self.framed {
            // The center shows each kind once, with its number.
            players.factories() as u16 * (self.factory_width() + 1) + 2 * (self.cell.w + 3) + 2
        } else {
            self.factory_width()
        };
        let boards = self.boards_width() + if self.side { SIDE + 2 } else { 0 };
        let width = offer.max(boards);
        let below = if self.side { 0 } else { BELOW };
        // A title, the stock, the keys.
        let height = 3 + self.offer_height(players, width) + self.boards_height(players) + below;
        (width, height)
    }
}

/// The kinds of layout for a number of players, the best first.
fn plans(players: Players) -> Vec<Plan> {
    let cells = [Cell { w: 4, h: 2 }, Cell { w: 3, h: 1 }, Cell { w: 2, h: 1 }];
    let across: &[u16] = match players {
        Players::Two => &[2, 1],
        Players::Three => &[3, 2, 1],
        Players::Four => &[4, 2, 1],
    };
    let mut plans = Vec::new();
    for framed in [true, false] {
        for cell in cells.into_iter().filter(|cell| framed || cell.h == 1) {
            for side in [true, false] {
                plans.extend(across.iter().map(|&across| Plan { cell, framed, across, side }));
            }
        }
    }
    plans
}

/// The layout of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// The size of a tile.
    pub(crate) cell: Cell,
    /// Whether boards and factories have frames.
    pub(crate) framed: bool,
    /// The top row.
    pub(crate) title: Rect,
    /// The factories, in order.
    pub(crate) factories: Vec<Rect>,
    /// The center.
    pub(crate) center: Rect,
    /// Bag and lid.
    pub(crate) stock: Rect,
    /// The boards by seat.
    pub(crate) boards: Vec<BoardLayout>,
    /// Words: the question, previews, what happened.
    pub(crate) words: Rect,
    /// The bottom row: keys.
    pub(crate) keys: Rect,
}

/// The layout of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BoardLayout {
    /// The whole board with its frame.
    pub(crate) area: Rect,
    /// Name and score.
    pub(crate) header: Rect,
    /// The corner of line 5.
    origin: (u16, u16),
    /// The row of the floor.
    pub(crate) floor: Rect,
    cell: Cell,
}

impl BoardLayout {
    /// A space of a line, counted from the wall.
    pub(crate) fn line_cell(&self, row: Row, from_wall: u16) -> Rect {
        let x = self.origin.0 + 1 + (4 - from_wall.min(4)) * self.cell.w;
        self.at(x, row)
    }

    /// Left of a line: its number.
    pub(crate) fn number(&self, row: Row) -> (u16, u16) {
        let first = self.line_cell(row, row.capacity() as u16 - 1);
        (first.x.saturating_sub(1), first.y)
    }

    /// Between line and wall.
    pub(crate) fn arrow(&self, row: Row) -> Rect {
        let x = self.origin.0 + 1 + 5 * self.cell.w;
        Rect { width: 3, ..self.at(x, row) }
    }

    /// A space of the wall.
    pub(crate) fn wall_cell(&self, row: Row, column: Column) -> Rect {
        let x = self.origin.0 + 1 + 5 * self.cell.w + 3 + column.index() as u16 * self.cell.w;
        self.at(x, row)
    }

    /// A space of the floor. The eighth is for the marker beside a full floor.
    pub(crate) fn floor_cell(&self, n: u16) -> Rect {
        let x = self.floor.x + n * self.cell.w;
        Rect { x, y: self.floor.y, width: self.cell.w, height: self.cell.h }
    }

    fn at(&self, x: u16, row: Row) -> Rect {
        let y = self.origin.1 + row.index() as u16 * self.cell.h;
        Rect { x, y, width: self.cell.w, height: self.cell.h }
    }
}

/// A place that the mouse can point at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// A kind of tile at a source.
    Tile(Source, Tile),
    /// A source, beside its tiles.
    Source(Source),
    /// A line of a board.
    Line(Seat, Row),
    /// A space of a wall.
    Space(Seat, Row, Column),
    /// The floor of a board.
    Floor(Seat),
}

impl Layout {
    /// The layout for a window, if there is one.
    ///
    /// # Errors
    /// The smallest width and height for this number of players.
    pub(crate) fn new(area: Rect, players: Players) -> Result<Layout, (u16, u16)> {
        let plans = plans(players);
        let fits = |plan: &Plan| {
            let (width, height) = plan.least(players);
            width <= area.width && height <= area.height
        };
        match plans.iter().find(|plan| fits(plan)) {
            Some(plan) => Ok(plan.lay_out(area, players)),
            None => Err(least(players)),
        }
    }

    /// The area of a source; empty if the table has no such factory.
    pub(crate) fn source(&self, source: Source) -> Rect {
        match source.index().checked_sub(1) {
            None => self.center,
            Some(factory) => self.factories.get(factory).copied().unwrap_or_default(),
        }
    }

    /// The cells of the tiles at a source. Tiles that do not fit one by one are shown by kind, with
    /// their number.
    pub(crate) fn pile(&self, source: Source, tiles: Tiles, has_marker: bool) -> Vec<PileCell> {
        let area = self.source(source);
        let inner = if self.framed {
            area.inner(Margin::new(1, 1))
        } else {
            Rect { x: area.x + 2, width: area.width.saturating_sub(2), ..area }
        };
        let marker = has_marker.then_some((None, None));
        let each = tiles.each().map(|tile| (Some(tile), None));
        let items: Vec<_> = marker.into_iter().chain(each).collect();
        let per_row = (inner.width / self.cell.w).max(1);
        let n_rows = (inner.height / self.cell.h).max(1);
        if items.len() <= usize::from(per_row * n_rows) {
            return place(&items, inner, self.cell, self.cell.w);
        }
        let kinds = tiles.iter().map(|(tile, n)| (Some(tile), Some(n)));
        let items: Vec<_> = marker.into_iter().chain(kinds).collect();
        place(&items, inner, self.cell, self.cell.w + 3)
    }

    /// The place at a point.
    pub(crate) fn hit(&self, x: u16, y: u16, setup: &Setup) -> Option<Place> {
        let is_in = |area: Rect| area.contains((x, y).into());
        if let Some(source) = Source::ALL.into_iter().find(|&source| is_in(self.source(source))) {
            let (tiles, has_marker) = pile(setup, source);
            let cells = self.pile(source, tiles, has_marker);
            let tile = cells.into_iter().find(|cell| is_in(cell.area)).and_then(|cell| cell.tile);
            return Some(tile.map_or(Place::Source(source), |tile| Place::Tile(source, tile)));
        }
        for (board, seat) in self.boards.iter().zip(Seat::ALL) {
            if is_in(board.floor) {
                return Some(Place::Floor(seat));
            }
            for row in Row::ALL {
                let mut columns = Column::ALL.into_iter();
                if let Some(column) = columns.find(|&column| is_in(board.wall_cell(row, column))) {
                    return Some(Place::Space(seat, row, column));
                }
                let (first, arrow) = (board.line_cell(row, 4), board.arrow(row));
                let line = Rect { x: first.x, width: arrow.right() - first.x, ..first };
                if is_in(line) {
                    return Some(Place::Line(seat, row));
                }
            }
        }
        None
    }
}

/// A cell of a pile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PileCell {
    /// Its place.
    pub(crate) area: Rect,
    /// The tile; `None` is the marker.
    pub(crate) tile: Option<Tile>,
    /// The number of tiles, where tiles are shown by kind.
    pub(crate) n: Option<u32>,
}

fn place(
    items: &[(Option<Tile>, Option<u32>)],
    inner: Rect,
    cell: Cell,
    step: u16,
) -> Vec<PileCell> {
    let per_row = (inner.width / step).max(1);
    let place = |(i, &(tile, n)): (u16, &(Option<Tile>, Option<u32>))| {
        let (x, y) = (inner.x + i % per_row * step, inner.y + i / per_row * cell.h);
        let area = Rect { x, y, width: cell.w, height: cell.h };
        PileCell { area: area.intersection(inner), tile, n }
    };
    (0..).zip(items).map(place).collect()
}

/// The smallest window for a number of players: the least height, then the least width.
fn least(players: Players) -> (u16, u16) {
    let sizes = plans(players).into_iter().map(|plan| plan.least(players));
    // Height is scarce; nearly every window has 80 columns.
    let usual = sizes.clone().filter(|&(width, _)| width <= 80).min_by_key(|&(_, height)| height);
    usual.or_else(|| sizes.min()).unwrap_or((80, 24))
}

impl Plan {
    fn lay_out(self, area: Rect, players: Players) -> Layout {
        let row = |y: u16, height: u16| Rect { x: area.x, y, width: area.width, height };
        let offer_height = self.offer_height(players, area.width);
        let least_height = self.least(players).1;
        let spare = area.height.saturating_sub(least_height);
        let title = row(area.y, 1);
        let mut y = area.y + 1 + u16::from(spare > 6);
        let offer = row(y, offer_height);
        y += offer_height;
        let stock = row(y, 1);
        y += 1 + u16::from(spare > 4);
        let boards_width = self.boards_width();
        let words_width =
            if self.side { SIDE.max((area.width - boards_width - 2).min(MAX_SIDE)) } else { 0 };
        let total = boards_width + if self.side { words_width + 2 } else { 0 };
        let left = area.x + area.width.saturating_sub(total) / 2;
        let mut boards = Vec::new();
        for i in 0..players.count() as u16 {
            let (column, line) = (i % self.across, i / self.across);
            let x = left + column * (self.board_width() + self.board_gap());
            boards.push(self.board(x, y + line * self.board_height()));
        }
        let keys = row(area.bottom().saturating_sub(1), 1);
        let bottom = y + self.boards_height(players);
        let words = if self.side {
            let x = left + boards_width + 2;
            Rect { x, y, width: words_width, height: keys.y.saturating_sub(y) }
        } else {
            let y = bottom + u16::from(spare > 1);
            Rect { x: left, y, width: boards_width, height: keys.y.saturating_sub(y) }
        };
        let (factories, center) = self.offer(offer, players, total.max(self.least(players).0));
        let Plan { cell, framed, .. } = self;
        Layout { cell, framed, title, factories, center, stock, boards, words, keys }
    }

    fn board(self, x: u16, y: u16) -> BoardLayout {
        let (width, height) = (self.board_width(), self.board_height());
        let area = Rect { x, y, width, height };
        let edge = u16::from(self.framed);
        let header = Rect { x: x + edge, y, width: width - 2 * edge, height: 1 };
        let origin = (x + edge, y + 1);
        let floor_y = y + 1 + 5 * self.cell.h + edge;
        // Eight spaces wide, the last for a marker beside a full floor, and a label before it.
        let floor_width = 8 * self.cell.w;
        let floor_x = area.right() - edge - floor_width;
        let floor = Rect { x: floor_x, y: floor_y, width: floor_width, height: self.cell.h };
        BoardLayout { area, header, origin, floor, cell: self.cell }
    }

    /// Factories and center.
    fn offer(self, area: Rect, players: Players, width: u16) -> (Vec<Rect>, Rect) {
        let n = players.factories() as u16;
        let (w, h) = (self.factory_width(), self.offer_height(players, area.width));
        if self.framed {
            let width = width.min(area.width);
            let x = area.x + (area.width - width) / 2;
            let factory = |i| Rect { x: x + i * (w + 1), y: area.y, width: w, height: h };
            let after = x + n * (w + 1);
            let center =
                Rect { x: after, y: area.y, width: (x + width).saturating_sub(after), height: h };
            return ((0..n).map(factory).collect(), center);
        }
        let across = self.factories_across(area.width).min(n);
        let factory = |i: u16| {
            let (column, row) = (i % across, i / across);
            Rect { x: area.x + column * (w + 2), y: area.y + row, width: w, height: 1 }
        };
        let y = area.y + self.factory_rows(players, area.width);
        ((0..n).map(factory).collect(), Rect { x: area.x, y, width: area.width, height: 1 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(width: u16, height: u16, players: Players) -> Result<Layout, (u16, u16)> {
        Layout::new(Rect { x: 0, y: 0, width, height }, players)
    }

    #[test]
    fn the_promised_sizes_are_enough() {
        assert!(
            check(80, 24, Players::Two).is_ok_and(|layout| layout.framed && layout.cell.w == 3)
        );
        assert!(check(80, 24, Players::Three).is_ok());
        assert!(check(80, 24, Players::Four).is_ok());
        assert!(check(120, 40, Players::Four).is_ok_and(|layout| layout.framed));
    }

    #[test]
    fn the_least_size_is_least() {
        for players in Players::ALL {
            let (width, height) = least(players);
            assert!(width <= 80 && height <= 24, "{players:?}: {width} x {height}");
            assert!(check(width, height, players).is_ok());
            assert_eq!(check(width, height - 1, players), Err((width, height)));
        }
    }

    /// In every window, nothing overlaps and nothing is outside.
    #[test]
    fn everything_has_a_place_of_its_own() {
        for players in Players::ALL {
            for (width, height) in (20..240).step_by(3).flat_map(|w| (8..80).map(move |h| (w, h))) {
                let Ok(layout) = check(width, height, players) else { continue };
                let window = Rect { x: 0, y: 0, width, height };
                let mut areas =
                    vec![layout.title, layout.stock, layout.center, layout.words, layout.keys];
                areas.extend(&layout.factories);
                areas.extend(layout.boards.iter().map(|board| board.area));
                for (i, &area) in areas.iter().enumerate() {
                    assert_eq!(
                        area.intersection(window),
                        area,
                        "{players:?} {width} x {height}: {i}"
                    );
                    assert!(area.area() > 0, "{players:?} {width} x {height}: {i}");
                    for (j, other) in areas.iter().enumerate().skip(i + 1) {
                        assert!(
                            !area.intersects(*other),
                            "{players:?} {width} x {height}: {i} {j}"
                        );
                    }
                }
                for board in &layout.boards {
                    let corner = board.wall_cell(Row::Five, Column::Five);
                    for part in
                        [corner, board.floor, board.line_cell(Row::Five, 4), board.floor_cell(7)]
                    {
                        assert_eq!(part.intersection(board.area), part);
                    }
                }
            }
        }
    }
}
