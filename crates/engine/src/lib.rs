#![doc = include_str!("../README.md")]

mod beginner;
mod deals;
mod engine;
mod eval;
mod info;
mod level;
mod limits;
mod options;
mod search;

pub use deals::{DealValue, Luck};
pub use engine::Engine;
pub use eval::{features, network};
pub use info::{Answer, Forecast, Info};
pub use level::{Level, ParseLevelError};
pub use limits::{Clock, Limits, Stop};
pub use options::{EvalKind, Options, ParseEvalKindError};

#[cfg(feature = "serde")]
azulejo_rules::serde_as_text!(EvalKind, Level);
