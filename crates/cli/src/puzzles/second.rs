//! A second solver, which checks the claims of puzzles. It shares no code with the one that made them nor
//! with the engine's search: it knows the rules and asks, again and again, whether the solver of the
//! puzzle can be sure of a number of points.

use azulejo_engine::{Engine, Options};
use azulejo_puzzles::{Certainty, Puzzle};
use azulejo_rules::{Move, Phase, Position, Seat};
use std::collections::HashMap;

/// What a win counts, in tenths of a point.
const WIN: i32 = 600;
/// Nobody can win or lose more.
const LIMIT: i32 = 20_000;

/// Checks every claim of a puzzle.
///
/// # Errors
/// What is wrong with it, in words.
pub(super) fn check(puzzle: &Puzzle) -> Result<(), String> {
    let seat = puzzle.position.turn();
    let margin = 10 * i32::try_from(puzzle.margin).map_err(|_| "the margin is too large")?;
    let mut sure = Second::new(seat, puzzle.certainty, -LIMIT);
    let mut possible = Second::new(seat, puzzle.certainty, LIMIT);
    let mut position = puzzle.position;
    let mut worth = None;
    for &m in &puzzle.solution {
        let next = after(&position, m);
        if position.turn() == seat {
            let value = sure.most(&next).ok_or_else(|| format!("{m} proves nothing"))?;
            if worth.is_some_and(|worth| worth != value) {
                return Err(format!("the answers before {m} are not the best"));
            }
            worth = Some(value);
            for other in position.legal_moves() {
                let reached = after(&position, other);
                if reached.hash_key() != next.hash_key()
                    && possible.reaches(&reached, value - margin + 1)
                {
                    return Err(format!("{other} is not worse than {m} by {}", puzzle.margin));
                }
            }
        }
        position = next;
    }
    let best = puzzle.solution[0];
    let gain = |m: Move| puzzle.position.preview(m).map_or(i32::MIN, |preview| preview.change());
    let is_greedy = puzzle.position.legal_moves().into_iter().all(|m| gain(m) <= gain(best));
    if is_greedy { Err(format!("{best} is the greedy move")) } else { Ok(()) }
}

struct Second {
    seat: Seat,
    certainty: Certainty,
    /// What a game that goes on after the round counts in a proof.
    unknown: i32,
    /// For each position the highest number that is known to be reached, and the lowest that is not.
    known: HashMap<u64, (i32, i32)>,
    engine: Option<Engine>,
}

impl Second {
    fn new(seat: Seat, certainty: Certainty, unknown: i32) -> Second {
        Second { seat, certainty, unknown, known: HashMap::new(), engine: None }
    }

    /// The most that the seat can be sure of; `None` if that is nothing.
    fn most(&mut self, position: &Position) -> Option<i32> {
        let (mut reached, mut missed) = (-LIMIT, LIMIT);
        while missed - reached > 1 {
            let middle = i32::midpoint(reached, missed);
            if self.reaches(position, middle) {
                reached = middle;
            } else {
                missed = middle;
            }
        }
        (reached > -LIMIT).then_some(reached)
    }

    /// Whether the seat gets this many points, whatever the others play.
    fn reaches(&mut self, position: &Position, points: i32) -> bool {
        if matches!(position.phase(), Phase::Deal | Phase::Over(_)) {
            return self.worth(position) >= points;
        }
        let key = position.hash_key();
        let (reached, missed) = self.known.get(&key).copied().unwrap_or((-LIMIT, LIMIT + 1));
        if points <= reached || points >= missed {
            return points <= reached;
        }
        let mut moves = position.legal_moves().into_iter();
        let does = if position.turn() == self.seat {
            moves.any(|m| self.reaches(&after(position, m), points))
        } else {
            moves.all(|m| self.reaches(&after(position, m), points))
        };
        let known = if does { (points, missed) } else { (reached, points) };
        self.known.insert(key, known);
        does
    }

    /// What the end of the round is worth.
    fn worth(&mut self, position: &Position) -> i32 {
        let (scores, own) =
            (position.boards().iter().map(|board| i32::from(board.score())), self.seat.index());
        if let Some(outcome) = position.outcome() {
            let scores: Vec<i32> = scores.collect();
            let others = (0..scores.len()).filter(|&i| i != own).map(|i| scores[i]);
            let n_winners = outcome.ranks.iter().filter(|&&rank| rank == 1).count() as i32;
            let win = if outcome.ranks[own] == 1 { WIN / n_winners } else { 0 };
            return 10 * (scores[own] - others.max().unwrap_or(0)) + win;
        }
        match self.certainty {
            Certainty::Proved => self.unknown,
            Certainty::Solved => {
                let options = Options { hash_mb: 1, ..Options::default() };
                let engine = self.engine.get_or_insert_with(|| Engine::new(options));
                let forecast = engine.forecast(position);
                (10.0 * forecast.difference[own] + WIN as f32 * forecast.win[own]).round() as i32
            }
        }
    }
}

fn after(position: &Position, m: Move) -> Position {
    let mut next = *position;
    next.play(m).expect("the move is on the list");
    next
}
