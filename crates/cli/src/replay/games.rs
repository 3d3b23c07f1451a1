//! Finds the games in a file: text records, JSON records or games of other programs, one at a
//! time and never more of the file in memory than the longest game may have.

use anyhow::Context;
use azulejo_notation::{Difference, MAX_RECORD, Record, RecordError, Records, check};
use serde_json::Value;
use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};

/// A game found in a file.
pub(crate) struct Game {
    /// The file and line it begins on.
    pub(crate) place: String,
    /// The game, as far as it could be read.
    pub(crate) record: Option<Record>,
    /// Why it could not be read, or not further.
    pub(crate) error: Option<RecordError>,
    /// Whether the good part of a damaged game was asked for.
    pub(crate) is_salvaged: bool,
    /// What is not as expected.
    pub(crate) differences: Vec<Difference>,
}

impl Game {
    pub(crate) fn is_wrong(&self) -> bool {
        self.error.is_some() || !self.differences.is_empty()
    }
}

/// Calls `found` with every game of a file; `-` is standard input.
pub(crate) fn read(
    file: &str,
    salvage: bool,
    found: &mut impl FnMut(Game) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let context = || format!("cannot read {file}");
    let (name, mut reader): (&str, Box<dyn BufRead>) = if file == "-" {
        ("standard input", Box::new(io::stdin().lock()))
    } else {
        (file, Box::new(BufReader::new(File::open(file).with_context(context)?)))
    };
    let skipped = skip_blank(&mut reader).with_context(context)?;
    let is_json = reader.fill_buf().with_context(context)?.first() == Some(&b'{');
    if is_json {
        read_json(reader, name, skipped, salvage, found)
    } else {
        read_text(reader, name, skipped, salvage, found)
    }
}

/// Passes over blank lines at the beginning and a byte order mark, and counts the lines.
fn skip_blank(reader: &mut impl BufRead) -> io::Result<usize> {
    if reader.fill_buf()?.starts_with(b"\xef\xbb\xbf") {
        reader.consume(3);
    }
    let mut n_lines = 0;
    while let Some(&byte) = reader.fill_buf()?.first() {
        if !byte.is_ascii_whitespace() {
            break;
        }
        n_lines += usize::from(byte == b'\n');
        reader.consume(1);
    }
    Ok(n_lines)
}

fn read_text(
    reader: impl BufRead,
    name: &str,
    skipped: usize,
    salvage: bool,
    found: &mut impl FnMut(Game) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let failure = Cell::new(None);
    let mut lines = Lines { reader };
    let lines = std::iter::from_fn(|| match lines.next() {
        Ok(line) => line,
        Err(error) => {
            failure.set(Some(error));
            None
        }
    });
    for piece in Records::new(lines) {
        let place = format!("{name}, line {}", piece.line + skipped);
        let (record, error) = if salvage { piece.salvage() } else { split(piece.parse()) };
        let error = error.map(|error| error.below(skipped));
        found(Game { place, record, error, is_salvaged: salvage, differences: Vec::new() })?;
    }
    match failure.take() {
        Some(error) => Err(error).with_context(|| format!("cannot read {name}")),
        None => Ok(()),
    }
}

/// One JSON object to a line; or, if the first line is not one, the whole file as one object.
fn read_json(
    reader: impl BufRead,
    name: &str,
    skipped: usize,
    salvage: bool,
    found: &mut impl FnMut(Game) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let context = || format!("cannot read {name}");
    let mut lines = Lines { reader };
    let mut number = skipped;
    while let Some(mut line) = lines.next().with_context(context)? {
        number += 1;
        if line.trim_ascii().is_empty() {
            continue;
        }
        let is_unfinished = || match serde_json::from_slice::<Value>(&line) {
            Err(error) => error.is_eof(),
            Ok(_) => false,
        };
        if number == skipped + 1 && is_unfinished() {
            line.push(b'\n');
            lines
                .reader
                .by_ref()
                .take(MAX_RECORD as u64)
                .read_to_end(&mut line)
                .with_context(context)?;
        }
        let mut game = json_game(&line, salvage);
        game.place = format!("{name}, line {number}");
        game.error = game.error.map(|error| error.below(number - 1));
        found(game)?;
    }
    Ok(())
}

fn json_game(json: &[u8], is_salvaged: bool) -> Game {
    // Our own records say so in their first key; everything else is another program's.
    let is_ours = serde_json::from_slice::<Value>(json)
        .is_ok_and(|value| value.get("azulejo").is_some())
        || json.trim_ascii_start().starts_with(b"{\"azulejo\"");
    let mut differences = Vec::new();
    let (record, error) = match (is_ours, is_salvaged) {
        (true, false) => split(Record::from_json(json)),
        (true, true) => Record::salvage_json(json),
        (false, _) => split(Record::from_interchange(json).map(|(record, expect)| {
            differences = expect.map_or(Vec::new(), |expect| check(&record, &expect));
            record
        })),
    };
    Game { place: String::new(), record, error, is_salvaged, differences }
}

fn split(result: Result<Record, RecordError>) -> (Option<Record>, Option<RecordError>) {
    match result {
        Ok(record) => (Some(record), None),
        Err(error) => (None, Some(error)),
    }
}

/// Lines of any length, of which no more is kept than shows that they are too long.
struct Lines<R> {
    reader: R,
}

impl<R: BufRead> Lines<R> {
    fn next(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut line = Vec::new();
        let most = MAX_RECORD as u64 + 1;
        self.reader.by_ref().take(most).read_until(b'\n', &mut line)?;
        if line.is_empty() {
            return Ok(None);
        }
        if line.last() == Some(&b'\n') {
            line.pop();
        } else if line.len() as u64 == most {
            self.reader.skip_until(b'\n')?;
        }
        Ok(Some(line))
    }
}
