//! Principal variations: the moves that lead to the position whose evaluation was backed up.
//!
//! Only nodes searched with an open window have one. They are few, so whole lines are copied from
//! ply to ply, and kept by hash for when the transposition table answers instead of a search.

use super::pack::PackedMove;
use crate::eval::Value;
use arrayvec::ArrayVec;
use std::collections::HashMap;

/// The most drafts of a round with two players: each takes one of twenty tiles at least.
pub(super) const MAX_DRAFTS: usize = 20;

/// A line of drafts.
pub(super) type Line = ArrayVec<PackedMove, MAX_DRAFTS>;

/// The most lines kept by hash. A search of a million nodes has some thousand open windows.
const MAX_KEPT: usize = 1 << 13;

/// The principal variations of a search (a triangular table), and those of nodes searched before.
#[derive(Default)]
pub(super) struct Lines {
    /// The line from the current node at each ply.
    by_ply: [Line; MAX_DRAFTS + 2],
    /// The value and line of each position searched with an open window, by hash.
    kept: HashMap<u64, (Value, Line)>,
}

impl Lines {
    /// The line from a ply on.
    pub(super) fn from(&self, ply: usize) -> &Line {
        &self.by_ply[ply.min(MAX_DRAFTS + 1)]
    }

    /// Empties the line from a ply on.
    pub(super) fn clear(&mut self, ply: usize) {
        if let Some(line) = self.by_ply.get_mut(ply) {
            line.clear();
        }
    }

    /// Puts a move in front of the line from the next ply.
    pub(super) fn extend(&mut self, ply: usize, m: PackedMove) {
        if let Some([line, next, ..]) = self.by_ply.get_mut(ply..) {
            line.clear();
            line.push(m);
            line.extend(next.iter().copied().take(MAX_DRAFTS - 1));
        }
    }

    /// Keeps the line from a ply on for the position with a hash.
    pub(super) fn keep(&mut self, hash: u64, value: Value, ply: usize) {
        if self.kept.len() < MAX_KEPT || self.kept.contains_key(&hash) {
            let line = self.from(ply).clone();
            self.kept.insert(hash, (value, line));
        }
    }

    /// Takes over the kept line of a position, if it leads to this value.
    pub(super) fn recall(&mut self, hash: u64, value: Value, ply: usize) -> bool {
        match (self.kept.get(&hash), self.by_ply.get_mut(ply)) {
            (Some((kept, line)), Some(here)) if *kept == value => {
                here.clone_from(line);
                true
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_grow_from_the_end() {
        let mut lines = Lines::default();
        lines.clear(2);
        lines.extend(1, PackedMove(2));
        lines.extend(0, PackedMove(1));
        assert_eq!(lines.from(0)[..], [PackedMove(1), PackedMove(2)]);
        lines.keep(9, 50, 0);
        assert!(!lines.recall(9, 51, 5) && !lines.recall(8, 50, 5));
        assert!(lines.recall(9, 50, 5));
        assert_eq!(lines.from(5), lines.from(0));
    }

    #[test]
    fn plies_beyond_a_round_are_ignored() {
        let mut lines = Lines::default();
        for ply in (0..40).rev() {
            lines.extend(ply, PackedMove(ply as u16));
        }
        assert_eq!(lines.from(0).len(), MAX_DRAFTS);
        assert!(!lines.recall(1, 1, 99));
    }
}
