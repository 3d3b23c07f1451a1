//! A position in a search, with hashes of its boards: a move changes one board, so the others'
//! need not be made again.

use azulejo_rules::{Move, Phase, Position, Seat, Source, Tiles};

/// A position and the hash of what matters on each board.
#[derive(Clone)]
pub(crate) struct Node {
    pub(crate) position: Position,
    keys: [u64; 4],
}

impl Node {
    pub(crate) fn new(position: &Position) -> Node {
        let mut node = Node { position: *position, keys: [0; 4] };
        node.renew_keys();
        node
    }

    /// The node after a legal move.
    #[inline(always)]
    pub(crate) fn after(&self, m: Move) -> Node {
        let mut next = self.clone();
        next.play(m);
        next
    }

    #[inline]
    fn play(&mut self, m: Move) {
        let mover = self.position.turn();
        self.position.play_unchecked(m);
        if self.position.phase() == Phase::Draft {
            self.keys[mover.index()] = board_key(&self.position, mover);
        } else {
            self.renew_keys();
        }
    }

    /// The hash of a seat's board as far as scores depend on it.
    #[inline]
    pub(crate) fn key(&self, seat: Seat) -> u64 {
        self.keys[seat.index()]
    }

    /// A hash of the position within its round. `factories` is the hash of those that hold tiles.
    /// Which tiles lie on the floors and in the lid is left out: no score of this round or
    /// estimate of the next depends on it.
    #[inline]
    pub(crate) fn hash(&self, factories: u64) -> u64 {
        let center = self.position.pile(Source::Center).lanes();
        let turn = self.position.turn().index() as u64;
        let [a, b, c, d] = self.keys;
        let offer = mix(factories ^ turn, center);
        mix(mix(a ^ offer, b), c ^ d.rotate_left(32))
    }

    fn renew_keys(&mut self) {
        for &seat in self.position.rules().players.seats() {
            self.keys[seat.index()] = board_key(&self.position, seat);
        }
    }
}

#[inline]
fn board_key(position: &Position, seat: Seat) -> u64 {
    /// Odd words that tell apart what the board alone does not say.
    const MARKER: u64 = 0x9e37_79b9_7f4a_7c15;
    const TILING: u64 = 0x8cb9_2ba7_2f3d_8dd7;
    let mut key = position.board(seat).scoring_hash(position.floor_spaces(seat));
    if position.marker() == Some(seat) {
        key ^= MARKER;
    }
    if let Phase::Tiling(_) = position.phase() {
        // Whether a seat has paid for its floor depends on these two.
        let order = 1 + position.turn().index() + 4 * position.starter().index();
        key ^= TILING.wrapping_mul(order as u64);
    }
    key
}

/// The hash of a set of factories, which adds up from those of its members.
pub(super) fn factory_hash(tiles: Tiles) -> u64 {
    mix(tiles.lanes(), 0x1319_8a2e_0370_7344)
}

/// Folds the 128-bit product of two salted words.
#[inline]
fn mix(a: u64, b: u64) -> u64 {
    let a = u128::from(a ^ 0xa409_3822_299f_31d1);
    let product = a * u128::from(b ^ 0x082e_fa98_ec4e_6c89);
    product as u64 ^ (product >> 64) as u64
}
