//! An observation back to the position it shows.

use crate::layout::{Layout, Sink, absolute, describe, n_kinds, n_wall_kinds, phase_of};
use crate::observation::{Observation, PLANE, Shape, space};
use azulejo_rules::{
    Board, BoardSetup, Color, Column, InvalidSetup, Position, Row, Rules, Seat, Setup, Tile, Tiles,
};

/// Why numbers are not an observation of a rule set.
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
    /// A number is out of bounds, several are 1 where one must be, or planes contradict themselves.
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

    /// The position that planes show, and the seat that observed it.
    ///
    /// # Errors
    /// If the numbers are not planes under these rules.
    pub fn decode_planes(rules: &Rules, numbers: &[i16]) -> Result<(Position, Seat), DecodeError> {
        let observation = Observation::new(rules, Shape::Planes);
        let (found, expected) = (numbers.len(), observation.len());
        if found != expected {
            return Err(DecodeError::Length { found, expected });
        }
        let mut flat = Flatten {
            planes: numbers.chunks_exact(PLANE),
            flat: Vec::new(),
            has_jokers: rules.jokers,
            n_wall_kinds: n_wall_kinds(rules),
        };
        let seat = rules.first_player().unwrap_or(Seat::One);
        describe(&Position::new(*rules, seat), seat, &mut flat);
        let (position, observer) = Layout::decode(rules, &flat.flat)?;
        // A plane repeats its numbers: all of them must be as the position writes them.
        let mut written = vec![0; expected];
        observation.write(&position, observer, &mut written);
        for part in Layout::planes(rules).parts {
            let range = PLANE * part.start..PLANE * (part.start + part.len);
            if written[range.clone()] != numbers[range] {
                return Err(DecodeError::Part { part: part.name });
            }
        }
        Ok((position, observer))
    }
}

/// Makes a flat observation of planes: takes one number of all that a plane repeats. The position that
/// it is given only tells it what comes next.
struct Flatten<'a> {
    planes: std::slice::ChunksExact<'a, i16>,
    flat: Vec<i16>,
    has_jokers: bool,
    n_wall_kinds: usize,
}

impl<'a> Flatten<'a> {
    fn plane(&mut self) -> &'a [i16] {
        self.planes.next().expect("the number of planes was checked")
    }
}

impl Sink for Flatten<'_> {
    fn part(&mut self, _: &'static str, _: i16) {}

    fn board(&mut self, _: usize) {}

    fn number(&mut self, _: i16) {
        let plane = self.plane();
        self.flat.push(plane[0]);
    }

    fn one_hot(&mut self, _: usize, n: usize) {
        (0..n).for_each(|_| self.number(0));
    }

    fn tiles(&mut self, _: Tiles) {
        let plane = self.plane();
        self.flat.extend(Color::ALL.map(|color| plane[space(Row::ALL[0], color)]));
        if self.has_jokers {
            self.number(0);
        }
    }

    fn lines(&mut self, _: &Board) {
        let colors = self.plane();
        let jokers = self.has_jokers.then(|| self.plane());
        for row in Row::ALL {
            self.flat.extend(Color::ALL.map(|color| colors[space(row, color)]));
            self.flat.extend(jokers.map(|jokers| jokers[row.index() * Column::ALL.len()]));
        }
    }

    fn wall(&mut self, _: &Board) {
        for _ in 0..self.n_wall_kinds {
            let plane = self.plane();
            self.flat.extend_from_slice(plane);
        }
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
