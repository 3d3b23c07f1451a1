//! A search node, which keeps a hash of each board incrementally, and the leaf that is evaluated.
//!
//! A draft changes one board, so the hashes of the others stay. Most leaves are never made into a
//! position: a [`Glance`](azulejo_rules::Glance) at what the draft changes is enough.

use super::features;
use azulejo_rules::{Board, Draft, Move, Phase, Position, Seat, Source, SourceSet, Tiles, Tilings};

/// A position and the scoring hash of each board.
#[derive(Clone, Copy)]
pub(crate) struct Node {
    pub(crate) position: Position,
    keys: [u64; 4],
}

impl Node {
    pub(crate) fn new(position: &Position) -> Node {
        let mut node = Node { position: *position, keys: [0; 4] };
        node.rehash_boards();
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
            self.rehash_boards();
        }
    }

    /// The node itself as a leaf. In wall-tiling it stands for the end of the round.
    #[inline]
    pub(super) fn leaf(&self) -> Leaf<'_> {
        let position = &self.position;
        Leaf {
            node: self,
            drafted: None,
            salt: 0,
            turn: features::turn(position),
            marker: position.marker(),
            is_in_round: features::is_in_round(position),
            n_piles: position.n_piles(),
            filled_sources: position.filled_sources(),
            center: position.pile(Source::Center),
        }
    }

    /// The leaf after a legal draft, without making the position.
    #[inline]
    pub(super) fn leaf_after(&self, draft: Draft) -> Leaf<'_> {
        /// Tells boards before wall-tiling, in a round that is over, from others.
        const ROUND_OVER: u64 = 0x6c62_272e_07bb_0142;
        let position = &self.position;
        let mover = position.turn();
        let glance = position.glance(draft);
        let (marker, filled_sources) = (glance.marker(), glance.filled_sources());
        let key = draft_key(glance.board(), marker == Some(mover));
        let is_in_round = !filled_sources.is_empty();
        let (turn, salt) = if is_in_round {
            (position.rules().players().next(mover), 0)
        } else {
            (marker.unwrap_or(position.starter()), ROUND_OVER)
        };
        let drafted = Some((*glance.board(), key));
        let (n_piles, center) = (glance.n_piles(), glance.pile(Source::Center));
        Leaf {
            node: self,
            drafted,
            salt,
            is_in_round,
            turn,
            marker,
            n_piles,
            filled_sources,
            center,
        }
    }

    /// The transposition hash of the position within its round. `factories` is the multiset hash
    /// of the factories that hold tiles. Tiles on the floors and in the lid are left out: no score
    /// of this round or estimate of the next depends on their colors.
    #[inline]
    pub(crate) fn hash(&self, factories: u64) -> u64 {
        let center = self.position.pile(Source::Center).lanes();
        let turn = self.position.turn().index() as u64;
        let [a, b, c, d] = self.keys;
        let offer = mix(factories ^ turn, center);
        mix(mix(a ^ offer, b), c ^ d.rotate_left(32))
    }

    fn rehash_boards(&mut self) {
        for &seat in self.position.rules().players().seats() {
            self.keys[seat.index()] = board_key(&self.position, seat);
        }
    }
}

/// What is evaluated: a node, or the position that a draft leads to from it.
pub(super) struct Leaf<'a> {
    node: &'a Node,
    /// The mover's board after the draft, and its key.
    drafted: Option<(Board, u64)>,
    /// Part of all board keys.
    salt: u64,
    /// Whether there is a draft left.
    pub(super) is_in_round: bool,
    /// The seat to move.
    pub(super) turn: Seat,
    /// Who holds the marker; `None` is the center.
    pub(super) marker: Option<Seat>,
    /// Piles left to draft.
    pub(super) n_piles: u32,
    /// The sources that hold tiles, one bit each.
    pub(super) filled_sources: SourceSet,
    pub(super) center: Tiles,
}

impl Leaf<'_> {
    /// Whether the drafts of the round are over and its wall-tiling is not.
    #[inline]
    pub(super) fn is_tiling(&self) -> bool {
        let in_tiling = matches!(self.node.position.phase(), Phase::Tiling(_));
        !self.is_in_round && (self.drafted.is_some() || in_tiling)
    }

    /// The scoring hash of a seat's board.
    #[inline]
    pub(super) fn key(&self, seat: Seat) -> u64 {
        let key = match self.drafted {
            Some((_, key)) if seat == self.node.position.turn() => key,
            _ => self.node.keys[seat.index()],
        };
        key ^ self.salt
    }

    pub(super) fn board(&self, seat: Seat) -> &Board {
        match &self.drafted {
            Some((board, _)) if seat == self.node.position.turn() => board,
            _ => self.node.position.board(seat),
        }
    }

    /// Spaces taken on a seat's floor; none after wall-tiling.
    pub(super) fn floor_spaces(&self, seat: Seat) -> u32 {
        match self.drafted {
            _ if self.is_tiling() => 0,
            None => self.node.position.floor_spaces(seat),
            Some(_) => self.board(seat).floor_spaces(self.marker == Some(seat)),
        }
    }

    /// Every way to tile a seat's wall if the round ended now.
    pub(super) fn tilings(&self, seat: Seat) -> Tilings<'_> {
        let position = &self.node.position;
        match self.drafted {
            None => position.tilings(seat),
            Some(_) => {
                let holds_marker = self.marker == Some(seat);
                self.board(seat).tilings(holds_marker, position.rules())
            }
        }
    }
}

#[inline]
fn board_key(position: &Position, seat: Seat) -> u64 {
    /// An odd constant for the progress of wall-tiling, which the board does not contain.
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

/// One factory's term of the multiset hash: the hash of a set of factories is the sum of theirs.
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
