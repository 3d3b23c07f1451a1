//! The data folder: every game as a record, and what was chosen last. A file is replaced as a
//! whole, so that a program that is killed in the middle leaves the old one or the new one.

use super::choices::Choices;
use azulejo_notation::{MAX_JSON, Record, RecordError, Records};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// Overrides where games are kept.
const VARIABLE: &str = "AZULEJO_DATA";
const CHOICES: &str = "last-choice.json";
/// More games than anybody looks through are not read.
const MAX_LIST: usize = 500;

/// Where games are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folder {
    path: PathBuf,
}

/// Why something in the folder cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// Nobody knows where the user's data belong.
    #[error("no folder for games is known: set AZULEJO_DATA or HOME, or use --data")]
    Unknown,
    /// A file or folder is out of reach.
    #[error("{path}: {error}")]
    Io {
        /// Which.
        path: String,
        /// Why.
        error: io::Error,
    },
    /// A file is no record.
    #[error("{path}: {error}")]
    Record {
        /// Which.
        path: String,
        /// What is wrong with it.
        error: RecordError,
    },
}

/// A kept game.
#[derive(Clone, Debug)]
pub struct SavedGame {
    /// Its file.
    pub path: PathBuf,
    /// The game.
    pub record: Record,
    /// When it was played last.
    pub modified: SystemTime,
}

impl Folder {
    /// The folder that the user or the system wants: `AZULEJO_DATA`, or `azulejo` where the
    /// system keeps data of programs.
    ///
    /// # Errors
    /// If there is none.
    pub fn standard() -> Result<Folder, FolderError> {
        let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        let path = |name: &str, rest: &str| Some(PathBuf::from(variable(name)?).join(rest));
        let found = variable(VARIABLE).map(PathBuf::from);
        let found = found.or_else(|| path("XDG_DATA_HOME", "azulejo"));
        let found = found.or_else(|| path("APPDATA", "azulejo"));
        let home = if cfg!(target_os = "macos") {
            "Library/Application Support/azulejo"
        } else {
            ".local/share/azulejo"
        };
        let found = found.or_else(|| path("HOME", home));
        found.map(Folder::at).ok_or(FolderError::Unknown)
    }

    /// A folder of the user's own; it is made when something is kept.
    #[must_use]
    pub fn at(path: PathBuf) -> Folder {
        Folder { path }
    }

    fn games_path(&self) -> PathBuf {
        self.path.join("games")
    }

    /// Begins a file for a new game, with this in it. Its name says when.
    ///
    /// # Errors
    /// If the folder cannot be written to.
    pub fn begin(&self, record: &Record, now: SystemTime) -> Result<PathBuf, FolderError> {
        let folder = self.games_path();
        fs::create_dir_all(&folder).map_err(|error| io_error(&folder, error))?;
        let stamp = stamp(now);
        for number in 1.. {
            let again = if number == 1 { String::new() } else { format!("-{number}") };
            let path = folder.join(format!("{stamp}{again}.txt"));
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(_) => {
                    write(&path, record.to_string().as_bytes())?;
                    return Ok(path);
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < 1000 => {}
                Err(error) => return Err(io_error(&path, error)),
            }
        }
        Err(FolderError::Unknown)
    }

    /// The games that can be read, the last played first; the last few hundred of them.
    #[must_use]
    pub fn games(&self) -> Vec<SavedGame> {
        self.each_game().take(MAX_LIST).collect()
    }

    fn each_game(&self) -> impl Iterator<Item = SavedGame> {
        let entries = fs::read_dir(self.games_path()).into_iter().flatten().flatten();
        let is_record = |path: &PathBuf| path.extension().is_some_and(|kind| kind == "txt");
        let dated = |path: PathBuf| {
            let modified = fs::metadata(&path).and_then(|data| data.modified()).ok()?;
            Some((modified, path))
        };
        let mut files: Vec<_> =
            entries.map(|entry| entry.path()).filter(is_record).filter_map(dated).collect();
        files.sort_by(|a, b| b.cmp(a));
        let read = |(modified, path): (SystemTime, PathBuf)| {
            let record = read_record(&path).ok()?;
            Some(SavedGame { path, record, modified })
        };
        files.into_iter().filter_map(read)
    }

    /// The game that was played last and is not over.
    #[must_use]
    pub fn unfinished(&self) -> Option<SavedGame> {
        self.each_game().find(|game| game.record.end().is_none())
    }

    /// What was chosen last.
    #[must_use]
    pub fn last_choice(&self) -> Option<Choices> {
        Choices::from_json(&fs::read_to_string(self.path.join(CHOICES)).ok()?)
    }

    /// Remembers what was chosen.
    ///
    /// # Errors
    /// If the folder cannot be written to.
    pub fn remember(&self, choices: &Choices) -> Result<(), FolderError> {
        fs::create_dir_all(&self.path).map_err(|error| io_error(&self.path, error))?;
        write(&self.path.join(CHOICES), choices.to_json().as_bytes())
    }

    /// Writes a game into its file.
    ///
    /// # Errors
    /// If the file cannot be written; what was there is still there then.
    pub fn keep(path: &Path, record: &Record) -> Result<(), FolderError> {
        write(path, record.to_string().as_bytes())
    }
}

/// Reads a record, as text or as JSON; of several in one file the first.
///
/// # Errors
/// If the file cannot be read, or is no record.
pub fn read_record(path: &Path) -> Result<Record, FolderError> {
    let mut text = Vec::new();
    let limit = MAX_JSON as u64 + 1;
    File::open(path)
        .and_then(|file| file.take(limit).read_to_end(&mut text))
        .map_err(|error| io_error(path, error))?;
    let is_json = text.trim_ascii_start().first() == Some(&b'{');
    let read = if is_json {
        Record::from_json(&text)
    } else {
        let lines = text.split(|&byte| byte == b'\n');
        match Records::new(lines).next() {
            Some(first) => first.parse(),
            None => Record::parse(&text),
        }
    };
    read.map_err(|error| FolderError::Record { path: path.display().to_string(), error })
}

fn io_error(path: &Path, error: io::Error) -> FolderError {
    FolderError::Io { path: path.display().to_string(), error }
}

/// Puts a file in place of another, or of none.
fn write(path: &Path, content: &[u8]) -> Result<(), FolderError> {
    let mut partial = path.as_os_str().to_owned();
    partial.push(format!(".{}.partial", std::process::id()));
    let partial = PathBuf::from(partial);
    let written = File::create(&partial)
        .and_then(|mut file| file.write_all(content).and_then(|()| file.sync_all()))
        .and_then(|()| fs::rename(&partial, path));
    written.map_err(|error| {
        let _ = fs::remove_file(&partial);
        io_error(path, error)
    })
}

/// A time as a name: `2026-11-16-025503`, in UTC.
fn stamp(time: SystemTime) -> String {
    let s = time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (year, month, day) = date(s / 86_400);
    let (h, m, s) = (s / 3600 % 24, s / 60 % 60, s % 60);
    format!("{year}-{month:02}-{day:02}-{h:02}{m:02}{s:02}")
}

/// The date so many days after 1970 began.
fn date(days: u64) -> (u64, u64, u64) {
    // Years that begin in March, so that the leap day is the last; 400 of them have 146,097 days.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (era * 400 + year + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn files_are_named_by_their_time() {
        let at = |s: u64| stamp(UNIX_EPOCH + Duration::from_secs(s));
        assert_eq!(at(0), "1970-01-01-000000");
        assert_eq!(at(951_782_399), "2000-02-28-235959");
        assert_eq!(at(951_782_400), "2000-02-29-000000");
        assert_eq!(at(1_794_797_703), "2026-11-16-025503");
        assert_eq!(at(4_107_542_400), "2100-03-01-000000");
    }

    #[test]
    fn games_are_kept_and_found_again() {
        let path = std::env::temp_dir().join(format!("azulejo-folder-{}", std::process::id()));
        let folder = Folder::at(path.clone());
        assert!(folder.games().is_empty() && folder.last_choice().is_none());
        let whole = include_str!("../../../../testdata/records/two-players.txt");
        let record = Record::parse(whole).unwrap();
        let first = folder.begin(&record, UNIX_EPOCH).unwrap();
        let second = folder.begin(&record, UNIX_EPOCH).unwrap();
        assert_ne!(first, second);
        assert!(folder.unfinished().is_none());
        let open = crate::session::Session::at(&record, 9, &"x".parse().unwrap());
        Folder::keep(&first, open.record()).unwrap();
        assert_eq!(folder.unfinished().unwrap().path, first);
        fs::write(folder.games_path().join("broken.txt"), "[Azulejo").unwrap();
        assert_eq!(folder.games().len(), 2);
        let choices = Choices::default();
        folder.remember(&choices).unwrap();
        assert_eq!(folder.last_choice(), Some(choices));
        // Nothing half-written is left.
        let names = fs::read_dir(folder.games_path()).unwrap().flatten();
        assert!(names.into_iter().all(|entry| !entry.path().to_string_lossy().contains("partial")));
        fs::remove_dir_all(&path).unwrap();
    }

    #[test]
    fn what_cannot_be_read_is_said() {
        let missing = read_record(Path::new("/nowhere/game.txt")).unwrap_err().to_string();
        assert!(missing.starts_with("/nowhere/game.txt: "), "{missing}");
    }
}
