//! An exact solver for the rest of a round: alpha-beta with a transposition table over the rules alone.
//!
//! It takes the view of one seat, and all others play against it. With two players that is plain
//! minimax; with more it finds what the seat can be sure of, whatever the others play.

use azulejo_rules::{Move, Outcome, Position, Seat};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// The value of a position for a seat, in tenths of a point: the difference to the best other score,
/// and [`WIN`] for a win, a part of it for a shared one.
pub type Value = i32;

/// What a win counts.
pub const WIN: Value = 600;
/// Above every value.
pub(crate) const INFINITE: Value = 1_000_000;

/// What a finished game is worth to a seat.
#[must_use]
pub fn value_of(outcome: &Outcome, seat: Seat) -> Value {
    let scores = outcome.scores.iter().map(|&score| Value::from(score));
    let best_other =
        scores.enumerate().filter(|&(i, _)| i != seat.index()).map(|(_, score)| score).max();
    let own = Value::from(outcome.scores[seat.index()]);
    let is_winner = outcome.ranks[seat.index()] == 1;
    let win = if is_winner { WIN / outcome.winners().count() as Value } else { 0 };
    10 * (own - best_other.unwrap_or(0)) + win
}

/// The search takes more nodes than were allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the search takes too many nodes")]
pub struct TooManyNodes;

/// A solver for one seat, with its transposition table.
pub(crate) struct Solver<L> {
    seat: Seat,
    /// The value of a position without a legal move: after the round, or after the game.
    leaf: L,
    table: HashMap<u64, Entry, BuildHasherDefault<Identity>>,
    n_nodes: u64,
    max_nodes: u64,
}

/// Bounds of a value, and the move that was best.
#[derive(Clone, Copy)]
struct Entry {
    low: Value,
    high: Value,
    best: Option<Move>,
}

impl<L: FnMut(&Position) -> Value> Solver<L> {
    pub(crate) fn new(seat: Seat, leaf: L) -> Solver<L> {
        Solver { seat, leaf, table: HashMap::default(), n_nodes: 0, max_nodes: 0 }
    }

    /// Allows this many nodes from now on.
    pub(crate) fn allow(&mut self, n_nodes: u64) {
        self.max_nodes = self.n_nodes.saturating_add(n_nodes);
    }

    /// The value of a position, a bound if it is outside the window.
    pub(crate) fn value(
        &mut self,
        position: &Position,
        alpha: Value,
        beta: Value,
    ) -> Result<Value, TooManyNodes> {
        let mut moves = position.legal_moves();
        if moves.is_empty() {
            return Ok((self.leaf)(position));
        }
        self.n_nodes += 1;
        if self.n_nodes > self.max_nodes {
            return Err(TooManyNodes);
        }
        let key = position.hash_key();
        let known = self.table.get(&key).copied();
        let Entry { low, high, best: first } =
            known.unwrap_or(Entry { low: -INFINITE, high: INFINITE, best: None });
        if low >= beta || low == high {
            return Ok(low);
        }
        if high <= alpha {
            return Ok(high);
        }
        let (alpha, beta) = (alpha.max(low), beta.min(high));
        let is_own = position.turn() == self.seat;
        order(position, &mut moves, first);
        let (mut best, mut best_move) = (if is_own { -INFINITE } else { INFINITE }, None);
        for m in moves {
            let mut next = *position;
            next.play_unchecked(m);
            let value = if is_own {
                self.value(&next, alpha.max(best), beta)?
            } else {
                self.value(&next, alpha, beta.min(best))?
            };
            if best_move.is_none() || if is_own { value > best } else { value < best } {
                (best, best_move) = (value, Some(m));
            }
            if if is_own { best >= beta } else { best <= alpha } {
                break;
            }
        }
        let entry = match best {
            _ if best >= beta => Entry { low: best, high, best: best_move },
            _ if best <= alpha => Entry { low, high: best, best: best_move },
            _ => Entry { low: best, high: best, best: best_move },
        };
        self.table.insert(key, entry);
        Ok(best)
    }

    /// The exact value of a position.
    pub(crate) fn exact(&mut self, position: &Position) -> Result<Value, TooManyNodes> {
        self.value(position, -INFINITE, INFINITE)
    }

    /// The moves of a best line to the end of the round, with wall choices.
    pub(crate) fn line(&mut self, position: &Position) -> Result<Vec<Move>, TooManyNodes> {
        let value = self.exact(position)?;
        let (mut line, mut now) = (Vec::new(), *position);
        while let Some(m) = self.best_of(&now, value)? {
            line.push(m);
            now.play_unchecked(m);
        }
        Ok(line)
    }

    /// The first move that keeps the value of a position; `None` if there is no move.
    pub(crate) fn best_of(
        &mut self,
        position: &Position,
        value: Value,
    ) -> Result<Option<Move>, TooManyNodes> {
        let mut moves = position.legal_moves();
        order(position, &mut moves, None);
        for m in moves {
            let mut next = *position;
            next.play_unchecked(m);
            if self.value(&next, value - 1, value + 1)? == value {
                return Ok(Some(m));
            }
        }
        Ok(None)
    }
}

/// Puts moves that score much in this round first, where it is worth the time; `first` before all.
fn order(position: &Position, moves: &mut [Move], first: Option<Move>) {
    const FEW_PILES: u32 = 2;
    if position.n_piles() > FEW_PILES {
        let seat = position.turn();
        moves.sort_by_cached_key(|&m| {
            let mut next = *position;
            next.play_unchecked(m);
            let projection = next.projection(seat);
            i32::from(projection.loss) - projection.points() as i32
        });
    }
    if let Some(at) = first.and_then(|first| moves.iter().position(|&m| m == first)) {
        moves[..=at].rotate_right(1);
    }
}

/// The hash keys of positions are well mixed already.
#[derive(Default)]
pub(crate) struct Identity(u64);

impl Hasher for Identity {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("keys are whole words");
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}
