//! Move generation: all legal moves, their number, and one by its number.
//!
//! The order is fixed and the same everywhere: picks of one kind of tile (colors, then jokers), by
//! source, by destination; then picks of jokers with a color. So `legal_moves()[n]` is
//! `nth_legal_move(n)`, and a random move can be drawn without making the list.

use crate::lanes::{self, Totals};
use crate::moves::{Draft, Move, MoveList, Pick};
use crate::names::{Color, Column, Destination, Source, Tile};
use crate::offer::SOURCES;
use crate::position::{Phase, Position};
use crate::sets::DestinationSet;

/// A table of the members of every set. It does what a `pdep` instruction would, just as fast, on
/// every machine.
macro_rules! nth_table {
    ($(#[$meta:meta])* $table:ident: [[$item:ident; $width:literal]; $bits:expr]) => {
        $(#[$meta])*
        static $table: [[$item; $width]; 1 << $bits] = {
            let mut table = [[$item::ALL[0]; $width]; 1 << $bits];
            let mut set = 0;
            while set < 1 << $bits {
                let (mut n, mut bit) = (0, 0);
                while bit < $bits {
                    if set >> bit & 1 == 1 {
                        table[set][n] = $item::ALL[bit];
                        n += 1;
                    }
                    bit += 1;
                }
                set += 1;
            }
            table
        };
    };
}

nth_table! {
    /// `NTH_SOURCE[set][n]` is the n-th source of a set of ten bits.
    NTH_SOURCE: [[Source; 16]; SOURCES]
}
nth_table! {
    /// `NTH_DESTINATION[set][n]` is the n-th destination of a set of six bits.
    NTH_DESTINATION: [[Destination; 8]; 6]
}

/// The number of bits of a set of six: a table, because the baseline x86-64 has no `popcnt`.
static N_BITS: [u8; 1 << 6] = {
    let mut table = [0; 1 << 6];
    let mut set = 1;
    while set < 1 << 6 {
        table[set] = table[set >> 1] + (set & 1) as u8;
        set += 1;
    }
    table
};

impl Position {
    /// All legal moves: drafts, or the spaces of a wall choice. Empty between rounds and at the end.
    #[must_use]
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        match self.phase {
            Phase::Draft => {
                self.list_plain_drafts(&mut moves);
                self.find_mixed_draft(|draft, n_choices| {
                    let choices = (0..n_choices as u8)
                        .map(|extra_jokers| Move::Draft(Draft { extra_jokers, ..draft }));
                    moves.extend(choices);
                    false
                });
            }
            Phase::Tiling(row) => {
                let board = self.board(self.turn);
                let columns = board.spaces_for(board.line(row), &self.rules);
                moves.extend(columns.iter().map(|column| Move::Place { row, column }));
            }
            Phase::Deal | Phase::Over(_) => {}
        }
        moves
    }

    /// How many legal moves there are.
    #[must_use]
    pub fn n_legal_moves(&self) -> u32 {
        let mut n_moves = 0;
        self.pick_move(|n| {
            n_moves = n;
            0
        });
        n_moves
    }

    /// The legal move of a number from 0, in the order of [`legal_moves`](Self::legal_moves).
    #[must_use]
    pub fn nth_legal_move(&self, n: u32) -> Option<Move> {
        let mut exists = false;
        let m = self.pick_move(|n_moves| {
            exists = n < n_moves;
            if exists { n } else { 0 }
        });
        m.filter(|_| exists)
    }

    /// Lets `choose(n)` pick one of the `n` legal moves by its number below `n`; with a random
    /// number this is the fastest way to a random move. `None` where there is no move.
    #[inline]
    pub fn pick_move(&self, choose: impl FnOnce(u32) -> u32) -> Option<Move> {
        match self.phase {
            Phase::Draft => Some(Move::Draft(self.pick_draft(choose))),
            Phase::Tiling(row) => {
                let board = self.board(self.turn);
                let spaces = board.spaces_for(board.line(row), &self.rules).bits() as usize;
                let n = choose(u32::from(N_BITS[spaces])) as usize;
                // Columns are numbered like the first five destinations.
                let column = NTH_DESTINATION[spaces][n % 8].index();
                Some(Move::Place { row, column: Column::from_index_or_last(column) })
            }
            Phase::Deal | Phase::Over(_) => None,
        }
    }

    #[inline]
    fn pick_draft(&self, choose: impl FnOnce(u32) -> u32) -> Draft {
        let lanes = self.plain_drafts();
        let n_plain = lanes::sum(lanes);
        let mut n_moves = n_plain;
        if self.rules.jokers {
            self.find_mixed_draft(|_, n_choices| {
                n_moves += n_choices;
                false
            });
        }
        let n = choose(n_moves);
        debug_assert!(n < n_moves);
        if n >= n_plain {
            self.nth_mixed_draft(n - n_plain)
        } else {
            self.nth_plain_draft(n, lanes)
        }
    }

    /// How many drafts take each kind of tile alone, in [lanes].
    #[inline]
    fn plain_drafts(&self) -> u64 {
        lanes::multiply(self.offer.n_sources(), self.board(self.turn).n_destinations())
    }

    #[inline]
    fn nth_plain_draft(&self, n: u32, plain_drafts: u64) -> Draft {
        let (lane, n) = Totals::of(plain_drafts).find(n);
        let (destinations, n_destinations) = self.board(self.turn).destinations_in(lane);
        let (source, to) = divide_small(n, n_destinations);
        let (sources, _) = self.offer.sources_in(lane);
        Draft {
            source: NTH_SOURCE[sources as usize][source as usize % 16],
            pick: Pick::one_kind(lane.tile()),
            to: NTH_DESTINATION[destinations as usize][to as usize % 8],
            extra_jokers: 0,
        }
    }

    /// A uniformly random draft of one kind of tile: first the kind, weighted by the number of its
    /// drafts, then source and destination. Cheaper than numbering all drafts and dividing.
    #[inline]
    pub(crate) fn random_plain_draft(&self, mut random: Fraction) -> Draft {
        let plain_drafts = self.plain_drafts();
        let lane = Totals::of(plain_drafts).lane(random.below(lanes::sum(plain_drafts)));
        let (sources, n_sources) = self.offer.sources_in(lane);
        let (destinations, n_destinations) = self.board(self.turn).destinations_in(lane);
        Draft {
            source: NTH_SOURCE[sources as usize][random.below(n_sources) as usize % 16],
            pick: Pick::one_kind(lane.tile()),
            to: NTH_DESTINATION[destinations as usize][random.below(n_destinations) as usize % 8],
            extra_jokers: 0,
        }
    }

    #[cold]
    fn nth_mixed_draft(&self, mut n: u32) -> Draft {
        let draft = self.find_mixed_draft(|_, n_choices| {
            let is_found = n < n_choices;
            n -= if is_found { 0 } else { n_choices };
            is_found
        });
        let draft = draft.expect("the number was below the number of moves");
        Draft { extra_jokers: n as u8, ..draft }
    }

    /// Lists the drafts of one kind of tile.
    #[inline]
    fn list_plain_drafts(&self, moves: &mut MoveList) {
        let board = self.board(self.turn);
        for (tile, source) in self.offer.piles() {
            let set = board.destinations(tile).bits() as usize % (1 << 6);
            let n_legal = moves.len() + usize::from(N_BITS[set]);
            // Pushes all six and truncates to the legal ones: a loop of unpredictable length
            // costs more than a few wasted moves.
            for &to in &NTH_DESTINATION[set][..6] {
                let pick = Pick::one_kind(tile);
                moves.push(Move::Draft(Draft { source, pick, to, extra_jokers: 0 }));
            }
            moves.truncate(n_legal);
        }
    }

    /// The first draft of jokers and a color that `is_wanted` accepts. It is called with the draft
    /// and the number of ways to choose which of its tiles enter a line that they do not all fit.
    #[inline]
    fn find_mixed_draft(&self, mut is_wanted: impl FnMut(Draft, u32) -> bool) -> Option<Draft> {
        let board = self.board(self.turn);
        let mut sources = self.offer.sources_of(Tile::Joker).bits() as usize;
        while sources != 0 {
            // The table is faster than the iterator of the set.
            let source = NTH_SOURCE[sources % (1 << SOURCES)][0];
            sources &= sources - 1;
            let pile = self.pile(source);
            let jokers = pile.count(Tile::Joker);
            for color in Color::ALL {
                let colored = pile.count(color.into());
                if colored == 0 {
                    continue;
                }
                for &to in destination_list(board.destinations(color.into())) {
                    let pick = Pick::JokersAnd(color);
                    let choices = joker_choices(board.room(to), colored, jokers);
                    // Never empty, so this is cheaper than its `len`.
                    let n_choices = choices.end - choices.start;
                    let draft = Draft { source, pick, to, extra_jokers: 0 };
                    if is_wanted(draft, n_choices) {
                        return Some(draft);
                    }
                }
            }
        }
        None
    }
}

/// Random bits as a fraction of one, from which numbers are drawn one after the other.
pub(crate) struct Fraction(pub(crate) u64);

impl Fraction {
    /// A number below `n`: the whole part of `n` times the fraction, whose rest is kept.
    #[inline]
    pub(crate) const fn below(&mut self, n: u32) -> u32 {
        let product = self.0 as u128 * n as u128;
        self.0 = product as u64;
        (product >> 64) as u32
    }
}

/// A set of destinations as a list, which is faster to walk than the set.
#[inline]
fn destination_list(set: DestinationSet) -> &'static [Destination] {
    let set = set.bits() as usize % (1 << 6);
    &NTH_DESTINATION[set][..usize::from(N_BITS[set]) % 8]
}

/// The numbers of jokers that can be among the tiles of a pick that enter a line, given its room.
#[inline]
pub(crate) fn joker_choices(room: u32, colored: u32, jokers: u32) -> std::ops::Range<u32> {
    let n_entering = room.min(colored + jokers);
    n_entering.saturating_sub(colored)..n_entering.min(jokers) + 1
}

/// Quotient and remainder of a number up to 60 by one from 1 to 6, without a division.
#[inline]
fn divide_small(n: u32, by: u32) -> (u32, u32) {
    /// 512 by each number, rounded up.
    const RECIPROCALS: [u32; 8] = [0, 512, 257, 171, 129, 103, 86, 0];
    let quotient = (n * RECIPROCALS[by as usize % 8]) >> 9;
    (quotient, n - quotient * by)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_divisions_are_exact() {
        for by in 1..=6 {
            for n in 0..=60 {
                assert_eq!(divide_small(n, by), (n / by, n % by));
            }
        }
    }

    #[test]
    fn jokers_enter_a_line_as_the_room_allows() {
        // Room, colored, jokers: the numbers of jokers that can enter.
        assert_eq!(joker_choices(1, 2, 1), 0..2);
        assert_eq!(joker_choices(2, 2, 1), 0..2);
        assert_eq!(joker_choices(3, 2, 1), 1..2);
        assert_eq!(joker_choices(5, 0, 3), 3..4);
        assert_eq!(joker_choices(2, 0, 3), 2..3);
        assert_eq!(joker_choices(0, 2, 3), 0..1);
        assert_eq!(joker_choices(5, 5, 10), 0..6);
        assert_eq!(joker_choices(4, 2, 1), 1..2);
    }
}
