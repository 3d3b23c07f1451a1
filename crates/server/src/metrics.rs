//! Metrics in the text format of Prometheus. None of them is about a single person or game.

use std::fmt::Write;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// The upper bounds of the latency buckets, in milliseconds.
const BOUNDS_MS: [u64; 10] = [1, 2, 5, 10, 20, 50, 100, 250, 1_000, 5_000];

/// The counters and gauges.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    /// Requests answered.
    pub requests: AtomicU64,
    /// Requests refused by the rate limits.
    pub limited: AtomicU64,
    /// Answers with a 5xx status.
    pub failures: AtomicU64,
    /// Games created.
    pub games_created: AtomicU64,
    /// Events logged by this node.
    pub events: AtomicU64,
    /// Events that another node logged first.
    pub conflicts: AtomicU64,
    /// Games in memory.
    pub tables: AtomicI64,
    /// Open sockets and streams.
    pub sockets: AtomicI64,
    /// Sockets closed because the client did not read.
    pub too_slow: AtomicU64,
    /// Moves of the engine.
    pub engine_moves: AtomicU64,
    /// Searches that are waiting or running.
    pub engine_jobs: AtomicI64,
    /// Searches that had less time than without load.
    pub engine_cut: AtomicU64,
    /// Analyses that were known already.
    pub engine_known: AtomicU64,
    /// Searches that were refused, or whose asker had gone before they began.
    pub engine_dropped: AtomicU64,
    /// The time that searches wait before they begin.
    pub engine_wait: Histogram,
    /// The time from a command to its event being sent.
    pub latency: Histogram,
}

/// A histogram of durations.
#[derive(Debug, Default)]
pub(crate) struct Histogram {
    buckets: [AtomicU64; BOUNDS_MS.len()],
    count: AtomicU64,
    sum_us: AtomicU64,
}

impl Histogram {
    /// Counts a duration.
    pub(crate) fn add(&self, duration: Duration) {
        let ms = duration.as_millis();
        for (bucket, bound) in self.buckets.iter().zip(BOUNDS_MS) {
            if ms < u128::from(bound) {
                bucket.fetch_add(1, Relaxed);
            }
        }
        self.count.fetch_add(1, Relaxed);
        self.sum_us.fetch_add(u64::try_from(duration.as_micros()).unwrap_or(0), Relaxed);
    }

    fn write(&self, text: &mut String, name: &str, help: &str) {
        let name = format!("azulejo_{name}");
        let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} histogram");
        for (bucket, bound) in self.buckets.iter().zip(BOUNDS_MS) {
            let (bound, n) = (bound as f64 / 1_000.0, bucket.load(Relaxed));
            let _ = writeln!(text, "{name}_bucket{{le=\"{bound}\"}} {n}");
        }
        let (count, sum) = (self.count.load(Relaxed), self.sum_us.load(Relaxed));
        let _ = writeln!(text, "{name}_bucket{{le=\"+Inf\"}} {count}");
        let _ = writeln!(text, "{name}_sum {}\n{name}_count {count}", sum as f64 / 1e6);
    }
}

impl Metrics {
    /// All metrics as text.
    #[must_use]
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        let counters = [
            ("requests_total", &self.requests, "Requests answered"),
            ("limited_total", &self.limited, "Requests refused by the rate limits"),
            ("failures_total", &self.failures, "Answers with a 5xx status"),
            ("games_created_total", &self.games_created, "Games created"),
            ("events_total", &self.events, "Events logged by this node"),
            ("conflicts_total", &self.conflicts, "Events that another node logged first"),
            ("too_slow_total", &self.too_slow, "Sockets closed because the client did not read"),
            ("engine_moves_total", &self.engine_moves, "Moves of the engine"),
            ("engine_cut_total", &self.engine_cut, "Searches that had less time than without load"),
            ("engine_known_total", &self.engine_known, "Analyses that were known already"),
            ("engine_dropped_total", &self.engine_dropped, "Searches refused or no longer wanted"),
        ];
        for (name, value, help) in counters {
            line(&mut text, name, "counter", help, value.load(Relaxed) as i64);
        }
        let gauges = [
            ("games_in_memory", &self.tables, "Games in memory"),
            ("sockets", &self.sockets, "Open sockets and streams"),
            ("engine_jobs", &self.engine_jobs, "Searches that are waiting or running"),
        ];
        for (name, value, help) in gauges {
            line(&mut text, name, "gauge", help, value.load(Relaxed));
        }
        let histograms = [
            ("command_seconds", &self.latency, "From a command to its event being sent"),
            (
                "engine_wait_seconds",
                &self.engine_wait,
                "From a question to the engine to its search",
            ),
        ];
        for (name, value, help) in histograms {
            value.write(&mut text, name, help);
        }
        text
    }
}

fn line(text: &mut String, name: &str, kind: &str, help: &str, value: i64) {
    let _ = writeln!(
        text,
        "# HELP azulejo_{name} {help}\n# TYPE azulejo_{name} {kind}\nazulejo_{name} {value}"
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_counted_by_size() {
        let metrics = Metrics::default();
        metrics.latency.add(Duration::from_millis(7));
        metrics.latency.add(Duration::from_secs(60));
        let text = metrics.text();
        for line in [
            "azulejo_command_seconds_bucket{le=\"0.005\"} 0",
            "azulejo_command_seconds_bucket{le=\"0.01\"} 1",
            "azulejo_command_seconds_bucket{le=\"5\"} 1",
            "azulejo_command_seconds_bucket{le=\"+Inf\"} 2",
            "azulejo_command_seconds_count 2",
            "azulejo_requests_total 0",
        ] {
            assert!(text.lines().any(|found| found == line), "{line}\n{text}");
        }
    }
}
