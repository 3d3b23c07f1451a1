//! Messages to an engine.

use super::actions::ParseActionError;
use super::go::Go;
use super::problem::{LineError, LineProblem};
use super::words::{Words, found, free_text, message_name};
use crate::replay::Action;
use azulejo_rules::{ParsePositionError, Position};
use std::fmt;

/// A message to an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ToEngine {
    /// `azi`: the first message; the engine answers with `id`, `option` and `aziok`.
    Azi,
    /// `isready`: answer `readyok` when everything so far is done.
    IsReady,
    /// `newgame`: the next positions belong to another game.
    NewGame,
    /// `setoption`: change an option.
    SetOption {
        /// Its name, which has no word `value` in it.
        name: String,
        /// Its value; empty for a button.
        value: String,
    },
    /// `position`: the position to search from now on.
    Position {
        /// Where the moves begin.
        start: Box<Position>,
        /// The moves, and the deals between rounds. They have not been checked:
        /// [`play_all`](super::play_all) plays them.
        moves: Vec<Action>,
    },
    /// `go`: search.
    Go(Go),
    /// `stop`: answer now.
    Stop,
    /// `quit`: exit.
    Quit,
}

/// The first words of all messages.
const NAMES: [&str; 8] =
    ["azi", "isready", "newgame", "setoption", "position", "go", "stop", "quit"];

impl ToEngine {
    /// Reads a line, with or without its line end. `None` if it is blank or starts with an unknown
    /// word: such lines must be ignored.
    ///
    /// # Errors
    /// If it starts like a message but is malformed.
    pub fn parse(line: impl AsRef<[u8]>) -> Result<Option<ToEngine>, LineError> {
        let line = line.as_ref();
        let message = message_name(line, &NAMES);
        ToEngine::read(line).map_err(|error| LineError { message, ..error })
    }

    fn read(line: &[u8]) -> Result<Option<ToEngine>, LineError> {
        let mut words = Words::new(line)?;
        let Some(first) = words.next() else { return Ok(None) };
        Ok(Some(match first.text {
            "azi" => ToEngine::Azi,
            "isready" => ToEngine::IsReady,
            "newgame" => ToEngine::NewGame,
            "setoption" => set_option(&mut words)?,
            "position" => position(&mut words)?,
            "go" => ToEngine::Go(Go::read(&mut words)?),
            "stop" => ToEngine::Stop,
            "quit" => ToEngine::Quit,
            _ => return Ok(None),
        }))
    }
}

/// Reads `name NAME [value VALUE]`.
fn set_option(words: &mut Words<'_>) -> Result<ToEngine, LineError> {
    if !words.skip("name") {
        return Err(words.expected("`name` and the name of an option", words.peek()));
    }
    let name = words.name_before(&["value"]);
    if name.is_empty() {
        return Err(words.expected("the name of an option", words.peek()));
    }
    let value = if words.skip("value") { words.rest() } else { String::new() };
    Ok(ToEngine::SetOption { name, value })
}

/// Reads `POSITION [moves MOVE…]`. Unknown words are errors here: searching another position than
/// the intended one would be worse.
fn position(words: &mut Words<'_>) -> Result<ToEngine, LineError> {
    let text = words.next();
    let Some(word) = text else { return Err(words.expected("a position", text)) };
    let start: Position = word.text.parse().map_err(|error| {
        let column = match &error {
            ParsePositionError::Syntax(error) => error.column,
            ParsePositionError::Invalid(_) => 1,
        };
        words.fault_inside(text, column, LineProblem::Position(error))
    })?;
    let mut moves = Vec::new();
    if let Some(word) = words.next() {
        if word.text != "moves" {
            return Err(words.expected("`moves` or the end of the line", Some(word)));
        }
        while let Some(word) = words.next() {
            let action: Action = word.text.parse().map_err(|error: ParseActionError| {
                let found = found(Some(word));
                words.fault_inside(Some(word), error.column(), LineProblem::Action { found, error })
            })?;
            moves.push(action);
        }
    }
    Ok(ToEngine::Position { start: Box::new(start), moves })
}

impl fmt::Display for ToEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ToEngine::Azi => f.write_str("azi"),
            ToEngine::IsReady => f.write_str("isready"),
            ToEngine::NewGame => f.write_str("newgame"),
            ToEngine::SetOption { name, value } => {
                write!(f, "setoption name {}", free_text(name))?;
                match free_text(value) {
                    none if none.is_empty() => Ok(()),
                    value => write!(f, " value {value}"),
                }
            }
            ToEngine::Position { start, moves } => {
                write!(f, "position {start}")?;
                f.write_str(if moves.is_empty() { "" } else { " moves" })?;
                moves.iter().try_for_each(|action| write!(f, " {action}"))
            }
            ToEngine::Go(go) => go.fmt(f),
            ToEngine::Stop => f.write_str("stop"),
            ToEngine::Quit => f.write_str("quit"),
        }
    }
}
