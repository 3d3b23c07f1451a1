//! What always holds, stated once for the tests and the fuzz targets: the laws of a position, and
//! the agreement with the reference. Every check panics with the position when it fails.

mod lockstep;
mod position;

pub use lockstep::Lockstep;
pub use position::{check_all_moves, check_position, check_preview, check_turned};
