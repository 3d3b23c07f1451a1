//! A lock between processes, held by the operating system: it ends with the process, however that
//! ends, so that no stale lock is left behind.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// A lock, held until it is dropped.
#[derive(Debug)]
pub struct Lock {
    /// Closing the file releases the lock.
    _file: File,
    path: PathBuf,
}

impl Lock {
    /// Takes the lock of this name, or `None` if another holder has it. The file of a lock is
    /// empty. It is beside the file that it protects, since that one is replaced when it is
    /// written.
    ///
    /// # Errors
    /// If the file of the lock cannot be created.
    pub fn acquire(path: &Path) -> io::Result<Option<Lock>> {
        let file = OpenOptions::new().write(true).create(true).truncate(false).open(path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            // Some network file systems have no locks. Games must be playable there, too.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
            Err(TryLockError::Error(error)) => return Err(error),
        }
        Ok(Some(Lock { _file: file, path: path.to_owned() }))
    }

    /// Releases the lock and removes its file. Only for a lock that nobody wants again: another
    /// process may have opened the file already, and a third would create a new one.
    pub fn remove(self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_has_one_holder() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("game.lock");
        let lock = Lock::acquire(&path).unwrap().unwrap();
        assert!(Lock::acquire(&path).unwrap().is_none());
        drop(lock);
        let again = Lock::acquire(&path).unwrap().unwrap();
        again.remove();
        assert!(!path.exists());
    }
}
