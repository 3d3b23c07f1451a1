//! How an engine is set up.

use crate::level::Level;

/// What may be chosen before a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Threads that search together.
    pub threads: usize,
    /// Memory for the table of positions, in MiB.
    pub hash_mb: usize,
    /// Which evaluation.
    pub eval: EvalKind,
    /// How many of the best moves are reported, each with its line.
    pub multi_pv: usize,
    /// How strong it plays.
    pub level: Level,
    /// Decides between moves where a level leaves it to chance.
    pub seed: u64,
}

impl Options {
    /// The most threads.
    pub const MAX_THREADS: usize = 256;
    /// The largest table.
    pub const MAX_HASH_MB: usize = 65_536;
    /// The most lines reported.
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

/// Which evaluation a search uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EvalKind {
    /// The network trained from self-play.
    #[default]
    Learned,
    /// The hand-written one, kept as a yardstick.
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
