//! The options of an engine.

use crate::level::Level;

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
    /// The seed of the noise that weak levels add to the values of moves.
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

    /// The evaluation of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<EvalKind> {
        EvalKind::ALL.into_iter().find(|eval| eval.name() == name)
    }
}
