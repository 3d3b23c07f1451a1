//! What the scripted clients have counted.

use crate::load::MoveBytes;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

#[derive(Default)]
pub(super) struct Tally {
    pub(super) games: AtomicU64,
    /// When the last of them was set up.
    set_up_at: Mutex<Option<Instant>>,
    pub(super) finished: AtomicU64,
    pub(super) watchers: AtomicU64,
    pub(super) visits: AtomicU64,
    pub(super) moves: AtomicU64,
    pub(super) errors: AtomicU64,
    /// Microseconds from a move to the opponent's event.
    pub(super) latencies: Mutex<Vec<u32>>,
    /// The same in the game that is watched.
    pub(super) watched_latencies: Mutex<Vec<u32>>,
    watched_game: Mutex<Vec<String>>,
    to_move: Size,
    moved: Size,
    watched: Size,
    examples: Mutex<Vec<String>>,
}

/// Messages and their bytes.
#[derive(Default)]
struct Size {
    n: AtomicU64,
    bytes: AtomicU64,
    largest: AtomicU64,
}

impl Size {
    fn add(&self, bytes: u64) {
        self.n.fetch_add(1, Relaxed);
        self.bytes.fetch_add(bytes, Relaxed);
        self.largest.fetch_max(bytes, Relaxed);
    }

    fn mean(&self) -> Option<f64> {
        let n = self.n.load(Relaxed);
        (n > 0).then(|| self.bytes.load(Relaxed) as f64 / n as f64)
    }

    fn restart(&self) {
        for count in [&self.n, &self.bytes, &self.largest] {
            count.store(0, Relaxed);
        }
    }
}

impl Tally {
    pub(super) fn get(count: &AtomicU64) -> u64 {
        count.load(Relaxed)
    }

    pub(super) fn add(count: &AtomicU64) {
        count.fetch_add(1, Relaxed);
    }

    /// Counts a game that has been set up.
    pub(super) fn add_game(&self) {
        Tally::add(&self.games);
        *lock(&self.set_up_at) = Some(Instant::now());
    }

    /// The seconds from `start` until the last game was set up.
    pub(super) fn set_up_seconds(&self, start: Instant) -> f64 {
        lock(&self.set_up_at).map_or(0.0, |at| (at - start).as_secs_f64())
    }

    pub(super) fn add_error(&self, error: &impl ToString) {
        Tally::add(&self.errors);
        let mut examples = lock(&self.examples);
        if examples.len() < 5 {
            examples.push(error.to_string());
        }
    }

    /// Counts a move, and the bytes of its messages to the player who moved and the one to move.
    pub(super) fn add_move(&self, latency: Duration, is_watched: bool) {
        let us = u32::try_from(latency.as_micros()).unwrap_or(u32::MAX);
        lock(&self.latencies).push(us);
        if is_watched {
            lock(&self.watched_latencies).push(us);
        }
        Tally::add(&self.moves);
    }

    /// Counts the bytes of a move for one of its players.
    pub(super) fn add_player_bytes(&self, is_to_move: bool, bytes: u64) {
        if is_to_move { &self.to_move } else { &self.moved }.add(bytes);
    }

    /// Counts the bytes of a move for a watcher.
    pub(super) fn add_watcher_bytes(&self, bytes: u64) {
        self.watched.add(bytes);
    }

    pub(super) fn bytes_per_move(&self) -> MoveBytes {
        let sizes = [&self.to_move, &self.moved, &self.watched];
        MoveBytes {
            to_move: self.to_move.mean().unwrap_or(0.0),
            moved: self.moved.mean().unwrap_or(0.0),
            watcher: self.watched.mean(),
            largest: sizes.map(|size| size.largest.load(Relaxed)).into_iter().max().unwrap_or(0),
        }
    }

    /// Sets the game that is watched.
    pub(super) fn set_watched_game(&self, id: &str) {
        *lock(&self.watched_game) = vec![id.to_owned()];
    }

    pub(super) fn watched_game(&self) -> Vec<String> {
        lock(&self.watched_game).clone()
    }

    /// Forgets the moves so far.
    pub(super) fn restart(&self) {
        self.moves.store(0, Relaxed);
        lock(&self.latencies).clear();
        lock(&self.watched_latencies).clear();
        for size in [&self.to_move, &self.moved, &self.watched] {
            size.restart();
        }
    }

    pub(super) fn examples(&self) -> Vec<String> {
        lock(&self.examples).clone()
    }

    /// The percentiles 50, 90, 99 and 99.9, and the maximum, in milliseconds.
    pub(super) fn percentiles(latencies: &Mutex<Vec<u32>>) -> [f64; 5] {
        let mut latencies = lock(latencies).clone();
        latencies.sort_unstable();
        let at = |share: f64| {
            let last = latencies.len().checked_sub(1)?;
            latencies.get((last as f64 * share) as usize).map(|&us| f64::from(us) / 1_000.0)
        };
        [0.5, 0.9, 0.99, 0.999, 1.0].map(|share| at(share).unwrap_or(0.0))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
