#![doc = include_str!("../README.md")]

mod chance;
mod daily;
mod date;
mod dealer;
mod expect;
mod interchange;
mod json;
mod label;
mod parse;
mod problem;
pub mod protocol;
mod record;
mod repair;
mod replay;
mod scan;
mod seed;
#[cfg(feature = "serde")]
mod serde_forms;
mod split;
mod text;

pub use chance::Chance;
pub use daily::{Day, DayError};
pub use date::utc_date;
pub use dealer::{Dealer, DealerError, SeedMismatch, verify_deals};
pub use expect::{Difference, Expect, check};
pub use label::{MAX_LABEL, MAX_TAGS};
pub use problem::{Place, Problem, RecordError};
pub use record::{End, Record, Round, Start, Turn};
pub use replay::{Action, Replay, ReplayStep};
pub use scan::{MAX_JSON, MAX_LINE, MAX_RECORD};
pub use seed::{Seed, SeedError};
pub use split::{Piece, Records};
