//! An attempt at a puzzle: the solver plays, the puzzle answers.

use crate::puzzle::Puzzle;
use azulejo_rules::{IllegalMove, Move, Position};

/// An attempt at a puzzle, move by move.
///
/// ```
/// use azulejo_puzzles::{Attempt, Reply};
///
/// let puzzle = azulejo_puzzles::samples().next().expect("a sample");
/// let mut attempt = Attempt::new(&puzzle);
/// let best = puzzle.solution[0];
/// match attempt.play(best)? {
///     Reply::Right { answers } => println!("right; the answers are {answers:?}"),
///     Reply::Solved => println!("solved"),
///     Reply::Wrong => unreachable!(),
/// }
/// # Ok::<(), azulejo_rules::IllegalMove>(())
/// ```
#[derive(Clone, Debug)]
pub struct Attempt {
    /// The position as the solver sees it.
    shown: Position,
    /// The same position on the way of the solution, whose factories may be in another order.
    told: Position,
    /// What is left of the solution.
    left: Vec<Move>,
}

/// What a puzzle says to a move.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Reply {
    /// It is the best move, these moves were played in answer to it, and there is another to find.
    Right {
        /// The moves of the others.
        answers: Vec<Move>,
    },
    /// It is the best move and the last one.
    Solved,
    /// It is not. The position is as before; [`refute`](crate::refute) shows why.
    Wrong,
}

impl Attempt {
    /// An attempt at its beginning.
    #[must_use]
    pub fn new(puzzle: &Puzzle) -> Attempt {
        let position = puzzle.position;
        Attempt { shown: position, told: position, left: puzzle.solution.clone() }
    }

    /// The position in which the solver is to move, or the one after the last move.
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.shown
    }

    /// The next best move; `None` after the last.
    #[must_use]
    pub fn best(&self) -> Option<Move> {
        self.left.first().and_then(|&m| counterpart(&self.told, m, &self.shown))
    }

    /// Plays a move and the answers to it. Moves that lead to the same position, as from two equal
    /// factories, are the same move. A wrong move is not played.
    ///
    /// # Errors
    /// If the move is illegal.
    pub fn play(&mut self, m: Move) -> Result<Reply, IllegalMove> {
        let mut after = self.shown;
        after.play(m)?;
        let Some(&best) = self.left.first() else { return Ok(Reply::Wrong) };
        if after.hash_key() != position_after(&self.told, best).hash_key() {
            return Ok(Reply::Wrong);
        }
        let seat = self.told.turn();
        self.shown = after;
        self.told.play_unchecked(best);
        self.left.remove(0);
        let mut answers = Vec::new();
        while !self.left.is_empty() && self.told.turn() != seat {
            let told = self.left.remove(0);
            let Some(m) = counterpart(&self.told, told, &self.shown) else { break };
            self.told.play_unchecked(told);
            self.shown.play_unchecked(m);
            answers.push(m);
        }
        Ok(if self.left.is_empty() { Reply::Solved } else { Reply::Right { answers } })
    }
}

/// The move in `shown` that does what `m` does in `told`, which differs in the order of factories.
fn counterpart(told: &Position, m: Move, shown: &Position) -> Option<Move> {
    let hash = position_after(told, m).hash_key();
    let does_the_same = |m: Move| position_after(shown, m).hash_key() == hash;
    if shown.is_legal(m) && does_the_same(m) {
        return Some(m);
    }
    shown.legal_moves().into_iter().find(|&m| does_the_same(m))
}

fn position_after(position: &Position, m: Move) -> Position {
    let mut after = *position;
    after.play_unchecked(m);
    after
}
