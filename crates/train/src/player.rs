//! The self-play player: the engine with an evaluation, and random exploration among the best moves.

use crate::rng::Rng;
use anyhow::Context;
use azulejo_engine::network::Network;
use azulejo_engine::{Answer, Engine, EvalKind, Limits, Options, Stop};
use azulejo_rules::{Move, Position};
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// The evaluation of an engine.
#[derive(Clone)]
pub(crate) enum Evaluation {
    /// The hand-written evaluation.
    Classic,
    /// A network and its fingerprint.
    Learned(Arc<Network>, String),
}

impl Evaluation {
    /// Reads a network from a file.
    pub(crate) fn read(path: &Path) -> anyhow::Result<Evaluation> {
        let bytes = fs::read(path).with_context(|| path.display().to_string())?;
        let network =
            Network::read(bytes.as_slice()).with_context(|| path.display().to_string())?;
        let fingerprint = format!("{:016x}", crate::shard::checksum(&bytes));
        Ok(Evaluation::Learned(Arc::new(network), fingerprint))
    }

    /// The network that comes with the engine.
    pub(crate) fn built_in() -> Evaluation {
        Evaluation::Learned(Network::built_in(), "built-in".to_owned())
    }

    /// Reads `classic` or the path of a network.
    pub(crate) fn parse(text: &str) -> anyhow::Result<Evaluation> {
        if text == "classic" { Ok(Evaluation::Classic) } else { Evaluation::read(Path::new(text)) }
    }

    /// A short text that differs between networks.
    pub(crate) fn fingerprint(&self) -> &str {
        match self {
            Evaluation::Classic => "classic",
            Evaluation::Learned(_, fingerprint) => fingerprint,
        }
    }

    /// A new engine with this evaluation, on one thread. The hand-written one works even while the
    /// built-in network does not fit the features.
    pub(crate) fn engine(&self, hash_mb: usize, multi_pv: usize) -> Engine {
        let (eval, network) = match self {
            Evaluation::Classic => (EvalKind::Classic, Arc::new(Network::blank())),
            Evaluation::Learned(network, _) => (EvalKind::Learned, Arc::clone(network)),
        };
        let options = Options { hash_mb, eval, multi_pv, ..Options::default() };
        Engine::with_network(options, network)
    }
}

/// Memory for the transposition table: enough for searches of some ten thousand nodes.
pub(crate) const HASH_MB: usize = 8;

/// The number of best moves among which exploration chooses.
const CANDIDATES: usize = 6;

/// A self-play player: an engine that searches, and one that ranks moves at depth 1 for exploration.
pub(crate) struct SelfPlayer {
    searcher: Engine,
    ranker: Engine,
    limits: Limits,
}

impl SelfPlayer {
    pub(crate) fn new(evaluation: &Evaluation, limits: Limits) -> SelfPlayer {
        // A search of one ply needs almost no memory.
        SelfPlayer {
            searcher: evaluation.engine(HASH_MB, 1),
            ranker: evaluation.engine(1, CANDIDATES),
            limits,
        }
    }

    pub(crate) fn new_game(&mut self) {
        self.searcher.new_game();
        self.ranker.new_game();
    }

    /// Searches a position.
    pub(crate) fn search(&mut self, position: &Position) -> Option<Answer> {
        self.searcher.search(position, &self.limits, &Stop::new(), &mut |_| {})
    }

    /// A random one of the best moves at depth 1.
    pub(crate) fn explore(&mut self, position: &Position, rng: &mut Rng) -> Option<Move> {
        let limits = Limits { depth: Some(1), ..Limits::default() };
        let mut candidates: Vec<Move> = Vec::with_capacity(CANDIDATES);
        let answer = self.ranker.search(position, &limits, &Stop::new(), &mut |info| {
            if info.multi_pv == 1 {
                candidates.clear();
            }
            candidates.extend(info.pv.first());
        })?;
        if candidates.is_empty() {
            return Some(answer.best);
        }
        Some(candidates[rng.below(candidates.len() as u32) as usize])
    }
}
