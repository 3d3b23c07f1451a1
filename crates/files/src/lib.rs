//! Where Azulejo keeps its files, and how it writes them: the data folder, atomic replacement of a
//! file, and a lock between processes. It knows nothing of the game.

mod atomic;
mod data;
mod lock;

pub use atomic::{AtomicFile, write_atomic};
pub use data::{DATA_VARIABLE, NoDataDir, data_dir};
pub use lock::Lock;
