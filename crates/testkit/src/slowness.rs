//! How busy the machine is while a test measures times.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How long the probe computes, and how long it pauses.
const WORK: Duration = Duration::from_millis(20);
const PAUSE: Duration = Duration::from_millis(80);

/// Measures how much slower than on an idle machine a thread computes, because others compute, too. A
/// test multiplies its time limits by this factor: it fails on a slow program and not on a busy machine.
pub struct Slowness {
    is_over: Arc<AtomicBool>,
    probe: JoinHandle<f64>,
}

impl Slowness {
    /// Starts to measure.
    #[must_use]
    pub fn measure() -> Slowness {
        let is_over = Arc::new(AtomicBool::new(false));
        let probe = std::thread::spawn({
            let is_over = Arc::clone(&is_over);
            move || probe(&is_over)
        });
        Slowness { is_over, probe }
    }

    /// The factor: 1 on an idle machine, and where the system does not tell (only Linux does).
    ///
    /// # Panics
    /// If the probe has panicked.
    #[must_use]
    pub fn factor(self) -> f64 {
        self.is_over.store(true, Relaxed);
        self.probe.join().expect("the probe does not panic")
    }
}

/// The time that a computing thread took, divided by its processor time.
fn probe(is_over: &AtomicBool) -> f64 {
    let (mut time, mut processor_time) = (Duration::ZERO, Duration::ZERO);
    while !is_over.load(Relaxed) {
        let (start, before) = (Instant::now(), thread_time());
        while start.elapsed() < WORK {
            std::hint::spin_loop();
        }
        if let (Some(before), Some(after)) = (before, thread_time()) {
            time += start.elapsed();
            processor_time += after - before;
        }
        std::thread::sleep(PAUSE);
    }
    (time.as_secs_f64() / processor_time.as_secs_f64().max(1e-6)).max(1.0)
}

/// The processor time of this thread.
fn thread_time() -> Option<Duration> {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    stat.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}
