//! The analyst asks the engine: what a position is worth, how the round goes on with best play, and
//! what the end of a round is worth before the next deal.
//!
//! Every question has a node limit and one thread, so that every answer is reproducible and does not
//! depend on the questions before it. An answer is `None` only after the stop switch was used.

use crate::amount::{Share, Shares, of_outcome, shares, win};
use crate::budget::Budget;
use crate::judgement::Certainty;
use azulejo_engine::{DealValue, Engine, Forecast, Info, Limits, Options, Stop};
use azulejo_notation::{Chance, Seed};
use azulejo_rules::{Move, Phase, Position, Seat};
use std::collections::HashMap;

/// The number of lines that are compared to count good moves.
const N_LINES: usize = 5;
/// A move is as good as the best if it loses less than this.
pub(crate) const AS_GOOD: f64 = 0.005;
/// Memory of the transposition table; with more than two players, of the tree.
const HASH_MB: usize = 32;

pub(crate) struct Analyst {
    engine: Engine,
    budget: Budget,
    seed: String,
    /// Values before deals, by the hash of the position.
    before: HashMap<u64, DealValue>,
    /// The last look, with the hash of the position: a move is often judged by the look that was taken before.
    last: Option<(u64, Look)>,
}

/// What a search found.
#[derive(Clone, Debug)]
pub(crate) struct Look {
    pub(crate) forecast: Forecast,
    /// The principal variation, at least to the horizon.
    pub(crate) line: Vec<Move>,
    pub(crate) certainty: Certainty,
    /// After how many nodes the best move took the lead for good.
    pub(crate) seen_after: u64,
}

/// The alternatives of a decision.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Alternatives {
    /// How many moves are as good as the best, up to [`N_LINES`].
    pub(crate) n_good: u32,
    /// What the second best move loses.
    pub(crate) second_loss: Share,
}

impl Analyst {
    /// An analyst with an engine, of which only the network is kept.
    pub(crate) fn new(mut engine: Engine, budget: Budget, seed: &str) -> Analyst {
        engine.set_options(Options { hash_mb: HASH_MB, ..Options::default() });
        Analyst { engine, budget, seed: seed.to_owned(), before: HashMap::new(), last: None }
    }

    /// The value of a position by a search; between rounds and at the end of the game without one.
    pub(crate) fn look(&mut self, position: &Position, stop: &Stop) -> Option<Look> {
        let key = position.hash_key();
        if let Some((last, look)) = &self.last
            && *last == key
        {
            return Some(look.clone());
        }
        let n_seats = position.boards().len();
        let look = self.look_with(position, &self.budget.decision(n_seats), stop)?;
        self.last = Some((key, look.clone()));
        Some(look)
    }

    /// The value of a position after a deal: with more than two players as [`Engine::after_deal`] has it, from
    /// another search of the best move.
    pub(crate) fn look_after_deal(&mut self, position: &Position, stop: &Stop) -> Option<Look> {
        let mut look = self.look(position, stop)?;
        if position.boards().len() > 2
            && look.certainty == Certainty::Estimated
            && let Some(&best) = look.line.first()
        {
            let mut after = *position;
            after.play_unchecked(best);
            look.forecast = self.look(&after, stop)?.forecast;
        }
        Some(look)
    }

    fn look_with(&mut self, position: &Position, limits: &Limits, stop: &Stop) -> Option<Look> {
        let mut leader: Option<(Move, u64)> = None;
        let answer = self.engine.search(position, limits, stop, &mut |info| {
            let best = info.pv[0];
            if leader.is_none_or(|(m, _)| m != best) {
                leader = Some((best, info.nodes));
            }
        });
        if stop.is_stopped() {
            return None;
        }
        let Some(answer) = answer else {
            let certainty = match position.phase() {
                Phase::Over(_) => Certainty::Proved,
                _ => Certainty::Solved,
            };
            let forecast = self.engine.forecast(position);
            return Some(Look { forecast, line: Vec::new(), certainty, seen_after: 0 });
        };
        let Info { exact, proved, nodes, forecast, pv, .. } = answer.info;
        let certainty = match (exact, proved) {
            (_, true) => Certainty::Proved,
            (true, false) => Certainty::Solved,
            (false, false) => Certainty::Estimated,
        };
        // A search may end in the middle of an iteration that has just found a better move.
        let seen = leader.filter(|&(m, _)| m == answer.best);
        let seen_after = seen.map_or(nodes, |(_, nodes)| nodes);
        Some(Look { forecast, line: pv, certainty, seen_after })
    }

    /// The line of a look, played on to the end of the round with a search wherever it ends before.
    pub(crate) fn line(
        &mut self,
        position: &Position,
        look: &Look,
        stop: &Stop,
    ) -> Option<Vec<Move>> {
        let (mut end, mut all) = (*position, look.line.clone());
        all.iter().for_each(|&m| end.play_unchecked(m));
        while is_played(&end) {
            let next = self.look_with(&end, &self.budget.side(), stop)?;
            for m in next.line {
                end.play_unchecked(m);
                all.push(m);
            }
        }
        Some(all)
    }

    /// What a position between rounds, or a finished game, is worth to each seat.
    pub(crate) fn worth(&mut self, position: &Position, stop: &Stop) -> Option<Shares> {
        match position.outcome() {
            Some(outcome) => Some(of_outcome(&outcome)),
            None => Some(shares(&self.before_deal(position, stop)?.mean)),
        }
    }

    /// The value before a deal. All positions before the same round meet the same random numbers, so
    /// that their deals are nearly the same, and the difference of two values has little noise.
    pub(crate) fn before_deal(&mut self, position: &Position, stop: &Stop) -> Option<DealValue> {
        let key = position.hash_key();
        if let Some(value) = self.before.get(&key) {
            return Some(value.clone());
        }
        let seed: Seed = format!("{}-{}", self.seed, position.round()).parse().ok()?;
        let mut chance = Chance::new(&seed);
        let Budget { n_deals, .. } = self.budget;
        let limits = self.budget.deal(position.boards().len());
        let value =
            self.engine.deal_value(position, n_deals, &limits, stop, |n| chance.below(n))?;
        if stop.is_stopped() {
            return None;
        }
        self.before.insert(key, value.clone());
        Some(value)
    }

    /// How many moves are as good as the best, and what the second best loses.
    pub(crate) fn alternatives(
        &mut self,
        position: &Position,
        stop: &Stop,
    ) -> Option<Alternatives> {
        let seat = position.turn();
        let lines = self.lines(position, N_LINES, &self.budget.side(), stop);
        if stop.is_stopped() {
            return None;
        }
        let losses = losses(&lines, seat);
        let n_good = losses.iter().filter(|loss| loss.get() < AS_GOOD).count() as u32;
        let second_loss = losses.get(1).copied().unwrap_or(Share::ZERO);
        Some(Alternatives { n_good, second_loss })
    }

    /// The best lines of a position, the best first.
    fn lines(
        &mut self,
        position: &Position,
        n_lines: usize,
        limits: &Limits,
        stop: &Stop,
    ) -> Vec<Info> {
        self.set_lines(n_lines);
        let mut lines: Vec<Info> = Vec::new();
        self.engine.search(position, limits, stop, &mut |info| {
            lines.truncate(info.multi_pv - 1);
            lines.push(info.clone());
        });
        self.set_lines(1);
        lines
    }

    fn set_lines(&mut self, multi_pv: usize) {
        let options = Options { multi_pv, ..self.engine.options().clone() };
        self.engine.set_options(options);
    }
}

/// What each line loses in win chance against the first.
fn losses(lines: &[Info], seat: Seat) -> Vec<Share> {
    let Some(best) = lines.first().map(|line| win(&line.forecast, seat)) else {
        return Vec::new();
    };
    lines.iter().map(|line| best - win(&line.forecast, seat)).collect()
}

/// Whether a position waits for a move.
pub(crate) fn is_played(position: &Position) -> bool {
    matches!(position.phase(), Phase::Draft | Phase::Tiling(_))
}
