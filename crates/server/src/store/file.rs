//! The identity of the SQLite file. A file that is removed or replaced while it is open can still be
//! written, and everything written is lost.

use crate::store::{Place, StoreError};
use std::path::PathBuf;

/// The file that was opened; nothing to compare for PostgreSQL.
#[derive(Clone, Debug, Default)]
pub(super) struct FileIdentity(Option<(PathBuf, Id)>);

/// Device and inode.
#[cfg(unix)]
type Id = (u64, u64);

/// Other systems do not let an open file be removed or replaced.
#[cfg(not(unix))]
type Id = ();

impl FileIdentity {
    /// The file that has the path of a database now.
    pub(super) fn of(place: &Place) -> Result<FileIdentity, StoreError> {
        let Place::File(path) = place else { return Ok(FileIdentity(None)) };
        let id = identify(path).map_err(|error| StoreError::Unavailable(error.to_string()))?;
        Ok(FileIdentity(Some((path.clone(), id))))
    }

    /// Checks that the path still names the same file.
    pub(super) fn check(&self) -> Result<(), StoreError> {
        let Some((path, opened)) = &self.0 else { return Ok(()) };
        let problem = match identify(path) {
            Ok(found) if found == *opened => return Ok(()),
            Ok(_) => "another file has taken the place of the database",
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                "the database file was removed"
            }
            Err(error) => return Err(StoreError::Unavailable(error.to_string())),
        };
        let advice = "put the file back, or restart the server";
        Err(StoreError::Unavailable(format!("{problem}; {advice}")))
    }
}

#[cfg(unix)]
fn identify(path: &std::path::Path) -> std::io::Result<Id> {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata(path).map(|found| (found.dev(), found.ino()))
}

#[cfg(not(unix))]
fn identify(path: &std::path::Path) -> std::io::Result<Id> {
    std::fs::metadata(path).map(drop)
}
