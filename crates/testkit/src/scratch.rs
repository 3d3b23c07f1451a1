//! Folders for the files of a test.

use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// An empty temporary folder, removed when this value is dropped.
#[derive(Debug)]
pub struct Scratch(TempDir);

impl Scratch {
    /// A new folder.
    ///
    /// # Panics
    /// If the system refuses one.
    #[must_use]
    #[allow(clippy::new_without_default, reason = "creating a folder is not a default value")]
    pub fn new() -> Scratch {
        Scratch(TempDir::with_prefix("azulejo-test-").expect("a folder for temporary files"))
    }

    /// Its path.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// The path of a file in it, as text.
    ///
    /// # Panics
    /// If the system's folder for temporary files has a name that is not UTF-8.
    #[must_use]
    pub fn file(&self, name: &str) -> String {
        self.path().join(name).to_str().expect("a path in UTF-8").to_owned()
    }

    /// Writes a file into it and returns its path.
    ///
    /// # Panics
    /// If the file cannot be written.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.file(name);
        fs::write(&path, content).expect("a file in our own folder");
        path
    }

    /// The names of all files in it, sorted.
    ///
    /// # Panics
    /// If the folder cannot be read.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.path()).expect("our own folder");
        let name = |entry: fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
        let mut names: Vec<_> = entries.filter_map(Result::ok).map(name).collect();
        names.sort();
        names
    }
}
