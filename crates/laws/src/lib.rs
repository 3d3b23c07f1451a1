//! Invariants shared by the tests and the fuzz targets: the laws of a position, differential testing
//! against the reference, and the fuzz targets themselves. A failed check panics with the position.

mod lockstep;
mod position;
pub mod targets;

pub use lockstep::Lockstep;
pub use position::{check_all_moves, check_position, check_preview, check_turned};

// rustdoc compiles and runs the examples of these pages.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/library.md")]
struct LibraryPage;
