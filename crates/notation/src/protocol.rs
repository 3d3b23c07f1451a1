//! The engine protocol (`azi`, in the style of UCI) as typed messages to and from an engine. One
//! message is one line; the grammar and its meaning are in `docs/protocol.md`.
//!
//! This module is the grammar alone: it does no I/O and keeps no state. Whether a message makes
//! sense at the moment is for the two sides to decide.
//!
//! ```
//! use azulejo_notation::protocol::{FromEngine, Go, ToEngine};
//!
//! let go = ToEngine::parse("go movetime 100 nodes 5000")?;
//! let limits = Go { movetime_ms: Some(100), nodes: Some(5000), ..Go::default() };
//! assert_eq!(go, Some(ToEngine::Go(limits)));
//! assert_eq!(FromEngine::BestMove("3B2".parse().ok()).to_string(), "bestmove 3B2");
//! // A line that begins with an unknown word means nothing; one that is malformed is an error.
//! assert_eq!(ToEngine::parse("good morning"), Ok(None));
//! let error = ToEngine::parse("go nodes many").unwrap_err();
//! assert_eq!(error.column, 10);
//! # Ok::<(), azulejo_notation::protocol::LineError>(())
//! ```

mod actions;
mod from_engine;
mod go;
mod info;
mod option;
mod problem;
mod to_engine;
mod words;

pub use actions::{ImpossibleAction, ParseActionError, Refusal, play_all};
pub use from_engine::FromEngine;
pub use go::Go;
pub use info::{Info, Score};
pub use option::{OptionKind, OptionSpec};
pub use problem::{LineError, LineProblem};
pub use to_engine::ToEngine;
pub use words::MAX_MESSAGE;
