//! The evaluator of one search thread, with its memory of boards.

use super::classic;
use super::features::{self, Role, Supply, TiledBoard};
use super::network::{DIFFERENCE_LANE, Estimate, LOG_ODDS, Lanes, Network, POINT, Sum};
use super::node::{self, Node, Scene};
use super::value::{self, DRAW, Value, WIN};
use crate::info::Forecast;
use crate::options::EvalKind;
use arrayvec::ArrayVec;
use azulejo_rules::{Board, Color, Draft, Move, Phase, Players, Position, Rules, Seat, Tiles};
use std::sync::Arc;

/// Boards remembered for each seat; a round rarely meets more.
const BOARDS: usize = 1 << 13;

/// Evaluates positions of one round at a time.
pub(crate) struct Evaluator {
    network: Arc<Network>,
    kind: EvalKind,
    rules: Rules,
    /// By seat and hash of the board.
    boards: Vec<RememberedBoard>,
    /// What each of them adds to a view.
    contributions: Vec<Lanes>,
    /// Everything that a row can be made for in advance: bias, round and bag with each
    /// [context](features::Standing::context).
    contexts: Vec<Lanes>,
    /// What the next round will bring.
    supply: Supply,
    /// Tells boards apart that were looked at with another supply.
    supply_key: u64,
    /// Whether nothing but a full row can end the game with this round, and no wall offers a choice.
    has_simple_end: bool,
    /// For each set of sources that may still hold tiles.
    offers: Vec<Offer>,
}

/// A set of sources that hold tiles.
#[derive(Clone)]
struct Offer {
    /// What its factories add to every view; the center too, if it is empty.
    sum: Lanes,
    /// Of its factories.
    hash: u64,
}

/// What is known about a board of a seat.
#[derive(Clone, Copy)]
struct RememberedBoard {
    key: u64,
    score: i16,
    full_rows: u8,
}

impl RememberedBoard {
    /// No board has this key but one in 2^64.
    const NONE: RememberedBoard = RememberedBoard { key: 0, score: 0, full_rows: 0 };
}

/// What a seat sees on the boards.
#[derive(Clone, Copy)]
struct Seen {
    /// What they add to its view.
    sum: Sum,
    own: Points,
    /// Of the best of the others.
    other: Points,
    /// Whether some wall has a full row, so that the game ends with this round.
    is_last_round: bool,
}

/// Score and full rows: what decides a game, in this order.
type Points = (i16, u8);

impl Evaluator {
    /// An evaluator for the positions that can be reached in the round of `root`.
    pub(crate) fn new(network: Arc<Network>, kind: EvalKind, root: &Position) -> Evaluator {
        let mut evaluator = Evaluator {
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
        evaluator.forget_boards();
        evaluator.prepare(root);
        evaluator
    }

    fn forget_boards(&mut self) {
        let n_boards = BOARDS * self.rules.players.count();
        self.boards.clear();
        self.boards.resize(n_boards, RememberedBoard::NONE);
        self.contributions.resize(n_boards, Lanes::ZERO);
    }

    /// Makes ready for another root.
    pub(crate) fn prepare(&mut self, root: &Position) {
        if *root.rules() != self.rules {
            self.rules = *root.rules();
            self.forget_boards();
        }
        self.supply = Supply::of(root);
        self.supply_key = self.supply.number().wrapping_mul(0x2545_f491_4f6c_dd1d);
        self.has_simple_end = has_simple_end(root);
        let layers = self.network.section(self.rules.players);
        self.contexts.clear();
        if self.kind == EvalKind::Learned {
            let mut base = Sum::of(layers.bias());
            features::round_features(root, |feature| base.add(layers.row(feature)));
            self.contexts.extend(features::contexts().map(|features| {
                let mut sum = base;
                for feature in features {
                    sum.add(layers.row(feature));
                }
                sum.lanes()
            }));
        }
        self.prepare_offers(root);
    }

    fn prepare_offers(&mut self, root: &Position) {
        let layers = self.network.section(self.rules.players);
        let mut empty_center = Sum::of(&Lanes::ZERO);
        features::center_features(Tiles::EMPTY, self.rules.jokers, |feature| {
            empty_center.add(layers.row(feature));
        });
        let with_center = Offer { sum: Lanes::ZERO, hash: 0 };
        let without = Offer { sum: empty_center.lanes(), hash: 0 };
        self.offers.clear();
        self.offers.extend([without, with_center]);
        // Each factory doubles the sets: all so far, and all so far with it.
        for (source, tiles) in root.factories() {
            let is_filled = root.filled_sources() >> source.index() & 1 == 1;
            let row = layers.row(features::factory_feature(tiles));
            for set in 0..self.offers.len() {
                let mut offer = self.offers[set].clone();
                if is_filled {
                    let mut sum = Sum::of(&offer.sum);
                    sum.add(row);
                    offer.sum = sum.lanes();
                    offer.hash = offer.hash.wrapping_add(node::factory_hash(tiles));
                }
                self.offers.push(offer);
            }
        }
    }

    /// A hash of a node in the round of the root.
    #[inline]
    pub(crate) fn hash(&self, node: &Node) -> u64 {
        node.hash(self.offers[node.position.filled_sources() as usize].hash)
    }

    /// The value of a position for a seat.
    #[inline]
    pub(crate) fn value_for(&mut self, node: &Node, seat: Seat) -> Value {
        if let Phase::Over(_) = node.position.phase() {
            let points = |board: &Board| (board.score() as i16, board.wall().full_rows() as u8);
            let boards = node.position.boards().iter().zip(Seat::ALL);
            let others = boards.filter(|&(_, other)| other != seat);
            let best = others.map(|(board, _)| points(board)).max();
            return result(points(node.position.board(seat)), best.unwrap_or_default());
        }
        self.value_in(&node.scene(), seat)
    }

    /// The value for a seat after a legal draft. The position is made only if the draft ends a round
    /// that has to be played to its end for that.
    #[inline]
    pub(crate) fn value_after(&mut self, node: &Node, draft: Draft, seat: Seat) -> Value {
        let scene = node.scene_after(draft);
        if scene.ends_round() && !self.has_simple_end {
            return self.value_for(&node.after(Move::Draft(draft)), seat);
        }
        self.value_in(&scene, seat)
    }

    // This and what it is made of are all inlined: otherwise the sum goes through memory at every step.
    #[inline(always)]
    fn value_in(&mut self, scene: &Scene, seat: Seat) -> Value {
        let viewer = self.viewer(scene, seat);
        let seen = self.see(scene, viewer);
        let value = if scene.ends_round() && seen.is_last_round {
            result(seen.own, seen.other)
        } else {
            value::of_estimate(self.estimate(scene, seen, viewer))
        };
        if viewer == seat { value } else { -value }
    }

    /// What a seat can expect of a position whose game is not over.
    fn estimate_for(&mut self, node: &Node, seat: Seat) -> Estimate {
        let scene = node.scene();
        let viewer = self.viewer(&scene, seat);
        let seen = self.see(&scene, viewer);
        let Estimate { difference, log_odds } = self.estimate(&scene, seen, viewer);
        let sign = if viewer == seat { 1 } else { -1 };
        Estimate { difference: sign * difference, log_odds: sign * log_odds }
    }

    /// The seat through whose eyes another is judged. With two seats the one that moves speaks for
    /// both: the network has learned from its view alone.
    #[inline]
    fn viewer(&self, scene: &Scene, seat: Seat) -> Seat {
        if self.rules.players == Players::Two { scene.standing.turn } else { seat }
    }

    /// Looks at all boards with the eyes of a seat.
    #[inline(always)]
    fn see(&mut self, scene: &Scene, seat: Seat) -> Seen {
        let seen = self.see_boards(scene, seat, false);
        if seen.is_last_round { self.see_boards(scene, seat, true) } else { seen }
    }

    #[inline(always)]
    fn see_boards(&mut self, scene: &Scene, seat: Seat, is_last_round: bool) -> Seen {
        let mut sum = Sum::of(&Lanes::ZERO);
        let (mut own, mut other) = ((0, 0), (i16::MIN, 0));
        let mut has_full_row = is_last_round;
        for &owner in self.rules.players.seats() {
            let role = if owner == seat { Role::Own } else { Role::Other };
            let slot = self.slot(scene, owner, role, is_last_round);
            let RememberedBoard { score, full_rows, .. } = self.boards[slot];
            sum.add(&self.contributions[slot]);
            if owner == seat {
                own = (score, full_rows);
            } else {
                other = other.max((score, full_rows));
            }
            has_full_row |= full_rows > 0;
        }
        Seen { sum, own, other, is_last_round: has_full_row }
    }

    /// What a seat expects of a position whose game is not over.
    #[inline(always)]
    fn estimate(&self, scene: &Scene, seen: Seen, seat: Seat) -> Estimate {
        let Seen { mut sum, own, other, is_last_round } = seen;
        let lead = i32::from(own.0) - i32::from(other.0);
        if is_last_round && scene.is_tiling {
            // Only wall choices are left, and each board has been given the best.
            return Estimate { difference: lead * POINT, log_odds: 8 * LOG_ODDS * lead.signum() };
        }
        if self.kind == EvalKind::Classic {
            let difference = lead * POINT + i32::from(sum.lanes().0[DIFFERENCE_LANE]);
            return Estimate { difference, log_odds: classic::log_odds(difference, is_last_round) };
        }
        let layers = self.network.section(self.rules.players);
        let standing = scene.standing;
        sum.add(&self.contexts[standing.context(seat, self.rules.players.count())]);
        sum.add(&self.offers[scene.filled_sources as usize].sum);
        if scene.center != Tiles::EMPTY {
            features::center_features(scene.center, self.rules.jokers, |feature| {
                sum.add(layers.row(feature));
            });
        }
        sum.add(layers.row(features::lead_feature(lead, is_last_round, standing.n_piles)));
        layers.answer(&sum, lead)
    }

    /// What every seat can expect of a position.
    pub(crate) fn forecast(&mut self, node: &Node) -> Forecast {
        let position = &node.position;
        let seats = self.rules.players.seats();
        let (mut difference, mut win) = (ArrayVec::new(), ArrayVec::new());
        if let Some(outcome) = position.outcome() {
            let n_winners = outcome.winners().count() as f32;
            for (i, &rank) in outcome.ranks.iter().enumerate() {
                let others = outcome.scores.iter().enumerate().filter(|&(other, _)| other != i);
                let best = others.map(|(_, &score)| f32::from(score)).fold(0.0, f32::max);
                difference.push(f32::from(outcome.scores[i]) - best);
                win.push(if rank == 1 { 1.0 / n_winners } else { 0.0 });
            }
            return Forecast { difference, win };
        }
        for &seat in seats {
            let Estimate { difference: points, log_odds } = self.estimate_for(node, seat);
            difference.push(points as f32 / POINT as f32);
            win.push(1.0 / (1.0 + (-log_odds as f32 / LOG_ODDS as f32).exp()));
        }
        // The estimates of three or four seats were made one by one; chances add up to one.
        let sum: f32 = win.iter().sum();
        for win in &mut win {
            *win /= sum;
        }
        Forecast { difference, win }
    }

    /// Where a seat's board is remembered as it is seen in a role.
    #[inline]
    fn slot(&mut self, scene: &Scene, seat: Seat, role: Role, is_last_round: bool) -> usize {
        const LAST_ROUND: u64 = 0xd1b5_4a32_d192_ed03;
        const OTHER: u64 = 0xaef1_7502_108e_f2d9;
        let mut key = scene.key(seat) ^ self.supply_key;
        key ^= if is_last_round { LAST_ROUND } else { 0 };
        key ^= if role == Role::Other { OTHER } else { 0 };
        let slot = seat.index() * BOARDS + key as usize % BOARDS;
        if self.boards[slot].key != key {
            self.look(scene, seat, role, is_last_round, slot);
            self.boards[slot].key = key;
        }
        slot
    }

    /// Looks at a board that is not remembered.
    #[cold]
    fn look(&mut self, scene: &Scene, seat: Seat, role: Role, is_last_round: bool, slot: usize) {
        let (board, floor_spaces) = (scene.board(seat), scene.floor_spaces(seat));
        let untiled = TiledBoard { board, floor_spaces, is_last_round, supply: self.supply };
        let has_choices = self.rules.has_wall_choices();
        let (mut best, mut most) = (*board, i32::MIN);
        scene.each_tiling(seat, |board| {
            let worth = if has_choices { self.worth(&TiledBoard { board, ..untiled }) } else { 0 };
            if worth > most {
                (best, most) = (*board, worth);
            }
        });
        self.contributions[slot] = self.contribution(&TiledBoard { board: &best, ..untiled }, role);
        let score = features::score_now(&best, is_last_round, &self.rules);
        let remembered = &mut self.boards[slot];
        remembered.score = score.clamp(-30_000, 30_000) as i16;
        remembered.full_rows = best.wall().full_rows() as u8;
    }

    /// How good a way to tile a wall is: by the score, and by what the wall apart from lines that
    /// are not full adds to the linear part of its owner's view.
    fn worth(&self, tiled: &TiledBoard) -> i32 {
        let mut worth = features::score_now(tiled.board, tiled.is_last_round, &self.rules) * POINT;
        if self.kind == EvalKind::Classic {
            worth += classic::board_value(tiled, &self.rules);
        } else if !tiled.is_last_round {
            let layers = self.network.section(self.rules.players);
            features::wall_features(tiled.board.wall(), |feature| {
                worth += i32::from(layers.row(feature).0[DIFFERENCE_LANE]);
            });
        }
        worth
    }

    /// What a board adds to a view in which it has a role.
    fn contribution(&self, tiled: &TiledBoard, role: Role) -> Lanes {
        if self.kind == EvalKind::Classic {
            let value = classic::board_value(tiled, &self.rules) as i16;
            let mut lanes = Lanes::ZERO;
            lanes.0[DIFFERENCE_LANE] = if role == Role::Own { value } else { -value };
            return lanes;
        }
        let layers = self.network.section(self.rules.players);
        let mut sum = Sum::of(&Lanes::ZERO);
        features::board_features(tiled, &self.rules, |feature| {
            sum.add(layers.row(feature + role.offset()));
        });
        sum.lanes()
    }
}

/// Whether the last draft of a round leads to the next deal, or to a game won by a full row, in one
/// way only. If all colors are in bag or lid, which only grows, then some fit on every wall without
/// a full row.
fn has_simple_end(root: &Position) -> bool {
    let rules = root.rules();
    let left = root.stock().bag + root.stock().lid;
    !rules.has_wall_choices()
        && Color::ALL.iter().all(|&color| left.count(color.into()) > 0)
        && (rules.stall_rounds == 0 || root.dry_rounds() < rules.stall_rounds)
}

/// The value of a game that ended with these points for a seat and the best of the others.
fn result(own: Points, other: Points) -> Value {
    let win = match own.cmp(&other) {
        std::cmp::Ordering::Greater => WIN,
        std::cmp::Ordering::Equal => DRAW,
        std::cmp::Ordering::Less => -WIN,
    };
    value::of_result(win, i32::from(own.0) - i32::from(other.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random_game::each_position;

    #[test]
    fn a_position_need_not_be_made_to_be_judged() {
        let (mut n_ends, mut n_last, mut n_rounds_end) = (0, 0, 0);
        for rules in ["2c", "2c-stall1", "2g", "2cj", "3c", "4c"] {
            let rules: Rules = rules.parse().unwrap();
            for kind in [EvalKind::Learned, EvalKind::Classic] {
                for seed in 0..12 {
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
                            for &seat in rules.players.seats() {
                                let seen = evaluator.value_after(&node, draft, seat);
                                let made = evaluator.value_for(&after, seat);
                                assert_eq!(seen, made, "{m}: {position}");
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
