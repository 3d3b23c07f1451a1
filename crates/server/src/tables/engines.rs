//! The threads that search for engine seats, hints and evaluations. The [`scheduler`](super::scheduler)
//! says who is next and for how long.
//!
//! Beside the configured threads there is one for the weak levels, whose searches take milliseconds, and
//! one that stops the searches whose time slice has ended or whose asker has gone.

use crate::metrics::Metrics;
use crate::tables::analyses::{Analyses, is_worth};
use crate::tables::scheduler::{Asker, Purpose, Request, Scheduler, Started, Ticket};
use azulejo_engine::{Engine, Limits, Options, Stop};
use azulejo_rules::{Move, Position};
use azulejo_table::{Analysis, choose_move};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// The size of a thread's transposition table, in MiB.
const HASH_MB: usize = 16;

/// The same of the thread for weak levels.
const QUICK_HASH_MB: usize = 1;

/// A search. It may be dropped without being run, which its captured values report to the asker.
type Work = Box<dyn FnOnce(&mut Engine, &Started) + Send>;

/// The thread pool. It ends when the last handle is dropped.
#[derive(Clone)]
pub(crate) struct Engines(Arc<Handle>);

struct Handle(Arc<Pool>);

impl Drop for Handle {
    fn drop(&mut self) {
        self.0.close();
    }
}

struct Pool {
    state: Mutex<State>,
    changed: Condvar,
    analyses: Analyses,
    full_time: Duration,
    metrics: Arc<Metrics>,
}

struct State {
    /// The searches that take a part of a second or more.
    long: Scheduler<Work>,
    /// The searches of weak levels, which never wait for a long one.
    quick: Scheduler<Work>,
    is_closing: bool,
}

/// One of the schedulers.
type Lane = fn(&mut State) -> &mut Scheduler<Work>;

impl Engines {
    /// Starts the threads. A move takes at most `full_time`.
    #[must_use]
    pub(crate) fn start(n_threads: usize, full_time: Duration, metrics: Arc<Metrics>) -> Engines {
        let (long, quick) = (Scheduler::new(n_threads, full_time), Scheduler::new(1, full_time));
        let state = State { long, quick, is_closing: false };
        let pool = Arc::new(Pool {
            state: Mutex::new(state),
            changed: Condvar::new(),
            analyses: Analyses::default(),
            full_time,
            metrics,
        });
        for i in 0..n_threads.max(1) {
            spawn(&format!("engine-{i}"), &pool, |pool| pool.search_loop(|s| &mut s.long, HASH_MB));
        }
        spawn("engine-quick", &pool, |pool| pool.search_loop(|s| &mut s.quick, QUICK_HASH_MB));
        spawn("engine-clock", &pool, Pool::cut_loop);
        Engines(Arc::new(Handle(pool)))
    }

    /// Searches for the move of the level of a purpose and passes it to `done` (`None` if there is no move). If the
    /// search is refused because too many wait, `done` is dropped.
    pub(crate) fn choose(
        &self,
        asker: Asker,
        position: Position,
        purpose: Purpose,
        seed: u64,
        done: impl FnOnce(Option<Move>) + Send + 'static,
    ) -> Ticket {
        let level = purpose.level();
        let pool = Arc::clone(&self.0.0);
        self.ask(asker, purpose, move |engine, started| {
            let m = choose_move(engine, &position, level, seed, &pool.limits(), &started.stop);
            // A search that the end of the server stopped would play below its level.
            let m = m.filter(|_| !pool.state().is_closing);
            if started.stop.is_stopped() {
                pool.metrics.engine_cut.fetch_add(1, Relaxed);
            }
            done(m);
        })
    }

    /// Searches for the best moves, or finds them among the latest analyses. `None` if too many
    /// searches wait. The search ends when the future is dropped.
    pub(crate) async fn analyze(
        &self,
        asker: Asker,
        purpose: Purpose,
        position: Position,
    ) -> Option<Arc<Analysis>> {
        let pool = Arc::clone(&self.0.0);
        if let Some(known) = pool.analyses.get(&position).filter(|known| !known.is_cut) {
            pool.metrics.engine_known.fetch_add(1, Relaxed);
            return Some(known);
        }
        let (sender, answer) = oneshot::channel();
        let ticket = self.ask(asker, purpose, move |engine, started| {
            // Another asker may have had the same question meanwhile.
            let known = pool.analyses.get(&position).filter(|known| is_worth(known, started.slice));
            let analysis = known.unwrap_or_else(|| {
                let analysis = Arc::new(pool.search_lines(engine, &position, started));
                if !analysis.lines.is_empty() {
                    pool.analyses.put(position, &analysis);
                }
                analysis
            });
            let _ = sender.send(analysis);
        });
        let analysis = answer.await.ok();
        drop(ticket);
        analysis
    }

    /// Does a part of a review when no search waits. `None` if it was not begun because too many searches wait.
    /// It should end when the switch says so: when another search needs the thread, or the future was dropped.
    pub(crate) async fn review<T: Send + 'static>(
        &self,
        asker: Asker,
        work: impl FnOnce(&Stop) -> T + Send + 'static,
    ) -> Option<T> {
        let (sender, answer) = oneshot::channel();
        let ticket = self.ask(asker, Purpose::Review, move |_, started| {
            let _ = sender.send(work(&started.stop));
        });
        let done = answer.await.ok();
        drop(ticket);
        done
    }

    /// The time that a move at full strength may take now, and without load.
    pub(crate) fn thinking_time(&self) -> (Duration, Duration) {
        let pool = &self.0.0;
        (pool.state().long.current_slice(Instant::now()), pool.full_time)
    }

    fn ask(
        &self,
        asker: Asker,
        purpose: Purpose,
        work: impl FnOnce(&mut Engine, &Started) + Send + 'static,
    ) -> Ticket {
        let (pool, ticket) = (&self.0.0, Ticket::default());
        let request = Request::new(asker, purpose, Instant::now(), &ticket);
        let mut state = pool.state();
        if state.is_closing {
            return ticket;
        }
        let lane = if purpose.is_quick() { &mut state.quick } else { &mut state.long };
        lane.push(request, Box::new(work));
        pool.changed_to(state);
        ticket
    }

    /// Stops all searches. Engine seats move when the server starts again.
    pub(crate) fn stop(&self) {
        self.0.0.close();
    }
}

fn spawn(name: &str, pool: &Arc<Pool>, run: impl FnOnce(&Pool) + Send + 'static) {
    let pool = Arc::clone(pool);
    let thread = std::thread::Builder::new().name(name.to_owned());
    thread.spawn(move || run(&pool)).expect("a thread can be started");
}

impl Pool {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends a change of the state: the threads look at it again.
    fn changed_to(&self, state: MutexGuard<'_, State>) {
        let n_jobs = state.long.len() + state.quick.len();
        self.metrics.engine_jobs.store(n_jobs as i64, Relaxed);
        drop(state);
        self.changed.notify_all();
    }

    fn close(&self) {
        let mut state = self.state();
        state.is_closing = true;
        let unfinished = [state.long.close(), state.quick.close()];
        self.changed_to(state);
        drop(unfinished);
    }

    fn search_loop(&self, lane: Lane, hash_mb: usize) {
        let new_engine = || Engine::new(Options { hash_mb, ..Options::default() });
        let mut engine = new_engine();
        while let Some((started, work)) = self.next(lane) {
            self.metrics.engine_wait.add(started.at.duration_since(started.request.since));
            // A panic in one search must not stop the engine in all games.
            if catch_unwind(AssertUnwindSafe(|| work(&mut engine, &started))).is_err() {
                tracing::error!("a search panicked");
                engine = new_engine();
            }
            let mut state = self.state();
            lane(&mut state).finish(&started);
            self.changed_to(state);
        }
    }

    /// Waits for the next search; `None` when the pool closes.
    fn next(&self, lane: Lane) -> Option<(Started, Work)> {
        let mut state = self.state();
        while !state.is_closing {
            if let Some(next) = lane(&mut state).start_next(Instant::now()) {
                self.changed_to(state);
                return Some(next);
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        None
    }

    /// Stops searches in time, and drops those that are refused or no longer wanted.
    fn cut_loop(&self) {
        let mut state = self.state();
        while !state.is_closing {
            let mut dropped = state.long.take_dropped();
            dropped.append(&mut state.quick.take_dropped());
            if !dropped.is_empty() {
                self.metrics.engine_dropped.fetch_add(dropped.len() as u64, Relaxed);
                self.changed_to(state);
                // Without the lock: dropping work reports to its asker.
                drop(dropped);
                state = self.state();
            }
            let now = Instant::now();
            let wait = state.long.cut(now).min(state.quick.cut(now));
            let woken = self.changed.wait_timeout(state, wait);
            state = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn search_lines(
        &self,
        engine: &mut Engine,
        position: &Position,
        started: &Started,
    ) -> Analysis {
        let analysis = Analysis::search(engine, position, &self.limits(), &started.stop);
        if analysis.is_cut {
            self.metrics.engine_cut.fetch_add(1, Relaxed);
        }
        analysis
    }

    fn limits(&self) -> Limits {
        Limits { time: Some(self.full_time), ..Limits::default() }
    }
}
