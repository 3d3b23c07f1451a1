#![doc = include_str!("../README.md")]

mod attempt;
mod claim;
mod confirm;
mod maker;
mod puzzle;
mod refutation;
mod set;
mod short;
mod solver;
mod theme;
mod themes;

pub use attempt::{Attempt, Reply};
pub use maker::{make, network_fingerprint};
pub use puzzle::{Certainty, MAX_LINE, ParsePuzzleError, Puzzle};
pub use refutation::{Refutation, refute, refute_with};
pub use set::{PART, daily, read_part, samples};
pub use solver::{TooManyNodes, Value, WIN, value_of};
pub use theme::{ParseThemeError, Theme};
