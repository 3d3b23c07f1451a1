//! Errors of a record, with their places.

use crate::record::End;
use azulejo_rules::{DealError, IllegalMove, Move, Seat};
use std::fmt;

/// Why a record cannot be read.
///
/// ```
/// use azulejo_notation::{Place, Record};
///
/// let error = Record::parse("[Azulejo \"1\"]\n[Rules \"2c\"]\n[First \"3\"]\n\n*\n").unwrap_err();
/// assert_eq!(error.place, Place::At { line: 3, column: 9 });
/// assert_eq!(error.to_string(), "line 3, column 9: seat 3 is not in the game");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[error("{place}: {problem}")]
pub struct RecordError {
    /// Where the fault is.
    pub place: Place,
    /// What it is.
    pub problem: Problem,
}

/// A place in a record.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// A character of the text; one past the end of a line if something is missing there.
    At {
        /// The line, from 1.
        line: usize,
        /// The column, from 1, counted in characters.
        column: usize,
    },
    /// A value in JSON, as in `rounds[2].moves[5]`.
    Path(String),
}

impl RecordError {
    pub(crate) fn path(path: impl Into<String>, problem: impl Into<Problem>) -> RecordError {
        RecordError { place: Place::Path(path.into()), problem: problem.into() }
    }

    /// The same error in a text with `n_lines` lines before the record.
    #[must_use]
    pub fn below(mut self, n_lines: usize) -> RecordError {
        if let Place::At { line, .. } = &mut self.place {
            *line += n_lines;
        }
        self
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::At { line, column } => write!(f, "line {line}, column {column}"),
            Place::Path(path) => f.write_str(path),
        }
    }
}

/// What is wrong with a record.
#[derive(Clone, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// A syntax error; the sentence says what was expected.
    #[error("{0}")]
    Form(String),
    /// It is written in another version of the notation.
    #[error("this is version {0} of the notation; only version 1 can be read")]
    Version(String),
    /// Something is too long.
    #[error("{what} has more than {most} {unit}")]
    TooLong {
        /// The thing that is too long.
        what: &'static str,
        /// The limit.
        most: usize,
        /// The unit of the limit.
        unit: &'static str,
    },
    /// A name, tag or comment has a control character.
    #[error("{what} has a control character in it")]
    ControlCharacter {
        /// The name, tag or comment.
        what: &'static str,
    },
    /// A comment contains a brace.
    #[error("a comment cannot contain braces")]
    Brace,
    /// A place has two comments.
    #[error("there is already a comment in this place")]
    SecondComment,
    /// A tag appears twice.
    #[error("the tag {0} appears twice")]
    DuplicateTag(String),
    /// A tag is missing that every record needs.
    #[error("the tag {0} is missing")]
    MissingTag(&'static str),
    /// A tag's name is invalid or reserved.
    #[error("{0} cannot be the name of a tag")]
    TagName(String),
    /// A seat is not in the game.
    #[error("seat {0} is not in the game")]
    NoSuchSeat(Seat),
    /// A game starts with another seat than its rules say.
    #[error("seat {first} starts, but the rules name seat {named}")]
    OtherFirstPlayer {
        /// The seat that starts.
        first: Seat,
        /// The seat that the rules name.
        named: Seat,
    },
    /// The starting position has other rules than the record.
    #[error("the position has the rules {position}, the record has {record}")]
    OtherRules {
        /// The rules of the position.
        position: String,
        /// The rules of the record.
        record: String,
    },
    /// A round has the wrong number.
    #[error("round {expected} comes next")]
    RoundNumber {
        /// The number it should have.
        expected: u16,
    },
    /// A deal that the stock cannot supply.
    #[error("impossible deal: {0}")]
    Deal(#[from] DealError),
    /// An illegal move.
    #[error("illegal move {m}: {reason}")]
    Move {
        /// The move.
        m: Move,
        /// Why it is illegal.
        reason: IllegalMove,
    },
    /// The game is over and the record does not say so.
    #[error("the end is missing: the game is over with `{0}`")]
    EndMissing(End),
    /// The record says that the game is over and it is not.
    #[error("the game is not over here")]
    NotOver,
    /// The result does not follow from the moves.
    #[error("wrong result: the game ended with `{0}`")]
    WrongResult(End),
    /// There is something after the end.
    #[error("there is text after the end of the record")]
    AfterEnd,
}

impl From<String> for Problem {
    fn from(problem: String) -> Problem {
        Problem::Form(problem)
    }
}

impl From<&str> for Problem {
    fn from(problem: &str) -> Problem {
        Problem::Form(problem.to_owned())
    }
}

/// A piece of input as a message shows it.
pub(crate) fn quoted(text: &str) -> String {
    format!("`{}`", shown(text, 40))
}

/// The beginning of a foreign text, with control characters escaped for terminals.
pub(crate) fn shown(text: &str, most: usize) -> String {
    let mut shown = String::new();
    for c in text.chars().take(most) {
        match c {
            '"' | '\'' | '\\' => shown.push(c),
            _ => shown.extend(c.escape_debug()),
        }
    }
    if text.chars().nth(most).is_some() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn input_is_shown_with_care() {
        assert_eq!(quoted("a \"b\" é"), "`a \"b\" é`");
        assert_eq!(quoted("\u{1b}[31m\n\u{202e}"), "`\\u{1b}[31m\\n\\u{202e}`");
        assert_eq!(quoted(&"x".repeat(1000)), format!("`{}…`", "x".repeat(40)));
    }
}
