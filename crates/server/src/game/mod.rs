//! One game as a pure value: what was agreed before it ([`Settings`]), what has happened since
//! ([`Fact`]s, numbered), and the state that follows from both ([`Game`]).
//!
//! Nothing here reads a clock, a socket or a database. [`Game::decide`] turns what somebody wants
//! into a fact or a refusal; [`Game::apply`] folds a fact into the state. The log of facts is the
//! truth: the same facts give the same state, on every node and after every restart.

mod action;
mod clock;
mod decide;
mod ending;
mod fact;
mod fold;
mod refusal;
mod settings;
mod state;
mod takeback;
mod transcript;

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

pub(crate) use state::number as seat_number;
