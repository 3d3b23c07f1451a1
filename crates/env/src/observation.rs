//! Observations as numbers: a flat list, or planes of five by five.
//!
//! Planes are aligned with the wall. The tiles of a color stand where the colored wall shows that
//! color, once in each row; the tiles of a line only in its row. Numbers and jokers fill a plane.

use crate::layout::{Layout, Sink, describe, n_kinds, n_wall_kinds};
use azulejo_rules::{Board, Color, Position, Row, Rules, Seat, Tile, Tiles};

/// The number of spaces of a wall and of a plane.
pub(crate) const PLANE: usize = 25;

/// For every set of columns, the five numbers of a row of the wall.
static TAKEN: [[i16; 5]; 32] = {
    let mut rows = [[0; 5]; 32];
    let mut set = 0;
    while set < rows.len() {
        let mut column = 0;
        while column < 5 {
            rows[set][column] = (set >> column & 1) as i16;
            column += 1;
        }
        set += 1;
    }
    rows
};

/// The form of an observation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// One list of numbers.
    #[default]
    Flat,
    /// Planes of five by five.
    Planes,
}

/// Writes the observations of one rule set in one form.
///
/// ```
/// use azulejo_env::{Observation, Shape};
/// use azulejo_rules::{Players, Position, Rules, Seat};
///
/// let rules = Rules::official(Players::Two);
/// let observation = Observation::new(&rules, Shape::Flat);
/// let mut numbers = vec![0; observation.len()];
/// observation.write(&Position::new(rules, Seat::One), Seat::One, &mut numbers);
/// assert_eq!(numbers.len(), 169);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Observation {
    shape: Shape,
    n_kinds: usize,
    n_wall_kinds: usize,
    len: usize,
}

impl Observation {
    /// The observations of a rule set.
    #[must_use]
    pub fn new(rules: &Rules, shape: Shape) -> Observation {
        let len = match shape {
            Shape::Flat => Layout::flat(rules).len(),
            Shape::Planes => Layout::planes(rules).len() * PLANE,
        };
        Observation { shape, n_kinds: n_kinds(rules), n_wall_kinds: n_wall_kinds(rules), len }
    }

    /// The number of numbers.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no numbers, which is never so.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The form.
    #[must_use]
    pub const fn shape(&self) -> Shape {
        self.shape
    }

    /// Writes what a seat observes.
    ///
    /// # Panics
    /// If there is room for another number of numbers, or the position has other rules.
    pub fn write(&self, position: &Position, observer: Seat, out: &mut [i16]) {
        assert_eq!(out.len(), self.len, "the room of an observation is its length");
        // Numbers of kinds that are constants here make loops of known length.
        match (self.shape, self.n_kinds, self.n_wall_kinds) {
            (Shape::Flat, 5, 1) => describe(position, observer, &mut Flat::<5, 1> { out }),
            (Shape::Flat, 5, _) => describe(position, observer, &mut Flat::<5, 5> { out }),
            (Shape::Flat, ..) => describe(position, observer, &mut Flat::<6, 6> { out }),
            (Shape::Planes, ..) => {
                out.fill(0);
                let (has_jokers, n_wall_kinds) =
                    (self.n_kinds > Color::ALL.len(), self.n_wall_kinds);
                describe(position, observer, &mut Planes { out, has_jokers, n_wall_kinds });
            }
        }
    }
}

/// Writes numbers one after the other: `KINDS` kinds of tile, of which walls tell `WALL` apart.
struct Flat<'a, const KINDS: usize, const WALL: usize> {
    out: &'a mut [i16],
}

impl<const KINDS: usize, const WALL: usize> Flat<'_, KINDS, WALL> {
    #[inline]
    fn take<const N: usize>(&mut self) -> &mut [i16; N] {
        let out = std::mem::take(&mut self.out);
        let (head, rest) = out.split_first_chunk_mut().expect("the room was checked");
        self.out = rest;
        head
    }
}

impl<const KINDS: usize, const WALL: usize> Sink for Flat<'_, KINDS, WALL> {
    #[inline]
    fn part(&mut self, _: &'static str, _: i16) {}

    #[inline]
    fn board(&mut self, _: usize) {}

    #[inline]
    fn number(&mut self, n: i16) {
        *self.take::<1>() = [n];
    }

    #[inline]
    fn one_hot(&mut self, index: usize, n: usize) {
        let out = std::mem::take(&mut self.out);
        let (head, rest) = out.split_at_mut(n);
        head.fill(0);
        head[index] = 1;
        self.out = rest;
    }

    #[inline]
    fn tiles(&mut self, tiles: Tiles) {
        let out = self.take::<KINDS>();
        for (n, tile) in out.iter_mut().zip(Tile::ALL) {
            *n = tiles.count(tile) as i16;
        }
    }

    #[inline]
    fn lines(&mut self, board: &Board) {
        for row in Row::ALL {
            let out = self.take::<KINDS>();
            let line = board.line(row);
            out.fill(0);
            if let Some(color) = line.color {
                out[color.index()] = (line.n_tiles - line.jokers) as i16;
            }
            if KINDS > Color::ALL.len() {
                out[Tile::Joker.index()] = line.jokers as i16;
            }
        }
    }

    #[inline]
    fn wall(&mut self, board: &Board) {
        if WALL == 1 {
            for row in Row::ALL {
                *self.take() = TAKEN[board.wall().row(row).bits() as usize % TAKEN.len()];
            }
            return;
        }
        let out = std::mem::take(&mut self.out);
        let (head, rest) = out.split_at_mut(WALL * PLANE);
        head.fill(0);
        for (row, column, tile) in board.wall().tiles() {
            head[tile.index() * PLANE + row.index() * 5 + column.index()] = 1;
        }
        self.out = rest;
    }
}

/// Writes planes that were filled with 0.
struct Planes<'a> {
    out: &'a mut [i16],
    has_jokers: bool,
    n_wall_kinds: usize,
}

impl Planes<'_> {
    fn plane(&mut self) -> &mut [i16] {
        let out = std::mem::take(&mut self.out);
        let (plane, rest) = out.split_at_mut(PLANE);
        self.out = rest;
        plane
    }
}

impl Sink for Planes<'_> {
    fn part(&mut self, _: &'static str, _: i16) {}

    fn board(&mut self, _: usize) {}

    fn number(&mut self, n: i16) {
        self.plane().fill(n);
    }

    fn one_hot(&mut self, index: usize, n: usize) {
        for i in 0..n {
            self.number(i16::from(i == index));
        }
    }

    fn tiles(&mut self, tiles: Tiles) {
        let plane = self.plane();
        for color in Color::ALL {
            let n = tiles.count(color.into()) as i16;
            for row in Row::ALL {
                plane[space(row, color)] = n;
            }
        }
        if self.has_jokers {
            self.number(tiles.count(Tile::Joker) as i16);
        }
    }

    fn lines(&mut self, board: &Board) {
        let plane = self.plane();
        for row in Row::ALL {
            let line = board.line(row);
            if let Some(color) = line.color {
                plane[space(row, color)] = (line.n_tiles - line.jokers) as i16;
            }
        }
        if self.has_jokers {
            let plane = self.plane();
            for row in Row::ALL {
                let at = row.index() * 5;
                plane[at..at + 5].fill(board.line(row).jokers as i16);
            }
        }
    }

    fn wall(&mut self, board: &Board) {
        let out = std::mem::take(&mut self.out);
        let (planes, rest) = out.split_at_mut(self.n_wall_kinds * PLANE);
        for (row, column, tile) in board.wall().tiles() {
            let kind = if self.n_wall_kinds == 1 { 0 } else { tile.index() };
            planes[kind * PLANE + row.index() * 5 + column.index()] = 1;
        }
        self.out = rest;
    }
}

/// Where a plane has a color in a row.
pub(crate) fn space(row: Row, color: Color) -> usize {
    row.index() * 5 + Rules::printed_column(row, color).index()
}
