//! Keeps a game in its file: creates the file when the game begins, and writes it after each move.

use crate::session::{Folder, FolderError, GameFile, Session};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Keeps one game after another. Without a folder it keeps none.
#[derive(Debug)]
pub struct Keeper {
    folder: Option<Folder>,
    file: Option<GameFile>,
    is_over: bool,
}

impl Keeper {
    /// Keeps games in this folder.
    #[must_use]
    pub fn new(folder: Option<Folder>) -> Keeper {
        Keeper { folder, file: None, is_over: false }
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> Option<&Folder> {
        self.folder.as_ref()
    }

    /// The file of the game.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.file.as_ref().map(GameFile::path)
    }

    /// Turns to another game, which has this file or gets a new one.
    ///
    /// # Errors
    /// If another program is playing the game; it gets a new file then.
    pub fn turn_to(&mut self, path: Option<PathBuf>) -> Result<(), FolderError> {
        if path.is_some() && path.as_deref() == self.path() {
            return Ok(());
        }
        self.close();
        self.file = path.map(GameFile::open).transpose()?;
        Ok(())
    }

    /// Writes the game as it stands.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn keep(&mut self, session: &Session) -> Result<(), FolderError> {
        self.is_over = session.is_over();
        match (&self.file, &self.folder) {
            (Some(file), _) => file.keep(session.record()),
            (None, Some(folder)) => {
                self.file = Some(folder.begin(session.record(), SystemTime::now())?);
                Ok(())
            }
            (None, None) => Ok(()),
        }
    }

    fn close(&mut self) {
        if let Some(file) = self.file.take_if(|_| self.is_over) {
            file.finish();
        }
        self.file = None;
        self.is_over = false;
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        self.close();
    }
}
