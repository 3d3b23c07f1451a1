//! Threads that share work which borrows from the caller.

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use std::sync::{Mutex, PoisonError};

/// The threads that step the games: the caller's, and a pool of others.
#[derive(Debug)]
pub(crate) struct Threads {
    /// The other threads; `None` if there are none.
    pool: Option<ThreadPool>,
    /// The process that started them.
    process: u32,
}

impl Threads {
    /// Up to `n_threads` threads; 0 is one for each core.
    pub(crate) fn new(n_threads: usize) -> Result<Threads, ThreadPoolBuildError> {
        let n_cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let n_threads = if n_threads == 0 { n_cores() } else { n_threads };
        let pool = ThreadPoolBuilder::new().num_threads(n_threads - 1);
        let pool = if n_threads > 1 { Some(pool.build()?) } else { None };
        Ok(Threads { pool, process: std::process::id() })
    }

    /// Calls `each` with every piece of the work. The caller begins at once, while the others wake up,
    /// and a thread that is free takes the next piece.
    pub(crate) fn share<T>(
        &mut self,
        work: impl ExactSizeIterator<Item = T> + Send,
        each: impl Fn(T) + Sync,
    ) {
        self.start_after_fork();
        let n_others = self.pool.as_ref().map_or(0, ThreadPool::current_num_threads);
        let n_others = n_others.min(work.len().saturating_sub(1));
        let work = Mutex::new(work);
        let run = || {
            loop {
                let next = work.lock().unwrap_or_else(PoisonError::into_inner).next();
                let Some(piece) = next else { break };
                each(piece);
            }
        };
        match &self.pool {
            Some(pool) if n_others > 0 => pool.in_place_scope(|scope| {
                (0..n_others).for_each(|_| scope.spawn(|_| run()));
                run();
            }),
            _ => run(),
        }
    }

    /// A forked process has none of its parent's threads, so it starts its own.
    fn start_after_fork(&mut self) {
        if self.process == std::process::id() {
            return;
        }
        let n_threads = self.pool.as_ref().map_or(1, |pool| pool.current_num_threads() + 1);
        let own = Threads::new(n_threads).expect("a forked process can start threads");
        // Dropping the pool would wait for threads that are not in this process.
        std::mem::forget(std::mem::replace(self, own));
    }
}
