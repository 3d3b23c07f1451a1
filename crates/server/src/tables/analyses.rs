//! The latest analyses, by position, so that the same hint is not searched twice.
//!
//! A direct-mapped table, like the engine's transposition table: a new analysis replaces the one in
//! its slot. That bounds the memory without a cache library, and a lost analysis costs one search.

use azulejo_rules::Position;
use azulejo_table::Analysis;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The number of slots. An analysis takes about 2 KB.
const N_SLOTS: usize = 1 << 10;

/// Whether a search of this length would hardly find more.
pub(super) fn is_worth(analysis: &Analysis, slice: Duration) -> bool {
    !analysis.is_cut || analysis.time >= slice
}

type Slot = Option<(Position, Arc<Analysis>)>;

/// The table.
pub(super) struct Analyses(Mutex<Vec<Slot>>);

impl Default for Analyses {
    fn default() -> Analyses {
        Analyses(Mutex::new(vec![None; N_SLOTS]))
    }
}

impl Analyses {
    pub(super) fn get(&self, position: &Position) -> Option<Arc<Analysis>> {
        let slots = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (known, analysis) = slots[slot(position)].as_ref()?;
        (known == position).then(|| Arc::clone(analysis))
    }

    pub(super) fn put(&self, position: Position, analysis: &Arc<Analysis>) {
        let mut slots = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        slots[slot(&position)] = Some((position, Arc::clone(analysis)));
    }
}

fn slot(position: &Position) -> usize {
    position.hash_key() as usize % N_SLOTS
}

#[cfg(test)]
mod tests {
    use super::*;
    use azulejo_rules::{Players, Rules, Seat};

    #[test]
    fn analyses_are_found_by_position() {
        let analyses = Analyses::default();
        let position = Position::new(Rules::official(Players::Two), Seat::One);
        let other = Position::new(Rules::official(Players::Two), Seat::Two);
        let cut = Arc::new(Analysis {
            lines: Vec::new(),
            time: Duration::from_millis(100),
            is_cut: true,
        });
        analyses.put(position, &cut);
        assert!(analyses.get(&other).is_none());
        let found = analyses.get(&position).unwrap();
        assert!(is_worth(&found, Duration::from_millis(100)));
        assert!(!is_worth(&found, Duration::from_millis(101)));
        let whole = Arc::new(Analysis { lines: Vec::new(), time: Duration::ZERO, is_cut: false });
        analyses.put(position, &whole);
        assert!(is_worth(&analyses.get(&position).unwrap(), Duration::from_secs(9)));
    }
}
