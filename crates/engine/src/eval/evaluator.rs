//! The evaluator of one search thread: accumulators of the first layer, cached by board.
//!
//! Boards repeat throughout a round in other combinations. So the part of the accumulator that a board
//! contributes is cached by its hash, that of every set of factories is added up once at the root,
//! and a leaf costs a few vector additions.

use super::classic;
use super::features::{self, Role, Supply, TiledBoard};
use super::network::{
    Accumulator, Correction, DIFFERENCE_LANE, Estimate, LOG_ODDS, Lanes, Layers, Network, POINT,
    WIN_SCALE,
};
use super::node::{self, Leaf, Node};
use super::tilings::{self, RoundEnd, Taste};
use super::value::{self, Certainty, DRAW, Found, Value, WIN};
use crate::info::Forecast;
use crate::options::EvalKind;
use arrayvec::ArrayVec;
use azulejo_rules::{
    Board, Color, Column, Draft, Move, Phase, Players, Position, Row, Rules, Seat, Tiles,
};
use std::sync::Arc;

/// Slots of the board cache for each seat; a round rarely meets more boards.
const SLOTS: usize = 1 << 13;

/// Evaluates positions of one round at a time.
pub(crate) struct Evaluator {
    network: Arc<Network>,
    /// The section of the network for these rules.
    layers: Arc<Layers>,
    /// The calibration of the log odds for these rules.
    odds: Odds,
    kind: EvalKind,
    rules: Rules,
    /// The board cache, by seat and hash of the board.
    boards: Vec<CachedBoard>,
    /// What each of them adds to the accumulator.
    contributions: Vec<Lanes>,
    /// Bias, round and bag with each [context](features::context), added up in advance.
    contexts: Vec<Lanes>,
    /// Tile counts expected in the next round.
    supply: Supply,
    /// Tells apart boards that were cached with another supply.
    supply_key: u64,
    /// Whether only a full row can end the game with this round.
    has_simple_end: bool,
    /// By the bits of the sources that hold tiles.
    offers: Vec<Offer>,
}

/// The calibration of the log odds: a factor around those of a fair share.
#[derive(Clone, Copy)]
struct Odds {
    /// In units of [`WIN_SCALE`].
    factor: i32,
    /// The fair log odds, times one minus the factor.
    rest: i32,
}

impl Odds {
    fn new(network: &Network, rules: &Rules) -> Odds {
        let fair = match rules.players() {
            Players::Two => 0,
            // The logarithms of one to two and one to three.
            Players::Three => -693 * LOG_ODDS / 1000,
            Players::Four => -1099 * LOG_ODDS / 1000,
        };
        let factor = network.correction(rules).win_scale.into();
        Odds { factor, rest: fair * (WIN_SCALE - factor) / WIN_SCALE }
    }

    #[inline]
    fn calibrated(self, log_odds: i32) -> i32 {
        log_odds * self.factor / WIN_SCALE + self.rest
    }
}

/// A set of sources that hold tiles.
#[derive(Clone)]
struct Offer {
    /// What its factories add to every accumulator; the center too, if it is empty.
    sum: Lanes,
    /// The multiset hash of its factories.
    hash: u64,
}

/// Score and full rows of a cached board.
#[derive(Clone, Copy)]
struct CachedBoard {
    key: u64,
    score: i16,
    full_rows: u8,
    /// Whether its wall choices are certainly the best.
    is_settled: bool,
}

impl CachedBoard {
    /// An empty slot; the chance that a board has this key is 2^-64.
    const EMPTY: CachedBoard = CachedBoard { key: 0, score: 0, full_rows: 0, is_settled: false };
}

/// The accumulator of all boards from the perspective of a seat, and the scores on them.
#[derive(Clone, Copy)]
struct BoardSum {
    accumulator: Accumulator,
    own: Points,
    /// Of the best of the others.
    other: Points,
    /// Whether some wall has a full row, so that the game ends with this round.
    is_last_round: bool,
    /// Whether all wall choices are certainly the best.
    is_settled: bool,
}

/// A value for a seat, and the expected difference in it, in units of [`POINT`].
#[derive(Clone, Copy)]
pub(crate) struct Judged {
    pub(crate) found: Found,
    difference: i32,
}

impl Judged {
    /// The expected difference in points.
    pub(crate) fn points(self) -> f32 {
        self.difference as f32 / POINT as f32
    }
}

/// Score and full rows: what decides a game, in this order.
type Points = (i16, u8);

impl Evaluator {
    /// An evaluator for the positions that can be reached in the round of `root`.
    pub(crate) fn new(network: Arc<Network>, kind: EvalKind, root: &Position) -> Evaluator {
        let mut evaluator = Evaluator {
            layers: Arc::clone(network.section(root.rules())),
            odds: Odds::new(&network, root.rules()),
            network,
            kind,
            rules: *root.rules(),
            boards: Vec::new(),
            contributions: Vec::new(),
            contexts: Vec::new(),
            supply: Supply::of(root),
            supply_key: 0,
            has_simple_end: false,
            offers: Vec::new(),
        };
        evaluator.clear_cache();
        evaluator.prepare(root);
        evaluator
    }

    fn clear_cache(&mut self) {
        let n_slots = SLOTS * self.rules.players().count();
        self.boards.clear();
        self.boards.resize(n_slots, CachedBoard::EMPTY);
        self.contributions.resize(n_slots, Lanes::ZERO);
    }

    /// Prepares for another root.
    pub(crate) fn prepare(&mut self, root: &Position) {
        if *root.rules() != self.rules {
            self.rules = *root.rules();
            self.layers = Arc::clone(self.network.section(&self.rules));
            self.odds = Odds::new(&self.network, &self.rules);
            self.clear_cache();
        }
        self.supply = Supply::of(root);
        self.supply_key = self.supply.number().wrapping_mul(0x2545_f491_4f6c_dd1d);
        self.has_simple_end = has_simple_end(root);
        let layers = &*self.layers;
        self.contexts.clear();
        if self.kind == EvalKind::Learned {
            let mut base = Accumulator::new(layers.bias());
            features::round_features(root, |feature| base.add(layers.row(feature)));
            base.add(&self.correction(root));
            self.contexts.extend(features::contexts().map(|features| {
                let mut accumulator = base;
                for feature in features {
                    accumulator.add(layers.row(feature));
                }
                accumulator.lanes()
            }));
        }
        self.prepare_offers(root);
    }

    /// What the calibration of the expected difference adds to the accumulators of a round.
    fn correction(&self, root: &Position) -> Lanes {
        let mut lanes = Lanes::ZERO;
        // Before the first deal there is no round to correct.
        if let Some(round @ 1..) = features::coming_round(root).checked_sub(1) {
            let differences = self.network.correction(&self.rules).differences;
            lanes.0[DIFFERENCE_LANE] = differences[Correction::index(round)];
        }
        lanes
    }

    fn prepare_offers(&mut self, root: &Position) {
        let layers = &*self.layers;
        let mut empty_center = Accumulator::new(&Lanes::ZERO);
        features::center_features(Tiles::EMPTY, self.rules.jokers, |feature| {
            empty_center.add(layers.row(feature));
        });
        let with_center = Offer { sum: Lanes::ZERO, hash: 0 };
        let without = Offer { sum: empty_center.lanes(), hash: 0 };
        self.offers.clear();
        self.offers.extend([without, with_center]);
        // Each factory doubles the sets: all sets so far, and the same with it.
        for (source, tiles) in root.factories() {
            let is_filled = root.filled_sources().contains(source);
            let row = layers.row(features::factory_feature(tiles));
            for set in 0..self.offers.len() {
                let mut offer = self.offers[set].clone();
                if is_filled {
                    let mut sum = Accumulator::new(&offer.sum);
                    sum.add(row);
                    offer.sum = sum.lanes();
                    offer.hash = offer.hash.wrapping_add(node::factory_hash(tiles));
                }
                self.offers.push(offer);
            }
        }
    }

    /// The transposition hash of a node in the round of the root.
    #[inline]
    pub(crate) fn hash(&self, node: &Node) -> u64 {
        node.hash(self.offers[node.position.filled_sources().bits() as usize].hash)
    }

    /// The value of a node for a seat.
    #[inline]
    pub(crate) fn value(&mut self, node: &Node, seat: Seat) -> Found {
        self.judge(node, seat).found
    }

    /// The value of a node for a seat and the expected difference.
    #[inline]
    pub(crate) fn judge(&mut self, node: &Node, seat: Seat) -> Judged {
        match node.position.phase() {
            Phase::Over(_) => judge_result(&node.position, seat),
            Phase::Tiling(_) if !self.has_simple_end => self.judge_tiled(node, seat),
            _ => self.judge_leaf(&node.leaf(), seat),
        }
    }

    /// The value for a seat after a legal draft. The position is made only if the draft ends the
    /// round and the end of the game depends on more than a full row.
    #[inline]
    pub(crate) fn value_after(&mut self, node: &Node, draft: Draft, seat: Seat) -> Found {
        let leaf = node.leaf_after(draft);
        if leaf.is_tiling() && !self.has_simple_end {
            return self.value(&node.after(Move::Draft(draft)), seat);
        }
        self.judge_leaf(&leaf, seat).found
    }

    /// The values for all seats after a legal draft, with the expected differences.
    pub(crate) fn judge_after(&mut self, node: &Node, draft: Draft) -> ArrayVec<Judged, 4> {
        let seats = self.rules.players().seats();
        let leaf = node.leaf_after(draft);
        if leaf.is_tiling() && !self.has_simple_end {
            return self.judge_all(&node.after(Move::Draft(draft)));
        }
        seats.iter().map(|&seat| self.judge_leaf(&leaf, seat)).collect()
    }

    /// The values of a node for all seats, with the expected differences.
    pub(crate) fn judge_all(&mut self, node: &Node) -> ArrayVec<Judged, 4> {
        let seats = self.rules.players().seats();
        seats.iter().map(|&seat| self.judge(node, seat)).collect()
    }

    // This and all that it calls is inlined: otherwise the accumulator goes through memory at
    // every step.
    #[inline(always)]
    fn judge_leaf(&mut self, leaf: &Leaf, seat: Seat) -> Judged {
        let perspective = self.perspective(leaf, seat);
        let boards = self.add_boards(leaf, perspective);
        let is_over = leaf.is_tiling() && boards.is_last_round;
        let judged = if is_over {
            judge_points(boards.own, boards.other)
        } else {
            let estimate = self.estimate(leaf, boards, perspective);
            (value::of_estimate(estimate), estimate.difference)
        };
        let certainty = match () {
            () if leaf.is_in_round => Certainty::Estimated,
            () if !boards.is_settled => Certainty::Drafted,
            () if is_over => Certainty::Proved,
            () => Certainty::Exact,
        };
        let (value, difference) = if perspective == seat { judged } else { (-judged.0, -judged.1) };
        Judged { found: Found { value, certainty }, difference }
    }

    /// Judges a node in wall-tiling by playing the expected wall choices.
    #[cold]
    fn judge_tiled(&mut self, node: &Node, seat: Seat) -> Judged {
        let mut end = *node;
        let is_settled = self.tile(&mut end, |_| {});
        let mut judged = self.judge(&end, seat);
        if !is_settled {
            judged.found.certainty = Certainty::Drafted;
        }
        judged
    }

    /// Plays the wall choices that the evaluation expects, to the end of the round. Returns whether
    /// they are certainly the best.
    pub(crate) fn tile(&self, node: &mut Node, mut on_move: impl FnMut(Move)) -> bool {
        if !matches!(node.position.phase(), Phase::Tiling(_)) {
            return true;
        }
        let RoundEnd { boards, is_settled } = tilings::round_end(&node.position, self.taste());
        while let Phase::Tiling(row) = node.position.phase() {
            let seat = node.position.turn();
            let (now, tiled) = (node.position.board(seat).wall(), boards[seat.index()].wall());
            let is_new = |column: &Column| {
                !now.row(row).contains(*column) && tiled.row(row).contains(*column)
            };
            let column = Column::ALL.into_iter().find(is_new);
            let m = Move::Place { row, column: column.expect("the tiling places every choice") };
            node.play(m);
            on_move(m);
        }
        is_settled
    }

    fn taste(&self) -> Taste<'_> {
        match self.kind {
            EvalKind::Learned => Taste::Learned(&self.layers),
            EvalKind::Classic => Taste::Classic,
        }
    }

    /// The seat whose accumulator is used to value a leaf for a seat. With two players it is the
    /// seat to move, because the network was trained from that perspective only.
    #[inline]
    fn perspective(&self, leaf: &Leaf, seat: Seat) -> Seat {
        if self.rules.players() == Players::Two { leaf.turn } else { seat }
    }

    #[inline(always)]
    fn add_boards(&mut self, leaf: &Leaf, seat: Seat) -> BoardSum {
        let boards = self.add_boards_of_round(leaf, seat, false);
        // In the last round other features count, and that is known only now.
        if boards.is_last_round { self.add_boards_of_round(leaf, seat, true) } else { boards }
    }

    #[inline(always)]
    fn add_boards_of_round(&mut self, leaf: &Leaf, seat: Seat, is_last_round: bool) -> BoardSum {
        let mut accumulator = Accumulator::new(&Lanes::ZERO);
        let (mut own, mut other) = ((0, 0), (i16::MIN, 0));
        let (mut has_full_row, mut all_settled) = (is_last_round, true);
        for &owner in self.rules.players().seats() {
            let role = if owner == seat { Role::Own } else { Role::Other };
            let slot = self.slot(leaf, owner, role, is_last_round);
            let CachedBoard { score, full_rows, is_settled, .. } = self.boards[slot];
            accumulator.add(&self.contributions[slot]);
            if owner == seat {
                own = (score, full_rows);
            } else {
                other = other.max((score, full_rows));
            }
            has_full_row |= full_rows > 0;
            all_settled &= is_settled;
        }
        let (is_last_round, is_settled) = (has_full_row, all_settled);
        BoardSum { accumulator, own, other, is_last_round, is_settled }
    }

    /// The estimate from the perspective of a seat, if the game is not over.
    #[inline(always)]
    fn estimate(&self, leaf: &Leaf, boards: BoardSum, seat: Seat) -> Estimate {
        let BoardSum { mut accumulator, own, other, is_last_round, .. } = boards;
        let lead = i32::from(own.0) - i32::from(other.0);
        if self.kind == EvalKind::Classic {
            let difference = lead * POINT + i32::from(accumulator.lanes().0[DIFFERENCE_LANE]);
            return Estimate { difference, log_odds: classic::log_odds(difference, is_last_round) };
        }
        let layers = &*self.layers;
        let n_seats = self.rules.players().count();
        let n_piles = leaf.is_in_round.then_some(leaf.n_piles);
        let context = features::context(seat, n_seats, leaf.turn, leaf.marker, n_piles);
        accumulator.add(&self.contexts[context]);
        accumulator.add(&self.offers[leaf.filled_sources.bits() as usize].sum);
        if leaf.center != Tiles::EMPTY {
            features::center_features(leaf.center, self.rules.jokers, |feature| {
                accumulator.add(layers.row(feature));
            });
        }
        let lead_feature = features::lead_feature(lead, is_last_round, leaf.n_piles);
        accumulator.add(layers.row(lead_feature));
        let Estimate { difference, log_odds } = layers.forward(&accumulator, lead);
        Estimate { difference, log_odds: self.odds.calibrated(log_odds) }
    }

    /// The estimate of a node for a seat, if the game is not over.
    fn node_estimate(&mut self, node: &Node, seat: Seat) -> Estimate {
        let leaf = node.leaf();
        let perspective = self.perspective(&leaf, seat);
        let boards = self.add_boards(&leaf, perspective);
        let Estimate { difference, log_odds } = self.estimate(&leaf, boards, perspective);
        let sign = if perspective == seat { 1 } else { -1 };
        Estimate { difference: sign * difference, log_odds: sign * log_odds }
    }

    /// The expected result for every seat. A node in wall-tiling is judged by its expected end.
    pub(crate) fn forecast(&mut self, node: &Node) -> Forecast {
        let mut end = *node;
        self.tile(&mut end, |_| {});
        let node = &end;
        if let Some(outcome) = node.position.outcome() {
            return Forecast::of_outcome(&outcome);
        }
        let seats = self.rules.players().seats().iter();
        Forecast::of_seats(seats.map(|&seat| {
            let Estimate { difference, log_odds } = self.node_estimate(node, seat);
            (difference as f32 / POINT as f32, value::win_of_log_odds(log_odds))
        }))
    }

    /// The cache slot of a seat's board in a role, filled if it was not.
    #[inline]
    fn slot(&mut self, leaf: &Leaf, seat: Seat, role: Role, is_last_round: bool) -> usize {
        const LAST_ROUND: u64 = 0xd1b5_4a32_d192_ed03;
        const OTHER: u64 = 0xaef1_7502_108e_f2d9;
        let mut key = leaf.key(seat) ^ self.supply_key;
        key ^= if is_last_round { LAST_ROUND } else { 0 };
        key ^= if role == Role::Other { OTHER } else { 0 };
        let slot = seat.index() * SLOTS + key as usize % SLOTS;
        if self.boards[slot].key != key {
            self.fill_slot(leaf, seat, role, is_last_round, slot);
            self.boards[slot].key = key;
        }
        slot
    }

    /// Evaluates a board that is not in the cache.
    #[cold]
    fn fill_slot(&mut self, leaf: &Leaf, seat: Seat, role: Role, is_last_round: bool, slot: usize) {
        let floor_spaces = leaf.floor_spaces(seat);
        let tiling = tilings::choose(leaf.tilings(seat), is_last_round, &self.rules, self.taste());
        let board = &tiling.board;
        let tiled = TiledBoard { board, floor_spaces, is_last_round, supply: self.supply };
        self.contributions[slot] = self.contribution(&tiled, role);
        let score = features::score_now(board, is_last_round, &self.rules);
        let cached = &mut self.boards[slot];
        cached.score = score.clamp(-30_000, 30_000) as i16;
        cached.full_rows = board.wall().full_rows() as u8;
        cached.is_settled = tiling.is_settled;
    }

    /// What a board in a role adds to the accumulator.
    fn contribution(&self, tiled: &TiledBoard, role: Role) -> Lanes {
        if self.kind == EvalKind::Classic {
            let value = classic::board_value(tiled, &self.rules) as i16;
            let mut lanes = Lanes::ZERO;
            lanes.0[DIFFERENCE_LANE] = if role == Role::Own { value } else { -value };
            return lanes;
        }
        let layers = &*self.layers;
        let mut accumulator = Accumulator::new(&Lanes::ZERO);
        features::board_features(tiled, &self.rules, |feature| {
            accumulator.add(layers.row(feature + role.offset()));
        });
        accumulator.lanes()
    }
}

/// Whether the game ends with the round only by a full row, because some tile of bag and lid, which
/// only grow, fits in any case. After wall-tiling the first line is empty and takes every color but those
/// of its row, and the row gets at most one tile: so it is enough
/// that bag and lid have two colors more than one such row has tiles. If these have all colors, then one of them fits on any wall without a full row.
fn has_simple_end(root: &Position) -> bool {
    let rules = root.rules();
    let left = root.stock().bag + root.stock().lid;
    let n_colors = Color::ALL.iter().filter(|&&color| left.count(color.into()) > 0).count();
    let mut first_rows = root.boards().iter().map(|board| board.wall().row(Row::One).len());
    let fits = n_colors == Color::ALL.len() || first_rows.any(|n_tiles| n_colors >= n_tiles + 2);
    fits && (rules.stall_rounds == 0 || root.dry_rounds() < rules.stall_rounds)
}

/// The value of a finished game for a seat.
fn judge_result(position: &Position, seat: Seat) -> Judged {
    let points = |board: &Board| (board.score() as i16, board.wall().full_rows() as u8);
    let boards = position.boards().iter().zip(Seat::ALL);
    let others = boards.filter(|&(_, other)| other != seat);
    let best = others.map(|(board, _)| points(board)).max();
    let (value, difference) = judge_points(points(position.board(seat)), best.unwrap_or_default());
    Judged { found: Found { value, certainty: Certainty::Proved }, difference }
}

/// Value and difference of a finished game with these points for a seat and for the best of the
/// others.
#[inline]
fn judge_points(own: Points, other: Points) -> (Value, i32) {
    let win = match own.cmp(&other) {
        std::cmp::Ordering::Greater => WIN,
        std::cmp::Ordering::Equal => DRAW,
        std::cmp::Ordering::Less => -WIN,
    };
    let difference = i32::from(own.0) - i32::from(other.0);
    (value::of_result(win, difference), difference * POINT)
}

#[cfg(test)]
mod tests {
    use super::*;
    use azulejo_testkit::games::each_position;

    #[test]
    fn glance_matches_played_position() {
        let (mut n_ends, mut n_last, mut n_rounds_end) = (0, 0, 0);
        for rules in ["2c", "2c-stall1", "2g", "2cj", "2gj", "2g-stall1", "3c", "3gj", "4c", "4g"] {
            let rules: Rules = rules.parse().unwrap();
            for kind in [EvalKind::Learned, EvalKind::Classic] {
                for seed in 0..6 {
                    let start = Position::new(rules, Seat::One);
                    let mut evaluator = Evaluator::new(Network::built_in(), kind, &start);
                    let mut round = 0;
                    each_position(rules, seed, |position| {
                        if position.round() != round {
                            round = position.round();
                            evaluator.prepare(position);
                        }
                        let node = Node::new(position);
                        for &m in &position.legal_moves() {
                            let Move::Draft(draft) = m else { continue };
                            let after = node.after(m);
                            for &seat in rules.players().seats() {
                                let glanced = evaluator.value_after(&node, draft, seat);
                                let played = evaluator.value(&after, seat);
                                assert_eq!(glanced, played, "{m}: {position}");
                                let ends_round = after.position.phase() != Phase::Draft;
                                let ends_game = after.position.ended_by().is_some();
                                let is_simple = evaluator.has_simple_end;
                                n_rounds_end += usize::from(ends_round);
                                n_ends += usize::from(ends_round && is_simple);
                                n_last += usize::from(ends_game && is_simple);
                            }
                        }
                    });
                }
            }
        }
        assert!(n_ends > n_rounds_end / 4 && n_last > 100, "{n_ends} of {n_rounds_end}, {n_last}");
    }
}
