//! The evaluator of one search thread, with its memory of boards.

use super::classic;
use super::features::{self, Features, Role, Supply, TiledBoard};
use super::network::{DIFFERENCE_LANE, Estimate, LOG_ODDS, Lanes, Layers, Network, POINT, Sum};
use super::node::{self, Node};
use super::value::{self, DRAW, Value, WIN};
use crate::info::Forecast;
use crate::options::EvalKind;
use arrayvec::ArrayVec;
use azulejo_rules::{Board, Phase, Players, Position, Rules, Seat, Source};
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
    /// What each of them adds to the view of its owner and of anybody else.
    contributions: Vec<[Lanes; 2]>,
    /// Everything that a row can be made for in advance: bias, round and bag with each
    /// [context](features::context_index).
    contexts: Vec<Lanes>,
    /// What the next round will bring.
    supply: Supply,
    /// Tells boards apart that were looked at with another supply.
    supply_key: u64,
    /// For each set of factories that may still hold tiles.
    factories: Vec<Factories>,
}

/// A set of factories.
#[derive(Clone)]
struct Factories {
    sum: Lanes,
    hash: u64,
}

impl Factories {
    const NONE: Factories = Factories { sum: Lanes::ZERO, hash: 0 };
}

/// What is known about a board of a seat.
#[derive(Clone, Copy)]
struct RememberedBoard {
    key: u64,
    score: i16,
    has_full_row: bool,
}

impl RememberedBoard {
    /// No board has this key but one in 2^64.
    const NONE: RememberedBoard = RememberedBoard { key: 0, score: 0, has_full_row: false };
}

impl Evaluator {
    /// An evaluator for the positions that can be reached in the round of `root`.
    pub(crate) fn new(network: Arc<Network>, kind: EvalKind, root: &Position) -> Evaluator {
        let rules = *root.rules();
        let n_boards = BOARDS * rules.players.count();
        let mut evaluator = Evaluator {
            network,
            kind,
            rules,
            boards: vec![RememberedBoard::NONE; n_boards],
            contributions: vec![[Lanes::ZERO; 2]; n_boards],
            contexts: Vec::new(),
            supply: Supply::of(root),
            supply_key: 0,
            factories: Vec::new(),
        };
        evaluator.prepare(root);
        evaluator
    }

    /// Makes ready for another root of a game with the same rules.
    pub(crate) fn prepare(&mut self, root: &Position) {
        if *root.rules() != self.rules {
            *self = Evaluator::new(Arc::clone(&self.network), self.kind, root);
        }
        self.supply = Supply::of(root);
        self.supply_key = self.supply.number().wrapping_mul(0x2545_f491_4f6c_dd1d);
        self.factories.clear();
        self.factories.resize(1 << self.rules.players.factories(), Factories::NONE);
        let layers = layers(&self.network, &self.rules);
        let is_learned = self.kind == EvalKind::Learned;
        self.contexts.clear();
        if is_learned {
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
        let filled = root.filled_sources() as usize >> 1;
        for (i, (_, tiles)) in root.factories().enumerate().filter(|&(i, _)| filled >> i & 1 == 1) {
            let row = layers.row(features::factory_feature(tiles));
            for (set, factories) in self.factories.iter_mut().enumerate() {
                if set >> i & 1 == 1 {
                    factories.hash = factories.hash.wrapping_add(node::factory_hash(tiles));
                    if is_learned {
                        let mut sum = Sum::of(&factories.sum);
                        sum.add(row);
                        factories.sum = sum.lanes();
                    }
                }
            }
        }
    }

    /// A hash of a node in the round of the root.
    #[inline]
    pub(crate) fn hash(&self, node: &Node) -> u64 {
        node.hash(self.factories(&node.position).hash)
    }

    #[inline]
    fn factories(&self, position: &Position) -> &Factories {
        &self.factories[position.filled_sources() as usize >> 1]
    }

    /// The value of a position for a seat.
    #[inline]
    pub(crate) fn value_for(&mut self, node: &Node, seat: Seat) -> Value {
        match node.position.phase() {
            Phase::Over(_) => result(&node.position, seat),
            _ => value::of_estimate(self.estimate_for(node, seat)),
        }
    }

    /// What a seat can expect of a position whose game is not over. With two seats the one that
    /// moves speaks for both: the network has learned from its view alone.
    #[inline]
    fn estimate_for(&mut self, node: &Node, seat: Seat) -> Estimate {
        let turn = node.position.turn();
        if self.rules.players == Players::Two && seat != turn {
            let Estimate { difference, log_odds } = self.estimate(node, turn);
            return Estimate { difference: -difference, log_odds: -log_odds };
        }
        self.estimate(node, seat)
    }

    /// What a seat sees in a position whose game is not over.
    #[inline]
    fn estimate(&mut self, node: &Node, seat: Seat) -> Estimate {
        let seats = self.rules.players.seats();
        let mut slots = [0; 4];
        let mut is_last_round = false;
        for (slot, &seat) in slots.iter_mut().zip(seats) {
            *slot = self.slot(node, seat, false);
            is_last_round |= self.boards[*slot].has_full_row;
        }
        if is_last_round {
            for (slot, &seat) in slots.iter_mut().zip(seats) {
                *slot = self.slot(node, seat, true);
            }
        }
        let position = &node.position;
        let mut sum = Sum::of(match self.kind {
            EvalKind::Learned => &self.contexts[features::context_index(position, seat)],
            EvalKind::Classic => &Lanes::ZERO,
        });
        let (mut own_score, mut best_other) = (0, i32::MIN);
        for (&slot, &other) in slots.iter().zip(seats) {
            let score = i32::from(self.boards[slot].score);
            let [own, others] = &self.contributions[slot];
            if other == seat {
                sum.add(own);
                own_score = score;
            } else {
                sum.add(others);
                best_other = best_other.max(score);
            }
        }
        let lead = own_score - best_other;
        if is_last_round && matches!(position.phase(), Phase::Tiling(_)) {
            // Only wall choices are left, and each board has been given the best.
            return Estimate { difference: lead * POINT, log_odds: 8 * LOG_ODDS * lead.signum() };
        }
        if self.kind == EvalKind::Classic {
            let difference = lead * POINT + i32::from(sum.lanes().0[DIFFERENCE_LANE]);
            return Estimate { difference, log_odds: classic::log_odds(difference, is_last_round) };
        }
        let layers = layers(&self.network, &self.rules);
        sum.add(&self.factories(position).sum);
        let center = position.pile(Source::Center);
        features::center_features(center, self.rules.jokers, |feature| {
            sum.add(layers.row(feature));
        });
        sum.add(layers.row(features::lead_feature(lead, is_last_round, position.n_piles())));
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

    /// Where a seat's board is remembered.
    #[inline]
    fn slot(&mut self, node: &Node, seat: Seat, is_last_round: bool) -> usize {
        const LAST_ROUND: u64 = 0xd1b5_4a32_d192_ed03;
        let mut key = node.key(seat) ^ self.supply_key;
        key ^= if is_last_round { LAST_ROUND } else { 0 };
        let slot = seat.index() * BOARDS + key as usize % BOARDS;
        if self.boards[slot].key != key {
            self.look(&node.position, seat, is_last_round, slot);
            self.boards[slot].key = key;
        }
        slot
    }

    /// Looks at a board that is not remembered. Where its wall can be tiled in several ways, the
    /// one is taken that is best by the linear part of the evaluation.
    #[cold]
    fn look(&mut self, position: &Position, seat: Seat, is_last_round: bool, slot: usize) {
        let floor_spaces = position.floor_spaces(seat);
        let mut most = i32::MIN;
        position.each_tiling(seat, |board| {
            let tiled = TiledBoard { board, floor_spaces, is_last_round, supply: self.supply };
            let [own, other] = self.contributions_of(&tiled);
            let score = features::score_now(board, is_last_round, &self.rules);
            let worth = score * POINT + i32::from(own.0[DIFFERENCE_LANE]);
            if worth > most {
                most = worth;
                self.contributions[slot] = [own, other];
                let remembered = &mut self.boards[slot];
                remembered.score = score.clamp(-30_000, 30_000) as i16;
                remembered.has_full_row = board.wall().has_full_row();
            }
        });
    }

    /// What a board adds to the view of its owner and of anybody else.
    fn contributions_of(&self, tiled: &TiledBoard) -> [Lanes; 2] {
        if self.kind == EvalKind::Classic {
            let value = classic::board_value(tiled, &self.rules) as i16;
            return [value, -value].map(|value| {
                let mut lanes = Lanes::ZERO;
                lanes.0[DIFFERENCE_LANE] = value;
                lanes
            });
        }
        let layers = layers(&self.network, &self.rules);
        let mut list = Features::new();
        features::board_features(tiled, &self.rules, &mut list);
        [Role::Own, Role::Other].map(|role| {
            let mut sum = Sum::of(&Lanes::ZERO);
            for &feature in &list {
                sum.add(layers.row(feature + role.offset()));
            }
            sum.lanes()
        })
    }
}

#[inline]
fn layers<'a>(network: &'a Network, rules: &Rules) -> &'a Layers {
    if rules.players == Players::Two { &network.two } else { &network.more }
}

/// The value of a finished game for a seat.
fn result(position: &Position, seat: Seat) -> Value {
    let standing = |board: &Board| (board.score(), board.wall().full_rows());
    let own = position.board(seat);
    let others = position.rules().players.seats().iter().filter(|&&other| other != seat);
    let best = others.map(|&other| standing(position.board(other))).max().unwrap_or_default();
    let win = match standing(own).cmp(&best) {
        std::cmp::Ordering::Greater => WIN,
        std::cmp::Ordering::Equal => DRAW,
        std::cmp::Ordering::Less => -WIN,
    };
    value::of_result(win, i32::from(own.score()) - i32::from(best.0))
}
