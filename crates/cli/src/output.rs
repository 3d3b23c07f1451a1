//! Writing a file that is there when it is complete, and not before.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Creates a file, or replaces one, with what `write` writes. A half-written file never has the
/// name that was asked for. Something that is no file, as a device or a named pipe, cannot be
/// replaced and is written to as it is.
pub(crate) fn write(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    // A link stays, and what it leads to is replaced.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if fs::metadata(&path).is_ok_and(|found| !found.is_file()) {
        let mut file = BufWriter::new(OpenOptions::new().write(true).open(&path)?);
        write(&mut file)?;
        return Ok(file.flush()?);
    }
    let partial = partial_path(&path);
    let mut file = BufWriter::new(OpenOptions::new().write(true).create_new(true).open(&partial)?);
    let written = write(&mut file).and_then(|()| Ok(finish(file, &partial, &path)?));
    if written.is_err() {
        let _ = fs::remove_file(&partial);
    }
    written
}

fn finish(file: BufWriter<File>, partial: &Path, path: &Path) -> io::Result<()> {
    file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
    fs::rename(partial, path)
}

/// A name beside the file, of this process alone.
fn partial_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{}.partial", std::process::id()));
    name.into()
}
