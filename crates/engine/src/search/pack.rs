//! A draft packed into sixteen bits, for the transposition table and the history heuristic.

use azulejo_rules::{Color, Destination, Draft, Pick, Source};

/// A packed draft; 0 stands for none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PackedMove(pub(super) u16);

/// Bit 15 is always set. Below it are the choice of jokers, destination, pick and source.
const IS_MOVE: u16 = 1 << 15;
const JOKERS: u32 = 11;
const TO: u32 = 8;
const PICK: u32 = 4;

impl PackedMove {
    pub(super) const NONE: PackedMove = PackedMove(0);

    #[inline]
    pub(super) fn new(draft: Draft) -> PackedMove {
        let Draft { source, pick, to, extra_jokers } = draft;
        PackedMove(
            IS_MOVE
                | source.index() as u16
                | (pick_index(pick) as u16) << PICK
                | (to.index() as u16) << TO
                | u16::from(extra_jokers & 15) << JOKERS,
        )
    }

    /// A draft of a color to the destination with an index.
    #[inline]
    pub(super) fn plain(source: Source, color: Color, to: usize) -> PackedMove {
        let (source, color) = (source.index() as u16, color.index() as u16);
        PackedMove(IS_MOVE | source | color << PICK | (to as u16) << TO)
    }

    /// The draft. Must not be called on [`NONE`](Self::NONE).
    #[inline]
    pub(super) fn unpack(self) -> Draft {
        debug_assert!(self != PackedMove::NONE);
        Draft {
            source: at(&Source::ALL, self.0),
            pick: at(&Pick::ALL, self.0 >> PICK),
            to: self.to(),
            extra_jokers: (self.0 >> JOKERS & 15) as u8,
        }
    }

    #[inline]
    pub(super) fn to(self) -> Destination {
        at(&Destination::ALL, self.0 >> TO & 7)
    }

    /// Pick and destination in seven bits: the index of the history heuristic, which ignores the source.
    #[inline]
    pub(super) fn kind(self) -> usize {
        (self.0 >> PICK & 0x7f) as usize
    }
}

/// The item at the index in the last four bits of a code, clamped so that no check can fail.
#[inline]
fn at<T: Copy, const N: usize>(all: &[T; N], code: u16) -> T {
    all[usize::from(code & 15).min(N - 1)]
}

/// The place of a pick in [`Pick::ALL`].
#[inline]
fn pick_index(pick: Pick) -> usize {
    match pick {
        Pick::Color(color) => color.index(),
        Pick::Jokers => 5,
        Pick::JokersAnd(color) => 6 + color.index(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_and_unpack() {
        let mut codes = std::collections::HashSet::from([PackedMove::NONE.0]);
        for source in Source::ALL {
            for pick in Pick::ALL {
                for to in Destination::ALL {
                    for extra_jokers in 0..10 {
                        let draft = Draft { source, pick, to, extra_jokers };
                        let packed = PackedMove::new(draft);
                        assert_eq!(packed.unpack(), draft);
                        assert!(codes.insert(packed.0), "{draft:?}");
                    }
                }
            }
        }
    }
}
