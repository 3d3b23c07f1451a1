//! The engine's seats and the hints: a few threads that think, and a queue that ends. Nobody
//! waits for a thread; whoever finds the queue full comes again later.

use crate::metrics::Metrics;
use azulejo_engine::{Engine, Info, Level, Limits, Options, Stop};
use azulejo_rules::{Move, Position};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Questions that may wait.
const QUEUE: usize = 512;

/// Memory for the table of positions of a thread, in MiB.
const HASH_MB: usize = 16;

/// How many moves an analysis compares.
const N_LINES: usize = 3;

type Job = Box<dyn FnOnce(&mut Engine) + Send>;

/// The threads that think.
#[derive(Clone)]
pub(crate) struct Engines {
    jobs: SyncSender<Job>,
    stop: Stop,
    move_time: Duration,
    metrics: Arc<Metrics>,
}

/// The best moves and what they lead to, the best first.
pub(crate) type Analysis = Vec<Info>;

impl Engines {
    /// Starts the threads. A move takes at most `move_time`.
    #[must_use]
    pub(crate) fn start(n_threads: usize, move_time: Duration, metrics: Arc<Metrics>) -> Engines {
        let (jobs, queue) = sync_channel(QUEUE);
        let queue = Arc::new(Mutex::new(queue));
        for i in 0..n_threads.max(1) {
            let queue = Arc::clone(&queue);
            let thread = std::thread::Builder::new().name(format!("engine-{i}"));
            thread.spawn(move || think(&queue)).expect("the system has room for a thread");
        }
        Engines { jobs, stop: Stop::new(), move_time, metrics }
    }

    /// Looks for the move of a level; `done` hears it, or `None` if there is none. `false` if too
    /// much is waiting.
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
            // A search that was cut short would play below its level.
            let answer = answer.filter(|_| !stop.is_stopped());
            done(answer.map(|answer| answer.best));
        })
    }

    /// Looks for the best moves; `done` hears them. `false` if too much is waiting.
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
                // There was no time to finish even the first depth.
                lines.extend(answer.map(|answer| answer.info));
            }
            done(lines);
        })
    }

    fn ask(&self, job: impl FnOnce(&mut Engine) + Send + 'static) -> bool {
        let metrics = Arc::clone(&self.metrics);
        metrics.engine_jobs.fetch_add(1, Relaxed);
        let job: Job = Box::new(move |engine| {
            // Counted down even if the search fails.
            let _counted = Counted(metrics);
            job(engine);
        });
        match self.jobs.try_send(job) {
            Ok(()) => true,
            Err(TrySendError::Full(job) | TrySendError::Disconnected(job)) => {
                // A job that never runs counts nothing down by itself.
                drop(job);
                self.metrics.engine_jobs.fetch_sub(1, Relaxed);
                false
            }
        }
    }

    /// Ends what is being thought; engine seats go on when the server starts again.
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

fn think(queue: &Mutex<Receiver<Job>>) {
    let new_engine = || Engine::new(Options { hash_mb: HASH_MB, ..Options::default() });
    let mut engine = new_engine();
    loop {
        let job = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = job else { return };
        // A fault in one search must not silence the engine in all games.
        if catch_unwind(AssertUnwindSafe(|| job(&mut engine))).is_err() {
            tracing::error!("a search has failed");
            engine = new_engine();
        }
    }
}
