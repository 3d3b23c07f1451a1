//! A position in a search, with hashes of its boards: a move changes one board, so the others'
//! need not be made again. A position that is only looked at need not be made at all.

use super::features::Standing;
use azulejo_rules::{Board, Draft, Move, Phase, Position, Seat, Source, Tiles};

/// A position and the hash of what matters on each board.
#[derive(Clone, Copy)]
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
        let mut next = *self;
        next.play(m);
        next
    }

    #[inline]
    pub(crate) fn play(&mut self, m: Move) {
        let mover = self.position.turn();
        self.position.play_unchecked(m);
        if self.position.phase() == Phase::Draft {
            self.keys[mover.index()] = board_key(&self.position, mover);
        } else {
            self.renew_keys();
        }
    }

    /// What the evaluation looks at.
    #[inline]
    pub(super) fn scene(&self) -> Scene<'_> {
        let position = &self.position;
        Scene {
            position,
            drafted: None,
            keys: &self.keys,
            salt: 0,
            standing: Standing::of(position),
            is_tiling: matches!(position.phase(), Phase::Tiling(_)),
            filled_sources: position.filled_sources(),
            center: position.pile(Source::Center),
        }
    }

    /// The same after a legal draft, without making the position. If the draft ends the round there
    /// must be no choice in wall-tiling.
    #[inline]
    pub(super) fn scene_after(&self, draft: Draft) -> Scene<'_> {
        /// A word that tells boards before wall-tiling, in a round that is over, from others.
        const OVER: u64 = 0x6c62_272e_07bb_0142;
        let position = &self.position;
        let mover = position.turn();
        let glance = position.glance(draft);
        let key = draft_key(glance.board(), glance.marker() == Some(mover));
        let is_in_round = glance.filled_sources() != 0;
        let (turn, salt) = if is_in_round {
            (position.rules().players.next(mover), 0)
        } else {
            (glance.marker().unwrap_or(position.starter()), OVER)
        };
        let standing =
            Standing { is_in_round, turn, marker: glance.marker(), n_piles: glance.n_piles() };
        let (filled_sources, center) = (glance.filled_sources(), glance.pile(Source::Center));
        let (drafted, keys) = (Some((*glance.board(), key)), &self.keys);
        Scene { position, drafted, keys, salt, standing, is_tiling: false, filled_sources, center }
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

/// All of a position that matters to the evaluation: of one that is there, or of one that a draft
/// would lead to.
pub(super) struct Scene<'a> {
    /// The one that is there.
    position: &'a Position,
    /// The board of its seat to move after the draft, and its key.
    drafted: Option<(Board, u64)>,
    /// The keys of its boards.
    keys: &'a [u64; 4],
    /// Tells keys of another phase apart.
    salt: u64,
    pub(super) standing: Standing,
    pub(super) is_tiling: bool,
    pub(super) filled_sources: u32,
    pub(super) center: Tiles,
}

impl Scene<'_> {
    /// The hash of a seat's board as far as scores depend on it.
    #[inline]
    pub(super) fn key(&self, seat: Seat) -> u64 {
        let key = match self.drafted {
            Some((_, key)) if seat == self.position.turn() => key,
            _ => self.keys[seat.index()],
        };
        key ^ self.salt
    }

    /// Whether a draft has just ended the round.
    #[inline]
    pub(super) fn ends_round(&self) -> bool {
        self.drafted.is_some() && !self.standing.is_in_round
    }

    /// How many spaces of a seat's floor are taken.
    pub(super) fn floor_spaces(&self, seat: Seat) -> u32 {
        match self.drafted {
            None => self.position.floor_spaces(seat),
            Some(_) if self.ends_round() => 0,
            Some(_) => self.board(seat).floor_spaces(self.standing.marker == Some(seat)),
        }
    }

    /// Calls `visit` with every way to tile a seat's wall, if the round ended now.
    pub(super) fn each_tiling(&self, seat: Seat, visit: impl FnMut(&Board)) {
        match self.drafted {
            None => self.position.each_tiling(seat, visit),
            Some(_) => {
                let holds_marker = self.standing.marker == Some(seat);
                self.board(seat).each_tiling(holds_marker, self.position.rules(), visit);
            }
        }
    }

    pub(super) fn board(&self, seat: Seat) -> &Board {
        match &self.drafted {
            Some((board, _)) if seat == self.position.turn() => board,
            _ => self.position.board(seat),
        }
    }
}

#[inline]
fn board_key(position: &Position, seat: Seat) -> u64 {
    /// An odd word that tells apart what the board alone does not say.
    const TILING: u64 = 0x8cb9_2ba7_2f3d_8dd7;
    let mut key = draft_key(position.board(seat), position.marker() == Some(seat));
    if let Phase::Tiling(_) = position.phase() {
        // Whether a seat has paid for its floor depends on these two.
        let order = 1 + position.turn().index() + 4 * position.starter().index();
        key ^= TILING.wrapping_mul(order as u64);
    }
    key
}

/// The key of a board while tiles are drafted.
#[inline]
fn draft_key(board: &Board, holds_marker: bool) -> u64 {
    const MARKER: u64 = 0x9e37_79b9_7f4a_7c15;
    let key = board.scoring_hash(board.floor_spaces(holds_marker));
    if holds_marker { key ^ MARKER } else { key }
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
