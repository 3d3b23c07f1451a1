//! Brute-force search of the rest of a round with the rules alone. It shares no code with the engine, so
//! that the two can be compared.
//!
//! It is alpha-beta with a transposition table, because plain minimax would take hours on useful
//! positions; [`plain_value`] is plain minimax, and a test compares the two.

use azulejo_rules::{Move, Position};
use std::cmp::Ordering;
use std::collections::HashMap;

/// Above every value.
pub const INFINITE: i32 = 1_000_000;

/// A solver with its transposition table.
pub struct Brute<F> {
    /// The value of a leaf for the seat to move there; `None` for other positions.
    leaf: F,
    /// Lower and upper bound of each position, for the seat to move.
    seen: HashMap<u64, (i32, i32)>,
    n_nodes: u64,
    max_nodes: u64,
}

impl<F: FnMut(&Position) -> Option<i32>> Brute<F> {
    /// A solver that gives up after `max_nodes`. `leaf` must know the value of every position after
    /// the round.
    pub fn new(max_nodes: u64, leaf: F) -> Brute<F> {
        Brute { leaf, seen: HashMap::new(), n_nodes: 0, max_nodes }
    }

    /// The value of every legal move for the seat that plays it; of equivalent moves, as from two equal
    /// factories, only the first is listed. `None` if it gave up.
    pub fn each_move(&mut self, position: &Position) -> Option<Vec<(Move, i32)>> {
        let mut moves = Vec::new();
        for (m, next) in children(position) {
            moves.push((m, self.child_value(position, &next, -INFINITE, INFINITE)));
        }
        (self.n_nodes <= self.max_nodes).then_some(moves)
    }

    /// The value of the position after a move, for the seat that played it.
    pub fn value_after(&mut self, position: &Position, m: Move) -> Option<i32> {
        let value = self.child_value(position, &after(position, m), -INFINITE, INFINITE);
        (self.n_nodes <= self.max_nodes).then_some(value)
    }

    /// How every move compares with a value for the seat that plays it, by null-window searches.
    pub fn compare_each(
        &mut self,
        position: &Position,
        value: i32,
    ) -> Option<Vec<(Move, Ordering)>> {
        let mut moves = Vec::new();
        for (m, next) in children(position) {
            let found = self.child_value(position, &next, value - 1, value + 1);
            moves.push((m, found.cmp(&value)));
        }
        (self.n_nodes <= self.max_nodes).then_some(moves)
    }

    /// The moves of a best line to its end, with wall choices, given its value for the seat to move.
    pub fn best_line(&mut self, position: &Position, mut value: i32) -> Option<Vec<Move>> {
        let (mut line, mut now) = (Vec::new(), *position);
        while now.n_legal_moves() > 0 {
            let moves = self.compare_each(&now, value)?;
            let &(m, _) = moves.iter().find(|&&(_, order)| order == Ordering::Equal)?;
            line.push(m);
            let next = after(&now, m);
            value = if next.turn() == now.turn() { value } else { -value };
            now = next;
        }
        Some(line)
    }

    /// The value for the seat to move; outside the window it is a bound.
    fn value(&mut self, position: &Position, mut alpha: i32, mut beta: i32) -> i32 {
        if let Some(value) = (self.leaf)(position) {
            return value;
        }
        self.n_nodes += 1;
        if self.n_nodes > self.max_nodes {
            return 0;
        }
        let hash = position.hash_key();
        let (low, high) = self.seen.get(&hash).copied().unwrap_or((-INFINITE, INFINITE));
        if low >= beta || low == high {
            return low;
        }
        if high <= alpha {
            return high;
        }
        (alpha, beta) = (alpha.max(low), beta.min(high));
        let (mut best, mut floor) = (-INFINITE, alpha);
        for (_, next) in children(position) {
            best = best.max(self.child_value(position, &next, floor, beta));
            floor = floor.max(best);
            if floor >= beta {
                break;
            }
        }
        let bounds = match best {
            _ if best >= beta => (best, high),
            _ if best <= alpha => (low, best),
            _ => (best, best),
        };
        self.seen.insert(hash, bounds);
        best
    }

    /// The value of a child for the seat to move at its parent. In wall-tiling the same seat may move
    /// again.
    fn child_value(&mut self, parent: &Position, next: &Position, alpha: i32, beta: i32) -> i32 {
        if next.turn() == parent.turn() {
            self.value(next, alpha, beta)
        } else {
            -self.value(next, -beta, -alpha)
        }
    }
}

/// The value for the seat to move by plain minimax.
pub fn plain_value(position: &Position, leaf: &mut impl FnMut(&Position) -> Option<i32>) -> i32 {
    if let Some(value) = leaf(position) {
        return value;
    }
    let values = position.legal_moves().into_iter().map(|m| {
        let next = after(position, m);
        let value = plain_value(&next, leaf);
        if next.turn() == position.turn() { value } else { -value }
    });
    values.max().expect("a round that is not over has a move")
}

/// The position after a move.
pub fn after(position: &Position, m: Move) -> Position {
    let mut next = *position;
    next.play(m).expect("the move is on the list");
    next
}

/// The positions after each move, without those that differ only in the order of the factories. Early in
/// the round they are ordered by the score of the round, for earlier cutoffs.
fn children(position: &Position) -> Vec<(Move, Position)> {
    const FEW_PILES: u32 = 3;
    let seat = position.turn();
    let mut seen = Vec::new();
    let mut children = Vec::new();
    for m in position.legal_moves() {
        let next = after(position, m);
        let hash = next.hash_key();
        if !seen.contains(&hash) {
            seen.push(hash);
            children.push((m, next));
        }
    }
    if position.n_piles() > FEW_PILES {
        children.sort_by_cached_key(|(_, next)| {
            let projection = next.projection(seat);
            i32::from(projection.loss) - projection.points() as i32
        });
    }
    children
}
