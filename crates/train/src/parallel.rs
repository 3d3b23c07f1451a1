//! Runs jobs on several threads and returns their results in order.

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

/// Runs the same job on a number of threads, at least one.
///
/// # Errors
/// The error of the first thread that failed.
pub(crate) fn workers(
    threads: usize,
    job: impl Fn() -> anyhow::Result<()> + Sync,
) -> anyhow::Result<()> {
    run((0..threads.max(1)).map(|_| &job)).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    #[test]
    fn results_keep_their_order() {
        let results = run((0..5).map(|i| move || i * i));
        assert_eq!(results, [0, 1, 4, 9, 16]);
        assert!(run(std::iter::empty::<fn() -> u8>()).is_empty());
    }

    #[test]
    fn one_failure_is_enough() {
        let n = AtomicU32::new(0);
        let failed = workers(3, || match n.fetch_add(1, Ordering::Relaxed) {
            1 => Err(anyhow::anyhow!("the second")),
            _ => Ok(()),
        });
        assert_eq!(failed.unwrap_err().to_string(), "the second");
        assert!(workers(0, || Ok(())).is_ok());
    }
}
