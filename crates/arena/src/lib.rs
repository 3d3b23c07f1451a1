#![doc = include_str!("../README.md")]

mod client;
mod contest;
mod elo;
mod fault;
mod game;
mod normal;
mod pairs;
mod player;
mod process;
mod quoting;
mod schedule;
mod spec;
mod sprt;
mod tally;

pub use contest::{Contest, ContestError, EndedBy, Summary};
pub use elo::{Estimate, Mean, elo_of_share, share_of_elo};
pub use fault::Fault;
pub use game::{Ending, GameResult, Thinking};
pub use pairs::Pentanomial;
pub use player::{Player, serve};
pub use quoting::{OpenQuote, join_words, split_words};
pub use schedule::{Schedule, ScheduledGame};
pub use spec::{Engine, EngineSpec, Limits, SpecError, number_duplicate_names};
pub use sprt::{Sprt, SprtError, Verdict};
pub use tally::{EngineTally, HeadToHead, Tally};
