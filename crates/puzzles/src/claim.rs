//! The claim of a puzzle: one move is better than every other by a margin.

use crate::puzzle::Certainty;
use crate::solver::{INFINITE, Solver, TooManyNodes, Value, WIN, value_of};
use azulejo_engine::network::Network;
use azulejo_engine::{Engine, EvalKind, Forecast, Options};
use azulejo_rules::{Move, Position, Seat};
use std::sync::Arc;

/// What makes a move the only one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Claim {
    /// The best move.
    pub(crate) best: Move,
    /// What it is worth at least.
    pub(crate) value: Value,
    /// The second best move.
    pub(crate) second: Move,
    /// What every other move is worth at most.
    pub(crate) second_value: Value,
}

impl Claim {
    pub(crate) fn margin(&self) -> Value {
        self.value - self.second_value
    }
}

/// The value of a position after the round.
type Leaf = Box<dyn FnMut(&Position) -> Value>;

/// Finds and proves claims for one seat.
///
/// A game that goes on after the round has no value that could be proved. What the best move is worth is
/// therefore a minimum, with such an end as the worst, and what the others are worth a maximum, with
/// such an end as the best.
pub(crate) struct Prover {
    low: Solver<Leaf>,
    high: Solver<Leaf>,
    seat: Seat,
    certainty: Certainty,
}

impl Prover {
    pub(crate) fn new(seat: Seat, certainty: Certainty) -> Prover {
        Prover::with_network(seat, certainty, &Network::built_in)
    }

    /// A prover with another network, which is asked for only where it is needed.
    pub(crate) fn with_network(
        seat: Seat,
        certainty: Certainty,
        network: &dyn Fn() -> Arc<Network>,
    ) -> Prover {
        let leaf = |unknown: Value| -> Leaf {
            match certainty {
                Certainty::Proved => Box::new(move |position| {
                    position.outcome().map_or(unknown, |outcome| value_of(&outcome, seat))
                }),
                Certainty::Solved => Box::new(expected(seat, network())),
            }
        };
        let (low, high) = (Solver::new(seat, leaf(-INFINITE)), Solver::new(seat, leaf(INFINITE)));
        Prover { low, high, seat, certainty }
    }

    /// How much its claims rest on.
    pub(crate) fn certainty(&self) -> Certainty {
        self.certainty
    }

    /// The claim in a position where it is the seat's turn, if one move is better than all others by
    /// the margin.
    ///
    /// # Errors
    /// If the search takes more than `max_nodes`.
    pub(crate) fn claim(
        &mut self,
        position: &Position,
        margin: Value,
        max_nodes: u64,
    ) -> Result<Option<Claim>, TooManyNodes> {
        debug_assert_eq!(position.turn(), self.seat);
        self.allow(max_nodes);
        let value = self.least(position)?;
        if value == -INFINITE {
            return Ok(None);
        }
        let Some(best) = self.low.best_of(position, value)? else { return Ok(None) };
        let best_after = after(position, best);
        let mut second: Option<(Move, Value)> = None;
        for m in position.legal_moves() {
            let next = after(position, m);
            if next.hash_key() == best_after.hash_key() {
                continue;
            }
            let known = second.map_or(-INFINITE, |(_, value)| value);
            let found = self.high.value(&next, known, value - margin + 1)?;
            if found > value - margin {
                return Ok(None);
            }
            if second.is_none() || found > known {
                second = Some((m, found));
            }
        }
        Ok(second.map(|(second, second_value)| Claim { best, value, second, second_value }))
    }

    /// The best answers to a move, up to the seat's next turn or the end of the round.
    pub(crate) fn answers(&mut self, position: &Position) -> Result<Vec<Move>, TooManyNodes> {
        let value = self.low.exact(position)?;
        let (mut answers, mut now) = (Vec::new(), *position);
        while now.turn() != self.seat
            && let Some(m) = self.low.best_of(&now, value)?
        {
            answers.push(m);
            now.play_unchecked(m);
        }
        Ok(answers)
    }

    /// Allows this many nodes from now on, for each bound.
    pub(crate) fn allow(&mut self, n_nodes: u64) {
        self.low.allow(n_nodes);
        self.high.allow(n_nodes);
    }

    /// What a position is worth at least.
    pub(crate) fn least(&mut self, position: &Position) -> Result<Value, TooManyNodes> {
        self.low.exact(position)
    }

    /// What a position is worth at most.
    pub(crate) fn most(&mut self, position: &Position) -> Result<Value, TooManyNodes> {
        self.high.exact(position)
    }

    /// The line to the end of the round by which the seat gets what a position is worth at least.
    pub(crate) fn line_for(&mut self, position: &Position) -> Result<Vec<Move>, TooManyNodes> {
        self.low.line(position)
    }

    /// The line to the end of the round by which the others see to it that the seat gets no more than a
    /// position is worth at most.
    pub(crate) fn line_against(&mut self, position: &Position) -> Result<Vec<Move>, TooManyNodes> {
        self.high.line(position)
    }
}

/// Values before the next deal by the network; those of finished games are exact.
fn expected(seat: Seat, network: Arc<Network>) -> impl FnMut(&Position) -> Value {
    let options = Options { hash_mb: 1, eval: EvalKind::Learned, ..Options::default() };
    let mut engine = Engine::with_network(options, network);
    move |position| match position.outcome() {
        Some(outcome) => value_of(&outcome, seat),
        None => value_of_forecast(&engine.forecast(position), seat).round() as Value,
    }
}

/// What a forecast is worth to a seat, in the unit of [`Value`].
pub(crate) fn value_of_forecast(forecast: &Forecast, seat: Seat) -> f32 {
    10.0 * forecast.difference[seat.index()] + WIN as f32 * forecast.win[seat.index()]
}

/// The position after a legal move.
pub(crate) fn after(position: &Position, m: Move) -> Position {
    let mut next = *position;
    next.play_unchecked(m);
    next
}
