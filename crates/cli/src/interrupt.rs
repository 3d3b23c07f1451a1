//! Ctrl-C and SIGTERM end long computations; what is done is kept. A second signal exits at once.

use azulejo_engine::Stop;
use std::sync::atomic::{AtomicBool, Ordering};

/// A switch that the first signal turns on.
pub(crate) fn stop_when_interrupted() -> Stop {
    let stop = Stop::new();
    let (switch, interrupted) = (stop.clone(), AtomicBool::new(false));
    // Fails where signals were ignored when the program started; they stay ignored.
    let _ = ctrlc::try_set_handler(move || {
        if interrupted.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        switch.stop();
    });
    stop
}
