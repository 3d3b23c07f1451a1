//! Finds the games in a file: text records, JSON records or interchange games. It reads one game at
//! a time and never holds more of the file than the longest game may have.

use anyhow::Context;
use azulejo_notation::{Difference, MAX_JSON, MAX_RECORD, Record, RecordError, Records, check};
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};

/// A game found in a file.
pub(crate) struct FoundGame {
    /// The file and line it begins on.
    pub(crate) place: String,
    /// The game, up to the first error.
    pub(crate) record: Option<Record>,
    /// The first error.
    pub(crate) error: Option<RecordError>,
    /// Whether a damaged game has a part that can be replayed.
    pub(crate) has_good_part: bool,
    /// Differences from the `expect` object.
    pub(crate) differences: Vec<Difference>,
}

impl FoundGame {
    /// A game up to its first error. Without `salvage` the part before an error is dropped.
    fn new((record, error): (Option<Record>, Option<RecordError>), salvage: bool) -> FoundGame {
        let has_good_part = record.is_some();
        let record = record.filter(|_| salvage || error.is_none());
        FoundGame { place: String::new(), record, error, has_good_part, differences: Vec::new() }
    }

    pub(crate) fn is_wrong(&self) -> bool {
        self.error.is_some() || !self.differences.is_empty()
    }
}

/// Why reading a file stopped.
pub(crate) enum ReadError {
    /// The file cannot be read.
    Input(anyhow::Error),
    /// The output cannot be written.
    Output(anyhow::Error),
}

/// The name of a file in messages; `-` is standard input.
pub(crate) fn name(file: &str) -> &str {
    if file == "-" { "standard input" } else { file }
}

/// Calls `found` with every game of a file.
pub(crate) fn read(
    file: &str,
    salvage: bool,
    found: &mut impl FnMut(FoundGame) -> anyhow::Result<()>,
) -> Result<(), ReadError> {
    let mut failure = None;
    let mut found = |game| {
        found(game).map_err(|error| {
            failure = Some(error);
            anyhow::anyhow!("cannot write")
        })
    };
    let read = read_from(file, salvage, &mut found);
    match (failure, read) {
        (Some(error), _) => Err(ReadError::Output(error)),
        (None, read) => {
            read.with_context(|| format!("cannot read {}", name(file))).map_err(ReadError::Input)
        }
    }
}

fn read_from(
    file: &str,
    salvage: bool,
    found: &mut impl FnMut(FoundGame) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut reader: Box<dyn BufRead> = if file == "-" {
        Box::new(io::stdin().lock())
    } else {
        Box::new(BufReader::new(File::open(file)?))
    };
    let skipped = skip_blank(&mut reader)?;
    let is_json = reader.fill_buf()?.first() == Some(&b'{');
    if is_json {
        read_json(reader, name(file), skipped, salvage, found)
    } else {
        read_text(reader, name(file), skipped, salvage, found)
    }
}

/// Skips a byte order mark and leading blank lines, and counts the lines.
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
    found: &mut impl FnMut(FoundGame) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let failure = Cell::new(None);
    let mut lines = Lines { reader, most: MAX_RECORD };
    let lines = std::iter::from_fn(|| match lines.next() {
        Ok(line) => line,
        Err(error) => {
            failure.set(Some(error));
            None
        }
    });
    for piece in Records::new(lines) {
        let mut game = FoundGame::new(piece.salvage(), salvage);
        game.place = format!("{name}, line {}", piece.line + skipped);
        game.error = game.error.map(|error| error.below(skipped));
        found(game)?;
    }
    match failure.take() {
        Some(error) => Err(error.into()),
        None => Ok(()),
    }
}

/// Reads one JSON object per line; or, if the first line is only the beginning of one, the whole
/// file as one object.
fn read_json(
    reader: impl BufRead,
    name: &str,
    skipped: usize,
    salvage: bool,
    found: &mut impl FnMut(FoundGame) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut lines = Lines { reader, most: MAX_JSON };
    let mut number = skipped;
    while let Some(mut line) = lines.next()? {
        number += 1;
        if line.trim_ascii().is_empty() {
            continue;
        }
        // After a truncated object, a line that begins with `{` is a game of its own.
        let goes_on = number == skipped + 1
            && line.len() <= MAX_JSON
            && is_unfinished(&line)
            && lines.reader.fill_buf()?.first().is_some_and(|&byte| byte != b'{');
        if goes_on {
            line.push(b'\n');
            lines.reader.by_ref().take(MAX_JSON as u64).read_to_end(&mut line)?;
        }
        let mut game = json_game(&line, salvage);
        game.place = format!("{name}, line {number}");
        game.error = game.error.map(|error| error.below(number - 1));
        found(game)?;
    }
    Ok(())
}

fn is_unfinished(json: &[u8]) -> bool {
    serde_json::from_slice::<IgnoredAny>(json).is_err_and(|error| error.is_eof())
}

/// The key that only our own records have. The rest is skipped without allocating: as JSON values,
/// a hostile line would take forty times its size.
#[derive(Deserialize)]
struct OwnKey {
    #[serde(rename = "azulejo")]
    _version: IgnoredAny,
}

fn json_game(json: &[u8], salvage: bool) -> FoundGame {
    // Our own records begin with that key, even truncated ones; anything else is an interchange
    // game. Serde would also read the struct from a list, hence the test for `{`.
    let json_start = json.trim_ascii_start();
    let is_ours = json_start.starts_with(b"{\"azulejo\"")
        || json_start.starts_with(b"{") && serde_json::from_slice::<OwnKey>(json).is_ok();
    if is_ours {
        return FoundGame::new(Record::salvage_json(json), salvage);
    }
    match Record::from_interchange(json) {
        Ok((record, expect)) => {
            let differences = expect.map_or(Vec::new(), |expect| check(&record, &expect));
            FoundGame { differences, ..FoundGame::new((Some(record), None), salvage) }
        }
        Err(error) => FoundGame::new((None, Some(error)), salvage),
    }
}

/// Reads lines of any length, but keeps only one byte more than allowed.
struct Lines<R> {
    reader: R,
    /// The longest line in bytes.
    most: usize,
}

impl<R: BufRead> Lines<R> {
    fn next(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut line = Vec::new();
        let most = self.most as u64 + 1;
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
