#![doc = include_str!("../README.md")]

mod action;
mod clock;
mod date;
mod decide;
mod ending;
mod fact;
mod fold;
mod refusal;
mod settings;
mod state;
mod takeback;
mod transcript;
pub mod view;

pub use action::{Action, Phrase};
pub use clock::ClockSpec;
pub use decide::{Decision, MAX_MOVE_ID};
pub use ending::{GameResult, ResultBy};
pub use fact::{Close, Fact, Leave, Logged};
pub use fold::Broken;
pub use refusal::Refusal;
pub use settings::{SeatKind, SeedBy, Settings};
pub use state::{Game, Holder, SeatState, Status};
pub use transcript::seed_hash;
