//! Which moves to try first, and which not at all because another does the same.
//!
//! A good order is most of the strength of an alpha-beta search: a refutation that is tried first
//! makes all other moves unnecessary.

use super::pack::PackedMove;
use azulejo_rules::{Destination, Draft, Move, Pick, Position, Row, Seat, Source, Tile, Tiles};

/// The deepest ply that has killers of its own.
pub(super) const MAX_PLY: usize = 64;

/// What earlier parts of the search have taught about moves.
pub(super) struct Experience {
    /// How often a kind of draft was good: by seat, number of tiles, and pick with destination.
    history: Box<[[[i16; 128]; 8]; 4]>,
    /// Moves that refuted others at the same ply.
    killers: [[PackedMove; 2]; MAX_PLY],
}

impl Experience {
    pub(super) fn new() -> Experience {
        Experience {
            history: Box::new([[[0; 128]; 8]; 4]),
            killers: [[PackedMove::NONE; 2]; MAX_PLY],
        }
    }

    /// Makes old experience count less, for a new search.
    pub(super) fn fade(&mut self) {
        for count in self.history.as_flattened_mut().as_flattened_mut() {
            *count /= 8;
        }
        self.killers = [[PackedMove::NONE; 2]; MAX_PLY];
    }

    /// Remembers the move that was good enough, and those tried before it that were not.
    pub(super) fn learn(
        &mut self,
        seat: Seat,
        tried: &[Scored],
        best: &Scored,
        depth: i32,
        ply: usize,
    ) {
        let killers = &mut self.killers[ply.min(MAX_PLY - 1)];
        if killers[0] != best.m {
            *killers = [best.m, killers[0]];
        }
        let bonus = (depth * depth + depth).min(400);
        self.count(seat, best, bonus);
        for other in tried {
            self.count(seat, other, -bonus);
        }
    }

    fn count(&mut self, seat: Seat, scored: &Scored, bonus: i32) {
        /// Counts stay below this by shrinking as they grow.
        const LIMIT: i32 = 8_000;
        let count = &mut self.history[seat.index()][scored.n_tiles()][scored.m.kind()];
        let old = i32::from(*count);
        *count = (old + bonus - old * bonus.abs() / LIMIT) as i16;
    }
}

/// A move with its place in the order.
#[derive(Clone, Copy)]
pub(super) struct Scored {
    pub(super) m: PackedMove,
    n_tiles: u8,
    score: i32,
}

impl Scored {
    /// How many tiles are drafted, seven for more.
    #[inline]
    pub(super) fn n_tiles(&self) -> usize {
        usize::from(self.n_tiles % 8)
    }
}

/// The moves of all nodes on the way from the root to the current one, one after the other. Each
/// node has a [`Span`] of it, and the span of the current node is the last.
#[derive(Default)]
pub(super) struct MoveStack(Vec<Scored>);

/// Where a node's moves are.
#[derive(Clone, Copy)]
pub(super) struct Span {
    start: usize,
    next: usize,
}

impl MoveStack {
    /// Lists the drafts of a node; to be taken away with [`pop`](Self::pop).
    pub(super) fn push(
        &mut self,
        node: &Position,
        experience: &Experience,
        first: PackedMove,
        ply: usize,
    ) -> Span {
        let span = Span { start: self.0.len(), next: self.0.len() };
        let seat = node.turn();
        let twins = twin_factories(node);
        let board = node.board(seat);
        let room = Row::ALL.map(|row| board.line(row).room());
        let history = &experience.history[seat.index()];
        let mut push = |m: PackedMove, n_tiles: u32| {
            let n_tiles = n_tiles.min(7);
            let to = m.to();
            let promise = match to {
                Destination::Line(row) => PROMISE[row.index()][room[row.index()] as usize % 8],
                Destination::Floor => FLOOR_PROMISE,
            };
            let promise = promise[n_tiles as usize];
            let score = i32::from(history[n_tiles as usize][m.kind()]) + i32::from(promise);
            self.0.push(Scored { m, n_tiles: n_tiles as u8, score });
        };
        if node.rules().jokers {
            for &m in &node.legal_moves() {
                if let Move::Draft(draft) = m
                    && twins >> draft.source.index() & 1 == 0
                {
                    push(PackedMove::new(draft), n_drafted(node, &draft));
                }
            }
        } else {
            node.each_pile(|tile, source| {
                if twins >> source.index() & 1 == 1 {
                    return;
                }
                let Tile::Color(color) = tile else { return };
                let n_tiles = node.pile(source).count(tile);
                let mut open = board.destinations(tile);
                while open != 0 {
                    let to = Destination::ALL[open.trailing_zeros() as usize % 6];
                    open &= open - 1;
                    let pick = Pick::Color(color);
                    push(PackedMove::new(Draft { source, pick, to, extra_jokers: 0 }), n_tiles);
                }
            });
        }
        let killers = experience.killers[ply.min(MAX_PLY - 1)];
        for scored in &mut self.0[span.start..] {
            match scored.m {
                m if m == first => scored.score = i32::MAX,
                m if m == killers[0] => scored.score += 6_000,
                m if m == killers[1] => scored.score += 4_000,
                _ => {}
            }
        }
        span
    }

    /// The next best move of the last span.
    #[inline]
    pub(super) fn next(&mut self, span: &mut Span) -> Option<Scored> {
        let rest = &mut self.0[span.next..];
        let (mut best, mut most) = (0, rest.first()?.score);
        for (i, scored) in rest.iter().enumerate().skip(1) {
            if scored.score > most {
                (best, most) = (i, scored.score);
            }
        }
        rest.swap(0, best);
        span.next += 1;
        Some(rest[0])
    }

    /// The moves handed out before the last one.
    pub(super) fn tried(&self, span: Span) -> &[Scored] {
        &self.0[span.start..span.next - 1]
    }

    /// The moves that have not been handed out, in no order.
    pub(super) fn rest(&self, span: Span) -> &[Scored] {
        &self.0[span.next..]
    }

    /// Takes the last span away.
    pub(super) fn pop(&mut self, span: Span) {
        self.0.truncate(span.start);
    }
}

/// The factories that hold the same tiles as one before them, one bit each: drafts from them lead
/// to positions that are equal in all but the factories' numbers.
fn twin_factories(position: &Position) -> u32 {
    let mut rest = position.filled_sources() & !1;
    let mut twins = 0;
    while rest != 0 {
        let tiles = pile(position, rest.trailing_zeros());
        rest &= rest - 1;
        let mut later = rest;
        while later != 0 {
            let other = later.trailing_zeros();
            later &= later - 1;
            twins |= u32::from(pile(position, other) == tiles) << other;
        }
    }
    twins
}

#[inline]
fn pile(position: &Position, source: u32) -> Tiles {
    position.pile(Source::ALL[source as usize % Source::ALL.len()])
}

fn n_drafted(position: &Position, draft: &Draft) -> u32 {
    let pile = position.pile(draft.source);
    let colored = draft.pick.color().map_or(0, |color| pile.count(color.into()));
    let jokers = if draft.pick.has_jokers() { pile.count(Tile::Joker) } else { 0 };
    colored + jokers
}

/// What a draft promises at first sight, by row, room in the line and number of tiles: lines that
/// fill exactly are good, tiles on the floor bad.
static PROMISE: [[[i16; 8]; 8]; 5] = {
    let mut promise = [[[0; 8]; 8]; 5];
    let mut row = 0;
    while row < 5 {
        let mut room = 0;
        while room < 8 {
            let mut n_tiles = 0;
            while n_tiles < 8 {
                promise[row as usize][room as usize][n_tiles as usize] = if n_tiles >= room {
                    1_750 + 250 * row - 600 * (n_tiles - room)
                } else {
                    400 * n_tiles - 300 * (room - n_tiles)
                };
                n_tiles += 1;
            }
            room += 1;
        }
        row += 1;
    }
    promise
};

static FLOOR_PROMISE: [i16; 8] = {
    let mut promise = [0; 8];
    let mut n_tiles = 0;
    while n_tiles < 8 {
        promise[n_tiles as usize] = -500 - 600 * n_tiles;
        n_tiles += 1;
    }
    promise
};
