//! A flat observation back to the position it shows.

use crate::layout::{Layout, absolute, n_kinds, n_wall_kinds, phase_of};
use azulejo_rules::{
    BoardSetup, Column, InvalidSetup, Position, Row, Rules, Seat, Setup, Tile, Tiles,
};

/// Why numbers are not a flat observation of a rule set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// The number of numbers is wrong.
    #[error("an observation of these rules has {expected} numbers, not {found}")]
    Length {
        /// How many there are.
        found: usize,
        /// How many there must be.
        expected: usize,
    },
    /// A number is out of bounds, or several are 1 where one must be.
    #[error("the numbers of `{part}` are out of bounds")]
    Part {
        /// The part of the layout.
        part: String,
    },
    /// The numbers show an arrangement that is not a position.
    #[error(transparent)]
    Setup(#[from] InvalidSetup),
}

/// Reads the parts in order.
struct Reader<'a> {
    parts: std::slice::Iter<'a, crate::Part>,
    numbers: &'a [i16],
}

impl<'a> Reader<'a> {
    /// The numbers of the next part, and its name.
    fn part(&mut self) -> (&'a [i16], &'a str) {
        let part = self.parts.next().expect("every part is read once");
        (&self.numbers[part.start..part.start + part.len], &part.name)
    }

    fn number(&mut self) -> u16 {
        self.part().0[0] as u16
    }

    fn one_hot(&mut self) -> Result<usize, DecodeError> {
        let (numbers, part) = self.part();
        let error = || DecodeError::Part { part: part.to_owned() };
        let index = numbers.iter().position(|&n| n == 1).ok_or_else(error)?;
        if numbers.iter().filter(|&&n| n != 0).count() > 1 { Err(error()) } else { Ok(index) }
    }

    fn tiles(&mut self) -> Tiles {
        tiles(self.part().0)
    }
}

fn tiles(numbers: &[i16]) -> Tiles {
    Tile::ALL.into_iter().zip(numbers).map(|(tile, &n)| Tiles::of(tile, n as u32)).sum()
}

impl Layout {
    /// The position that a flat observation shows, and the seat that observed it.
    ///
    /// # Errors
    /// If the numbers are not an observation under these rules.
    pub fn decode(rules: &Rules, numbers: &[i16]) -> Result<(Position, Seat), DecodeError> {
        let layout = Layout::flat(rules);
        let (found, expected) = (numbers.len(), layout.len());
        if found != expected {
            return Err(DecodeError::Length { found, expected });
        }
        for part in &layout.parts {
            let range = &numbers[part.start..part.start + part.len];
            if !range.iter().all(|n| (0..=part.high).contains(n)) {
                return Err(DecodeError::Part { part: part.name.clone() });
            }
        }
        let players = rules.players();
        let n_kinds = n_kinds(rules);
        let mut reader = Reader { parts: layout.parts.iter(), numbers };
        let mut setup = Setup::new(*rules);
        let mut piles = reader.part().0.chunks(n_kinds).map(tiles);
        setup.center = piles.next().unwrap_or_default();
        setup.factories = piles.collect();
        setup.marker_in_center = reader.number() == 1;
        setup.bag = reader.tiles();
        setup.lid = reader.tiles();
        setup.round = reader.number();
        setup.dry_rounds = reader.number() as u8;
        setup.phase = phase_of(reader.one_hot()?).expect("the layout has a number for each phase");
        let observer = absolute(players, Seat::One, reader.one_hot()?);
        setup.turn = absolute(players, observer, reader.one_hot()?);
        setup.starter = absolute(players, observer, reader.one_hot()?);
        for index in 0..players.count() {
            let board = &mut setup.boards[absolute(players, observer, index).index()];
            *board = BoardSetup { score: reader.number(), ..BoardSetup::default() };
            for (line, numbers) in board.lines.iter_mut().zip(reader.part().0.chunks(n_kinds)) {
                *line = tiles(numbers);
            }
            read_wall(rules, reader.part().0, board);
            board.floor = reader.tiles();
            board.has_marker = reader.number() == 1;
        }
        Ok((setup.validate()?, observer))
    }
}

fn read_wall(rules: &Rules, numbers: &[i16], board: &mut BoardSetup) {
    for (at, _) in numbers.iter().enumerate().filter(|&(_, &n)| n == 1) {
        let (row, column) = (Row::ALL[at % 25 / 5], Column::ALL[at % 5]);
        let tile = match n_wall_kinds(rules) {
            1 => Rules::printed_color(row, column).into(),
            _ => Tile::ALL[at / 25],
        };
        board.wall[row.index()][column.index()] = Some(tile);
    }
}
