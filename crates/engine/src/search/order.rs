//! Which moves to try first, and which not at all because another does the same.
//!
//! A good order is most of the strength of an alpha-beta search: a refutation that is tried first
//! makes all other moves unnecessary.

use super::pack::{PackedMove, pick_index};
use azulejo_rules::{Board, Destination, Draft, Move, Pick, Position, Source, Tile};

/// The deepest ply that has killers of its own.
pub(super) const MAX_PLY: usize = 64;

/// What earlier parts of the search have taught about moves.
pub(super) struct Experience {
    /// How often a kind of draft was the best: by seat, pick, destination and number of tiles.
    history: Box<[i16; 4 * KINDS]>,
    /// Moves that refuted others at the same ply.
    killers: [[PackedMove; 2]; MAX_PLY],
}

const KINDS: usize = 16 * 8 * 8;

impl Experience {
    pub(super) fn new() -> Experience {
        Experience { history: Box::new([0; 4 * KINDS]), killers: [[PackedMove::NONE; 2]; MAX_PLY] }
    }

    /// Makes old experience count less, for a new search.
    pub(super) fn fade(&mut self) {
        for count in self.history.iter_mut() {
            *count /= 8;
        }
        self.killers = [[PackedMove::NONE; 2]; MAX_PLY];
    }

    /// Remembers the move that was good enough, and those tried before it that were not.
    pub(super) fn learn(
        &mut self,
        position: &Position,
        tried: &[Scored],
        best: &Scored,
        depth: i32,
        ply: usize,
    ) {
        let packed = PackedMove::new(best.m);
        let killers = &mut self.killers[ply.min(MAX_PLY - 1)];
        if killers[0] != packed {
            *killers = [packed, killers[0]];
        }
        let bonus = (depth * depth + depth).min(400);
        self.count(position, best, bonus);
        for other in tried {
            self.count(position, other, -bonus);
        }
    }

    fn count(&mut self, position: &Position, scored: &Scored, bonus: i32) {
        /// Counts stay below this by shrinking as they grow.
        const LIMIT: i32 = 8_000;
        let Move::Draft(draft) = scored.m else { return };
        let index = position.turn().index() * KINDS + kind(&draft, scored.n_tiles);
        let count = &mut self.history[index];
        let old = i32::from(*count);
        *count = (old + bonus - old * bonus.abs() / LIMIT) as i16;
    }
}

/// A move with its place in the order.
#[derive(Clone, Copy)]
pub(super) struct Scored {
    pub(super) m: Move,
    pub(super) score: i32,
    /// How many tiles are drafted.
    pub(super) n_tiles: u32,
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
    /// Lists the moves of a node; to be taken away with [`pop`](Self::pop).
    pub(super) fn push(
        &mut self,
        node: &Position,
        experience: &Experience,
        first: PackedMove,
        ply: usize,
    ) -> Span {
        let start = self.0.len();
        let twins = twin_factories(node);
        let killers = experience.killers[ply.min(MAX_PLY - 1)];
        let board = node.board(node.turn());
        let seat_history = node.turn().index() * KINDS;
        let mut push = |draft: Draft, n_tiles: u32| {
            let m = Move::Draft(draft);
            let packed = PackedMove::new(m);
            let history = experience.history[seat_history + kind(&draft, n_tiles)];
            let mut score = i32::from(history) + promise(board, &draft, n_tiles);
            if packed == killers[0] {
                score += 6_000;
            } else if packed == killers[1] {
                score += 4_000;
            }
            if packed == first {
                score = i32::MAX;
            }
            self.0.push(Scored { m, score, n_tiles });
        };
        if node.rules().jokers {
            for &m in &node.legal_moves() {
                if let Move::Draft(draft) = m
                    && twins >> draft.source.index() & 1 == 0
                {
                    push(draft, n_drafted(node, &draft));
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
                    push(Draft { source, pick, to, extra_jokers: 0 }, n_tiles);
                }
            });
        }
        Span { start, next: start }
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

    /// Takes the last span away.
    pub(super) fn pop(&mut self, span: Span) {
        self.0.truncate(span.start);
    }
}

/// The factories that hold the same tiles as one before them, one bit each: drafts from them lead
/// to positions that are equal in all but the factories' numbers.
fn twin_factories(position: &Position) -> u32 {
    let filled = position.filled_sources() & !1;
    let mut twins = 0;
    let mut rest = filled;
    while rest != 0 {
        let source = rest.trailing_zeros();
        rest &= rest - 1;
        let tiles = pile(position, source);
        let mut later = rest;
        while later != 0 {
            let other = later.trailing_zeros();
            later &= later - 1;
            twins |= u32::from(pile(position, other) == tiles) << other;
        }
    }
    twins
}

fn pile(position: &Position, source: u32) -> azulejo_rules::Tiles {
    Source::from_index(source as usize).map_or_else(Default::default, |source| position.pile(source))
}

fn n_drafted(position: &Position, draft: &Draft) -> u32 {
    let pile = position.pile(draft.source);
    let colored = draft.pick.color().map_or(0, |color| pile.count(color.into()));
    let jokers = if draft.pick.has_jokers() { pile.count(Tile::Joker) } else { 0 };
    colored + jokers
}

/// The kind of a draft in a seat's history.
#[inline]
fn kind(draft: &Draft, n_tiles: u32) -> usize {
    pick_index(draft.pick) as usize * 64 + draft.to.index() * 8 + n_tiles.min(7) as usize
}

/// What a draft promises at first sight: lines that fill exactly are good, tiles on the floor bad.
#[inline]
fn promise(board: &Board, draft: &Draft, n_tiles: u32) -> i32 {
    let n_tiles = n_tiles as i32;
    let Destination::Line(row) = draft.to else {
        return -500 - 600 * n_tiles;
    };
    let room = board.line(row).room() as i32;
    if n_tiles >= room {
        1_500 + 250 * row.capacity() as i32 - 600 * (n_tiles - room)
    } else {
        400 * n_tiles - 300 * (room - n_tiles)
    }
}
