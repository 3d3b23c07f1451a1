//! Writing a file that is there when it is complete, and not before. What was written of one that
//! does not get there is removed, also when the program is interrupted.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What a shell reports of a program that Ctrl-C has ended: 128 and the number of the signal. It
/// stands for the other signals too, because the handler is not told which of them came.
const INTERRUPTED: i32 = 130;

/// The half-written files. Whoever holds the lock decides what becomes of them.
static PARTIALS: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

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
    let mut file = BufWriter::new(create(&partial)?);
    let written = write(&mut file).and_then(|()| Ok(complete(file)?));
    let mut partials = partials();
    let finished = written.and_then(|()| Ok(fs::rename(&partial, &path)?));
    if finished.is_err() {
        let _ = fs::remove_file(&partial);
    }
    partials.remove(&partial);
    finished
}

/// Creates the file to write to, which an interruption removes.
fn create(partial: &Path) -> io::Result<File> {
    remove_partials_when_interrupted();
    let mut partials = partials();
    let file = OpenOptions::new().write(true).create_new(true).open(partial)?;
    partials.insert(partial.to_owned());
    Ok(file)
}

/// Puts everything on the disk.
fn complete(file: BufWriter<File>) -> io::Result<()> {
    file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
}

/// Makes Ctrl-C, and the signals by which a system ends a program, remove the half-written files.
///
/// A signal that was ignored when the program started (`nohup`, a job in the background of a
/// script) must stay so, and there all signals are left as they are. That, and a second call,
/// which has nothing to do, are the errors: none of them is a reason not to write the file.
fn remove_partials_when_interrupted() {
    let _ = ctrlc::try_set_handler(|| {
        // The lock is kept to the end, so that no further file appears.
        let partials = partials();
        for partial in partials.iter() {
            let _ = fs::remove_file(partial);
        }
        std::process::exit(INTERRUPTED);
    });
}

/// The half-written files, also after a panic: it cannot have left them half-changed.
fn partials() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    PARTIALS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A name beside the file, of this process alone.
fn partial_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{}.partial", std::process::id()));
    name.into()
}
