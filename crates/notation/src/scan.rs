//! The tokenizer of records: words, tags and comments with their places, without their meaning.

use crate::label::{is_space, is_tag_letter};
use crate::problem::{Place, Problem, RecordError};

/// The most bytes a line of a record can have.
pub const MAX_LINE: usize = 64 * 1024;

/// The most bytes a record can have as text.
pub const MAX_RECORD: usize = 1024 * 1024;

/// The most bytes a record can have as JSON, in our own form or in the interchange form.
///
/// Whatever fits as text must fit as JSON, and [`Record::to_json`](crate::Record::to_json) never
/// writes more than three bytes for one of the text, however tightly that is written:
/// - A move of m characters takes m + 1 in the text, with the space after it, and m + 3 in JSON.
/// - A move with a comment of n bytes takes m + n + 2, with the braces, and at most m + 2n + 11:
///   quotes are escaped in JSON only, and the index of the move has at most two digits (a round
///   has at most 42 drafts and 20 wall choices). That is below three times as much, since m ≥ 3.
/// - A round with a deal of d characters takes at least d + 9 and at most d + 35. With a comment
///   of n bytes on the deal it takes at least d + n + 10 and at most d + 2n + 48. That is below
///   three times as much, since d ≥ 9 (five factories, four dashes) and n ≥ 1.
/// - Tags are as long in JSON, escapes included. What is left, mostly names of keys, is paid for
///   by the three tags that every record has.
pub const MAX_JSON: usize = 3 * MAX_RECORD;

/// The beginning of the line with which every record begins.
pub(crate) const OPENING: &str = "[Azulejo ";

/// A place in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spot {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

impl Spot {
    pub(crate) fn fault(self, problem: impl Into<Problem>) -> RecordError {
        let Spot { line, column } = self;
        RecordError { place: Place::At { line, column }, problem: problem.into() }
    }

    /// A place further right on the same line, in characters.
    pub(crate) const fn right(self, n: usize) -> Spot {
        Spot { column: self.column + n, ..self }
    }
}

/// A piece of the text and where it begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word<'a> {
    pub(crate) text: &'a str,
    pub(crate) spot: Spot,
}

/// A tag: its name, and its value without the escapes.
#[derive(Debug)]
pub(crate) struct Tag<'a> {
    pub(crate) name: Word<'a>,
    pub(crate) value: String,
    /// Where the value begins, after its quote.
    pub(crate) value_spot: Spot,
}

/// A token of the text.
#[derive(Debug)]
pub(crate) enum Token<'a> {
    /// The text between braces.
    Comment(Word<'a>),
    Word(Word<'a>),
    /// Nothing more; the spot is after the last word.
    End(Spot),
}

/// Reads from the front of a text.
pub(crate) struct Scanner<'a> {
    rest: &'a str,
    spot: Spot,
    /// Where the last thing that was read ends.
    last_end: Spot,
    /// Why the text is cut off at its end, if it is.
    cut: Option<Problem>,
}

impl<'a> Scanner<'a> {
    /// Starts with the readable prefix of the bytes: up to a limit, or to the first invalid UTF-8.
    pub(crate) fn new(bytes: &'a [u8]) -> Scanner<'a> {
        let (bytes, mut cut) = cut_at_limit(bytes);
        let text = str::from_utf8(bytes).unwrap_or_else(|error| {
            let (valid, _) = bytes.split_at(error.valid_up_to());
            // A character that the limit has cut in two is the limit's fault.
            if error.error_len().is_some() || cut.is_none() {
                cut = Some(Problem::from("the text is not UTF-8 here"));
            }
            str::from_utf8(valid).unwrap_or_default()
        });
        let spot = Spot { line: 1, column: 1 };
        // Some editors put a byte order mark before everything.
        Scanner { rest: text.strip_prefix('\u{feff}').unwrap_or(text), spot, last_end: spot, cut }
    }

    fn bump(&mut self) -> Option<char> {
        let mut chars = self.rest.chars();
        let c = chars.next()?;
        self.rest = chars.as_str();
        self.spot = match c {
            '\n' => Spot { line: self.spot.line + 1, column: 1 },
            _ => self.spot.right(1),
        };
        Some(c)
    }

    fn skip_while(&mut self, is_skipped: impl Fn(char) -> bool) -> &'a str {
        let from = self.rest;
        while self.rest.starts_with(&is_skipped) {
            self.bump();
        }
        &from[..from.len() - self.rest.len()]
    }

    fn skip(&mut self, c: char) -> bool {
        let is_there = self.rest.starts_with(c);
        if is_there {
            self.bump();
        }
        is_there
    }

    /// The fault of something that the end of the text interrupts: the cut, if the text was cut.
    pub(crate) fn broken_off(&mut self, spot: Spot, problem: impl Into<Problem>) -> RecordError {
        match self.cut.take() {
            Some(cut) if self.rest.is_empty() => self.spot.fault(cut),
            _ => spot.fault(problem),
        }
    }

    /// Whether a record begins here.
    fn is_at_opening(&self) -> bool {
        self.spot.column == 1 && self.rest.starts_with(OPENING)
    }

    /// The tag that comes next, if one does.
    pub(crate) fn tag(&mut self) -> Result<Option<Tag<'a>>, RecordError> {
        self.skip_while(is_space);
        if !self.skip('[') {
            return Ok(None);
        }
        let name = Word { spot: self.spot, text: self.skip_while(is_tag_letter) };
        if name.text.is_empty() || self.skip_while(|c| c == ' ').is_empty() {
            let problem = "expected the name of a tag, a space and its text in quotes";
            return Err(self.broken_off(self.spot, problem));
        }
        let quote_spot = self.spot;
        if !self.skip('"') {
            return Err(self.broken_off(quote_spot, "expected the text of the tag in quotes"));
        }
        let value_spot = self.spot;
        let value = self.quoted(quote_spot)?;
        if !self.skip(']') {
            return Err(self.broken_off(self.spot, "expected `]` at the end of the tag"));
        }
        self.last_end = self.spot;
        self.skip_while(|c| is_space(c) && c != '\n');
        if !self.rest.is_empty() && !self.rest.starts_with('\n') {
            return Err(self.spot.fault("each tag has a line of its own"));
        }
        Ok(Some(Tag { name, value, value_spot }))
    }

    /// The text up to the closing quote.
    fn quoted(&mut self, quote_spot: Spot) -> Result<String, RecordError> {
        let mut value = String::new();
        loop {
            let spot = self.spot;
            match self.bump() {
                Some('"') => return Ok(value),
                Some('\\') => match self.bump() {
                    Some(c @ ('"' | '\\')) => value.push(c),
                    _ => {
                        let problem = "after a backslash comes a quote or another backslash";
                        return Err(self.broken_off(spot, problem));
                    }
                },
                Some('\n') | None => {
                    return Err(self.broken_off(quote_spot, "the quote is not closed"));
                }
                Some(c) => value.push(c),
            }
        }
    }

    /// The next word or comment.
    pub(crate) fn token(&mut self) -> Result<Token<'a>, RecordError> {
        self.skip_while(is_space);
        if self.rest.is_empty() {
            return match self.cut.take() {
                Some(cut) => Err(self.spot.fault(cut)),
                None => Ok(Token::End(self.last_end)),
            };
        }
        let spot = self.spot;
        let token = if self.skip('{') {
            Token::Comment(self.comment(spot)?)
        } else {
            let text = self.skip_while(|c| !is_space(c) && c != '{');
            if self.rest.is_empty() && self.cut.is_some() {
                return Err(self.broken_off(spot, ""));
            }
            Token::Word(Word { text, spot })
        };
        self.last_end = self.spot;
        Ok(token)
    }

    /// The text up to the closing brace.
    fn comment(&mut self, brace_spot: Spot) -> Result<Word<'a>, RecordError> {
        let (from, spot) = (self.rest, self.spot);
        loop {
            let text = &from[..from.len() - self.rest.len()];
            if self.rest.starts_with('{') {
                let problem = "is not closed before this brace";
                let problem = format!("the comment that begins in line {} {problem}", spot.line);
                return Err(self.spot.fault(problem));
            }
            if self.is_at_opening() {
                return Err(brace_spot.fault("the comment is not closed before the next record"));
            }
            match self.bump() {
                Some('}') => return Ok(Word { text, spot }),
                Some(_) => {}
                None => return Err(self.broken_off(brace_spot, "the comment is not closed")),
            }
        }
    }

    /// Where the last thing that was read ends.
    pub(crate) const fn last_end(&self) -> Spot {
        self.last_end
    }

    /// Whether the text ends here, without a line end.
    pub(crate) const fn is_at_end(&self) -> bool {
        self.rest.is_empty()
    }

    /// Where the next thing begins.
    pub(crate) fn next_spot(&mut self) -> Spot {
        self.skip_while(is_space);
        self.spot
    }
}

/// The bytes up to where they break a limit, and which.
fn cut_at_limit(bytes: &[u8]) -> (&[u8], Option<Problem>) {
    let mut start = 0;
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        let n_in_line = line.strip_suffix(b"\n").unwrap_or(line).len();
        let line_end = start + MAX_LINE;
        if n_in_line > MAX_LINE && line_end <= MAX_RECORD {
            let problem = Problem::TooLong { what: "a line", most: MAX_LINE, unit: "bytes" };
            return (&bytes[..line_end], Some(problem));
        }
        start += line.len();
        if start > MAX_RECORD {
            let problem = Problem::TooLong { what: "a record", most: MAX_RECORD, unit: "bytes" };
            return (&bytes[..MAX_RECORD], Some(problem));
        }
    }
    (bytes, None)
}
