//! The result of a two-player game as one number: the winner, then the difference.

use azulejo_rules::{Position, Seat};
use std::fmt;
use std::str::FromStr;

/// Above every difference of scores.
const WIN: i32 = 10_000;

/// The result of a finished game for the seat to move; `None` if it is not finished.
pub fn value(position: &Position) -> Option<i32> {
    let outcome = position.outcome()?;
    let own = position.turn();
    let other = if own == Seat::One { Seat::Two } else { Seat::One };
    let difference =
        i32::from(outcome.scores[own.index()]) - i32::from(outcome.scores[other.index()]);
    let (own, other) = (outcome.ranks[own.index()], outcome.ranks[other.index()]);
    Some(match own.cmp(&other) {
        std::cmp::Ordering::Less => WIN + difference,
        std::cmp::Ordering::Equal => difference,
        std::cmp::Ordering::Greater => -WIN + difference,
    })
}

/// A result in its text form: `win +7`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameResult {
    /// `win`, `draw` or `loss`.
    pub word: &'static str,
    /// The difference of the scores.
    pub difference: i32,
}

impl GameResult {
    /// The result that a value of [`value`] stands for.
    pub fn of(value: i32) -> GameResult {
        match value {
            _ if value > WIN / 2 => GameResult { word: "win", difference: value - WIN },
            _ if value < -WIN / 2 => GameResult { word: "loss", difference: value + WIN },
            _ => GameResult { word: "draw", difference: value },
        }
    }

    /// The result as a number.
    pub fn value(self) -> i32 {
        WIN * (2.0 * self.share() - 1.0) as i32 + self.difference
    }

    /// The share of the victory.
    pub fn share(self) -> f32 {
        match self.word {
            "win" => 1.0,
            "loss" => 0.0,
            _ => 0.5,
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:+}", self.word, self.difference)
    }
}

impl FromStr for GameResult {
    type Err = String;

    fn from_str(text: &str) -> Result<GameResult, String> {
        let (word, difference) = text.split_once(' ').ok_or("expected a word and a number")?;
        let word = ["win", "draw", "loss"].into_iter().find(|known| *known == word);
        Ok(GameResult {
            word: word.ok_or("expected win, draw or loss")?,
            difference: difference.parse().map_err(|_| "expected a difference")?,
        })
    }
}
