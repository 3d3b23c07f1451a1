//! The layout of observations: which numbers there are, in which order, within which bounds.
//!
//! [`describe`] is the one place that lists them. A [`Sink`] receives them: one writes the flat form,
//! one the planes, and one only takes notes, which become the [`Layout`].

use azulejo_rules::{
    Board, Color, EndedBy, Phase, Players, Position, Row, Rules, Seat, Source, Tile, Tiles,
};

/// What [`describe`] gives the parts of an observation to.
pub(crate) trait Sink {
    /// The next numbers belong to a part of this name, and lie between 0 and `high`.
    fn part(&mut self, name: &'static str, high: i16);
    /// The next parts belong to a board; 0 is the observer's.
    fn board(&mut self, index: usize);
    /// One number.
    fn number(&mut self, n: i16);
    /// `n` numbers that are 0 but for one.
    fn one_hot(&mut self, index: usize, n: usize);
    /// The number of tiles of each kind.
    fn tiles(&mut self, tiles: Tiles);
    /// The number of tiles of each kind on each line.
    fn lines(&mut self, board: &Board);
    /// The spaces of the wall that are taken, for each kind of tile if the wall does not show it.
    fn wall(&mut self, board: &Board);
}

/// Names everything that a seat observes, which is everything there is: nothing on the table is
/// hidden, and the order of the bag is not part of a position.
#[inline]
pub(crate) fn describe(position: &Position, observer: Seat, sink: &mut impl Sink) {
    let rules = position.rules();
    let players = rules.players();
    let n_seats = players.count();
    let relative = |seat: Seat| (seat.index() + n_seats - observer.index()) % n_seats;
    sink.part("offer", 20);
    for &source in &Source::ALL[..=players.factories()] {
        sink.tiles(position.pile(source));
    }
    sink.part("center_marker", 1);
    sink.number(i16::from(position.marker().is_none()));
    sink.part("bag", 20);
    sink.tiles(position.stock().bag);
    sink.part("lid", 20);
    sink.tiles(position.stock().lid);
    sink.part("round", i16::MAX);
    sink.number(clamped(position.round()));
    sink.part("dry_rounds", 255);
    sink.number(i16::from(position.dry_rounds()));
    sink.part("phase", 1);
    sink.one_hot(phase_index(position.phase()), n_phases(rules));
    sink.part("observer", 1);
    sink.one_hot(observer.index(), n_seats);
    sink.part("turn", 1);
    sink.one_hot(relative(position.turn()), n_seats);
    sink.part("starter", 1);
    sink.one_hot(relative(position.starter()), n_seats);
    let mut seat = observer;
    for index in 0..n_seats {
        let board = position.board(seat);
        sink.board(index);
        sink.part("score", i16::MAX);
        sink.number(clamped(board.score()));
        sink.part("lines", 5);
        sink.lines(board);
        sink.part("wall", 1);
        sink.wall(board);
        sink.part("floor", 7);
        sink.tiles(board.floor());
        sink.part("marker", 1);
        sink.number(i16::from(position.marker() == Some(seat)));
        seat = players.next(seat);
    }
}

fn clamped(n: u16) -> i16 {
    i16::try_from(n).unwrap_or(i16::MAX)
}

/// Draft, deal, the four reasons of an end, and the row of a wall choice.
fn phase_index(phase: Phase) -> usize {
    match phase {
        Phase::Draft => 0,
        Phase::Deal => 1,
        Phase::Over(EndedBy::Row) => 2,
        Phase::Over(EndedBy::NoTiles) => 3,
        Phase::Over(EndedBy::DeadPosition) => 4,
        Phase::Over(EndedBy::Stall) => 5,
        Phase::Tiling(row) => 6 + row.index(),
    }
}

/// The phase with an index.
pub(crate) fn phase_of(index: usize) -> Option<Phase> {
    Some(match index {
        0 => Phase::Draft,
        1 => Phase::Deal,
        2 => Phase::Over(EndedBy::Row),
        3 => Phase::Over(EndedBy::NoTiles),
        4 => Phase::Over(EndedBy::DeadPosition),
        5 => Phase::Over(EndedBy::Stall),
        row => Phase::Tiling(Row::from_index(row - 6)?),
    })
}

fn n_phases(rules: &Rules) -> usize {
    6 + if rules.has_wall_choices() { Row::ALL.len() } else { 0 }
}

/// The number of kinds of tile in the game.
pub(crate) fn n_kinds(rules: &Rules) -> usize {
    if rules.jokers { Tile::ALL.len() } else { Color::ALL.len() }
}

/// The number of kinds that the spaces of a wall must tell apart.
pub(crate) fn n_wall_kinds(rules: &Rules) -> usize {
    if rules.has_wall_choices() { n_kinds(rules) } else { 1 }
}

/// A named range of an observation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The name, as in `offer` or `board1.lines`; board 0 is the observer's.
    pub name: String,
    /// The first number, or the first plane.
    pub start: usize,
    /// The numbers or planes of the part.
    pub len: usize,
    /// The largest value; the smallest is 0.
    pub high: i16,
}

/// The parts of an observation in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The parts, one after the other without gaps.
    pub parts: Vec<Part>,
}

impl Layout {
    /// The layout of the flat observation, in numbers.
    #[must_use]
    pub fn flat(rules: &Rules) -> Layout {
        Layout::noted(rules, |tiles| tiles)
    }

    /// The layout of the planes, in planes.
    #[must_use]
    pub fn planes(rules: &Rules) -> Layout {
        Layout::noted(rules, |_| 1)
    }

    /// `width` is the room that the colors of a multiset of tiles take.
    fn noted(rules: &Rules, width: fn(usize) -> usize) -> Layout {
        let (n_kinds, colors) = (n_kinds(rules), Color::ALL.len());
        let is_flat = width(colors) == colors;
        let mut notes = Notes {
            parts: Vec::new(),
            prefix: String::new(),
            tiles: width(colors) + (n_kinds - colors),
            lines: if is_flat { 5 * n_kinds } else { 1 + (n_kinds - colors) },
            wall: n_wall_kinds(rules) * if is_flat { 25 } else { 1 },
        };
        let seat = rules.first_player().unwrap_or(Seat::One);
        describe(&Position::new(*rules, seat), seat, &mut notes);
        Layout { parts: notes.parts }
    }

    /// The room of all parts together.
    #[must_use]
    pub fn len(&self) -> usize {
        self.parts.iter().map(|part| part.len).sum()
    }

    /// Whether there are no parts, which is never so.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }
}

/// Takes down names and sizes.
struct Notes {
    parts: Vec<Part>,
    prefix: String,
    tiles: usize,
    lines: usize,
    wall: usize,
}

impl Notes {
    fn grow(&mut self, n: usize) {
        self.parts.last_mut().expect("a part has begun").len += n;
    }
}

impl Sink for Notes {
    fn part(&mut self, name: &'static str, high: i16) {
        let start = self.parts.last().map_or(0, |part| part.start + part.len);
        self.parts.push(Part { name: format!("{}{name}", self.prefix), start, len: 0, high });
    }

    fn board(&mut self, index: usize) {
        self.prefix = format!("board{index}.");
    }

    fn number(&mut self, _: i16) {
        self.grow(1);
    }

    fn one_hot(&mut self, _: usize, n: usize) {
        self.grow(n);
    }

    fn tiles(&mut self, _: Tiles) {
        self.grow(self.tiles);
    }

    fn lines(&mut self, _: &Board) {
        self.grow(self.lines);
    }

    fn wall(&mut self, _: &Board) {
        self.grow(self.wall);
    }
}

/// The seat that an index counted from the observer means.
pub(crate) fn absolute(players: Players, observer: Seat, index: usize) -> Seat {
    let n_seats = players.count();
    players.seats()[(observer.index() + index) % n_seats]
}
