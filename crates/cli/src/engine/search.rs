//! The search thread, and the translation of limits and results between protocol and engine.

use super::queue::{LoopEvent, Queue};
use azulejo_engine::{Clock, Engine, Limits, Stop};
use azulejo_notation::protocol::{Go, Info, Score};
use azulejo_rules::Position;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;
use std::time::Duration;

/// The time limit of a `go` without limits: the answer comes within a second.
const DEFAULT_TIME: Duration = Duration::from_millis(950);

/// Times are capped at a year: adding `u64::MAX` milliseconds to an `Instant` would overflow.
const LONGEST_MS: u64 = 365 * 24 * 60 * 60 * 1000;

/// Starts a search in a thread of its own.
pub(super) fn spawn(
    mut engine: Box<Engine>,
    position: Position,
    limits: Limits,
    stop: Stop,
    queue: &Queue,
) -> io::Result<()> {
    let sender = queue.sender();
    let search = move || {
        // Unwind safety: the engine is not used again after a panic.
        let answer = catch_unwind(AssertUnwindSafe(|| {
            engine.search(&position, &limits, &stop, &mut |found| {
                // Sending fails only when the program is about to end.
                let _ = sender.send(LoopEvent::Found(info(found)));
            })
        }));
        let outcome = answer.map_or(LoopEvent::Failed, |answer| LoopEvent::Searched {
            engine,
            answer: answer.map(Box::new),
        });
        let _ = sender.send(outcome);
    };
    thread::Builder::new().name("search".to_owned()).spawn(search).map(drop)
}

/// The limits of a search.
pub(super) fn limits(go: &Go) -> Limits {
    let time = |ms: u64| Duration::from_millis(ms.min(LONGEST_MS));
    let clock = go.clock_ms.map(|left_ms| Clock {
        left: time(left_ms),
        increment: time(go.increment_ms.unwrap_or(0)),
    });
    let limits = Limits { time: go.movetime_ms.map(time), nodes: go.nodes, depth: go.depth, clock };
    if limits == Limits::default() && !go.infinite {
        return Limits { time: Some(DEFAULT_TIME), ..limits };
    }
    limits
}

/// A result of the search as a protocol message.
pub(super) fn info(found: &azulejo_engine::Info) -> Info {
    let forecast = &found.forecast;
    let has_score = !forecast.difference.is_empty() || !forecast.win.is_empty();
    let micros = found.time.as_micros();
    let nps = (u128::from(found.nodes) * 1_000_000).checked_div(micros);
    Info {
        depth: Some(found.depth),
        multi_pv: Some(found.multi_pv as u32),
        score: has_score.then(|| Score::new(&forecast.difference, &forecast.win)),
        exact: found.exact,
        proved: found.proved,
        nodes: Some(found.nodes),
        nps: nps.map(|nps| nps.try_into().unwrap_or(u64::MAX)),
        time_ms: Some(found.time.as_millis().try_into().unwrap_or(u64::MAX)),
        hashfull: Some(found.hash_full),
        pv: found.pv.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_go_has_limits() {
        let second = Duration::from_secs(1);
        let none = Limits::default();
        let year = Duration::from_millis(LONGEST_MS);
        let clock = |left, increment| Limits { clock: Some(Clock { left, increment }), ..none };
        let rows = [
            (Go::default(), Limits { time: Some(DEFAULT_TIME), ..none }),
            (Go::infinite(), none),
            (Go::movetime(0), Limits { time: Some(Duration::ZERO), ..none }),
            (Go::movetime(1000), Limits { time: Some(second), ..none }),
            (Go::movetime(u64::MAX), Limits { time: Some(year), ..none }),
            (Go::nodes(1 << 63), Limits { nodes: Some(1 << 63), ..none }),
            (Go::depth(0), Limits { depth: Some(0), ..none }),
            (Go::clock(1000, 0), clock(second, Duration::ZERO)),
            (Go { increment_ms: None, ..Go::clock(1000, 5) }, clock(second, Duration::ZERO)),
            (Go::clock(u64::MAX, u64::MAX), clock(year, year)),
            // An increment without a clock limits nothing.
            (
                Go { increment_ms: Some(1), ..Go::default() },
                Limits { time: Some(DEFAULT_TIME), ..none },
            ),
        ];
        for (go, expected) in rows {
            assert_eq!(limits(&go), expected, "{go}");
        }
    }

    #[test]
    fn info_prints_rounded_numbers() {
        let found = azulejo_engine::Info {
            depth: 7,
            nodes: 81_234,
            time: Duration::from_micros(13_500),
            hash_full: 12,
            multi_pv: 1,
            forecast: azulejo_engine::Forecast {
                difference: [3.404, -3.404].into_iter().collect(),
                win: [0.71, 0.29].into_iter().collect(),
            },
            exact: true,
            proved: true,
            pv: vec!["3B2".parse().expect("a move")],
        };
        let expected = "info depth 7 multipv 1 score diff 3.40 -3.40 win 0.710 0.290 exact \
                        proved nodes 81234 nps 6017333 time 13 hashfull 12 pv 3B2";
        assert_eq!(info(&found).to_string(), expected);
        let mut found = found;
        (found.time, found.pv) = (Duration::ZERO, Vec::new());
        (found.exact, found.proved) = (false, false);
        found.forecast.difference.clear();
        found.forecast.win.clear();
        assert_eq!(
            info(&found).to_string(),
            "info depth 7 multipv 1 nodes 81234 time 0 hashfull 12"
        );
    }
}
