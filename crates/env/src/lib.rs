//! The game as an environment for reinforcement learning: a fixed action space, observations as
//! numbers, rewards, and many games stepped at once on several threads.
//!
//! Everything here follows from a [`Position`](azulejo_rules::Position), which knows how many tiles of
//! each color are in the bag but not their order: an observation cannot reveal the next deal.
//! `docs/python.md` describes the layouts. A change of any of them raises [`ENCODING_VERSION`].

mod action;
mod decode;
mod game;
mod layout;
mod observation;
mod reward;
mod threads;
mod vector;

pub use action::ActionSpace;
pub use decode::DecodeError;
pub use game::Game;
pub use layout::{Layout, Part};
pub use observation::{Observation, Shape};
pub use reward::Reward;
pub use vector::{Buffers, StepError, VectorEnv};

/// The version of action numbers and observation layouts.
pub const ENCODING_VERSION: u32 = 1;
