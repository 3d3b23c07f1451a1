//! Shared test support, used as a dev-dependency only: seeded random numbers, games and records,
//! the laws that always hold (also the bodies of the fuzz targets), brute force to compare the
//! search with, data tables, scratch folders, ports, a PostgreSQL, and how busy the machine is.
//!
//! It depends on the rules, the reference and the notation, and on nothing heavier, so that testing
//! the rules alone stays quick.

pub mod brute;
pub mod data;
pub mod games;
pub mod laws;
mod port;
#[cfg(unix)]
pub mod postgres;
pub mod random_play;
pub mod records;
pub mod result;
mod rng;
mod scratch;
mod slowness;
pub mod targets;

pub use port::free_port;
pub use rng::Rng;
pub use scratch::Scratch;
pub use slowness::Slowness;

// rustdoc compiles and runs the examples of these pages.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/library.md")]
struct LibraryPage;
