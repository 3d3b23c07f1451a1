//! Time management: when a search ends by time, nodes or a stop switch, checked by every thread.

use crate::limits::{Clock, Limits, Stop};
use azulejo_rules::Position;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use web_time::{Duration, Instant};

/// Each thread checks the clock every 256 nodes (many times per millisecond).
pub(super) const NODES_PER_CHECK: u64 = 1 << 8;

/// The limits of a running search, shared by its threads.
pub(crate) struct Deadline {
    start: Instant,
    /// The hard limit.
    hard: Option<Duration>,
    /// The soft limit: the share of the game clock for this move.
    budget: Option<Duration>,
    pub(super) nodes: Option<u64>,
    pub(super) depth: Option<u32>,
    stop: Stop,
    /// Set by the first thread that reaches a limit, for all.
    over: AtomicBool,
    counted: AtomicU64,
}

impl Deadline {
    pub(crate) fn new(limits: &Limits, stop: &Stop, position: &Position) -> Deadline {
        let budget = limits.clock.map(|clock| budget(clock, position));
        let longest = budget.map(|budget| budget.saturating_mul(3));
        // A fifth is left for network and pipe latency.
        let nearly_all = limits.clock.map(|clock| clock.left / 5 * 4);
        let hard = [limits.time, longest, nearly_all].into_iter().flatten().min();
        Deadline {
            start: Instant::now(),
            hard,
            budget,
            nodes: limits.nodes,
            depth: limits.depth,
            stop: stop.clone(),
            over: AtomicBool::new(false),
            counted: AtomicU64::new(0),
        }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Adds nodes of a thread and says whether the search is over.
    #[cold]
    pub(super) fn check(&self, more_nodes: u64) -> bool {
        let counted = self.counted.fetch_add(more_nodes, Ordering::Relaxed) + more_nodes;
        let over = self.over.load(Ordering::Relaxed)
            || self.nodes.is_some_and(|limit| counted >= limit)
            || self.is_time_up();
        if over {
            self.end();
        }
        over
    }

    /// Whether the search was stopped or has reached the hard limit.
    pub(super) fn is_time_up(&self) -> bool {
        self.stop.is_stopped() || self.hard.is_some_and(|limit| self.elapsed() >= limit)
    }

    /// Ends the search for all threads.
    pub(super) fn end(&self) {
        self.over.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    /// Whether another iteration would hardly be finished within the soft limit.
    pub(super) fn is_late(&self) -> bool {
        self.budget.is_some_and(|budget| self.elapsed() >= budget / 2)
    }

    /// Whether the soft limit is reached.
    pub(super) fn is_spent(&self) -> bool {
        self.budget.is_some_and(|budget| self.elapsed() >= budget)
    }

    /// The nodes of all threads so far.
    pub(crate) fn nodes(&self) -> u64 {
        self.counted.load(Ordering::Relaxed)
    }
}

/// The soft limit for this move, from the clock for the rest of the game.
fn budget(clock: Clock, position: &Position) -> Duration {
    // A game has five or six rounds, each with about five drafts per seat with two players and a
    // few less with more. The last drafts of a round need hardly any time: they are solved at once.
    let rounds_left = 6_u32.saturating_sub(u32::from(position.round())).max(1);
    let moves_left = 3 * rounds_left + (position.n_piles() / 4).min(3);
    let share = (clock.left / moves_left.max(2)).saturating_add(clock.increment / 5 * 4);
    share.min(clock.left / 2)
}
