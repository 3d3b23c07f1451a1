//! Invariants shared by the tests and the fuzz targets: the laws of a position, and differential
//! testing against the reference. A failed check panics with the position.

mod lockstep;
mod position;

pub use lockstep::Lockstep;
pub use position::{check_all_moves, check_position, check_preview, check_turned};
