//! Atomic replacement of a file: the content is written to a temporary file in the same folder,
//! flushed to the disk and renamed. A program that is killed in the middle leaves the old file or the
//! new one, never half of one.
//!
//! The folder itself is not flushed: after a power failure the old file may be back, complete.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile};

/// Creates or replaces a file.
///
/// # Errors
/// If it cannot be written; the old file is still there then.
pub fn write_atomic(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut file = AtomicFile::create(path)?;
    file.write_all(content)?;
    file.commit()
}

/// A file that replaces another one when it is complete. Dropped before that, it is removed.
#[derive(Debug)]
pub struct AtomicFile(Target);

#[derive(Debug)]
enum Target {
    /// A temporary file, and the path that it is going to have.
    Partial(NamedTempFile, PathBuf),
    /// A device or a named pipe cannot be replaced and is written to directly.
    Special(File),
}

impl AtomicFile {
    /// Begins a file. A symbolic link stays, and the file that it leads to is replaced.
    ///
    /// # Errors
    /// If no file can be created in the folder of `path`.
    pub fn create(path: &Path) -> io::Result<AtomicFile> {
        AtomicFile::create_with(path, OpenOptions::new().write(true).create_new(true))
    }

    /// Begins a file that only its owner can read (on Unix; elsewhere the folder decides).
    ///
    /// # Errors
    /// If no file can be created in the folder of `path`.
    pub fn create_private(path: &Path) -> io::Result<AtomicFile> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        AtomicFile::create_with(path, &options)
    }

    fn create_with(path: &Path, options: &OpenOptions) -> io::Result<AtomicFile> {
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        if fs::metadata(&path).is_ok_and(|found| !found.is_file()) {
            return Ok(AtomicFile(Target::Special(OpenOptions::new().write(true).open(&path)?)));
        }
        let mut prefix = path.file_name().unwrap_or_default().to_owned();
        prefix.push(".");
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        // The library adds the path of the temporary file to an error, which means nothing to a user.
        let mut code = None;
        let file = Builder::new().prefix(&prefix).suffix(".partial").make_in(
            folder.unwrap_or(Path::new(".")),
            |partial| {
                let file = options.open(partial);
                code = file.as_ref().err().and_then(io::Error::raw_os_error);
                file
            },
        );
        let file = file.map_err(|error| code.map_or(error, io::Error::from_raw_os_error))?;
        Ok(AtomicFile(Target::Partial(file, path)))
    }

    /// The temporary file, if there is one.
    #[must_use]
    pub fn partial_path(&self) -> Option<&Path> {
        match &self.0 {
            Target::Partial(file, _) => Some(file.path()),
            Target::Special(_) => None,
        }
    }

    /// Flushes the file to the disk and gives it its name.
    ///
    /// # Errors
    /// If that fails; the old file is still there then.
    pub fn commit(self) -> io::Result<()> {
        match self.0 {
            Target::Partial(file, path) => {
                file.as_file().sync_all()?;
                file.persist(path).map(drop).map_err(|refused| refused.error)
            }
            Target::Special(mut file) => file.flush(),
        }
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            Target::Partial(file, _) => file.as_file_mut().write(bytes),
            Target::Special(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            Target::Partial(file, _) => file.as_file_mut().flush(),
            Target::Special(file) => file.flush(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_as_a_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        let names = || fs::read_dir(folder.path()).unwrap().count();
        write_atomic(&path, b"old").unwrap();
        let mut file = AtomicFile::create(&path).unwrap();
        file.write_all(b"half").unwrap();
        assert_eq!((fs::read(&path).unwrap(), names()), (b"old".to_vec(), 2));
        drop(file);
        assert_eq!((fs::read(&path).unwrap(), names()), (b"old".to_vec(), 1));
        write_atomic(&path, b"new").unwrap();
        assert_eq!((fs::read(&path).unwrap(), names()), (b"new".to_vec(), 1));
    }

    #[cfg(unix)]
    #[test]
    fn a_private_file_is_for_its_owner() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        fs::write(&path, b"old").unwrap();
        let mut file = AtomicFile::create_private(&path).unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(file.partial_path().unwrap()), 0o600);
        file.write_all(b"new").unwrap();
        file.commit().unwrap();
        assert_eq!((mode(&path), fs::read(&path).unwrap()), (0o600, b"new".to_vec()));
    }

    #[cfg(unix)]
    #[test]
    fn others_may_read_it_as_any_file_and_links_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let mode = |name: &str| fs::metadata(path(name)).unwrap().permissions().mode();
        fs::write(path("plain"), "").unwrap();
        symlink(path("plain"), path("link")).unwrap();
        write_atomic(&path("link"), b"new").unwrap();
        fs::write(path("other"), "").unwrap();
        assert!(path("link").is_symlink());
        assert_eq!(
            (fs::read(path("plain")).unwrap(), mode("plain")),
            (b"new".to_vec(), mode("other"))
        );
    }

    #[test]
    fn an_error_does_not_name_the_temporary_file() {
        let error = write_atomic(Path::new("/nowhere/at/all"), b"").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
        assert!(!error.to_string().contains("partial"), "{error}");
    }
}
