//! Keeps a game in its file: begins one when the game begins, and writes it anew after each move.

use crate::session::{Folder, FolderError, Session};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Keeps one game after another. Without a folder it keeps none.
#[derive(Clone, Debug, Default)]
pub struct Keeper {
    folder: Option<Folder>,
    path: Option<PathBuf>,
}

impl Keeper {
    /// Keeps games in this folder.
    #[must_use]
    pub fn new(folder: Option<Folder>) -> Keeper {
        Keeper { folder, path: None }
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> Option<&Folder> {
        self.folder.as_ref()
    }

    /// The file of the game.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// The next game is another one: it has this file, or gets a new one.
    pub fn turn_to(&mut self, path: Option<PathBuf>) {
        self.path = path;
    }

    /// Writes the game as it stands.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn keep(&mut self, session: &Session) -> Result<(), FolderError> {
        match (&self.path, &self.folder) {
            (Some(path), _) => Folder::keep(path, session.record()),
            (None, Some(folder)) => {
                self.path = Some(folder.begin(session.record(), SystemTime::now())?);
                Ok(())
            }
            (None, None) => Ok(()),
        }
    }
}
