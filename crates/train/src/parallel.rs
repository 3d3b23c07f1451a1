//! Runs jobs on several threads and returns their results in order.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// Runs each job on its own thread, the first one on the current thread.
///
/// # Panics
/// If a job panics.
pub(crate) fn run<T: Send, J: FnOnce() -> T + Send>(jobs: impl Iterator<Item = J>) -> Vec<T> {
    std::thread::scope(|scope| {
        let mut jobs = jobs;
        let first = jobs.next();
        let others: Vec<_> = jobs.map(|job| scope.spawn(job)).collect();
        let mut results: Vec<T> = first.into_iter().map(|job| job()).collect();
        for other in others {
            match other.join() {
                Ok(result) => results.push(result),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        results
    })
}

/// Handles items on a number of threads, at least one, and returns the results in the order of the
/// items. Each thread begins with a `state` of its own. After a failure no further item begins.
///
/// # Errors
/// The error of the first thread that failed.
pub(crate) fn map<I: Send, S, T: Send>(
    threads: usize,
    items: impl Iterator<Item = I> + Send,
    state: impl Fn() -> S + Sync,
    job: impl Fn(&mut S, I) -> anyhow::Result<T> + Sync,
) -> anyhow::Result<Vec<T>> {
    let queue = Mutex::new(items.enumerate());
    let has_failed = AtomicBool::new(false);
    let next = || queue.lock().ok().and_then(|mut queue| queue.next());
    let worker = || -> anyhow::Result<Vec<(usize, T)>> {
        let (mut state, mut done) = (state(), Vec::new());
        while !has_failed.load(Ordering::Relaxed)
            && let Some((i, item)) = next()
        {
            let result = job(&mut state, item);
            done.push((i, result.inspect_err(|_| has_failed.store(true, Ordering::Relaxed))?));
        }
        Ok(done)
    };
    let parts = run((0..threads.max(1)).map(|_| &worker));
    let mut results = Vec::new();
    for part in parts {
        results.extend(part?);
    }
    results.sort_by_key(|&(i, _)| i);
    Ok(results.into_iter().map(|(_, result)| result).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_keep_their_order() {
        let results = run((0..5).map(|i| move || i * i));
        assert_eq!(results, [0, 1, 4, 9, 16]);
        assert!(run(std::iter::empty::<fn() -> u8>()).is_empty());
    }

    #[test]
    fn one_failure_is_enough() {
        let failed = map(
            3,
            0..9,
            || (),
            |(), i| match i {
                1 => Err(anyhow::anyhow!("the second")),
                _ => Ok(()),
            },
        );
        assert_eq!(failed.unwrap_err().to_string(), "the second");
        assert_eq!(map(0, 0..3, || 1, |one, i| Ok(i + *one)).unwrap(), [1, 2, 3]);
    }
}
