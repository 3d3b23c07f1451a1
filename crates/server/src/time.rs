//! A monotonic clock with the time of day. Events carry the time of day, which all nodes share, but
//! setting the machine's clock while the server runs must not cost a player time. So the time of day
//! is read once, at the start, and counted from there. It starts no earlier than the last event in the
//! log.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// A clock that never jumps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    started_ms: i64,
    started: Instant,
}

impl Clock {
    /// A clock that starts at a time, in milliseconds since 1970.
    #[must_use]
    pub(crate) fn new(now_ms: i64) -> Clock {
        Clock { started_ms: now_ms, started: Instant::now() }
    }

    /// Milliseconds since 1970.
    #[must_use]
    pub(crate) fn now_ms(&self) -> i64 {
        self.started_ms.saturating_add(millis(self.started.elapsed()))
    }

    /// When the server started.
    #[must_use]
    pub(crate) const fn started_ms(&self) -> i64 {
        self.started_ms
    }
}

/// A time of day in milliseconds since 1970.
pub(crate) fn since_1970_ms(time: SystemTime) -> i64 {
    millis(time.duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO))
}

fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_goes_forward() {
        let clock = Clock::new(since_1970_ms(SystemTime::now()));
        let before = clock.now_ms();
        assert!(clock.now_ms() >= before && before >= clock.started_ms());
    }
}
