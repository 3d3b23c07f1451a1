//! The data folder of the terminal: every game as a record, and the last choices. A game that is
//! being played is locked, so that two programs never write the same file.

use super::choices::Choices;
use azulejo_files::{Lock, NoDataDir, write_atomic};
use azulejo_notation::{MAX_JSON, Record, RecordError, Records, utc_date};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

const CHOICES: &str = "last-choice.json";
/// The newest games that are listed.
const MAX_LIST: usize = 500;

/// The folder of saved games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folder {
    path: PathBuf,
}

/// Why something in the folder cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// There is no data folder.
    #[error("{0}, or give one with --data")]
    Unknown(#[from] NoDataDir),
    /// Another program is playing the game.
    #[error(
        "the game {0} is open in another terminal: go on with it there, or quit it there first; \
         `azulejo play` begins another game"
    )]
    InUse(String),
    /// A file or folder cannot be read or written.
    #[error("{path}: {error}")]
    Io {
        /// The file.
        path: String,
        /// The error of the system.
        error: io::Error,
    },
    /// A file is not a record.
    #[error("{path}: {error}")]
    Record {
        /// The file.
        path: String,
        /// What is wrong with the text.
        error: RecordError,
    },
}

/// The file of a game under way, locked as long as this value lives.
#[derive(Debug)]
pub struct GameFile {
    path: PathBuf,
    lock: Lock,
}

impl GameFile {
    /// Locks the file of a game to go on with it.
    ///
    /// # Errors
    /// If another program has locked it.
    pub fn open(path: PathBuf) -> Result<GameFile, FolderError> {
        match lock(&path)? {
            Some(lock) => Ok(GameFile { path, lock }),
            None => Err(FolderError::InUse(path.display().to_string())),
        }
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the game.
    ///
    /// # Errors
    /// If the file cannot be written; the old one is still there then.
    pub fn save(&self, record: &Record) -> Result<(), FolderError> {
        write(&self.path, record.to_string().as_bytes())
    }

    /// Closes the file of a game that is over: it is not resumed, so its lock is removed.
    pub fn finish(self) {
        self.lock.remove();
    }
}

/// The lock of a game is a file of the same name.
fn lock(path: &Path) -> Result<Option<Lock>, FolderError> {
    let path = path.with_extension("lock");
    Lock::acquire(&path).map_err(|error| io_error(&path, error))
}

/// A saved game.
#[derive(Clone, Debug)]
pub struct SavedGame {
    /// The file.
    pub path: PathBuf,
    /// The game.
    pub record: Record,
    /// The time of the last move.
    pub modified: SystemTime,
}

impl Folder {
    /// The data folder of the user.
    ///
    /// # Errors
    /// If there is none.
    pub fn standard() -> Result<Folder, FolderError> {
        Ok(Folder::at(azulejo_files::data_dir()?))
    }

    /// This folder. It is created when the first file is written.
    #[must_use]
    pub fn at(path: PathBuf) -> Folder {
        Folder { path }
    }

    fn games_path(&self) -> PathBuf {
        self.path.join("games")
    }

    /// Creates the file of a new game, named by the time, and locks it.
    ///
    /// # Errors
    /// If the folder cannot be written to.
    pub fn begin(&self, record: &Record, now: SystemTime) -> Result<GameFile, FolderError> {
        let folder = self.games_path();
        fs::create_dir_all(&folder).map_err(|error| io_error(&folder, error))?;
        let stamp = stamp(now);
        let mut number = 1;
        loop {
            let again = if number == 1 { String::new() } else { format!("-{number}") };
            let path = folder.join(format!("{stamp}{again}.txt"));
            if let Some(lock) = lock(&path)? {
                match OpenOptions::new().write(true).create_new(true).open(&path) {
                    Ok(_) => {
                        let file = GameFile { path, lock };
                        file.save(record)?;
                        return Ok(file);
                    }
                    Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                    Err(error) => return Err(io_error(&path, error)),
                }
            }
            number += 1;
        }
    }

    /// The games that can be read, the last played first, at most 500.
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

    /// The last played game that is not over.
    #[must_use]
    pub fn unfinished(&self) -> Option<SavedGame> {
        self.each_game().find(|game| game.record.end().is_none())
    }

    /// The choices of the last game.
    #[must_use]
    pub fn last_choice(&self) -> Option<Choices> {
        Choices::from_json(&fs::read_to_string(self.path.join(CHOICES)).ok()?)
    }

    /// Remembers the choices for the next game.
    ///
    /// # Errors
    /// If the folder cannot be written to.
    pub fn remember(&self, choices: &Choices) -> Result<(), FolderError> {
        fs::create_dir_all(&self.path).map_err(|error| io_error(&self.path, error))?;
        write(&self.path.join(CHOICES), choices.to_json().as_bytes())
    }

    /// Writes a game into any other file.
    ///
    /// # Errors
    /// If the file cannot be written; the old one is still there then.
    pub fn save_as(path: &Path, record: &Record) -> Result<(), FolderError> {
        write(path, record.to_string().as_bytes())
    }
}

/// Reads the first record of a file, as text or as JSON.
///
/// # Errors
/// If the file cannot be read or is not a record.
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

fn write(path: &Path, content: &[u8]) -> Result<(), FolderError> {
    write_atomic(path, content).map_err(|error| io_error(path, error))
}

/// A time as a name: `2026-11-16-025503`, in UTC.
fn stamp(time: SystemTime) -> String {
    let s = time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let date = utc_date(s as i64 * 1000);
    format!("{date}-{:02}{:02}{:02}", s / 3600 % 24, s / 60 % 60, s % 60)
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
    fn games_are_saved_and_found_again() {
        let path = std::env::temp_dir().join(format!("azulejo-folder-{}", std::process::id()));
        let folder = Folder::at(path.clone());
        assert!(folder.games().is_empty() && folder.last_choice().is_none());
        let whole = include_str!("../../../../testdata/records/two-players.txt");
        let record = Record::parse(whole).unwrap();
        let first = folder.begin(&record, UNIX_EPOCH).unwrap();
        let second = folder.begin(&record, UNIX_EPOCH).unwrap();
        assert_ne!(first.path(), second.path());
        assert!(folder.unfinished().is_none());
        let open = crate::session::Session::at(&record, 9, &"x".parse().unwrap());
        first.save(open.record()).unwrap();
        let path_of_first = first.path().to_owned();
        assert_eq!(folder.unfinished().unwrap().path, path_of_first);
        // A game that is being played cannot be opened a second time.
        let refused = GameFile::open(path_of_first.clone()).unwrap_err().to_string();
        assert!(refused.contains("is open in another terminal"), "{refused}");
        drop(first);
        GameFile::open(path_of_first.clone()).unwrap().finish();
        assert!(!path_of_first.with_extension("lock").exists());
        fs::write(folder.games_path().join("broken.txt"), "[Azulejo").unwrap();
        assert_eq!(folder.games().len(), 2);
        let choices = Choices::default();
        folder.remember(&choices).unwrap();
        assert_eq!(folder.last_choice(), Some(choices));
        // No partial file is left.
        let names = fs::read_dir(folder.games_path()).unwrap().flatten();
        assert!(names.into_iter().all(|entry| !entry.path().to_string_lossy().contains("partial")));
        fs::remove_dir_all(&path).unwrap();
    }

    #[test]
    fn an_error_names_the_file() {
        let missing = read_record(Path::new("/nowhere/game.txt")).unwrap_err().to_string();
        assert!(missing.starts_with("/nowhere/game.txt: "), "{missing}");
    }
}
