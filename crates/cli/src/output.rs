//! Output files that appear only when they are complete. The partial file is removed when
//! writing fails, also when the program is interrupted.

use azulejo_files::AtomicFile;
use std::collections::BTreeSet;
use std::fs;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The exit code of a program ended by Ctrl-C: 128 plus the number of the signal. It stands for the
/// other signals too, because the handler does not know which one came.
const INTERRUPTED: i32 = 130;

/// The partial files. Only the holder of the lock keeps or removes them.
static PARTIALS: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Creates a file, or replaces one, with what `write` writes.
pub(crate) fn write(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<AtomicFile>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    finish(create(path, AtomicFile::create)?, write)
}

/// The same with a file that only its owner can read.
pub(crate) fn write_private(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<AtomicFile>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    finish(create(path, AtomicFile::create_private)?, write)
}

fn finish(
    file: AtomicFile,
    write: impl FnOnce(&mut BufWriter<AtomicFile>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let partial = file.partial_path().map(Path::to_owned);
    let mut file = BufWriter::new(file);
    let written = write(&mut file).and_then(|()| {
        let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
        Ok(file.commit()?)
    });
    if let Some(partial) = partial {
        partials().remove(&partial);
    }
    written
}

/// Creates the file to write to; an interruption removes it.
fn create(path: &Path, begin: fn(&Path) -> io::Result<AtomicFile>) -> io::Result<AtomicFile> {
    remove_partials_when_interrupted();
    let mut partials = partials();
    let file = begin(path)?;
    partials.extend(file.partial_path().map(Path::to_owned));
    Ok(file)
}

/// Makes Ctrl-C, and the signals by which a system ends a program, remove the partial files.
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

/// The partial files, also after a panic: it cannot have left the set half-changed.
fn partials() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    PARTIALS.lock().unwrap_or_else(PoisonError::into_inner)
}
