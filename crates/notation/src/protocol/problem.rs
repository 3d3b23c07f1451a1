//! Errors of a protocol line, with their columns.

use super::actions::ParseActionError;
use super::words::MAX_MESSAGE;
use azulejo_rules::{ParseMoveError, ParsePositionError};
use std::fmt;

/// Why a line is not a message.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LineError {
    /// The first word of the line, if that names a message.
    pub message: Option<&'static str>,
    /// The column of the first character at fault, from 1; one past the end if something is
    /// missing there.
    pub column: usize,
    /// What is wrong there.
    pub problem: LineProblem,
}

impl LineError {
    pub(super) fn new(column: usize, problem: LineProblem) -> LineError {
        LineError { message: None, column, problem }
    }
}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LineError { message, column, problem } = self;
        match message {
            Some(message) => write!(f, "`{message}`, column {column}: {problem}"),
            None => write!(f, "column {column}: {problem}"),
        }
    }
}

impl std::error::Error for LineError {}

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum LineProblem {
    /// It is too long to be read.
    #[error("a line has at most {MAX_MESSAGE} bytes")]
    TooLong,
    /// It is not text.
    #[error("the text is not UTF-8 here")]
    NotUtf8,
    /// Something else is expected here.
    #[error("expected {what}, found {found}")]
    Expected {
        /// What.
        what: &'static str,
        /// The text found there.
        found: String,
    },
    /// A word is not followed by its number.
    #[error("expected a whole number after `{after}`, found {found}")]
    Number {
        /// The word.
        after: &'static str,
        /// What follows it.
        found: String,
    },
    /// A limit, or another word that may occur once, occurs again.
    #[error("`{0}` is given twice")]
    Twice(&'static str),
    /// A word is not followed by a number for each seat.
    #[error("expected a number for each of 2 to 4 seats after `{after}`, found {found}")]
    Seats {
        /// The word.
        after: &'static str,
        /// How many numbers follow it.
        found: usize,
    },
    /// The two numbers of each seat are not for the same seats.
    #[error("`diff` has {diff} numbers and `win` has {win}: there is one for each seat")]
    OtherSeats {
        /// How many numbers follow `diff`.
        diff: usize,
        /// How many follow `win`.
        win: usize,
    },
    /// A position that cannot be read or breaks rules.
    #[error("{0}")]
    Position(ParsePositionError),
    /// A text that is not a move.
    #[error("{found} is {error}")]
    Move {
        /// The text.
        found: String,
        /// What is wrong with it.
        error: ParseMoveError,
    },
    /// Something that is neither a move nor a deal.
    #[error("{found} is {error}")]
    Action {
        /// The text.
        found: String,
        /// What is wrong with it.
        error: ParseActionError,
    },
    /// The range or the choices of an option leave its default out.
    #[error("the default of the option is not among its values")]
    Default,
}
