//! The record file of a match, to which every finished game is appended.

use anyhow::Context;
use azulejo_notation::Record;
use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

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
