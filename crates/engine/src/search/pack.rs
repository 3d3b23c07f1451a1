//! A draft in sixteen bits, for the table and for counting how often it was good.

use azulejo_rules::{Draft, Move, Pick};

/// A packed draft; 0 stands for none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PackedMove(pub(super) u16);

impl PackedMove {
    pub(super) const NONE: PackedMove = PackedMove(0);

    /// Four bits each for source, pick and the choice of jokers, three for the destination, and
    /// one that is always set. Wall choices are never stored.
    #[inline]
    pub(super) fn new(m: Move) -> PackedMove {
        match m {
            Move::Draft(Draft { source, pick, to, extra_jokers }) => PackedMove(
                1 << 15
                    | (source.index() as u16)
                    | pick_index(pick) << 4
                    | (to.index() as u16) << 8
                    | u16::from(extra_jokers & 15) << 11,
            ),
            Move::Place { .. } => PackedMove::NONE,
        }
    }
}

/// The place of a pick in [`Pick::ALL`].
#[inline]
pub(super) fn pick_index(pick: Pick) -> u16 {
    match pick {
        Pick::Color(color) => color.index() as u16,
        Pick::Jokers => 5,
        Pick::JokersAnd(color) => 6 + color.index() as u16,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use azulejo_rules::{Destination, Source};

    #[test]
    fn every_draft_has_its_own_code() {
        let mut codes = std::collections::HashSet::from([PackedMove::NONE.0]);
        for source in Source::ALL {
            for pick in Pick::ALL {
                for to in Destination::ALL {
                    for extra_jokers in 0..10 {
                        let draft = Draft { source, pick, to, extra_jokers };
                        assert!(codes.insert(PackedMove::new(Move::Draft(draft)).0));
                    }
                }
            }
        }
    }
}
