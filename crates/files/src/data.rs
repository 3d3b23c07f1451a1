//! The data folder.

use std::path::PathBuf;

/// The environment variable that overrides the data folder.
pub const DATA_VARIABLE: &str = "AZULEJO_DATA";

/// The system does not say where programs keep their data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no data folder is known: set {DATA_VARIABLE} to a folder")]
pub struct NoDataDir;

/// The folder for games, choices and the server's database: `AZULEJO_DATA`, or `azulejo` in the
/// user's data folder. That is `$XDG_DATA_HOME` or `~/.local/share` on Linux, `~/Library/Application
/// Support` on macOS and `%APPDATA%` on Windows. The folder need not exist yet.
///
/// # Errors
/// If the variable is not set and the user has no home.
pub fn data_dir() -> Result<PathBuf, NoDataDir> {
    if let Some(path) = std::env::var_os(DATA_VARIABLE).filter(|path| !path.is_empty()) {
        return Ok(path.into());
    }
    let dirs = directories::BaseDirs::new().ok_or(NoDataDir)?;
    Ok(dirs.data_dir().join("azulejo"))
}
