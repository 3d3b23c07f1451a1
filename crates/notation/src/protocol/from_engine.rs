//! Messages from an engine.

use super::info::Info;
use super::option::OptionSpec;
use super::problem::LineError;
use super::words::{Words, free_text, message_name};
use azulejo_rules::Move;
use std::fmt;

/// A message from an engine.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum FromEngine {
    /// `id name`: its name, possibly with a version.
    IdName(String),
    /// `id author`: its authors.
    IdAuthor(String),
    /// `option`: an option that it has.
    Option(OptionSpec),
    /// `aziok`: all `id` and `option` lines have been sent.
    AziOk,
    /// `readyok`: everything so far is done.
    ReadyOk,
    /// `info`: figures of the search so far.
    Info(Info),
    /// `info string`: text for people.
    InfoString(String),
    /// The answer to a search; `None` where there is no move.
    BestMove(Option<Move>),
}

/// The first words of all messages.
const NAMES: [&str; 6] = ["id", "option", "aziok", "readyok", "info", "bestmove"];

impl FromEngine {
    /// Reads a line, with or without its line end. `None` if it is blank or starts with an unknown
    /// word: such lines must be ignored.
    ///
    /// # Errors
    /// If it starts like a message but is malformed.
    pub fn parse(line: impl AsRef<[u8]>) -> Result<Option<FromEngine>, LineError> {
        let line = line.as_ref();
        let message = message_name(line, &NAMES);
        FromEngine::read(line).map_err(|error| LineError { message, ..error })
    }

    fn read(line: &[u8]) -> Result<Option<FromEngine>, LineError> {
        let mut words = Words::new(line)?;
        let Some(first) = words.next() else { return Ok(None) };
        Ok(Some(match first.text {
            "id" => match words.next().map(|word| word.text) {
                Some("name") => FromEngine::IdName(words.rest()),
                Some("author") => FromEngine::IdAuthor(words.rest()),
                _ => return Ok(None),
            },
            "option" => FromEngine::Option(OptionSpec::read(&mut words)?),
            "aziok" => FromEngine::AziOk,
            "readyok" => FromEngine::ReadyOk,
            "info" if words.skip("string") => FromEngine::InfoString(words.rest()),
            "info" => FromEngine::Info(Info::read(&mut words)?),
            "bestmove" => FromEngine::BestMove(best_move(&mut words)?),
            _ => return Ok(None),
        }))
    }
}

/// Reads `MOVE` or `none`.
fn best_move(words: &mut Words<'_>) -> Result<Option<Move>, LineError> {
    let next = words.next();
    let Some(word) = next else { return Err(words.expected("a move or `none`", next)) };
    if word.text == "none" {
        return Ok(None);
    }
    words.move_of(word).map(Some)
}

impl fmt::Display for FromEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |f: &mut fmt::Formatter<'_>, words: &str, text: &str| match free_text(text) {
            none if none.is_empty() => f.write_str(words),
            text => write!(f, "{words} {text}"),
        };
        match self {
            FromEngine::IdName(name) => text(f, "id name", name),
            FromEngine::IdAuthor(author) => text(f, "id author", author),
            FromEngine::Option(option) => option.fmt(f),
            FromEngine::AziOk => f.write_str("aziok"),
            FromEngine::ReadyOk => f.write_str("readyok"),
            FromEngine::Info(info) => info.fmt(f),
            FromEngine::InfoString(words) => text(f, "info string", words),
            FromEngine::BestMove(Some(m)) => write!(f, "bestmove {m}"),
            FromEngine::BestMove(None) => f.write_str("bestmove none"),
        }
    }
}
