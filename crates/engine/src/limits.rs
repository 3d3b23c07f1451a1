//! How long to think: limits, the clock of a whole game, and the way to stop from outside.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// When a search ends. The first limit that is reached ends it; without any it runs until it is
/// stopped or has nothing more to find.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// At most so long.
    pub time: Option<Duration>,
    /// At most so many nodes.
    pub nodes: Option<u64>,
    /// At most so many plies deep.
    pub depth: Option<u32>,
    /// Time for the rest of the game, from which the engine takes what it thinks wise.
    pub clock: Option<Clock>,
}

/// The clock of the seat to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// What is left for the rest of the game.
    pub left: Duration,
    /// What is added after each move.
    pub increment: Duration,
}

/// A switch that ends a search from another thread.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// A switch that is off.
    #[must_use]
    pub fn new() -> Stop {
        Stop::default()
    }

    /// Ends every search that was given this switch, now and later.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was switched.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
