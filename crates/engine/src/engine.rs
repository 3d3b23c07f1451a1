//! The one door: an engine with its options and its memory.

use crate::eval::Evaluator;
use crate::eval::network::Network;
use crate::info::{Answer, Info};
use crate::limits::{Limits, Stop};
use crate::options::Options;
use crate::search::{self, Deadline, Memory, Table};
use azulejo_rules::{Phase, Position};
use std::sync::Arc;

/// An engine.
pub struct Engine {
    options: Options,
    network: Arc<Network>,
    table: Table,
    /// One for each thread; made when the first position is known.
    memories: Vec<Memory>,
}

impl Engine {
    /// An engine with the built-in network.
    #[must_use]
    pub fn new(options: Options) -> Engine {
        let table = Table::new(options.hash_mb);
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
            self.table = Table::new(options.hash_mb);
        }
        if options.eval != self.options.eval {
            self.new_game();
        }
        self.options = options;
    }

    /// Evaluates with another network from now on.
    pub fn set_network(&mut self, network: Arc<Network>) {
        self.network = network;
        self.new_game();
    }

    /// Forgets everything learned about the last game.
    pub fn new_game(&mut self) {
        self.table.clear();
        self.memories.clear();
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
        let deadline = Deadline::new(limits, stop, position);
        self.table.next_generation();
        self.memories.truncate(self.options.threads.max(1));
        while self.memories.len() < self.options.threads.max(1) {
            let network = Arc::clone(&self.network);
            self.memories.push(Memory::new(Evaluator::new(network, self.options.eval, position)));
        }
        let n_lines = self.options.multi_pv.max(1);
        search::find(position, &mut self.memories, &self.table, &deadline, n_lines, report)
    }
}
