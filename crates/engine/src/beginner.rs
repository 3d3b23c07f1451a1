//! The beginner: how the weakest levels choose a move, without a search.
//!
//! A beginner looks at its own board only and wants points now. It does not count all of what falls on
//! the floor, forgets what the marker costs, overlooks neighbors on the wall, and never thinks of what
//! it leaves to others. How much of each it sees is a [`Beginner`]; what remains is a random error for
//! each move. It drafts to the floor only when no line takes a tile.

use azulejo_rules::{Destination, Move, Position, Preview, Step};

/// What a beginner sees, in shares of the truth, and how much it errs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Beginner {
    /// The part that it counts of the points that neighbors on the wall add to a tile.
    pub(crate) neighbors: f32,
    /// The part that it counts of the cost of tiles that fall.
    pub(crate) floor: f32,
    /// Whether it counts the marker when nothing else falls.
    pub(crate) marker: bool,
    /// Points that a line is worth to it by being nearly full.
    pub(crate) progress: f32,
    /// The largest error in the worth of a move, in points.
    pub(crate) error: f32,
}

impl Beginner {
    /// Its move; `None` if there is none. Position and seed determine it.
    pub(crate) fn choose(&self, position: &Position, seed: u64) -> Option<Move> {
        let seed = position.hash_key() ^ seed;
        let moves = position.legal_moves();
        let mut best: Option<(Appeal, Move)> = None;
        for (i, &m) in (0..).zip(&moves) {
            let Ok(preview) = position.preview(m) else { continue };
            let mut appeal = self.appeal(position, &preview);
            appeal.worth += self.error * noise(seed.wrapping_add(i));
            if best.is_none_or(|(most, _)| appeal > most) {
                best = Some((appeal, m));
            }
        }
        best.map(|(_, m)| m)
    }

    fn appeal(&self, position: &Position, preview: &Preview) -> Appeal {
        let Step::Drafted { seat, to, into_line, to_floor, .. } = preview.step else {
            // A wall choice scores at once.
            return Appeal { is_useful: true, worth: preview.change() as f32 };
        };
        let line = match to {
            Destination::Floor => 0.0,
            Destination::Line(row) => match preview.line() {
                Some(full) => 1.0 + self.neighbors * (full.points as f32 - 1.0) + self.progress,
                None => {
                    let room = position.board(seat).line(row).room() - into_line.total();
                    self.progress * (1.0 - room as f32 / row.capacity() as f32)
                }
            },
        };
        let loss = f32::from(preview.after.loss) - f32::from(preview.before.loss);
        let is_counted = self.marker || !to_floor.is_empty();
        let floor = if is_counted { self.floor * loss } else { 0.0 };
        Appeal { is_useful: !into_line.is_empty(), worth: line - floor }
    }
}

/// How much a move appeals to a beginner; the first difference decides.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
struct Appeal {
    /// Whether a tile reaches a line: a beginner does not throw all of them away.
    is_useful: bool,
    /// What it seems to bring, in points.
    worth: f32,
}

/// A number from -1 to 1, more often small than large.
pub(crate) fn noise(seed: u64) -> f32 {
    // SplitMix64, and the mean of four sixteen-bit numbers.
    let mut bits = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^= bits >> 31;
    let sum: u64 = (0..4).map(|i| bits >> (16 * i) & 0xffff).sum();
    sum as f32 / (2.0 * 65_535.0) - 1.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_is_bounded_and_unbiased() {
        let all: Vec<f32> = (0..10_000).map(noise).collect();
        assert!(all.iter().all(|noise| noise.abs() <= 1.0));
        let mean = all.iter().sum::<f32>() / all.len() as f32;
        assert!(mean.abs() < 0.02, "{mean}");
    }

    #[test]
    fn beginner_errs_in_its_own_way() {
        // Factory 1 fills line 2, factory 2 overfills line 1, and the center has the marker.
        let position: Position = "az1_2c_d1_1s1_BBYR-KKKK-BYRK-YWWW-RRKK_1_rest_._\
            0~.-..-...-....-.....~.....-.....-.....-.....-.....~._\
            0~.-..-...-....-.....~.....-.....-.....-.....-.....~."
            .parse()
            .expect("the position is valid");
        let seen = Beginner { neighbors: 1.0, floor: 1.0, marker: true, progress: 0.0, error: 0.0 };
        let worth = |beginner: &Beginner, m: &str| {
            let preview = position.preview(m.parse().expect("a move")).expect("a legal move");
            beginner.appeal(&position, &preview).worth
        };
        assert_eq!((worth(&seen, "1B2"), worth(&seen, "2K1")), (1.0, 1.0 - 4.0));
        let blind = Beginner { floor: 0.0, ..seen };
        assert_eq!(worth(&blind, "2K1"), 1.0);
        // Both would rather not throw everything away.
        let preview = position.preview("2KF".parse().expect("a move")).expect("a legal move");
        assert!(!blind.appeal(&position, &preview).is_useful);
    }
}
