//! Principal variation search (alpha-beta) of a round for two players, with a transposition table,
//! late-move reductions, futility pruning and reverse futility pruning.
//!
//! Within a round nothing is hidden, so this is a search as in chess. It ends with the last draft of
//! the round: wall choices and the next deal are left to the evaluation. Once a value rests on complete
//! searches to that end only, the round is solved.
//!
//! A value inside an open window is the static value at the end of its principal variation.

use super::clock::{Deadline, NODES_PER_CHECK};
use super::order::{History, MoveStack, n_drafted};
use super::pack::PackedMove;
use super::pv::Lines;
use super::transposition::{Bound, Entry, Tables};
use crate::eval::{Certainty, Evaluator, Found, INFINITE, Node, Value};
use azulejo_rules::{Draft, Move, Phase, Position, Seat};

/// The largest depth at which futility and reverse futility pruning apply.
const FUTILITY_DEPTH: i32 = 3;
/// The futility margin per ply: three points (docs/log/2026-11-16-search-less.md).
const FUTILITY_MARGIN: Value = 600;

/// One thread of a search.
pub(super) struct Searcher<'a> {
    /// The seat to move at the root.
    root_seat: Seat,
    pub(super) evaluator: &'a mut Evaluator,
    pub(super) history: &'a mut History,
    pub(super) tables: Tables<'a>,
    pub(super) deadline: &'a Deadline,
    pub(super) moves: MoveStack,
    /// The principal variations.
    pub(super) lines: Box<Lines>,
    /// Nodes since the limits were last checked.
    pub(super) uncounted: u64,
    /// The number of uncounted nodes at which they are checked again.
    pub(super) next_check: u64,
    /// Once set, all values are meaningless.
    pub(super) stopped: bool,
}

/// The alpha-beta window: outside it a bound is enough.
#[derive(Clone, Copy)]
pub(super) struct Window {
    pub(super) alpha: Value,
    pub(super) beta: Value,
}

impl Window {
    pub(super) const FULL: Window = Window { alpha: -INFINITE, beta: INFINITE };

    /// The null window above alpha, which only tells whether a value is above it.
    fn null(self) -> Window {
        Window { alpha: self.alpha, beta: self.alpha + 1 }
    }

    /// The window of the side that moves next.
    fn for_next(self, same_side: bool) -> Window {
        if same_side { self } else { Window { alpha: -self.beta, beta: -self.alpha } }
    }

    fn is_null(self) -> bool {
        self.beta - self.alpha == 1
    }

    /// Whether a value is inside, and so not only a bound.
    fn contains(self, value: Value) -> bool {
        self.alpha < value && value < self.beta
    }
}

impl<'a> Searcher<'a> {
    pub(super) fn new(
        root_seat: Seat,
        evaluator: &'a mut Evaluator,
        history: &'a mut History,
        tables: Tables<'a>,
        deadline: &'a Deadline,
    ) -> Searcher<'a> {
        let next_check = deadline.nodes.unwrap_or(u64::MAX).min(NODES_PER_CHECK);
        Searcher {
            root_seat,
            evaluator,
            history,
            tables,
            deadline,
            moves: MoveStack::default(),
            lines: Box::default(),
            uncounted: 0,
            next_check,
            stopped: false,
        }
    }

    /// The value of a position for the side to move.
    fn search(&mut self, node: &Node, depth: i32, window: Window, ply: usize) -> Found {
        if node.position.n_piles() == 1 {
            return self.last_draft(node, window, ply);
        }
        // Searching the last two plies is faster than probing the table.
        let is_stored = depth.min(node.position.n_piles() as i32) > 2;
        let hash = if is_stored { self.evaluator.hash(node) } else { 0 };
        let entry = if is_stored { self.tables.get(hash, depth as u32) } else { None };
        if let Some(found) = entry.and_then(|entry| usable(entry, depth, window))
            && (!window.contains(found.value) || self.lines.recall(hash, found.value, ply))
        {
            return found;
        }
        let reaches_end = node.position.n_piles() as i32 <= depth;
        if depth <= FUTILITY_DEPTH
            && !reaches_end
            && window.is_null()
            && let Some(found) = self.futility_prune(node, depth, window)
        {
            return found;
        }
        let hash_move = entry.map_or(PackedMove::NONE, |entry| entry.best);
        let mut span = self.moves.push(&node.position, self.history, hash_move, ply);
        let mut best = Found { value: -INFINITE, certainty: Certainty::Estimated };
        let mut best_move = PackedMove::NONE;
        let mut least = Certainty::Proved;
        let mut alpha = window.alpha;
        let mut n_tried = 0;
        while let Some(m) = self.moves.next(&mut span) {
            if n_tried > 0 && !reaches_end && wastes_tiles(&node.position, m) {
                least = Certainty::Estimated;
                continue;
            }
            let narrowed = Window { alpha, beta: window.beta };
            let found = self.search_move(node, m, n_tried, depth, narrowed, ply);
            if self.stopped {
                self.moves.pop(span);
                return found;
            }
            n_tried += 1;
            least = least.min(found.certainty);
            if narrowed.contains(found.value) {
                self.lines.extend(ply, m);
            }
            if found.value > best.value {
                best = found;
                best_move = m;
            }
            alpha = alpha.max(found.value);
            if alpha >= window.beta {
                self.history.update(&node.position, self.moves.tried(span), m, depth, ply);
                break;
            }
        }
        self.moves.pop(span);
        // A cutoff rests on one move; any other value rests on all of them.
        let is_cutoff = best.value >= window.beta;
        let certainty = if is_cutoff { best.certainty } else { least };
        let bound = if is_cutoff {
            Bound::Lower
        } else if best.value > window.alpha {
            Bound::Equal
        } else {
            Bound::Upper
        };
        if is_stored {
            let (value, depth) = (best.value, depth as u32);
            self.tables.put(hash, Entry { value, depth, bound, certainty, best: best_move });
            if bound == Bound::Equal {
                self.lines.keep(hash, value, ply);
            }
        }
        Found { value: best.value, certainty }
    }

    /// The value of a position with one pile left to draft. Every second searched position is like
    /// this, so it skips the table and all pruning.
    fn last_draft(&mut self, node: &Node, window: Window, ply: usize) -> Found {
        let mut span = self.moves.push(&node.position, self.history, PackedMove::NONE, ply);
        let mut best = Found { value: -INFINITE, certainty: Certainty::Proved };
        let mut least = Certainty::Proved;
        let mut best_move = PackedMove::NONE;
        while best.value < window.beta
            && let Some(m) = self.moves.next(&mut span)
        {
            let found = self.evaluate_after(node, m.unpack());
            least = least.min(found.certainty);
            if found.value > best.value {
                (best, best_move) = (found, m);
            }
        }
        self.moves.pop(span);
        if window.contains(best.value) {
            self.lines.clear(ply + 1);
            self.lines.extend(ply, best_move);
        }
        let certainty = if best.value >= window.beta { best.certainty } else { least };
        Found { certainty, ..best }
    }

    /// Reverse futility pruning (fail high) and futility pruning (fail low): near the horizon the
    /// static evaluation is returned if it is outside the window by more than the margin.
    fn futility_prune(&mut self, node: &Node, depth: i32, window: Window) -> Option<Found> {
        let found = self.evaluate(node);
        let margin = FUTILITY_MARGIN * depth;
        let is_futile = found.value >= window.beta + margin || found.value <= window.alpha - margin;
        is_futile.then_some(found)
    }

    /// The value of a move for the side that plays it, by principal variation search: moves after the
    /// first are searched with a null window and perhaps reduced, and again if they raise alpha.
    pub(super) fn search_move(
        &mut self,
        node: &Node,
        m: PackedMove,
        n_tried: usize,
        depth: i32,
        window: Window,
        ply: usize,
    ) -> Found {
        let draft = m.unpack();
        // Where the depth reaches the end of the round, reductions would only delay the solution.
        let reaches_end = node.position.n_piles() as i32 <= depth;
        let reduction = if reaches_end { 0 } else { reduction(depth, n_tried) };
        let reduced = depth - 1 - reduction;
        let mut found = None;
        if !window.is_null() {
            self.lines.clear(ply + 1);
        }
        if reduced == 0 || node.position.n_piles() == 1 {
            let leaf = self.evaluate_after(node, draft);
            if reduction == 0 || leaf.value <= window.alpha || self.stopped {
                return leaf;
            }
            found = Some(leaf);
        }
        // Not `after`, whose result is copied once more.
        let mut next = *node;
        next.play(Move::Draft(draft));
        let same_side = self.is_root_turn(&next) == self.is_root_turn(node);
        let value_of = |this: &mut Self, depth: i32, window: Window| {
            let found = this.search_child(&next, depth, window.for_next(same_side), ply + 1);
            if same_side { found } else { found.negated() }
        };
        if n_tried == 0 {
            return value_of(self, depth - 1, window);
        }
        let mut found = found.unwrap_or_else(|| value_of(self, reduced, window.null()));
        let is_reduced = reduction > 0 && found.certainty == Certainty::Estimated;
        if found.value > window.alpha && is_reduced && !self.stopped {
            found = value_of(self, depth - 1, window.null());
        }
        if found.value > window.alpha && !window.is_null() && !self.stopped {
            found = value_of(self, depth - 1, window);
        }
        found
    }

    /// Searches a position just reached, or evaluates it at the end of the round or of the depth.
    #[inline]
    fn search_child(&mut self, node: &Node, depth: i32, window: Window, ply: usize) -> Found {
        self.count_node();
        if self.stopped {
            return Found { value: 0, certainty: Certainty::Estimated };
        }
        match node.position.phase() {
            Phase::Draft if depth > 0 => self.search(node, depth, window, ply),
            _ => self.evaluate(node),
        }
    }

    /// The static evaluation after a move, for the side that plays it.
    #[inline]
    fn evaluate_after(&mut self, node: &Node, draft: Draft) -> Found {
        self.count_node();
        self.evaluator.value_after(node, draft, node.position.turn())
    }

    /// The static evaluation for the side to move.
    #[inline]
    fn evaluate(&mut self, node: &Node) -> Found {
        let found = self.evaluator.value(node, self.root_seat);
        if self.is_root_turn(node) { found } else { found.negated() }
    }

    #[inline]
    fn is_root_turn(&self, node: &Node) -> bool {
        node.position.turn() == self.root_seat
    }

    #[inline]
    fn count_node(&mut self) {
        self.uncounted += 1;
        if self.uncounted >= self.next_check {
            self.check_limits();
        }
    }

    pub(super) fn check_limits(&mut self) {
        self.stopped |= self.deadline.check(self.uncounted);
        self.uncounted = 0;
        let left = self
            .deadline
            .nodes
            .map_or(u64::MAX, |limit| limit.saturating_sub(self.deadline.nodes()).max(1));
        self.next_check = left.min(NODES_PER_CHECK);
    }
}

/// The result of a table entry, if it is deep enough and its bound decides the window.
fn usable(entry: Entry, depth: i32, window: Window) -> Option<Found> {
    let decides = match entry.bound {
        Bound::Equal => true,
        Bound::Lower => entry.value >= window.beta,
        Bound::Upper => entry.value <= window.alpha,
    };
    let Entry { value, certainty, .. } = entry;
    (entry.is_deep(depth as u32) && decides).then_some(Found { value, certainty })
}

/// The late-move reduction in plies.
fn reduction(depth: i32, n_tried: usize) -> i32 {
    let late = match n_tried {
        0..=2 => 0,
        3..=6 => 1,
        7..=15 => 2,
        _ => 3,
    };
    late.min(depth - 1)
}

/// Whether a draft drops two tiles or more. Such moves are pruned unless they come first or the depth
/// reaches the end of the round; never at the root.
fn wastes_tiles(position: &Position, m: PackedMove) -> bool {
    n_drafted(position, m) > position.board(position.turn()).room(m.to()) + 1
}
