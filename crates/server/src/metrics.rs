//! Metrics in the text format of Prometheus. None of them is about a single person or game.
//!
//! Written here because it is less than what the `metrics` crates need to set up, and because their
//! recorder is global: two servers in one process, as in tests, would share it.

use crate::process::{Process, max_open_files};
use axum::http::Method;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The upper bounds of the buckets of a histogram, in microseconds.
const BOUNDS_US: [u64; 12] = [
    500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 250_000, 1_000_000, 5_000_000,
    30_000_000,
];

/// The counters, gauges and histograms.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    /// Requests by route and status.
    pub routes: Routes,
    /// Requests, sockets and connections refused by the limits.
    pub limited: AtomicU64,
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
    /// Subscribers that missed messages because they did not read, and were sent the state.
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

/// The times of a database.
#[derive(Debug, Default)]
pub(crate) struct StoreTimes {
    /// A query, with the wait for a connection.
    pub read: Histogram,
    /// A write, from the queue to the answer.
    pub write: Histogram,
    /// A transaction of the writer, which has many writes.
    pub commit: Histogram,
}

/// A histogram of durations.
#[derive(Debug, Default)]
pub(crate) struct Histogram {
    buckets: [AtomicU64; BOUNDS_US.len()],
    count: AtomicU64,
    sum_us: AtomicU64,
}

impl Histogram {
    /// Counts a duration.
    pub(crate) fn add(&self, duration: Duration) {
        let us = u64::try_from(duration.as_micros()).unwrap_or(u64::MAX);
        // The buckets are summed up when they are written.
        if let Some(i) = BOUNDS_US.iter().position(|bound| us <= *bound) {
            self.buckets[i].fetch_add(1, Relaxed);
        }
        self.count.fetch_add(1, Relaxed);
        self.sum_us.fetch_add(us, Relaxed);
    }

    /// Writes its lines. `labels` is empty or ends with a comma.
    fn write(&self, text: &mut String, name: &str, labels: &str) {
        let mut n = 0;
        for (bucket, bound) in self.buckets.iter().zip(BOUNDS_US) {
            n += bucket.load(Relaxed);
            let bound = bound as f64 / 1e6;
            let _ = writeln!(text, "azulejo_{name}_bucket{{{labels}le=\"{bound}\"}} {n}");
        }
        let count = self.count.load(Relaxed).max(n);
        let _ = writeln!(text, "azulejo_{name}_bucket{{{labels}le=\"+Inf\"}} {count}");
        let sum_s = self.sum_us.load(Relaxed) as f64 / 1e6;
        let labels = labels.trim_end_matches(',');
        let labels = if labels.is_empty() { String::new() } else { format!("{{{labels}}}") };
        let _ = writeln!(text, "azulejo_{name}_sum{labels} {sum_s}");
        let _ = writeln!(text, "azulejo_{name}_count{labels} {count}");
    }
}

/// Requests by method and pattern of the path. There are as many as the API has, whatever is asked for.
#[derive(Debug, Default)]
pub(crate) struct Routes(Mutex<BTreeMap<(&'static str, String), Route>>);

#[derive(Debug, Default)]
struct Route {
    by_status: BTreeMap<u16, u64>,
    times: Histogram,
}

impl Routes {
    /// Counts an answer.
    pub(crate) fn count(&self, method: &Method, route: &str, status: u16, time: Duration) {
        let method = match *method {
            Method::GET => "GET",
            Method::HEAD => "HEAD",
            Method::POST => "POST",
            Method::PATCH => "PATCH",
            Method::DELETE => "DELETE",
            _ => "other",
        };
        let mut routes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let route = routes.entry((method, route.to_owned())).or_default();
        *route.by_status.entry(status).or_default() += 1;
        route.times.add(time);
    }

    fn write(&self, text: &mut String) {
        let routes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        head(text, "azulejo_requests_total", "counter", "Requests answered");
        for ((method, path), route) in routes.iter() {
            for (status, n) in &route.by_status {
                let labels = format!("method=\"{method}\",route=\"{path}\",status=\"{status}\"");
                let _ = writeln!(text, "azulejo_requests_total{{{labels}}} {n}");
            }
        }
        head(text, "azulejo_request_seconds", "histogram", "From a request to its answer");
        for ((method, path), route) in routes.iter() {
            let labels = format!("method=\"{method}\",route=\"{path}\",");
            route.times.write(text, "request_seconds", &labels);
        }
    }
}

impl Metrics {
    /// All metrics as text, with those of the database and of the process.
    #[must_use]
    pub(crate) fn text(&self, store: &StoreTimes, n_connections: usize) -> String {
        let mut text = String::new();
        self.routes.write(&mut text);
        let counters = [
            ("limited_total", &self.limited, "Requests and connections refused by the limits"),
            ("games_created_total", &self.games_created, "Games created"),
            ("events_total", &self.events, "Events logged by this node"),
            ("conflicts_total", &self.conflicts, "Events that another node logged first"),
            (
                "too_slow_total",
                &self.too_slow,
                "Subscribers that missed messages because they did not read",
            ),
            ("engine_moves_total", &self.engine_moves, "Moves of the engine"),
            ("engine_cut_total", &self.engine_cut, "Searches that had less time than without load"),
            ("engine_known_total", &self.engine_known, "Analyses that were known already"),
            ("engine_dropped_total", &self.engine_dropped, "Searches refused or no longer wanted"),
        ];
        for (name, value, help) in counters {
            line(&mut text, &format!("azulejo_{name}"), "counter", help, value.load(Relaxed));
        }
        let gauges = [
            ("games_in_memory", self.tables.load(Relaxed), "Games in memory"),
            ("sockets", self.sockets.load(Relaxed), "Open sockets and streams"),
            ("connections", n_connections as i64, "Open connections and sockets"),
            ("engine_jobs", self.engine_jobs.load(Relaxed), "Searches that wait or run"),
        ];
        for (name, value, help) in gauges {
            line(&mut text, &format!("azulejo_{name}"), "gauge", help, value);
        }
        let histograms = [
            ("command_seconds", &self.latency, "From a command to its event being sent"),
            ("engine_wait_seconds", &self.engine_wait, "From a search being queued to its start"),
            ("database_read_seconds", &store.read, "A query of the database"),
            ("database_write_seconds", &store.write, "A write, from the queue to its answer"),
            ("database_commit_seconds", &store.commit, "A transaction of many writes"),
        ];
        for (name, histogram, help) in histograms {
            head(&mut text, &format!("azulejo_{name}"), "histogram", help);
            histogram.write(&mut text, name, "");
        }
        write_process(&mut text);
        text
    }
}

/// The figures of the process, under the names that all programs use for them.
fn write_process(text: &mut String) {
    if let Some(process) = Process::now() {
        let Process { cpu_s, resident_bytes, open_files } = process;
        line(text, "process_cpu_seconds_total", "counter", "User and system CPU time", cpu_s);
        line(text, "process_resident_memory_bytes", "gauge", "Memory in RAM", resident_bytes);
        line(text, "process_open_fds", "gauge", "Open files and sockets", open_files);
    }
    if let Some(most) = max_open_files() {
        line(text, "process_max_fds", "gauge", "The limit of open files and sockets", most);
    }
}

fn head(text: &mut String, name: &str, kind: &str, help: &str) {
    let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}");
}

fn line(text: &mut String, name: &str, kind: &str, help: &str, value: impl std::fmt::Display) {
    head(text, name, kind, help);
    let _ = writeln!(text, "{name} {value}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_counted_by_size() {
        let metrics = Metrics::default();
        metrics.latency.add(Duration::from_millis(7));
        metrics.latency.add(Duration::from_secs(60));
        let time = Duration::from_millis(3);
        metrics.routes.count(&Method::GET, "/a/{id}", 200, time);
        metrics.routes.count(&Method::GET, "/a/{id}", 404, time);
        metrics.routes.count(&Method::OPTIONS, "/a/{id}", 405, time);
        let text = metrics.text(&StoreTimes::default(), 5);
        for line in [
            "azulejo_command_seconds_bucket{le=\"0.005\"} 0",
            "azulejo_command_seconds_bucket{le=\"0.01\"} 1",
            "azulejo_command_seconds_bucket{le=\"30\"} 1",
            "azulejo_command_seconds_bucket{le=\"+Inf\"} 2",
            "azulejo_command_seconds_count 2",
            "azulejo_requests_total{method=\"GET\",route=\"/a/{id}\",status=\"404\"} 1",
            "azulejo_requests_total{method=\"other\",route=\"/a/{id}\",status=\"405\"} 1",
            "azulejo_request_seconds_bucket{method=\"GET\",route=\"/a/{id}\",le=\"0.002\"} 0",
            "azulejo_request_seconds_bucket{method=\"GET\",route=\"/a/{id}\",le=\"0.005\"} 2",
            "azulejo_request_seconds_count{method=\"GET\",route=\"/a/{id}\"} 2",
            "azulejo_connections 5",
            "azulejo_database_read_seconds_count 0",
        ] {
            assert!(text.lines().any(|found| found == line), "{line}\n{text}");
        }
    }
}
