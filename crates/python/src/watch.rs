//! Long work without the interpreter's lock that Python can still interrupt.

use azulejo_engine::Stop;
use pyo3::prelude::*;
use std::sync::mpsc;
use std::time::Duration;

/// How often Python is asked for signals such as Ctrl-C.
const INTERVAL: Duration = Duration::from_millis(50);

/// Runs `work` on a thread of its own. Meanwhile Python handles its signals and calls `tell`, twenty
/// times a second; an exception of either stops the work and is returned. To be called without the
/// interpreter's lock.
pub(crate) fn watched<R: Send>(
    work: impl FnOnce() -> R + Send,
    stop: &Stop,
    tell: impl Fn(Python<'_>) -> PyResult<()>,
) -> PyResult<R> {
    std::thread::scope(|scope| {
        let (done, is_done) = mpsc::channel();
        let work = scope.spawn(move || {
            let result = work();
            // Nobody listens after an exception.
            let _ = done.send(());
            result
        });
        let mut told = Ok(());
        while told.is_ok() && is_done.recv_timeout(INTERVAL) == Err(mpsc::RecvTimeoutError::Timeout)
        {
            told = Python::attach(|py| py.check_signals().and_then(|()| tell(py)));
        }
        if told.is_err() {
            stop.stop();
        }
        let result = work.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        told.map(|()| result)
    })
}
