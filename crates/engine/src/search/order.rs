//! Move ordering by hash move, history heuristic, killer heuristic and a static estimate; drafts from
//! identical factories are generated once.
//!
//! Good ordering is most of the strength of an alpha-beta search: a refutation that is tried first
//! makes all other moves unnecessary.

use super::pack::PackedMove;
use azulejo_rules::{Draft, Move, Position, Row, Source, Tile, Tiles};

/// The number of plies with killer moves of their own.
const MAX_PLY: usize = 64;

/// The tables of the history and killer heuristics.
pub(super) struct History {
    /// History scores by seat, number of tiles, and pick with destination.
    scores: Box<[[[i16; 128]; 8]; 4]>,
    /// The last two moves that caused a beta cutoff at each ply.
    killers: [[PackedMove; 2]; MAX_PLY],
}

impl History {
    pub(super) fn new() -> History {
        History { scores: Box::new([[[0; 128]; 8]; 4]), killers: [[PackedMove::NONE; 2]; MAX_PLY] }
    }

    /// Shrinks the scores and clears the killers, for a new search.
    pub(super) fn age(&mut self) {
        for score in self.scores.as_flattened_mut().as_flattened_mut() {
            *score /= 8;
        }
        self.killers = [[PackedMove::NONE; 2]; MAX_PLY];
    }

    /// Rewards a move that caused a beta cutoff and penalizes those tried before it.
    pub(super) fn update(
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
        self.add(position, best, bonus);
        for other in tried {
            self.add(position, other, -bonus);
        }
    }

    fn add(&mut self, position: &Position, m: PackedMove, bonus: i32) {
        /// "History gravity": the nearer a score is to this limit, the less is added.
        const LIMIT: i32 = 8_000;
        let n_tiles = n_drafted(position, m).min(7) as usize;
        let score = &mut self.scores[position.turn().index()][n_tiles][m.kind()];
        let old = i32::from(*score);
        *score = (old + bonus - old * bonus.abs() / LIMIT) as i16;
    }
}

/// The move lists of all nodes from the root to the current one on one stack. Each node has a
/// [`Span`] of it, and the span of the current node is the last.
///
/// A move is a number with its score in the upper half and the packed move in the lower half. So
/// all numbers of a node differ, and the next best move is the largest number below the last one:
/// nothing is sorted or marked, and the selection vectorizes.
#[derive(Default)]
pub(super) struct MoveStack(Vec<i32>);

/// Where the moves of a node start, and the last one that was picked.
#[derive(Clone, Copy)]
pub(super) struct Span {
    start: usize,
    last: i32,
}

/// The score of the hash move: above all others, whose history score, static estimate and killer bonus
/// add up to less than 17,000 and to more than -13,000.
const HASH_MOVE: i16 = 18_000;

/// The number of a move with a score.
#[inline]
fn number(score: i16, m: PackedMove) -> i32 {
    i32::from(score) << 16 | i32::from(m.0)
}

#[inline]
fn unnumber(number: i32) -> PackedMove {
    PackedMove(number as u16)
}

impl MoveStack {
    /// Generates and scores the drafts of a node; [`pop`](Self::pop) removes them.
    pub(super) fn push(
        &mut self,
        node: &Position,
        history: &History,
        hash_move: PackedMove,
        ply: usize,
    ) -> Span {
        let span = Span { start: self.0.len(), last: number(HASH_MOVE + 1, PackedMove::NONE) };
        let seat = node.turn();
        let twins = twin_factories(node);
        let board = node.board(seat);
        let mut estimates = [&FLOOR_ESTIMATE; 8];
        for (estimate, row) in estimates.iter_mut().zip(Row::ALL) {
            *estimate = &LINE_ESTIMATE[row.index()][board.line(row).room() as usize % 8];
        }
        let scores = &history.scores[seat.index()];
        let scored = |m: PackedMove, to: usize, n_tiles: u32| {
            let n_tiles = n_tiles.min(7) as usize;
            number(scores[n_tiles][m.kind()] + estimates[to % estimates.len()][n_tiles], m)
        };
        let mut has_jokers = false;
        for (tile, source) in node.piles() {
            let tiles = node.pile(source);
            has_jokers |= tile == Tile::Joker;
            let Tile::Color(color) = tile else { continue };
            if twins >> source.index() & 1 == 1 || tiles.count(Tile::Joker) > 0 {
                continue;
            }
            let n_tiles = tiles.count(tile);
            let mut open = board.destinations(tile).bits();
            while open != 0 {
                let to = open.trailing_zeros() as usize;
                open &= open - 1;
                self.0.push(scored(PackedMove::plain(source, color, to), to, n_tiles));
            }
        }
        if has_jokers {
            // A source with jokers has more kinds of pick.
            for &m in &node.legal_moves() {
                if let Move::Draft(draft) = m
                    && twins >> draft.source.index() & 1 == 0
                    && node.pile(draft.source).count(Tile::Joker) > 0
                {
                    let m = PackedMove::new(draft);
                    self.0.push(scored(m, draft.to.index(), n_drafted(node, m)));
                }
            }
        }
        let killers = history.killers[ply.min(MAX_PLY - 1)];
        for listed in &mut self.0[span.start..] {
            let m = unnumber(*listed);
            let mut bonus = if m == killers[0] { number(6_000, PackedMove::NONE) } else { 0 };
            bonus += if m == killers[1] { number(4_000, PackedMove::NONE) } else { 0 };
            *listed = if m == hash_move { number(HASH_MOVE, m) } else { *listed + bonus };
        }
        span
    }

    /// The next best move of the last span.
    #[inline]
    pub(super) fn next(&self, span: &mut Span) -> Option<PackedMove> {
        // Numbers are less than 2^31 apart. So exactly those below the last one are positive
        // relative to a zero that lies 2^31 below it.
        let zero = span.last.wrapping_sub(i32::MIN);
        let above = |number: &i32| number.wrapping_sub(zero);
        let most = self.0[span.start..].iter().map(above).fold(-1, i32::max);
        span.last = most.wrapping_add(zero);
        (most >= 0).then_some(unnumber(span.last))
    }

    /// All moves of the last span, in no order.
    pub(super) fn all(&self, span: Span) -> impl Iterator<Item = PackedMove> {
        self.0[span.start..].iter().map(|&number| unnumber(number))
    }

    /// The moves picked before the last one.
    pub(super) fn tried(&self, span: Span) -> impl Iterator<Item = PackedMove> {
        let all = self.0[span.start..].iter();
        all.filter(move |&&number| number > span.last).map(|&number| unnumber(number))
    }

    /// The number of moves in the last span.
    pub(super) fn count(&self, span: Span) -> usize {
        self.0.len() - span.start
    }

    /// Removes the last span.
    pub(super) fn pop(&mut self, span: Span) {
        self.0.truncate(span.start);
    }
}

/// The factories with the same tiles as one before them, one bit each: drafts from them lead to
/// positions that differ only in the numbering of the factories.
fn twin_factories(position: &Position) -> u32 {
    let mut rest = position.filled_sources().bits() & !1;
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

/// The static estimate of a draft by row, room in the line and number of tiles: a line that it fills
/// exactly is good, tiles on the floor are bad.
static LINE_ESTIMATE: [[[i16; 8]; 8]; 5] = {
    let mut estimate = [[[0; 8]; 8]; 5];
    let mut row = 0;
    while row < 5 {
        let mut room = 0;
        while room < 8 {
            let mut n_tiles = 0;
            while n_tiles < 8 {
                estimate[row as usize][room as usize][n_tiles as usize] = if n_tiles >= room {
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
    estimate
};

/// The static estimate of a draft to the floor by number of tiles.
static FLOOR_ESTIMATE: [i16; 8] = {
    let mut estimate = [0; 8];
    let mut n_tiles = 0;
    while n_tiles < 8 {
        estimate[n_tiles as usize] = -500 - 600 * n_tiles;
        n_tiles += 1;
    }
    estimate
};

#[cfg(test)]
mod tests {
    use super::*;
    use azulejo_rules::Phase;
    use azulejo_testkit::games::each_position;

    #[test]
    fn every_draft_is_picked_once_and_the_best_first() {
        for rules in ["2c", "2gj", "4c", "4cj"] {
            let mut moves = MoveStack::default();
            let mut history = History::new();
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
                history.killers[3][0] = killer;
                let mut span = moves.push(position, &history, first, 3);
                assert_eq!(moves.count(span), drafts.len());
                let mut picked = Vec::new();
                let mut last_number = i32::MAX;
                while let Some(m) = moves.next(&mut span) {
                    let tried: Vec<u16> = moves.tried(span).map(|m| m.0).collect();
                    assert_eq!(tried.len(), picked.len());
                    assert!(tried.iter().all(|m| picked.contains(m)));
                    assert!(span.last < last_number);
                    last_number = span.last;
                    picked.push(m.0);
                }
                moves.pop(span);
                assert_eq!(picked[0], first.0);
                // Each update moves the scores further apart.
                for (i, &m) in picked.iter().enumerate() {
                    let tried = picked[..i].iter().map(|&m| PackedMove(m));
                    history.update(position, tried, PackedMove(m), 20, 3);
                }
                picked.sort_unstable();
                drafts.sort_unstable();
                assert_eq!(picked, drafts);
            });
            assert!(moves.0.is_empty());
        }
    }
}
