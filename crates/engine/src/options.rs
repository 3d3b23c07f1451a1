//! The options of an engine.

use crate::level::Level;
use std::fmt;
use std::str::FromStr;

/// The options of an engine.
///
/// ```
/// use azulejo_engine::{Engine, Level, Options};
///
/// let level = "Tiler".parse::<Level>()?;
/// let engine = Engine::new(Options { level, hash_mb: 8, ..Options::default() });
/// assert_eq!(engine.options().multi_pv, 1);
/// # Ok::<(), azulejo_engine::ParseLevelError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Options {
    /// Threads that search together.
    pub threads: usize,
    /// Memory for the transposition table, in MiB.
    pub hash_mb: usize,
    /// The evaluation.
    pub eval: EvalKind,
    /// The number of best moves that are reported, each with its line.
    pub multi_pv: usize,
    /// The strength.
    pub level: Level,
    /// The seed of the errors of weak levels. With the position it determines their moves, so
    /// another game, or the same position after a take-back, needs another seed.
    pub seed: u64,
}

impl Options {
    /// The largest number of threads.
    pub const MAX_THREADS: usize = 256;
    /// The largest transposition table, in MiB.
    pub const MAX_HASH_MB: usize = 65_536;
    /// The largest number of lines.
    pub const MAX_MULTI_PV: usize = 64;
}

impl Default for Options {
    fn default() -> Options {
        Options {
            threads: 1,
            hash_mb: 64,
            eval: EvalKind::Learned,
            multi_pv: 1,
            level: Level::MAX,
            seed: 0,
        }
    }
}

/// The evaluation that a search uses.
///
/// ```
/// use azulejo_engine::EvalKind;
///
/// assert_eq!("classic".parse(), Ok(EvalKind::Classic));
/// assert_eq!(EvalKind::Learned.to_string(), "learned");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EvalKind {
    /// The network trained from self-play.
    #[default]
    Learned,
    /// The hand-written one, kept as a baseline.
    Classic,
}

impl EvalKind {
    /// All evaluations, the default first.
    pub const ALL: [EvalKind; 2] = [EvalKind::Learned, EvalKind::Classic];

    /// Its name, as options and reports write it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            EvalKind::Learned => "learned",
            EvalKind::Classic => "classic",
        }
    }
}

impl fmt::Display for EvalKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The text is not the name of an evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an evaluation is `learned` or `classic`")]
pub struct ParseEvalKindError;

impl FromStr for EvalKind {
    type Err = ParseEvalKindError;

    fn from_str(text: &str) -> Result<EvalKind, ParseEvalKindError> {
        EvalKind::ALL.into_iter().find(|eval| eval.name() == text).ok_or(ParseEvalKindError)
    }
}
