//! Splits a text with many records. Only one of them is in memory at a time.

use crate::problem::RecordError;
use crate::record::Record;
use crate::scan::{MAX_LINE, MAX_RECORD, OPENING};

/// The part of a text that should be one record.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Piece {
    /// The line with which it begins, from 1.
    pub line: usize,
    /// The text, or as much of it as shows that it is too long.
    pub text: Vec<u8>,
}

impl Piece {
    /// Reads the record. Lines are counted from the beginning of the whole text.
    ///
    /// # Errors
    /// The first fault.
    pub fn parse(&self) -> Result<Record, RecordError> {
        Record::parse(&self.text).map_err(|error| error.below(self.line - 1))
    }

    /// Reads the record as far as it is right; see [`Record::salvage`].
    #[must_use]
    pub fn salvage(&self) -> (Option<Record>, Option<RecordError>) {
        let (record, error) = Record::salvage(&self.text);
        (record, error.map(|error| error.below(self.line - 1)))
    }
}

/// The records of a text that comes line by line, without line ends. A record begins at every line
/// that begins with `[Azulejo `; text before the first of them is a piece that fails to parse.
///
/// ```
/// use azulejo_notation::Records;
///
/// let text = "[Azulejo \"1\"]\n[Rules \"2c\"]\n[First \"1\"]\n\n*\n\n".repeat(3);
/// let records: Result<Vec<_>, _> = Records::new(text.lines()).map(|piece| piece.parse()).collect();
/// assert_eq!(records?.len(), 3);
/// # Ok::<(), azulejo_notation::RecordError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Records<I> {
    lines: I,
    /// How many lines have been taken.
    n_lines: usize,
    /// The first line of the next record.
    opening: Option<Piece>,
}

impl<I: Iterator<Item: AsRef<[u8]>>> Records<I> {
    /// The records in these lines.
    pub fn new(lines: I) -> Records<I> {
        Records { lines, n_lines: 0, opening: None }
    }
}

impl<I: Iterator<Item: AsRef<[u8]>>> Iterator for Records<I> {
    type Item = Piece;

    fn next(&mut self) -> Option<Piece> {
        let mut piece = self.opening.take();
        for line in self.lines.by_ref() {
            self.n_lines += 1;
            let line = line.as_ref();
            let is_opening = line.starts_with(OPENING.as_bytes());
            if is_opening && piece.is_some() {
                self.opening = Some(Piece::begin(self.n_lines, line));
                return piece;
            }
            match &mut piece {
                Some(piece) => piece.push(line),
                None if is_blank(line) => {}
                None => piece = Some(Piece::begin(self.n_lines, line)),
            }
        }
        piece
    }
}

/// Whether nothing is in a line but white space, after a byte order mark, which reading a record
/// skips too.
fn is_blank(line: &[u8]) -> bool {
    line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line).trim_ascii().is_empty()
}

impl Piece {
    fn begin(line_number: usize, line: &[u8]) -> Piece {
        let mut piece = Piece { line: line_number, text: Vec::new() };
        piece.push(line);
        piece
    }

    /// Adds a line. One byte more than a limit is enough to show that it is broken.
    fn push(&mut self, line: &[u8]) {
        if self.text.len() <= MAX_RECORD {
            self.text.extend_from_slice(&line[..line.len().min(MAX_LINE + 1)]);
            self.text.push(b'\n');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::{Place, Problem};

    const EMPTY: &str = "[Azulejo \"1\"]\n[Rules \"2c\"]\n[First \"1\"]\n\n*\n";

    fn read(text: &str) -> Vec<(usize, Result<(), String>)> {
        let read = |piece: Piece| (piece.line, piece.parse().map(drop).map_err(|e| e.to_string()));
        Records::new(text.lines()).map(read).collect()
    }

    #[test]
    fn each_record_is_found() {
        assert_eq!(read(""), []);
        assert_eq!(read("\n  \n"), []);
        assert_eq!(read(&format!("\u{feff}{EMPTY}")), [(1, Ok(()))]);
        assert_eq!(
            read(&format!("{EMPTY}{EMPTY}\n\n{EMPTY}")),
            [(1, Ok(())), (6, Ok(())), (13, Ok(()))]
        );
        assert_eq!(read(&EMPTY.replace('\n', "\r\n")), [(1, Ok(()))]);
    }

    #[test]
    fn byte_order_marks_alone_are_no_record() {
        assert_eq!(read("\u{feff}"), []);
        assert_eq!(read(&format!("\u{feff}\n\u{feff} \n{EMPTY}")), [(3, Ok(()))]);
        // The place of the fault is in the text, not after it.
        let begins = "line 1, column 1: a record begins with a line `[Azulejo \"1\"]`";
        assert_eq!(read("\u{feff}\u{feff}"), [(1, Err(begins.to_owned()))]);
    }

    #[test]
    fn a_wrong_record_does_not_harm_the_next() {
        let text = format!("hello\n\n{EMPTY}garbage\n{}{EMPTY}", EMPTY.replace('*', "{open"));
        let found = read(&text);
        assert_eq!(found.len(), 4);
        assert_eq!(found[0].0, 1);
        assert!(found[0].1.as_ref().unwrap_err().starts_with("line 1, column 1: a record begins"));
        assert_eq!(
            found[1],
            (3, Err("line 8, column 1: there is text after the end of the record".to_owned()))
        );
        assert_eq!(found[2], (9, Err("line 13, column 1: the comment is not closed".to_owned())));
        assert_eq!(found[3], (14, Ok(())));
    }

    #[test]
    fn long_records_are_cut_off() {
        let long_line = "x".repeat(10 * MAX_LINE);
        let expected = Problem::TooLong { what: "a line", most: MAX_LINE, unit: "bytes" };
        let lines = ["[Azulejo \"1\"]", "[Rules \"2c\"]", &format!("[A \"{long_line}\"]")];
        let error = Records::new(lines.into_iter()).next().unwrap().parse().unwrap_err();
        assert_eq!(error.problem, expected);
        assert_eq!(error.place, Place::At { line: 3, column: MAX_LINE + 1 });

        let lines = EMPTY.lines().take(3).chain(std::iter::repeat_n("", 3 * MAX_RECORD));
        let piece = Records::new(lines).next().unwrap();
        assert!(piece.text.len() < 2 * MAX_RECORD);
        let expected = Problem::TooLong { what: "a record", most: MAX_RECORD, unit: "bytes" };
        assert_eq!(piece.salvage().1.unwrap().problem, expected);
        assert!(piece.salvage().0.is_some());
    }
}
