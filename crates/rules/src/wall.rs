//! A wall: five rows of five spaces, each free or with a tile.
//!
//! The wall is three bitboards of 25 spaces: every kind of tile has a code of three bits, and each
//! bitboard holds one bit of the code. The spaces of one color, or all taken ones, are a few logical
//! operations away on either side of the board.

use crate::names::{Color, Column, Row, Tile};
use crate::rules::{Rules, WallKind};
use crate::sets::{ColumnSet, RowSet};

/// The first space of every row.
const ROW_STARTS: u32 = 1 | 1 << 5 | 1 << 10 | 1 << 15 | 1 << 20;
const ROW: u32 = 0b11111;

/// `RUNS[row][column]` is the length of the unbroken run through a column of a row of five.
const RUNS: [[u8; 8]; 32] = {
    let mut runs = [[0; 8]; 32];
    let mut bits = 0;
    while bits < 32 {
        let mut at = 0;
        while at < 5 {
            if bits >> at & 1 == 1 {
                let mut first = at;
                while first > 0 && bits >> (first - 1) & 1 == 1 {
                    first -= 1;
                }
                let mut last = at;
                while last < 4 && bits >> (last + 1) & 1 == 1 {
                    last += 1;
                }
                runs[bits][at] = (last - first + 1) as u8;
            }
            at += 1;
        }
        bits += 1;
    }
    runs
};

/// The tiles on a wall.
///
/// ```
/// use azulejo_rules::{BoardSetup, Color, Column, Players, Row, Rules, Seat, Setup};
///
/// let blue = Color::Blue.into();
/// let position = Setup::new(Rules::official(Players::Two))
///     .with_board(Seat::One, BoardSetup::default().with_tile(Row::Two, Column::Two, blue))
///     .with_rest_in_bag()
///     .validate()?;
/// let wall = position.board(Seat::One).wall();
/// assert_eq!(wall.tile(Row::Two, Column::Two), Some(blue));
/// assert!(wall.row(Row::Two).contains(Column::Two) && !wall.has_full_row());
/// assert!(wall.tiles().eq([(Row::Two, Column::Two, blue)]));
/// # Ok::<(), azulejo_rules::InvalidSetup>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Wall {
    planes: [u32; 3],
}

/// The two runs through a space that has just been filled, both with the new tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Runs {
    pub(crate) horizontal: u32,
    pub(crate) vertical: u32,
}

impl Wall {
    pub(crate) const EMPTY: Wall = Wall { planes: [0; 3] };

    /// The tile on a space.
    #[must_use]
    pub fn tile(&self, row: Row, column: Column) -> Option<Tile> {
        let at = 5 * row.index() + column.index();
        let [low, middle, high] = self.planes.map(|plane| (plane >> at & 1) as usize);
        let code = low | middle << 1 | high << 2;
        Tile::ALL.into_iter().find(|tile| tile.index() + 1 == code)
    }

    /// How many tiles are on the wall.
    #[must_use]
    pub fn n_tiles(&self) -> u32 {
        self.taken().count_ones()
    }

    /// How many tiles of one kind are on the wall.
    #[must_use]
    pub fn count(&self, tile: Tile) -> u32 {
        self.spaces_of(tile).count_ones()
    }

    /// How many rows are full.
    #[must_use]
    pub fn full_rows(&self) -> u32 {
        self.full_row_starts().count_ones()
    }

    /// How many columns are full.
    #[must_use]
    pub fn full_columns(&self) -> u32 {
        let taken = self.taken();
        (taken & taken >> 5 & taken >> 10 & taken >> 15 & taken >> 20 & ROW).count_ones()
    }

    /// How many colors have all five tiles on the wall; jokers do not stand in for a color.
    #[must_use]
    pub fn full_colors(&self) -> u32 {
        Color::ALL.into_iter().filter(|&color| self.count(color.into()) == 5).count() as u32
    }

    /// The mask of the spaces that hold a tile, row by row from the top left.
    #[inline]
    const fn taken(&self) -> u32 {
        let [low, middle, high] = self.planes;
        low | middle | high
    }

    /// Whether a row is full, which ends the game.
    #[inline]
    #[must_use]
    pub const fn has_full_row(&self) -> bool {
        self.full_row_starts() != 0
    }

    #[inline]
    const fn full_row_starts(&self) -> u32 {
        let taken = self.taken();
        taken & taken >> 1 & taken >> 2 & taken >> 3 & taken >> 4 & ROW_STARTS
    }

    /// The columns of a row that hold a tile.
    #[inline]
    #[must_use]
    pub const fn row(&self, row: Row) -> ColumnSet {
        ColumnSet::from_bits(self.taken() >> (5 * row.index()) & ROW)
    }

    /// The rows of a column that hold a tile.
    #[inline]
    #[must_use]
    pub const fn column(&self, column: Column) -> RowSet {
        RowSet::from_bits(gather_column(self.taken(), column))
    }

    /// The tiles with their spaces, row by row from the top left.
    pub fn tiles(&self) -> impl Iterator<Item = (Row, Column, Tile)> {
        let spaces = Row::ALL.into_iter().flat_map(|row| Column::ALL.map(|column| (row, column)));
        spaces.filter_map(|(row, column)| Some((row, column, self.tile(row, column)?)))
    }

    #[inline]
    const fn spaces_of(&self, tile: Tile) -> u32 {
        let code = tile.index() + 1;
        let mut spaces = ROW_STARTS * ROW;
        let mut bit = 0;
        while bit < 3 {
            let plane = self.planes[bit];
            spaces &= if code >> bit & 1 == 1 { plane } else { !plane };
            bit += 1;
        }
        spaces
    }

    /// Puts a tile on a free space.
    #[inline]
    pub(crate) const fn place(&mut self, row: Row, column: Column, tile: Tile) {
        let space = 1 << (5 * row.index() + column.index());
        debug_assert!(self.taken() & space == 0);
        let code = tile.index() as u32 + 1;
        self.planes[0] |= space * (code & 1);
        self.planes[1] |= space * (code >> 1 & 1);
        self.planes[2] |= space * (code >> 2);
    }

    /// The runs through a space, as if a tile lay there.
    #[inline]
    pub(crate) const fn runs(&self, row: Row, column: Column) -> Runs {
        let taken = self.taken() | 1 << (5 * row.index() + column.index());
        let across = taken >> (5 * row.index()) & ROW;
        let down = gather_column(taken, column);
        Runs {
            horizontal: RUNS[across as usize][column.index()] as u32,
            vertical: RUNS[down as usize][row.index()] as u32,
        }
    }

    /// The colors that the wall keeps out of the line of a row, one bit for each.
    #[inline]
    pub(crate) fn barred_colors(&self, row: Row, kind: WallKind) -> u32 {
        match kind {
            // The printed row rotated, so that its spaces are in the order of colors.
            WallKind::Colored => {
                let columns = self.row(row).bits();
                (columns >> row.index() | columns << (5 - row.index())) & ROW
            }
            WallKind::Grey => Color::ALL.into_iter().fold(0, |barred, color| {
                let here = self.spaces_of(color.into()) >> (5 * row.index()) & ROW;
                barred | u32::from(here != 0) << color.index()
            }),
        }
    }

    /// The columns where a full line of a row may be placed. `color` is the color of the line, if
    /// it has one; `joker` says that the tile for the wall is a joker.
    #[inline]
    pub(crate) fn spaces_for(
        &self,
        row: Row,
        color: Option<Color>,
        joker: bool,
        kind: WallKind,
    ) -> ColumnSet {
        let free = !self.row(row).bits() & ROW;
        ColumnSet::from_bits(match (kind, color) {
            (WallKind::Colored, Some(color)) => {
                free & 1 << Rules::printed_column(row, color).index()
            }
            (WallKind::Grey, Some(color)) if !joker => free & !self.columns_of(color.into()),
            _ => free,
        })
    }

    /// The mask of the columns that hold a tile of a kind somewhere.
    const fn columns_of(&self, tile: Tile) -> u32 {
        let spaces = self.spaces_of(tile);
        (spaces | spaces >> 5 | spaces >> 10 | spaces >> 15 | spaces >> 20) & ROW
    }

    /// The planes as two words, for hashing.
    #[inline]
    pub(crate) const fn words(&self) -> [u64; 2] {
        let [low, middle, high] = self.planes;
        [low as u64 | (middle as u64) << 32, high as u64]
    }
}

/// Gathers the bits of a column, which are five apart. One multiplication does it: the product has
/// bit i of the column at 20 + i, and no carry from below reaches it.
#[inline]
const fn gather_column(spaces: u32, column: Column) -> u32 {
    const GATHER: u32 = 1 << 20 | 1 << 16 | 1 << 12 | 1 << 8 | 1 << 4;
    (spaces >> column.index() & ROW_STARTS).wrapping_mul(GATHER) >> 20 & ROW
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A wall written in five rows of five letters.
    fn wall(rows: &str) -> Wall {
        let mut wall = Wall::default();
        for (row, line) in Row::ALL.into_iter().zip(rows.split(' ')) {
            for (column, letter) in Column::ALL.into_iter().zip(line.chars()) {
                if let Some(tile) = Tile::from_letter(letter) {
                    wall.place(row, column, tile);
                }
            }
        }
        wall
    }

    #[test]
    fn tiles_are_found_where_they_were_put() {
        let wall = wall("BYRKW ..... J.... ....B .....");
        assert_eq!(wall.tile(Row::One, Column::Four), Some(Tile::Color(Color::Black)));
        assert_eq!(wall.tile(Row::Three, Column::One), Some(Tile::Joker));
        assert_eq!(wall.tile(Row::Two, Column::Two), None);
        assert_eq!(wall.count(Color::Blue.into()), 2);
        assert_eq!(wall.n_tiles(), 7);
        assert_eq!(wall.tiles().last(), Some((Row::Four, Column::Five, Color::Blue.into())));
        assert_eq!(wall.full_rows(), 1);
        assert!(wall.has_full_row());
    }

    #[test]
    fn runs_go_both_ways_and_stop_at_gaps() {
        let check = |rows: &str, row: usize, column: usize, expected: (u32, u32)| {
            let runs = wall(rows).runs(Row::ALL[row - 1], Column::ALL[column - 1]);
            assert_eq!((runs.horizontal, runs.vertical), expected, "{rows} at {row}{column}");
        };
        check("..... ..... ..... ..... .....", 3, 3, (1, 1));
        check("...K. ...R. KWB.. ..... .....", 3, 4, (4, 3));
        check("..... ..... KW.YR ..... .....", 3, 3, (5, 1));
        check("..... ..... KW.Y. ..... .....", 3, 5, (2, 1));
        check("B.... W.... ..... R.... Y....", 3, 1, (1, 5));
        check("B...W ..... ..... ..... Y...B", 1, 5, (1, 1));
    }

    #[test]
    fn full_columns_and_colors_count_jokers_rightly() {
        let wall = wall("BY... WB... JWB.. RK.B. YR..B");
        assert_eq!(wall.full_columns(), 2);
        assert_eq!(wall.full_colors(), 1);
        assert_eq!(super::tests::wall("J.... .B... ..B.. ...B. ....B").full_colors(), 0);
    }

    #[test]
    fn the_colored_wall_bars_what_is_printed_on_taken_spaces() {
        let wall = wall("..... ..... .J..R ..... .....");
        let barred = wall.barred_colors(Row::Three, WallKind::Colored);
        assert_eq!(barred, 1 << Color::White.index() | 1 << Color::Red.index());
        let grey = wall.barred_colors(Row::Three, WallKind::Grey);
        assert_eq!(grey, 1 << Color::Red.index());
    }

    #[test]
    fn the_grey_wall_offers_free_spaces_without_the_color_in_the_column() {
        let wall = wall("B.... ....R ..... ..B.. .....");
        let spaces = |joker| wall.spaces_for(Row::Two, Some(Color::Blue), joker, WallKind::Grey);
        assert_eq!(spaces(false).bits(), 0b01010);
        assert_eq!(spaces(true).bits(), 0b01111);
        assert_eq!(wall.spaces_for(Row::Two, None, true, WallKind::Colored).bits(), 0b01111);
        let colored = wall.spaces_for(Row::Two, Some(Color::White), false, WallKind::Colored);
        assert!(colored.iter().eq([Column::One]));
    }
}
