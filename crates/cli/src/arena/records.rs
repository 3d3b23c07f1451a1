//! The record file of a match, to which every finished game is appended, and from which an
//! interrupted match is resumed.

use super::Args;
use anyhow::{Context, bail};
use azulejo_arena::{Contest, GameResult};
use azulejo_notation::Record;
use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The records of a match: those to resume, and the file for new ones.
pub(super) struct Files {
    resumed: Vec<Record>,
    records: Option<Records>,
}

impl Files {
    /// Opens the file of `--records` and reads it for `--resume`.
    pub(super) fn open(args: &Args) -> anyhow::Result<Files> {
        let path = args.records.as_deref();
        let resumed = match path.filter(|path| args.resume && path.exists()) {
            Some(path) => read(path)?,
            None => Vec::new(),
        };
        Ok(Files { resumed, records: path.map(Records::open).transpose()? })
    }

    /// Appends a record.
    pub(super) fn add(&mut self, record: &Record) -> anyhow::Result<()> {
        self.records.as_mut().map_or(Ok(()), |records| records.add(record))
    }

    /// The finished games of a match among the records that `is_wanted`.
    pub(super) fn finished(
        &self,
        contest: &Contest,
        is_wanted: impl Fn(&Record) -> bool,
    ) -> anyhow::Result<Vec<GameResult>> {
        let wanted: Vec<Record> =
            self.resumed.iter().filter(|record| is_wanted(record)).cloned().collect();
        let finished = contest.resume(&wanted);
        finished
            .context("the records are of another match; use another file, or leave out --resume")
    }

    /// The records to resume.
    pub(super) fn resumed(&self) -> &[Record] {
        &self.resumed
    }
}

/// Reads all records of a file. A process that was killed may have left a part of a record at its end,
/// which is removed.
fn read(path: &Path) -> anyhow::Result<Vec<Record>> {
    let shown = path.display();
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {shown}"))?;
    let is_end = |line: &str| line == "*\n" || line.starts_with("end ") && line.ends_with('\n');
    let mut whole = 0;
    let mut length = 0;
    for line in text.split_inclusive('\n') {
        length += line.len();
        if is_end(line) {
            whole = length;
        }
    }
    if !text[whole..].trim().is_empty() {
        let file = OpenOptions::new().write(true).open(path);
        let cut = file.and_then(|file| file.set_len(whole as u64));
        cut.with_context(|| format!("cannot remove the incomplete record at the end of {shown}"))?;
    }
    let mut records = Vec::new();
    for (number, piece) in (1..).zip(azulejo_notation::Records::new(text[..whole].lines())) {
        match piece.parse() {
            Ok(record) => records.push(record),
            Err(error) => bail!("record {number} of {shown}: {error}"),
        }
    }
    Ok(records)
}

/// A file of whole records.
pub(super) struct Records {
    file: File,
    path: PathBuf,
    /// Whether the file is new and still empty.
    is_empty: bool,
}

impl Records {
    /// Opens or creates a file. Its content stays: overwriting could destroy the games of a long
    /// match.
    pub(super) fn open(path: &Path) -> anyhow::Result<Records> {
        let path = path.to_owned();
        if let Ok(file) = OpenOptions::new().append(true).create_new(true).open(&path) {
            return Ok(Records { file, path, is_empty: true });
        }
        let file = OpenOptions::new().append(true).open(&path);
        let file = file.with_context(|| format!("cannot write {}", path.display()))?;
        Ok(Records { file, path, is_empty: false })
    }

    /// Appends a whole record, or nothing.
    pub(super) fn add(&mut self, record: &Record) -> anyhow::Result<()> {
        let added = self.try_add(record);
        added.with_context(|| format!("cannot write {}", self.path.display()))
    }

    fn try_add(&mut self, record: &Record) -> std::io::Result<()> {
        // A pipe has no length and cannot be truncated.
        let length = self.file.seek(SeekFrom::End(0)).unwrap_or(0);
        let gap = if length > 0 { "\n" } else { "" };
        // One write, so that even a kill leaves no partial record.
        let written = self.file.write_all(format!("{gap}{record}").as_bytes());
        match written {
            Ok(()) => self.is_empty = false,
            // A full disk may have taken a part.
            Err(_) => drop(self.file.set_len(length)),
        }
        written
    }
}

impl Drop for Records {
    /// A match that did not start leaves no file.
    fn drop(&mut self) {
        if self.is_empty {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}
