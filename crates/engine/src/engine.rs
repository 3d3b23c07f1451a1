//! The one door: an engine with its options and its memory.

use crate::eval::Evaluator;
use crate::eval::network::Network;
use crate::info::{Answer, Info};
use crate::limits::{Limits, Stop};
use crate::options::Options;
use crate::search::{self, Deadline, Memory, Table, Task};
use azulejo_rules::{Phase, Position};
use std::sync::Arc;

/// An engine.
pub struct Engine {
    options: Options,
    network: Arc<Network>,
    table: Table,
    /// One for each thread; made by the threads, when the first position is known.
    memories: Vec<Option<Memory>>,
}

impl Engine {
    /// An engine with the built-in network.
    #[must_use]
    pub fn new(options: Options) -> Engine {
        let table = Table::new(options.hash_mb << 20);
        Engine { options, network: Network::built_in(), table, memories: Vec::new() }
    }

    /// Its options.
    #[must_use]
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Changes the options; memory is laid out anew if its size changes.
    pub fn set_options(&mut self, options: Options) {
        if options.hash_mb != self.options.hash_mb {
            self.table = Table::new(options.hash_mb << 20);
        }
        if options.eval != self.options.eval {
            self.memories.clear();
            self.new_game();
        }
        self.options = options;
    }

    /// Evaluates with another network from now on.
    pub fn set_network(&mut self, network: Arc<Network>) {
        self.network = network;
        self.memories.clear();
        self.new_game();
    }

    /// Forgets everything learned about the last game. What boards are worth in themselves is the
    /// same in every game and stays known.
    pub fn new_game(&mut self) {
        self.table.clear();
        for memory in self.memories.iter_mut().flatten() {
            memory.new_game();
        }
    }

    /// Thinks about a position and reports every finding. `None` where there is no move: between
    /// rounds and after the end.
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
        let deadline = Deadline::new(&level.limit(limits), stop, position);
        // A search with a node limit can be repeated: it owes nothing to earlier ones.
        let is_fresh = limits.nodes.is_some();
        self.table.next_generation(is_fresh);
        self.memories.resize_with(self.options.threads.max(1), || None);
        let Engine { network, options, table, memories } = self;
        let new_memory =
            || Memory::new(Evaluator::new(Arc::clone(network), options.eval, position));
        let task = Task {
            root: position,
            table,
            deadline: &deadline,
            n_lines: if level.is_noisy() { usize::MAX } else { options.multi_pv.max(1) },
            is_fresh,
            new_memory: &new_memory,
        };
        if !level.is_noisy() {
            return search::find(task, memories, report);
        }
        let mut lines = Vec::new();
        let answer = search::find(task, memories, &mut |info| {
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
        let seed = position.hash() ^ options.seed;
        let info = lines.swap_remove(level.choose(&lines, position.turn(), seed));
        Some(Answer { best: info.pv[0], info })
    }
}
