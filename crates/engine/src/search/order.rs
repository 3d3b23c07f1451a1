//! Which moves to try first, and which not at all because another does the same.
//!
//! A good order is most of the strength of an alpha-beta search: a refutation that is tried first
//! makes all other moves unnecessary.

use super::pack::PackedMove;
use azulejo_rules::{Draft, Move, Position, Row, Source, Tile, Tiles};

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
        position: &Position,
        tried: impl Iterator<Item = PackedMove>,
        best: PackedMove,
        depth: i32,
        ply: usize,
    ) {
        let killers = &mut self.killers[ply.min(MAX_PLY - 1)];
        if killers[0] != best {
            *killers = [best, killers[0]];
        }
        let bonus = (depth * depth + depth).min(400);
        self.count(position, best, bonus);
        for other in tried {
            self.count(position, other, -bonus);
        }
    }

    fn count(&mut self, position: &Position, m: PackedMove, bonus: i32) {
        /// Counts stay below this by shrinking as they grow.
        const LIMIT: i32 = 8_000;
        let n_tiles = n_drafted(position, m).min(7) as usize;
        let count = &mut self.history[position.turn().index()][n_tiles][m.kind()];
        let old = i32::from(*count);
        *count = (old + bonus - old * bonus.abs() / LIMIT) as i16;
    }
}

/// The moves of all nodes on the way from the root to the current one, one after the other. Each
/// node has a [`Span`] of it, and the span of the current node is the last.
///
/// A move is a number whose upper half says how promising it is and whose lower half what it is. So
/// all numbers of a node are different, and the next best move is the largest number below the last:
/// nothing has to be sorted or marked, and a processor looks at several at a time.
#[derive(Default)]
pub(super) struct MoveStack(Vec<i32>);

/// Where a node's moves are, and which was handed out last.
#[derive(Clone, Copy)]
pub(super) struct Span {
    start: usize,
    last: i32,
}

/// The score of the move to try first: above all others, whose history, promise and renown as a killer
/// add up to less than 17,000 and to more than -13,000.
const FIRST: i16 = 18_000;

/// The number of a move.
#[inline]
fn number(score: i16, m: PackedMove) -> i32 {
    i32::from(score) << 16 | i32::from(m.0)
}

#[inline]
fn numbered(number: i32) -> PackedMove {
    PackedMove(number as u16)
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
        let span = Span { start: self.0.len(), last: number(FIRST + 1, PackedMove::NONE) };
        let seat = node.turn();
        let twins = twin_factories(node);
        let board = node.board(seat);
        let mut promises = [&FLOOR_PROMISE; 8];
        for (promise, row) in promises.iter_mut().zip(Row::ALL) {
            *promise = &PROMISE[row.index()][board.line(row).room() as usize % 8];
        }
        let history = &experience.history[seat.index()];
        let scored = |m: PackedMove, to: usize, n_tiles: u32| {
            let n_tiles = n_tiles.min(7) as usize;
            number(history[n_tiles][m.kind()] + promises[to % promises.len()][n_tiles], m)
        };
        if node.rules().jokers {
            for &m in &node.legal_moves() {
                if let Move::Draft(draft) = m
                    && twins >> draft.source.index() & 1 == 0
                {
                    let m = PackedMove::new(draft);
                    self.0.push(scored(m, draft.to.index(), n_drafted(node, m)));
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
                    let to = open.trailing_zeros() as usize;
                    open &= open - 1;
                    self.0.push(scored(PackedMove::plain(source, color, to), to, n_tiles));
                }
            });
        }
        let killers = experience.killers[ply.min(MAX_PLY - 1)];
        for listed in &mut self.0[span.start..] {
            let m = numbered(*listed);
            let mut more = if m == killers[0] { number(6_000, PackedMove::NONE) } else { 0 };
            more += if m == killers[1] { number(4_000, PackedMove::NONE) } else { 0 };
            *listed = if m == first { number(FIRST, m) } else { *listed + more };
        }
        span
    }

    /// The next best move of the last span.
    #[inline]
    pub(super) fn next(&self, span: &mut Span) -> Option<PackedMove> {
        // Numbers are less than 2^31 apart, so those below the last, and they alone, are positive
        // when counted from so far beneath it.
        let zero = span.last.wrapping_sub(i32::MIN);
        let above = |number: &i32| number.wrapping_sub(zero);
        let most = self.0[span.start..].iter().map(above).fold(-1, i32::max);
        span.last = most.wrapping_add(zero);
        (most >= 0).then_some(numbered(span.last))
    }

    /// The moves handed out before the last one.
    pub(super) fn tried(&self, span: Span) -> impl Iterator<Item = PackedMove> {
        let all = self.0[span.start..].iter();
        all.filter(move |&&number| number > span.last).map(|&number| numbered(number))
    }

    /// How many moves the last span has.
    pub(super) fn count(&self, span: Span) -> usize {
        self.0.len() - span.start
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

/// How many tiles a draft takes.
pub(super) fn n_drafted(position: &Position, m: PackedMove) -> u32 {
    let Draft { source, pick, .. } = m.unpack();
    let pile = position.pile(source);
    let colored = pick.color().map_or(0, |color| pile.count(color.into()));
    let jokers = if pick.has_jokers() { pile.count(Tile::Joker) } else { 0 };
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random_game::each_position;
    use azulejo_rules::Phase;

    #[test]
    fn every_draft_is_handed_out_once_and_the_best_first() {
        for rules in ["2c", "2gj", "4c", "4cj"] {
            let mut moves = MoveStack::default();
            let mut experience = Experience::new();
            each_position(rules.parse().unwrap(), 5, |position| {
                if position.phase() != Phase::Draft {
                    return;
                }
                let twins = twin_factories(position);
                let mut drafts: Vec<u16> = Vec::new();
                for &m in &position.legal_moves() {
                    let Move::Draft(draft) = m else { continue };
                    if twins >> draft.source.index() & 1 == 0 {
                        drafts.push(PackedMove::new(draft).0);
                    }
                }
                let [first, killer] = [drafts[drafts.len() / 2], drafts[0]].map(PackedMove);
                experience.killers[3][0] = killer;
                let mut span = moves.push(position, &experience, first, 3);
                assert_eq!(moves.count(span), drafts.len());
                let mut handed_out = Vec::new();
                let mut last_number = i32::MAX;
                while let Some(m) = moves.next(&mut span) {
                    let tried: Vec<u16> = moves.tried(span).map(|m| m.0).collect();
                    assert_eq!(tried.len(), handed_out.len());
                    assert!(tried.iter().all(|m| handed_out.contains(m)));
                    assert!(span.last < last_number);
                    last_number = span.last;
                    handed_out.push(m.0);
                }
                moves.pop(span);
                assert_eq!(handed_out[0], first.0);
                // The more is learned, the further apart the scores are.
                for (i, &m) in handed_out.iter().enumerate() {
                    let tried = handed_out[..i].iter().map(|&m| PackedMove(m));
                    experience.learn(position, tried, PackedMove(m), 20, 3);
                }
                handed_out.sort_unstable();
                drafts.sort_unstable();
                assert_eq!(handed_out, drafts);
            });
            assert!(moves.0.is_empty());
        }
    }
}
