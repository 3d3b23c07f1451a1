//! The thread pool that searches for engine seats and hints, behind a bounded queue. A caller that
//! finds the queue full tries again later (backpressure).

use crate::metrics::Metrics;
use azulejo_engine::{Engine, Info, Level, Limits, Options, Stop};
use azulejo_rules::{Move, Position};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Searches that may wait.
const SEARCH_QUEUE_LEN: usize = 512;

/// The size of a thread's transposition table, in MiB.
const HASH_MB: usize = 16;

/// The number of moves that an analysis compares.
const N_LINES: usize = 3;

type Job = Box<dyn FnOnce(&mut Engine) + Send>;

/// The thread pool.
#[derive(Clone)]
pub(crate) struct Engines {
    jobs: SyncSender<Job>,
    stop: Stop,
    move_time: Duration,
    metrics: Arc<Metrics>,
}

/// The best moves with their principal variations, the best first.
pub(crate) type Analysis = Vec<Info>;

impl Engines {
    /// Starts the threads. A move takes at most `move_time`.
    #[must_use]
    pub(crate) fn start(n_threads: usize, move_time: Duration, metrics: Arc<Metrics>) -> Engines {
        let (jobs, queue) = sync_channel(SEARCH_QUEUE_LEN);
        let queue = Arc::new(Mutex::new(queue));
        for i in 0..n_threads.max(1) {
            let queue = Arc::clone(&queue);
            let thread = std::thread::Builder::new().name(format!("engine-{i}"));
            thread.spawn(move || search_loop(&queue)).expect("a thread can be started");
        }
        Engines { jobs, stop: Stop::new(), move_time, metrics }
    }

    /// Searches for the move of a level and passes it to `done` (`None` if there is no move). Returns
    /// `false` if the queue is full.
    pub(crate) fn choose(
        &self,
        position: Position,
        level: u8,
        seed: u64,
        done: impl FnOnce(Option<Move>) + Send + 'static,
    ) -> bool {
        let (stop, time) = (self.stop.clone(), self.move_time);
        self.ask(move |engine| {
            let level = Level::new(level).unwrap_or(Level::MAX);
            engine.set_options(Options { level, seed, hash_mb: HASH_MB, ..Options::default() });
            let limits = Limits { time: Some(time), ..Limits::default() };
            let answer = engine.search(&position, &limits, &stop, &mut |_| {});
            // A search that was stopped early would play below its level.
            let answer = answer.filter(|_| !stop.is_stopped());
            done(answer.map(|answer| answer.best));
        })
    }

    /// Searches for the best moves and passes them to `done`. Returns `false` if the queue is full.
    pub(crate) fn analyze(
        &self,
        position: Position,
        done: impl FnOnce(Analysis) + Send + 'static,
    ) -> bool {
        let (stop, time) = (self.stop.clone(), self.move_time);
        self.ask(move |engine| {
            engine.set_options(Options {
                multi_pv: N_LINES,
                hash_mb: HASH_MB,
                ..Options::default()
            });
            let limits = Limits { time: Some(time), ..Limits::default() };
            let mut lines: Analysis = Vec::new();
            let answer = engine.search(&position, &limits, &stop, &mut |info| {
                if info.multi_pv == 1 {
                    lines.clear();
                }
                lines.push(info.clone());
            });
            if lines.is_empty() {
                // The time ran out before depth 1 was finished: use the best move so far.
                lines.extend(answer.map(|answer| answer.info));
            }
            done(lines);
        })
    }

    fn ask(&self, job: impl FnOnce(&mut Engine) + Send + 'static) -> bool {
        let metrics = Arc::clone(&self.metrics);
        metrics.engine_jobs.fetch_add(1, Relaxed);
        let job: Job = Box::new(move |engine| {
            // Counted down even if the search panics.
            let _counted = Counted(metrics);
            job(engine);
        });
        match self.jobs.try_send(job) {
            Ok(()) => true,
            Err(TrySendError::Full(job) | TrySendError::Disconnected(job)) => {
                // A job that never runs does not count itself down.
                drop(job);
                self.metrics.engine_jobs.fetch_sub(1, Relaxed);
                false
            }
        }
    }

    /// Stops all searches. Engine seats move when the server starts again.
    pub(crate) fn stop(&self) {
        self.stop.stop();
    }
}

struct Counted(Arc<Metrics>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.engine_jobs.fetch_sub(1, Relaxed);
    }
}

fn search_loop(queue: &Mutex<Receiver<Job>>) {
    let new_engine = || Engine::new(Options { hash_mb: HASH_MB, ..Options::default() });
    let mut engine = new_engine();
    loop {
        let job = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = job else { return };
        // A panic in one search must not stop the engine in all games.
        if catch_unwind(AssertUnwindSafe(|| job(&mut engine))).is_err() {
            tracing::error!("a search panicked");
            engine = new_engine();
        }
    }
}
