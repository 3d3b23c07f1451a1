//! Limits of a search: time, nodes, depth, the clock of a whole game, and a stop switch.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// When a search ends. The first limit that is reached ends it; without any limit it runs until it is
/// stopped or the round is solved.
///
/// ```
/// use azulejo_engine::Limits;
/// use std::time::Duration;
///
/// // 100 ms, but not more than a million nodes.
/// let time = Some(Duration::from_millis(100));
/// let limits = Limits { time, nodes: Some(1_000_000), ..Limits::default() };
/// assert_eq!(limits.depth, None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Limits {
    /// Time for this move.
    pub time: Option<Duration>,
    /// Nodes, by all threads together.
    pub nodes: Option<u64>,
    /// Depth in plies.
    pub depth: Option<u32>,
    /// The clock for the rest of the game, of which the engine takes a share.
    pub clock: Option<Clock>,
}

/// The clock of the seat to move.
///
/// ```
/// use azulejo_engine::{Clock, Limits};
/// use std::time::Duration;
///
/// // Ten minutes for the rest of the game and five seconds after each move.
/// let clock = Clock { left: Duration::from_secs(600), increment: Duration::from_secs(5) };
/// let limits = Limits { clock: Some(clock), ..Limits::default() };
/// assert_eq!(limits.time, None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Clock {
    /// Time left for the rest of the game.
    pub left: Duration,
    /// Time added after each move.
    pub increment: Duration,
}

/// A switch that ends a search from another thread.
///
/// ```
/// use azulejo_engine::Stop;
///
/// let stop = Stop::new();
/// let other = stop.clone();
/// std::thread::spawn(move || other.stop()).join().unwrap();
/// assert!(stop.is_stopped());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// A switch that is off.
    #[must_use]
    pub fn new() -> Stop {
        Stop::default()
    }

    /// Ends every search that has this switch, now and later.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was stopped.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
