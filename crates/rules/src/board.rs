//! A seat's board: pattern lines, wall, floor and score.
//!
//! The lines are packed into one word. A second word, in SWAR lanes, says which kinds of tile may go
//! where. It follows from lines and wall; keeping it up to date makes move generation fast.

use crate::lanes::{self, LANE, Lane};
use crate::names::{Color, Column, Destination, Row, Tile};
use crate::rules::{FloorPenalties, Rules};
use crate::sets::{ColumnSet, DestinationSet, RowSet};
use crate::setup::Setup;
use crate::tiles::Tiles;
use crate::wall::Wall;

/// Ten bits for each line: room (3), jokers (3), color (3; 0 for none, else its index plus one).
/// A sixth group, for the floor, stays 0: it acts as a line without room, so all tiles fall.
const LINE_BITS: usize = 10;
const JOKER_SHIFT: usize = 3;
const COLOR_SHIFT: usize = 6;
const LINE_MASK: u64 = (1 << LINE_BITS) - 1;
const EMPTY_LINES: u64 = 1 | 2 << 10 | 3 << 20 | 4 << 30 | 5 << 40;

/// In the lane of each kind of tile, six bits of destinations and above them how many they are.
const OPEN_MASK: u64 = 0b111111;
const COUNT_SHIFT: usize = 6;
const EVERY_KIND: u64 = lanes::ONES;
const JOKER: u64 = 1 << (5 * LANE);
const ONLY_FLOOR: u64 = EVERY_KIND * (1 << 5 | 1 << COUNT_SHIFT);
const ALL_OPEN: u64 = EVERY_KIND * (OPEN_MASK | 6 << COUNT_SHIFT);

/// What an empty line adds to `open`, by row and the colors that its wall row bars.
static OPENED: [[u64; 32]; 5] = {
    let mut opened = [[0; 32]; 5];
    let mut row = 0;
    while row < 5 {
        let mut barred = 0;
        while barred < 32 {
            let mut kinds = JOKER;
            let mut color = 0;
            while color < 5 {
                kinds |= (!barred as u64 >> color & 1) << (LANE * color);
                color += 1;
            }
            opened[row][barred] = kinds << row | kinds << COUNT_SHIFT;
            barred += 1;
        }
        row += 1;
    }
    opened
};

/// A seat's board.
///
/// ```
/// use azulejo_rules::{Color, Players, Position, Row, Rules, Seat};
///
/// let mut position = Position::new(Rules::official(Players::Two), Seat::One);
/// position.deal(&"BBYR-KKKK-BYRK-YWWW-RRKK".parse()?)?;
/// position.play("1B4".parse()?)?;
/// let board = position.board(Seat::One);
/// assert_eq!(board.line(Row::Four).tiles().to_string(), "BB");
/// // Red may go to every other line and to the floor.
/// assert_eq!(board.destinations(Color::Red.into()).len(), 5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    lines: u64,
    open: u64,
    wall: Wall,
    floor: Tiles,
    score: u16,
}

/// What lies on a pattern line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Line {
    /// The row of the line.
    pub row: Row,
    /// The color, unless the line is empty or holds only jokers.
    pub color: Option<Color>,
    /// How many jokers it holds.
    pub jokers: u32,
    /// How many tiles it holds, jokers among them.
    pub n_tiles: u32,
}

impl Line {
    /// The number of tiles that still fit.
    #[must_use]
    pub const fn room(self) -> u32 {
        self.row.capacity() - self.n_tiles
    }

    /// Whether the line has no room left.
    #[must_use]
    pub const fn is_full(self) -> bool {
        self.room() == 0
    }

    /// The tiles of the line.
    #[must_use]
    pub fn tiles(self) -> Tiles {
        let jokers = Tiles::of(Tile::Joker, self.jokers);
        match self.color {
            Some(color) => Tiles::of(color.into(), self.n_tiles - self.jokers) + jokers,
            None => jokers,
        }
    }

    /// The tile that goes to the wall when the line is full: a joker if there is one.
    #[must_use]
    pub const fn tile_for_wall(self) -> Option<Tile> {
        match self.color {
            Some(color) if self.jokers == 0 => Some(Tile::Color(color)),
            _ if self.jokers > 0 => Some(Tile::Joker),
            _ => None,
        }
    }
}

impl Board {
    pub(crate) const EMPTY: Board = Board {
        lines: EMPTY_LINES,
        open: ALL_OPEN,
        wall: Wall::EMPTY,
        floor: Tiles::EMPTY,
        score: 0,
    };

    /// A board with the given contents, which the caller has validated.
    pub(crate) fn with(
        rules: &Rules,
        lines: [Line; 5],
        wall: Wall,
        floor: Tiles,
        score: u16,
    ) -> Self {
        // Lines without room, and nowhere to go but the floor.
        let mut board = Board { lines: 0, open: ONLY_FLOOR, wall, floor, score };
        for row in Row::ALL {
            board.clear_line(row, rules);
        }
        for line in lines.into_iter().filter(|line| line.n_tiles > 0) {
            let to = Destination::Line(line.row);
            board.fill(to, board.room(to), line.color, line.n_tiles, line.jokers);
        }
        board
    }

    getters! {
        /// The points so far.
        score: u16,
        /// The tiles on the floor, without the marker.
        floor: Tiles,
    }

    /// The wall.
    #[inline]
    #[must_use]
    pub const fn wall(&self) -> &Wall {
        &self.wall
    }

    /// A pattern line.
    #[inline]
    #[must_use]
    pub const fn line(&self, row: Row) -> Line {
        let word = self.lines >> (LINE_BITS * row.index()) & LINE_MASK;
        const COLORS: [Option<Color>; 16] = {
            let mut colors = [None; 16];
            let mut color = 0;
            while color < 5 {
                colors[color + 1] = Some(Color::ALL[color]);
                color += 1;
            }
            colors
        };
        Line {
            row,
            color: COLORS[(word >> COLOR_SHIFT) as usize % 16],
            jokers: (word >> JOKER_SHIFT & 7) as u32,
            n_tiles: row.capacity() - (word & 7) as u32,
        }
    }

    /// Every tile on the board.
    #[must_use]
    pub fn tiles(&self) -> Tiles {
        let lines = Row::ALL.into_iter().map(|row| self.line(row).tiles());
        let wall = Tile::ALL.into_iter().map(|tile| Tiles::of(tile, self.wall.count(tile)));
        lines.chain(wall).sum::<Tiles>() + self.floor
    }

    /// How many spaces of the floor are taken, by tiles and by the marker if it is held here.
    #[inline]
    #[must_use]
    pub const fn floor_spaces(&self, holds_marker: bool) -> u32 {
        let n = self.floor.total() + holds_marker as u32;
        if n > FloorPenalties::SPACES as u32 { FloorPenalties::SPACES as u32 } else { n }
    }

    /// Where tiles of a kind may go; the floor is always among them.
    #[inline]
    #[must_use]
    pub const fn destinations(&self, tile: Tile) -> DestinationSet {
        DestinationSet::from_bits((self.open >> (LANE * tile.index()) & OPEN_MASK) as u32)
    }

    /// A one in the [lane](lanes) of every kind that some line takes: it has more than the floor.
    #[inline]
    pub(crate) const fn fitting_kinds(&self) -> u64 {
        lanes::not_zero(self.n_destinations() - EVERY_KIND)
    }

    /// How many destinations each kind has, in [lanes].
    #[inline]
    pub(crate) const fn n_destinations(&self) -> u64 {
        (self.open >> COUNT_SHIFT) & (EVERY_KIND * 0b111)
    }

    /// The mask of the destinations for the kind of a lane, and their number.
    #[inline]
    pub(crate) const fn destinations_in(&self, lane: Lane) -> (u32, u32) {
        let open = lane.of(self.open);
        ((open & OPEN_MASK) as u32, (open >> COUNT_SHIFT & 0b111) as u32)
    }

    /// The rows whose line is full: jokers fit wherever there is room.
    #[inline]
    #[must_use]
    pub const fn full_lines(&self) -> RowSet {
        RowSet::from_bits(!self.destinations(Tile::Joker).bits() & RowSet::ALL.bits())
    }

    /// How many tiles fit into a destination's line; none into the floor's.
    #[inline]
    #[must_use]
    pub const fn room(&self, to: Destination) -> u32 {
        (self.lines >> (LINE_BITS * to.index()) & 7) as u32
    }

    /// Puts tiles into a line that accepts them; `room` is the room of that line. For the floor,
    /// which has no room here, the caller passes no tiles, and nothing changes.
    #[inline]
    pub(crate) const fn fill(
        &mut self,
        to: Destination,
        room: u32,
        color: Option<Color>,
        n_tiles: u32,
        n_jokers: u32,
    ) {
        let shift = LINE_BITS * to.index();
        debug_assert!(room == self.room(to) && n_tiles <= room);
        // All ones for a line, which has room, and zero for the floor.
        let is_line = ((room == 0) as u64).wrapping_sub(1);
        self.lines -= (n_tiles as u64) << shift;
        self.lines += (n_jokers as u64) << (shift + JOKER_SHIFT);
        // What the line still takes: its color and jokers, or anything it took before if it now
        // holds only jokers.
        let mut keep = EVERY_KIND;
        if let Some(color) = color {
            let code = (color.index() as u64 + 1) << COLOR_SHIFT;
            self.lines |= (code & is_line) << shift;
            keep = 1 << (LANE * color.index()) | JOKER;
        }
        if n_tiles == room {
            keep = 0;
        }
        let closed = self.open >> to.index() & EVERY_KIND & !keep & is_line;
        self.open -= closed << to.index() | closed << COUNT_SHIFT;
    }

    /// Drops tiles on the floor, colored ones first; returns those that find no space.
    #[inline]
    pub(crate) fn drop(
        &mut self,
        color: Option<Color>,
        colored: u32,
        jokers: u32,
        holds_marker: bool,
    ) -> Tiles {
        let mut space = FloorPenalties::SPACES as u32 - self.floor_spaces(holds_marker);
        let mut lost = Tiles::EMPTY;
        if let Some(color) = color {
            let falls = colored.min(space);
            space -= falls;
            self.floor += Tiles::of(color.into(), falls);
            lost += Tiles::of(color.into(), colored - falls);
        }
        let falls = jokers.min(space);
        self.floor += Tiles::of(Tile::Joker, falls);
        lost + Tiles::of(Tile::Joker, jokers - falls)
    }

    /// Empties a full line and opens it to all kinds that the wall does not bar.
    #[inline]
    pub(crate) fn clear_line(&mut self, row: Row, rules: &Rules) {
        let shift = LINE_BITS * row.index();
        debug_assert!(self.room(Destination::Line(row)) == 0);
        self.lines = self.lines & !(LINE_MASK << shift) | (row.capacity() as u64) << shift;
        debug_assert!(self.open >> row.index() & EVERY_KIND == 0);
        let barred = self.wall.barred_colors(row, rules.wall);
        self.open += OPENED[row.index()][barred as usize % 32];
    }

    /// The columns where a line could be placed if it were full.
    #[inline]
    #[must_use]
    pub fn spaces_for(&self, line: Line, rules: &Rules) -> ColumnSet {
        self.wall.spaces_for(line.row, line.color, line.jokers > 0, rules.wall)
    }

    /// The points that a tile would bring on a free space of the wall as it is now.
    #[inline]
    #[must_use]
    pub fn points_at(&self, row: Row, column: Column, rules: &Rules) -> u32 {
        let runs = self.wall.runs(row, column);
        rules.placement_points(runs.horizontal, runs.vertical)
    }

    /// Moves one tile of a full line to the wall; the points are added, the other tiles returned.
    #[inline(always)]
    pub(crate) fn place(&mut self, line: Line, column: Column, rules: &Rules) -> PlacedTile {
        let row = line.row;
        let tile = line.tile_for_wall().expect("a full line has tiles");
        let runs = self.wall.runs(row, column);
        let points = rules.placement_points(runs.horizontal, runs.vertical);
        self.wall.place(row, column, tile);
        self.add_points(points as u16);
        self.clear_line(row, rules);
        PlacedTile {
            tile,
            horizontal: runs.horizontal,
            vertical: runs.vertical,
            points,
            to_lid: line.tiles() - Tiles::of(tile, 1),
        }
    }

    /// Drops a full line that no space takes; returns the tiles that find no space on the floor.
    pub(crate) fn spill(&mut self, row: Row, holds_marker: bool, rules: &Rules) -> Tiles {
        let Line { color, jokers, n_tiles, .. } = self.line(row);
        self.clear_line(row, rules);
        self.drop(color, n_tiles - jokers, jokers, holds_marker)
    }

    /// Pays for the floor and clears it; its tiles are returned.
    #[inline]
    pub(crate) fn clear_floor(&mut self, holds_marker: bool, rules: &Rules) -> (u16, Tiles) {
        let loss = rules.floor_penalties.loss(self.floor_spaces(holds_marker));
        self.score = self.score.saturating_sub(loss);
        (loss, std::mem::take(&mut self.floor))
    }

    #[inline]
    pub(crate) fn add_points(&mut self, points: u16) {
        // No game reaches the limit, but one may start from a setup that is close to it.
        self.score = self.score.saturating_add(points).min(Setup::MAX_SCORE);
    }

    /// Everything on the board in words, for hashing. Which destinations are open follows from
    /// the rest.
    #[inline]
    pub(crate) const fn words(&self) -> [u64; 4] {
        let [low, high] = self.wall.words();
        [self.lines, low, high | (self.score as u64) << 32, self.floor.lanes()]
    }
}

/// The result of moving a tile to the wall.
pub(crate) struct PlacedTile {
    pub(crate) tile: Tile,
    pub(crate) horizontal: u32,
    pub(crate) vertical: u32,
    pub(crate) points: u32,
    pub(crate) to_lid: Tiles,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Players;

    const RULES: Rules = Rules::official(Players::Two);
    const LINE_3: Destination = Destination::Line(Row::Three);

    fn accepts(board: &Board, tile: Tile) -> String {
        board.destinations(tile).iter().map(Destination::letter).collect()
    }

    #[test]
    fn a_line_accepts_its_color_until_it_is_full() {
        let mut board = Board::EMPTY;
        board.fill(LINE_3, 3, Some(Color::Red), 2, 0);
        assert_eq!(accepts(&board, Color::Red.into()), "12345F");
        assert_eq!(accepts(&board, Color::Blue.into()), "1245F");
        assert_eq!(accepts(&board, Tile::Joker), "12345F");
        board.fill(LINE_3, 1, Some(Color::Red), 1, 1);
        assert_eq!(accepts(&board, Color::Red.into()), "1245F");
        assert_eq!(accepts(&board, Tile::Joker), "1245F");
        assert!(board.full_lines().iter().eq([Row::Three]));
        assert_eq!(board.line(Row::Three).tiles().to_string(), "RRJ");
    }

    #[test]
    fn a_line_of_jokers_takes_any_color_the_wall_allows() {
        let mut wall = Wall::EMPTY;
        wall.place(Row::Three, Column::Four, Color::Yellow.into());
        let lines = Row::ALL.map(|row| Board::EMPTY.line(row));
        let mut board = Board::with(&RULES, lines, wall, Tiles::EMPTY, 0);
        board.fill(LINE_3, 3, None, 2, 2);
        assert_eq!(accepts(&board, Color::Yellow.into()), "1245F");
        assert_eq!(accepts(&board, Color::Blue.into()), "12345F");
        assert_eq!(board.line(Row::Three).color, None);
        assert_eq!(board.line(Row::Three).tile_for_wall(), Some(Tile::Joker));
    }

    #[test]
    fn an_empty_line_has_no_tile_for_the_wall() {
        for row in Row::ALL {
            assert_eq!(Board::EMPTY.line(row).tile_for_wall(), None);
            assert!(Board::EMPTY.line(row).tiles().is_empty());
        }
    }

    #[test]
    fn a_kind_fits_as_long_as_one_line_takes_it() {
        let mut board = Board::EMPTY;
        for (row, color) in Row::ALL.into_iter().zip(Color::ALL) {
            assert_eq!(board.fitting_kinds(), EVERY_KIND);
            board.fill(Destination::Line(row), row.capacity(), Some(color), row.capacity(), 0);
        }
        assert_eq!(board.fitting_kinds(), 0);
        board.clear_line(Row::Two, &RULES);
        assert_eq!(board.fitting_kinds(), EVERY_KIND);
    }

    #[test]
    fn nothing_into_the_floor_changes_nothing() {
        let mut board = Board::EMPTY;
        board.fill(Destination::Floor, 0, Some(Color::White), 0, 0);
        assert_eq!(board, Board::EMPTY);
    }

    #[test]
    fn the_floor_holds_seven() {
        let mut board = Board::EMPTY;
        assert!(board.drop(Some(Color::Blue), 5, 0, false).is_empty());
        assert_eq!(board.floor_spaces(true), 6);
        let lost = board.drop(Some(Color::Red), 2, 1, true);
        assert_eq!(lost.to_string(), "RJ");
        assert_eq!(board.floor.to_string(), "BBBBBR");
        assert_eq!(board.clear_floor(true, &RULES).0, 14);
        assert!(board.floor.is_empty());
    }
}
