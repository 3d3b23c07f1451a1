//! Who plays: the engine with an evaluation, and the moves it is made to explore.

use crate::luck::Luck;
use anyhow::Context;
use azulejo_engine::network::Network;
use azulejo_engine::{Answer, Engine, EvalKind, Limits, Options, Stop};
use azulejo_rules::{Move, Position};
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// What an engine evaluates with.
#[derive(Clone)]
pub(crate) enum Brain {
    /// The hand-written evaluation.
    Classic,
    /// A network, with a short mark that tells networks apart.
    Learned(Arc<Network>, String),
}

impl Brain {
    /// Reads a network from a file.
    pub(crate) fn read(path: &Path) -> anyhow::Result<Brain> {
        let bytes = fs::read(path).with_context(|| path.display().to_string())?;
        let network =
            Network::read(bytes.as_slice()).with_context(|| path.display().to_string())?;
        let mark = format!("{:016x}", crate::shard::checksum(&bytes));
        Ok(Brain::Learned(Arc::new(network), mark))
    }

    /// The network that comes with the engine.
    pub(crate) fn built_in() -> Brain {
        Brain::Learned(Network::built_in(), "built-in".to_owned())
    }

    /// `classic`, or the file of a network.
    pub(crate) fn parse(text: &str) -> anyhow::Result<Brain> {
        if text == "classic" { Ok(Brain::Classic) } else { Brain::read(Path::new(text)) }
    }

    /// A short text that is different for different networks.
    pub(crate) fn mark(&self) -> &str {
        match self {
            Brain::Classic => "classic",
            Brain::Learned(_, mark) => mark,
        }
    }

    /// A new engine that thinks with it, on one thread.
    pub(crate) fn engine(&self, hash_mb: usize, multi_pv: usize) -> Engine {
        let eval = match self {
            Brain::Classic => EvalKind::Classic,
            Brain::Learned(..) => EvalKind::Learned,
        };
        let mut engine = Engine::new(Options { hash_mb, eval, multi_pv, ..Options::default() });
        if let Brain::Learned(network, _) = self {
            engine.set_network(Arc::clone(network));
        }
        engine
    }
}

/// Memory for the table of positions: a search of some ten thousand nodes needs no more.
pub(crate) const HASH_MB: usize = 8;

/// How many of the best moves are candidates when chance chooses.
const CANDIDATES: usize = 6;

/// A player of self-play: one engine that thinks and one that only looks at the next position, to
/// find moves that are worth exploring.
pub(crate) struct Explorer {
    thinker: Engine,
    scout: Engine,
    limits: Limits,
}

impl Explorer {
    pub(crate) fn new(brain: &Brain, limits: Limits) -> Explorer {
        // The scout never looks further than one move and needs next to no memory.
        Explorer { thinker: brain.engine(HASH_MB, 1), scout: brain.engine(1, CANDIDATES), limits }
    }

    pub(crate) fn new_game(&mut self) {
        self.thinker.new_game();
        self.scout.new_game();
    }

    /// What the search says about a position.
    pub(crate) fn think(&mut self, position: &Position) -> Option<Answer> {
        self.thinker.search(position, &self.limits, &Stop::new(), &mut |_| {})
    }

    /// One of the moves that look best at first sight.
    pub(crate) fn explore(&mut self, position: &Position, luck: &mut Luck) -> Option<Move> {
        let limits = Limits { depth: Some(1), ..Limits::default() };
        let mut candidates: Vec<Move> = Vec::with_capacity(CANDIDATES);
        let answer = self.scout.search(position, &limits, &Stop::new(), &mut |info| {
            if info.multi_pv == 1 {
                candidates.clear();
            }
            candidates.extend(info.pv.first());
        })?;
        if candidates.is_empty() {
            return Some(answer.best);
        }
        Some(candidates[luck.below(candidates.len() as u32) as usize])
    }
}
