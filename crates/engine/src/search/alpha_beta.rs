//! The search of a round for two players: alpha-beta with a null window for all but the first move,
//! a table of positions, and less depth, or none, for what promises little.
//!
//! Within a round nothing is hidden, so this is a search like that of chess. It ends where the
//! drafts do: what follows, wall choices and the next deal, is left to the evaluation. A value is
//! *exact* if it rests on complete searches to that end only; when the root's is, the round is
//! solved.

use super::clock::{Deadline, NODES_BETWEEN_LOOKS};
use super::order::{Experience, MoveStack, n_drafted};
use super::pack::PackedMove;
use super::table::{Bound, Entry, Tables};
use crate::eval::{Evaluator, INFINITE, Node, Value};
use azulejo_rules::{Draft, Move, Phase, Position, Seat};

/// With so few plies to go an estimate that is far outside the window is believed …
const CLEAR_DEPTH: i32 = 3;
/// … if it is outside by three points for each of them (docs/engine.md).
const CLEAR_MARGIN: Value = 600;

/// A value and what it rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) value: Value,
    pub(super) exact: bool,
}

/// One thread of a search.
pub(super) struct Searcher<'a> {
    /// The seat that searches.
    hero: Seat,
    pub(super) evaluator: &'a mut Evaluator,
    pub(super) experience: &'a mut Experience,
    pub(super) tables: Tables<'a>,
    pub(super) deadline: &'a Deadline,
    pub(super) moves: MoveStack,
    /// Nodes since the last look at the clock.
    pub(super) uncounted: u64,
    /// Look at the clock after so many.
    pub(super) next_look: u64,
    /// Once set, all values are worthless.
    pub(super) stopped: bool,
}

/// The window of a search: values outside it need not be known exactly.
#[derive(Clone, Copy)]
pub(super) struct Window {
    pub(super) alpha: Value,
    pub(super) beta: Value,
}

impl Window {
    pub(super) const FULL: Window = Window { alpha: -INFINITE, beta: INFINITE };

    /// Just wide enough to tell whether a value is above alpha.
    fn null(self) -> Window {
        Window { alpha: self.alpha, beta: self.alpha + 1 }
    }

    /// The same for the side that moves next.
    fn for_next(self, same_side: bool) -> Window {
        if same_side { self } else { Window { alpha: -self.beta, beta: -self.alpha } }
    }

    fn is_null(self) -> bool {
        self.beta - self.alpha == 1
    }
}

impl<'a> Searcher<'a> {
    pub(super) fn new(
        hero: Seat,
        evaluator: &'a mut Evaluator,
        experience: &'a mut Experience,
        tables: Tables<'a>,
        deadline: &'a Deadline,
    ) -> Searcher<'a> {
        let next_look = deadline.nodes.unwrap_or(u64::MAX).min(NODES_BETWEEN_LOOKS);
        Searcher {
            hero,
            evaluator,
            experience,
            tables,
            deadline,
            moves: MoveStack::default(),
            uncounted: 0,
            next_look,
            stopped: false,
        }
    }

    /// The value of a position for the side to move.
    fn search(&mut self, node: &Node, depth: i32, window: Window, ply: usize) -> Found {
        if node.position.n_piles() == 1 {
            return self.last_draft(node, window, ply);
        }
        // The last two plies are searched faster than they are found in the table.
        let is_stored = depth.min(node.position.n_piles() as i32) > 2;
        let hash = if is_stored { self.evaluator.hash(node) } else { 0 };
        let entry = if is_stored { self.tables.get(hash, depth as u32) } else { None };
        if let Some(found) = entry.and_then(|entry| usable(entry, depth, window)) {
            return found;
        }
        let reaches_end = node.position.n_piles() as i32 <= depth;
        if depth <= CLEAR_DEPTH
            && !reaches_end
            && window.is_null()
            && let Some(found) = self.at_first_sight(node, depth, window)
        {
            return found;
        }
        let first = entry.map_or(PackedMove::NONE, |entry| entry.best);
        let mut span = self.moves.push(&node.position, self.experience, first, ply);
        let mut best = Found { value: -INFINITE, exact: false };
        let mut best_move = PackedMove::NONE;
        let mut all_exact = true;
        let mut alpha = window.alpha;
        let mut n_tried = 0;
        while let Some(m) = self.moves.next(&mut span) {
            if n_tried > 0 && !reaches_end && is_wasteful(&node.position, m) {
                all_exact = false;
                continue;
            }
            let narrowed = Window { alpha, beta: window.beta };
            let found = self.try_move(node, m, n_tried, depth, narrowed, ply);
            if self.stopped {
                self.moves.pop(span);
                return found;
            }
            n_tried += 1;
            all_exact &= found.exact;
            if found.value > best.value {
                best = found;
                best_move = m;
            }
            alpha = alpha.max(found.value);
            if alpha >= window.beta {
                self.experience.learn(&node.position, self.moves.tried(span), m, depth, ply);
                break;
            }
        }
        self.moves.pop(span);
        // A refutation stands on its own; anything else on all moves.
        let refuted = best.value >= window.beta;
        let exact = if refuted { best.exact } else { all_exact };
        let bound = match () {
            () if refuted => Bound::Lower,
            () if best.value > window.alpha => Bound::Equal,
            () => Bound::Upper,
        };
        if is_stored {
            let depth = depth as u32;
            self.tables
                .put(hash, Entry { value: best.value, depth, bound, exact, best: best_move });
        }
        Found { value: best.value, exact }
    }

    /// The value of a position with one pile left to draft. Every second position that is searched is
    /// like this, so nothing is done here that it can do without.
    fn last_draft(&mut self, node: &Node, window: Window, ply: usize) -> Found {
        let mut span = self.moves.push(&node.position, self.experience, PackedMove::NONE, ply);
        let mut value = -INFINITE;
        while value < window.beta
            && let Some(m) = self.moves.next(&mut span)
        {
            value = value.max(self.leaf_after(node, m.unpack()).value);
        }
        self.moves.pop(span);
        Found { value, exact: true }
    }

    /// The estimate of a position, if it is so far outside the window that a few plies will hardly
    /// bring it to the other side.
    fn at_first_sight(&mut self, node: &Node, depth: i32, window: Window) -> Option<Found> {
        let value = self.leaf(node);
        let margin = CLEAR_MARGIN * depth;
        let is_clear = value >= window.beta + margin || value <= window.alpha - margin;
        is_clear.then_some(Found { value, exact: false })
    }

    /// The value of a move for the side that plays it: with a null window and perhaps less depth
    /// first, and again in full if that makes it look good.
    pub(super) fn try_move(
        &mut self,
        node: &Node,
        m: PackedMove,
        n_tried: usize,
        depth: i32,
        window: Window,
        ply: usize,
    ) -> Found {
        let draft = m.unpack();
        // Where the depth reaches the end of the round, less of it would only delay the solution.
        let reaches_end = node.position.n_piles() as i32 <= depth;
        let reduction = if reaches_end { 0 } else { reduction(depth, n_tried) };
        let reduced = depth - 1 - reduction;
        let mut found = None;
        if reduced == 0 || node.position.n_piles() == 1 {
            let leaf = self.leaf_after(node, draft);
            if reduction == 0 || leaf.value <= window.alpha || self.stopped {
                return leaf;
            }
            found = Some(leaf);
        }
        // Not `after`, whose result is copied once more.
        let mut next = *node;
        next.play(Move::Draft(draft));
        let same_side = self.is_own_turn(&next) == self.is_own_turn(node);
        let value_of = |this: &mut Self, depth: i32, window: Window| {
            let found = this.value(&next, depth, window.for_next(same_side), ply + 1);
            Found { value: if same_side { found.value } else { -found.value }, ..found }
        };
        if n_tried == 0 {
            return value_of(self, depth - 1, window);
        }
        let mut found = found.unwrap_or_else(|| value_of(self, reduced, window.null()));
        if found.value > window.alpha && reduction > 0 && !found.exact && !self.stopped {
            found = value_of(self, depth - 1, window.null());
        }
        if found.value > window.alpha && !window.is_null() && !self.stopped {
            found = value_of(self, depth - 1, window);
        }
        found
    }

    /// The value of a position just reached: a leaf at the end of the round or of the depth.
    #[inline]
    fn value(&mut self, node: &Node, depth: i32, window: Window, ply: usize) -> Found {
        self.count_node();
        if self.stopped {
            return Found { value: 0, exact: false };
        }
        match node.position.phase() {
            Phase::Draft if depth > 0 => self.search(node, depth, window, ply),
            Phase::Draft => Found { value: self.leaf(node), exact: false },
            _ => Found { value: self.leaf(node), exact: true },
        }
    }

    /// The value of a move that leads to a leaf, for the side that plays it.
    #[inline]
    fn leaf_after(&mut self, node: &Node, draft: Draft) -> Found {
        self.count_node();
        let value = self.evaluator.value_after(node, draft, node.position.turn());
        Found { value, exact: node.position.n_piles() == 1 }
    }

    /// The estimate for the side to move.
    #[inline]
    fn leaf(&mut self, node: &Node) -> Value {
        let value = self.evaluator.value_for(node, self.hero);
        if self.is_own_turn(node) { value } else { -value }
    }

    #[inline]
    fn is_own_turn(&self, node: &Node) -> bool {
        node.position.turn() == self.hero
    }

    #[inline]
    fn count_node(&mut self) {
        self.uncounted += 1;
        if self.uncounted >= self.next_look {
            self.look();
        }
    }

    /// Looks at the clock.
    pub(super) fn look(&mut self) {
        self.stopped |= self.deadline.look(self.uncounted);
        self.uncounted = 0;
        let left = self
            .deadline
            .nodes
            .map_or(u64::MAX, |limit| limit.saturating_sub(self.deadline.nodes()).max(1));
        self.next_look = left.min(NODES_BETWEEN_LOOKS);
    }
}

/// What an entry of the table says for this depth and window, if that is enough.
fn usable(entry: Entry, depth: i32, window: Window) -> Option<Found> {
    let deep_enough = entry.exact || entry.depth as i32 >= depth;
    let decides = match entry.bound {
        Bound::Equal => true,
        Bound::Lower => entry.value >= window.beta,
        Bound::Upper => entry.value <= window.alpha,
    };
    (deep_enough && decides).then_some(Found { value: entry.value, exact: entry.exact })
}

/// By how many plies less a move is searched at first: the later it comes, the more.
fn reduction(depth: i32, n_tried: usize) -> i32 {
    let late = match n_tried {
        0..=2 => 0,
        3..=6 => 1,
        7..=15 => 2,
        _ => 3,
    };
    late.min(depth - 1)
}

/// Whether a draft throws two tiles or more away. Such moves are left out where the search does not
/// reach the end of the round anyway, unless they come first; but never at the root.
fn is_wasteful(position: &Position, m: PackedMove) -> bool {
    n_drafted(position, m) > position.board(position.turn()).room(m.to()) + 1
}
