//! The tokenizer of protocol lines: words with their columns, without their meaning.

use super::problem::{LineError, LineProblem};
use crate::problem::quoted;
use azulejo_rules::{Move, ParseMoveError};

/// The most bytes a line of the protocol can have, its end not counted. Every game that fits a
/// record can be sent.
pub const MAX_MESSAGE: usize = 1024 * 1024;

/// A word and the place of its first byte in the line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word<'a> {
    pub(super) text: &'a str,
    at: usize,
}

/// Reads words from the front of a line.
#[derive(Clone, Debug)]
pub(super) struct Words<'a> {
    line: &'a str,
    /// What has been read, in bytes.
    at: usize,
}

impl<'a> Words<'a> {
    /// The words of a line, if it is text and not too long. A line end is white space.
    pub(super) fn new(line: &'a [u8]) -> Result<Words<'a>, LineError> {
        let n_bytes = line.iter().rposition(|byte| !matches!(byte, b'\r' | b'\n'));
        let line = &line[..n_bytes.map_or(0, |last| last + 1)];
        if line.len() > MAX_MESSAGE {
            return Err(LineError::new(MAX_MESSAGE + 1, LineProblem::TooLong));
        }
        let line = str::from_utf8(line).map_err(|error| {
            let (valid, _) = line.split_at(error.valid_up_to());
            let column = 1 + str::from_utf8(valid).map_or(0, |text| text.chars().count());
            LineError::new(column, LineProblem::NotUtf8)
        })?;
        // Some programs put a byte order mark before everything.
        Ok(Words { line, at: if line.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 } })
    }

    /// The next word.
    pub(super) fn next(&mut self) -> Option<Word<'a>> {
        self.skip_space();
        let rest = &self.line[self.at..];
        let text = &rest[..rest.find(is_gap).unwrap_or(rest.len())];
        let word = Word { text, at: self.at };
        self.at += text.len();
        (!text.is_empty()).then_some(word)
    }

    /// The next word without reading it.
    pub(super) fn peek(&self) -> Option<Word<'a>> {
        self.clone().next()
    }

    /// Reads the next word if it is this one.
    pub(super) fn skip(&mut self, word: &str) -> bool {
        let is_there = self.peek().is_some_and(|next| next.text == word);
        if is_there {
            self.next();
        }
        is_there
    }

    /// Everything that is left, as free text.
    pub(super) fn rest(&mut self) -> String {
        let rest = &self.line[self.at..];
        self.at = self.line.len();
        free_text(rest)
    }

    /// The words up to one of these, which is not read, or to the end, as a name.
    pub(super) fn name_before(&mut self, ends: &[&str]) -> String {
        let mut words = Vec::new();
        while let Some(word) = self.peek().filter(|word| !ends.contains(&word.text)) {
            words.push(word.text);
            self.next();
        }
        words.join(" ")
    }

    /// The whole number after a word. One that is too large becomes the largest.
    pub(super) fn number(&mut self, after: &'static str) -> Result<u64, LineError> {
        let word = self.next();
        let digits = word.map(|word| word.text).filter(|text| is_whole(text));
        match digits {
            Some(digits) => Ok(digits.parse().unwrap_or(u64::MAX)),
            None => Err(self.fault(word, LineProblem::Number { after, found: found(word) })),
        }
    }

    /// A word as a move.
    pub(super) fn move_of(&self, word: Word<'_>) -> Result<Move, LineError> {
        word.text.parse().map_err(|error: ParseMoveError| {
            let found = found(Some(word));
            self.fault_inside(Some(word), error.column, LineProblem::Move { found, error })
        })
    }

    /// An error at a word, or at the end of the line if it is missing.
    pub(super) fn fault(&self, word: Option<Word<'_>>, problem: LineProblem) -> LineError {
        self.fault_inside(word, 1, problem)
    }

    /// An error at a character of a word, from 1.
    pub(super) fn fault_inside(
        &self,
        word: Option<Word<'_>>,
        column: usize,
        problem: LineProblem,
    ) -> LineError {
        let at = word.map_or(self.line.trim_end_matches(is_gap).len(), |word| word.at);
        LineError::new(self.line[..at].chars().count() + column, problem)
    }

    /// An error where something else was expected than this word, or than the end of the line.
    pub(super) fn expected(&self, what: &'static str, word: Option<Word<'_>>) -> LineError {
        self.fault(word, LineProblem::Expected { what, found: found(word) })
    }

    fn skip_space(&mut self) {
        let rest = &self.line[self.at..];
        self.at += rest.len() - rest.trim_start_matches(is_gap).len();
    }
}

/// Which of these names a line begins with, even if the rest of it is not text.
pub(super) fn message_name(line: &[u8], names: &[&'static str]) -> Option<&'static str> {
    // The most that matters, cut without regard to characters: names are ASCII.
    let start = String::from_utf8_lossy(&line[..line.len().min(100)]);
    let words = start.trim_start_matches('\u{feff}').trim_start_matches(is_gap);
    let first = words.split(is_gap).next()?;
    names.iter().copied().find(|&name| name == first)
}

/// A word as a message shows it, if there is one.
pub(super) fn found(word: Option<Word<'_>>) -> String {
    word.map_or("nothing".to_owned(), |word| quoted(word.text))
}

/// Foreign text made safe for the rest of a line: control characters, including line breaks, become
/// spaces, and the ends are trimmed.
pub(super) fn free_text(text: &str) -> String {
    text.trim_matches(is_gap).replace(is_gap, " ")
}

/// What separates words. Control characters do, so that none can be in a word or a name.
fn is_gap(c: char) -> bool {
    c == ' ' || c.is_control()
}

fn is_whole(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}
