#![doc = include_str!("../README.md")]

mod client;
mod contest;
mod control;
mod elo;
mod fault;
mod game;
mod luck;
mod normal;
mod pairs;
mod player;
mod process;
mod quoting;
mod resume;
mod schedule;
mod spec;
mod sprt;
mod tally;

pub use contest::{Contest, ContestError, EndedBy, Summary};
pub use control::Controlled;
pub use elo::{Estimate, Mean, elo_of_share, share_of_elo};
pub use fault::Fault;
pub use game::{Ending, GameResult, Thinking};
pub use pairs::Pentanomial;
pub use player::{Player, serve};
pub use quoting::{OpenQuote, join_words, split_words};
pub use resume::ResumeError;
pub use schedule::{Schedule, ScheduledGame};
pub use spec::{Engine, EngineSpec, Limits, SpecError};
pub use sprt::{Sprt, SprtError, Verdict};
pub use tally::{EngineTally, HeadToHead, Tally};
