//! Puzzles: what they ask, and what they answer to a move.

use crate::{Thrown, bad_request, json, network};
use azulejo_puzzles::{Attempt, Puzzle, Refutation, Reply, read_part, refute_with};
use azulejo_rules::Move;
use serde::Serialize;
use wasm_bindgen::prelude::wasm_bindgen;

/// The puzzles of a part of the set, as JSON; lines that cannot be read are left out.
#[wasm_bindgen]
#[must_use]
pub fn puzzles(part: &str) -> String {
    let puzzles: Vec<Puzzle> = read_part(part).filter_map(|(_, puzzle)| puzzle.ok()).collect();
    let lines = puzzles.iter().map(|puzzle| WithLine { puzzle, line: puzzle.to_string() });
    json(&lines.collect::<Vec<_>>())
}

/// The place of the daily puzzle in a set, for the number of days since 1970-01-01 (UTC).
#[wasm_bindgen]
#[must_use]
pub fn daily_puzzle(day: u32, n_puzzles: usize) -> Option<usize> {
    azulejo_puzzles::daily(day.into(), n_puzzles)
}

/// The answer to the last of the solver's moves, with commas between them, in a puzzle: `{reply, answers,
/// best, refutation}`. A refutation needs the bytes of `azulejo.net` if the puzzle rests on estimates.
///
/// # Errors
/// If the puzzle or a move cannot be read, or a move is not legal.
#[wasm_bindgen]
pub fn puzzle_try(line: &str, moves: &str, net: &[u8]) -> Result<String, Thrown> {
    let puzzle: Puzzle = line.parse().map_err(|e| bad_request(format!("{e}")))?;
    let moves: Result<Vec<Move>, _> = moves.split(',').map(str::parse).collect();
    let moves = moves.map_err(|e: azulejo_rules::ParseMoveError| bad_request(e.to_string()))?;
    let mut attempt = Attempt::new(&puzzle);
    let mut answer = Answer::default();
    for m in moves {
        let (before, best) = (*attempt.position(), attempt.best());
        answer = match attempt.play(m).map_err(|e| bad_request(e.to_string()))? {
            Reply::Right { answers } => Answer { reply: "right", answers, ..Answer::default() },
            Reply::Solved => Answer { reply: "solved", ..Answer::default() },
            Reply::Wrong => {
                let network = network(net)?;
                let refuted = refute_with(&before, m, puzzle.certainty, &|| network.clone());
                Answer { reply: "wrong", best, refutation: refuted.ok(), ..Answer::default() }
            }
        };
    }
    Ok(json(&answer))
}

#[derive(Serialize)]
struct WithLine<'a> {
    #[serde(flatten)]
    puzzle: &'a Puzzle,
    line: String,
}

#[derive(Default, Serialize)]
struct Answer {
    reply: &'static str,
    answers: Vec<Move>,
    /// The best move, after a wrong one.
    best: Option<Move>,
    refutation: Option<Refutation>,
}
