//! The answer to a wrong move: how the others play against it.

use crate::claim::{Prover, after};
use crate::puzzle::Certainty;
use crate::solver::TooManyNodes;
use azulejo_engine::network::Network;
use azulejo_rules::{Move, Position};
use std::sync::Arc;

/// Nodes for a refutation: less than a second, also in a page.
const MAX_NODES: u64 = 1_000_000;

/// Why a move is not the best: how the round ends after it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Refutation {
    /// The best play after the move, to the end of the round.
    pub line: Vec<Move>,
    /// How much worse the move is than the best one: points, where a win counts as 60.
    pub loss: u32,
}

/// Refutes a move of the seat to move. The line is that of best play, also of the solver.
///
/// ```
/// let puzzle = azulejo_puzzles::samples().next().expect("a sample");
/// let moves = puzzle.position.legal_moves();
/// let wrong = moves.into_iter().find(|m| *m != puzzle.solution[0]).expect("another move");
/// let refutation = azulejo_puzzles::refute(&puzzle.position, wrong, puzzle.certainty)?;
/// assert!(refutation.loss >= puzzle.margin);
/// # Ok::<(), azulejo_puzzles::TooManyNodes>(())
/// ```
///
/// # Errors
/// If the search takes too many nodes, which those of the set do not.
pub fn refute(
    position: &Position,
    m: Move,
    certainty: Certainty,
) -> Result<Refutation, TooManyNodes> {
    refute_with(position, m, certainty, &Network::built_in)
}

/// The same with another network, which is asked for only where the claim rests on it.
///
/// # Errors
/// As for [`refute`].
pub fn refute_with(
    position: &Position,
    m: Move,
    certainty: Certainty,
    network: &dyn Fn() -> Arc<Network>,
) -> Result<Refutation, TooManyNodes> {
    let mut prover = Prover::with_network(position.turn(), certainty, network);
    prover.allow(MAX_NODES);
    let best = prover.least(position)?;
    let wrong = after(position, m);
    let loss = (best - prover.most(&wrong)?).max(0);
    Ok(Refutation { line: prover.line_against(&wrong)?, loss: (loss / 10) as u32 })
}
