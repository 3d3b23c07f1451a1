//! Saves a game into its file: creates the file when the game begins, and writes it after each move.

use crate::session::{Folder, FolderError, GameFile, Session};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Saves one game after another. Without a folder it saves none.
#[derive(Debug)]
pub struct Autosave {
    folder: Option<Folder>,
    file: Option<GameFile>,
    is_over: bool,
}

impl Autosave {
    /// Saves games in this folder.
    #[must_use]
    pub fn new(folder: Option<Folder>) -> Autosave {
        Autosave { folder, file: None, is_over: false }
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

    /// Saves from now on into this file, or into a new one.
    ///
    /// # Errors
    /// If another program is playing the game of this file; the next save creates a new one then.
    pub fn use_file(&mut self, path: Option<PathBuf>) -> Result<(), FolderError> {
        if path.is_some() && path.as_deref() == self.path() {
            return Ok(());
        }
        self.close();
        self.file = path.map(GameFile::open).transpose()?;
        Ok(())
    }

    /// Writes the current state of the game.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn save(&mut self, session: &Session) -> Result<(), FolderError> {
        self.is_over = session.is_over();
        match (&self.file, &self.folder) {
            (Some(file), _) => file.save(session.record()),
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

impl Drop for Autosave {
    fn drop(&mut self) {
        self.close();
    }
}
