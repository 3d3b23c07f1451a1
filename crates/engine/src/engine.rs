//! The facade: an engine with its options and its memory.

use crate::eval::Evaluator;
use crate::eval::network::Network;
use crate::info::{Answer, Forecast, Info};
use crate::level::{self, Level};
use crate::limits::{Limits, Stop};
use crate::options::Options;
use crate::search::{self, Deadline, Memory, Task, TranspositionTable};
use azulejo_rules::{Move, Phase, Position};
use std::fmt;
use std::sync::Arc;

/// An engine: give it a position and limits, and it answers with a move.
///
/// It keeps its transposition table and caches between searches. One engine is for one game at a
/// time; [`new_game`](Engine::new_game) starts another.
///
/// ```
/// use azulejo_engine::{Engine, Limits, Options, Stop};
/// use azulejo_rules::Position;
///
/// let position: Position = "az1_2c_d1_1s1_BBYR-KKKK-BYRK-YWWW-RRKK_1_rest_._\
///     0~.-..-...-....-.....~.....-.....-.....-.....-.....~._\
///     0~.-..-...-....-.....~.....-.....-.....-.....-.....~.".parse()?;
/// let mut engine = Engine::new(Options { hash_mb: 8, ..Options::default() });
/// let limits = Limits { nodes: Some(5_000), ..Limits::default() };
/// let answer = engine.search(&position, &limits, &Stop::new(), &mut |info| {
///     println!("depth {}: {:?}", info.depth, info.pv);
/// });
/// let answer = answer.expect("the round has just started");
/// assert!(position.is_legal(answer.best));
/// assert!(answer.info.nodes <= 5_000);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Engine {
    options: Options,
    network: Arc<Network>,
    table: TranspositionTable,
    /// One for each thread; made by the threads, when the first position is known.
    memories: Vec<Option<Memory>>,
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine").field("options", &self.options).finish_non_exhaustive()
    }
}

impl Engine {
    /// An engine with the built-in network.
    #[must_use]
    pub fn new(options: Options) -> Engine {
        Engine::with_network(options, Network::built_in())
    }

    /// An engine with another network.
    #[must_use]
    pub fn with_network(options: Options, network: Arc<Network>) -> Engine {
        let table = TranspositionTable::new(options.hash_mb << 20);
        Engine { options, network, table, memories: Vec::new() }
    }

    /// Its options.
    #[must_use]
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Changes the options; a new hash size clears the transposition table.
    pub fn set_options(&mut self, options: Options) {
        if options.hash_mb != self.options.hash_mb {
            self.table = TranspositionTable::new(options.hash_mb << 20);
        }
        if options.eval != self.options.eval {
            self.memories.clear();
            self.new_game();
        }
        self.options = options;
    }

    /// Replaces the network and forgets what was computed with the old one.
    pub fn set_network(&mut self, network: Arc<Network>) {
        self.network = network;
        self.memories.clear();
        self.new_game();
    }

    /// Clears the transposition table and the history for another game. Cached boards stay: their
    /// evaluation is the same in every game.
    pub fn new_game(&mut self) {
        self.table.clear();
        for memory in self.memories.iter_mut().flatten() {
            memory.new_game();
        }
    }

    /// The expected result by the evaluation alone, without a search: at once, and in every phase.
    /// Before a deal it is a quick estimate of [`deal_value`](Engine::deal_value).
    #[must_use]
    pub fn forecast(&mut self, position: &Position) -> Forecast {
        let Engine { network, options, memories, .. } = self;
        if memories.is_empty() {
            memories.push(None);
        }
        let new_memory =
            || Memory::new(Evaluator::new(Arc::clone(network), options.eval, position));
        memories[0].get_or_insert_with(new_memory).forecast(position)
    }

    /// Searches a position and calls `report` with each completed iteration and line. Returns `None`
    /// if the position has no legal move: between rounds and after the end of the game.
    ///
    /// With one thread and a node limit the answer is reproducible.
    pub fn search(
        &mut self,
        position: &Position,
        limits: &Limits,
        stop: &Stop,
        report: &mut dyn FnMut(&Info),
    ) -> Option<Answer> {
        if matches!(position.phase(), Phase::Deal | Phase::Over(_)) {
            return None;
        }
        let level = self.options.level;
        let limits = level.limit(limits);
        let deadline = Deadline::new(&limits, stop, position);
        if let Some(beginner) = level.beginner() {
            let best = beginner.choose(position, self.options.seed)?;
            let info = self.glance(position, best, &deadline);
            report(&info);
            return Some(Answer { best, info });
        }
        // A search with a node limit is reproducible: it must not depend on earlier ones, nor on a
        // race of threads if the limit is the level's.
        let is_fresh = limits.nodes.is_some();
        // A web page has one thread, whatever the options say.
        let has_threads = level == Level::MAX && !cfg!(target_family = "wasm");
        let n_threads = if has_threads { self.options.threads.max(1) } else { 1 };
        self.table.next_generation(is_fresh);
        self.memories.resize_with(n_threads, || None);
        let Engine { network, options, table, memories } = self;
        let new_memory =
            || Memory::new(Evaluator::new(Arc::clone(network), options.eval, position));
        let task = Task {
            root: position,
            table,
            deadline: &deadline,
            n_lines: if level.error().is_some() { usize::MAX } else { options.multi_pv.max(1) },
            is_fresh,
            new_memory: &new_memory,
        };
        let Some(error) = level.error() else {
            return search::search(task, memories, report);
        };
        let mut lines = Vec::new();
        let answer = search::search(task, memories, &mut |info| {
            if info.multi_pv == 1 {
                lines.clear();
            }
            lines.push(info.clone());
            if info.multi_pv <= options.multi_pv {
                report(info);
            }
        })?;
        if lines.is_empty() {
            // The time ran out before the first iteration ended.
            return Some(answer);
        }
        let seed = position.hash_key() ^ options.seed;
        let chosen = level::choose_with_error(error, &lines, position.turn(), seed);
        let info = lines.swap_remove(chosen);
        Some(Answer { best: info.pv[0], info })
    }

    /// The report of a move that was chosen without a search.
    fn glance(&mut self, position: &Position, m: Move, deadline: &Deadline) -> Info {
        let mut after = *position;
        after.play_unchecked(m);
        let forecast = self.forecast(&after);
        Info {
            depth: 1,
            nodes: position.n_legal_moves().into(),
            time: deadline.elapsed(),
            hash_full: 0,
            multi_pv: 1,
            forecast,
            exact: false,
            proved: false,
            pv: vec![m],
        }
    }
}
