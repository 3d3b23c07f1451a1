//! The engine in a thread of its own: it searches one position at a time and reports its lines. A new
//! request stops the search before it.

use azulejo_engine::{Answer, Clock, Engine, Info, Level, Limits, Options, Stop};
use azulejo_rules::Position;
use std::sync::mpsc::{self, Sender};
use std::time::{Duration, Instant};

use crate::session::Session;

/// The size of the transposition table; in a few seconds of search a larger one brings nothing.
const HASH_MB: usize = 32;

/// A position to search, with level and limits.
#[derive(Clone, Debug)]
pub struct SearchRequest {
    /// Repeated in the reports, to tell them from those of another request. Set by the asker.
    pub id: u64,
    /// The position.
    pub position: Position,
    /// The level.
    pub level: Level,
    /// Time and other limits.
    pub limits: Limits,
    /// The number of best moves wanted (MultiPV).
    pub n_lines: usize,
    /// Seeds the errors of weak levels.
    pub seed: u64,
}

impl SearchRequest {
    /// The move of the player whose turn it is, at its level, within `think` or its clock.
    #[must_use]
    pub fn turn(session: &Session, level: Level, think: Duration, now: Instant) -> SearchRequest {
        let turn = session.position().turn();
        let clock = session.clock().map(|clock| Clock {
            left: Duration::from_millis(clock.left_ms(turn, now).max(0) as u64),
            increment: Duration::from_secs(clock.control().increment_s.into()),
        });
        // With a long clock the engine still answers within `think`.
        let limits = Limits { time: Some(think), clock, ..Limits::default() };
        let seed = session.record().seed().map_or(0, |seed| hash(seed.as_str()));
        // After an undo a weak level has another idea in the same position.
        let seed = seed.wrapping_add(session.n_undos());
        SearchRequest { id: 0, position: *session.position(), level, limits, n_lines: 1, seed }
    }

    /// The best moves of a position, for a hint.
    #[must_use]
    pub fn advice(position: &Position, time: Duration) -> SearchRequest {
        let limits = Limits { time: Some(time), ..Limits::default() };
        SearchRequest { id: 0, position: *position, level: Level::MAX, limits, n_lines: 3, seed: 0 }
    }
}

/// The best lines of play found so far, the best first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BestLines(Vec<Info>);

impl BestLines {
    /// Takes in a line. The first line of a deeper iteration replaces all lines of the iteration
    /// before.
    pub fn add(&mut self, info: Info) {
        self.0.truncate(info.multi_pv.max(1) - 1);
        self.0.push(info);
    }

    /// All lines, the best first.
    #[must_use]
    pub fn all(&self) -> &[Info] {
        &self.0
    }
}

/// FNV-1a.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// A report of the thread.
#[derive(Clone, Debug)]
pub enum Report {
    /// A line of play, found so far.
    Found {
        /// The request.
        id: u64,
        /// The line.
        info: Info,
    },
    /// The search is over.
    Done {
        /// The request.
        id: u64,
        /// The move, unless the position has none.
        answer: Option<Answer>,
    },
}

/// The handle of the thread. Dropping it stops the search.
#[derive(Debug)]
pub struct EngineThread {
    requests: Sender<(SearchRequest, Stop)>,
    stop: Stop,
}

impl EngineThread {
    /// Starts the thread, which calls `report` for each line and at the end of a search.
    #[must_use]
    pub fn new(report: impl Fn(Report) + Send + 'static) -> EngineThread {
        let (requests, inbox) = mpsc::channel::<(SearchRequest, Stop)>();
        std::thread::spawn(move || {
            let mut engine = None;
            for (request, stop) in inbox {
                if !stop.is_stopped() {
                    let engine = engine.get_or_insert_with(new_engine);
                    let mut found = |info: &Info| {
                        report(Report::Found { id: request.id, info: info.clone() });
                    };
                    let answer = search(engine, &request, &stop, &mut found);
                    report(Report::Done { id: request.id, answer });
                }
            }
        });
        EngineThread { requests, stop: Stop::new() }
    }

    /// Stops the search under way and starts this one.
    pub fn search(&mut self, request: SearchRequest) {
        self.stop();
        // The thread ends only with this struct, or by a fault that has been reported.
        let _ = self.requests.send((request, self.stop.clone()));
    }

    /// Stops the search.
    pub fn stop(&mut self) {
        self.stop.stop();
        self.stop = Stop::new();
    }
}

impl Drop for EngineThread {
    fn drop(&mut self) {
        self.stop.stop();
    }
}

/// An engine as the terminal uses it.
#[must_use]
pub fn new_engine() -> Engine {
    Engine::new(Options { hash_mb: HASH_MB, ..Options::default() })
}

/// Searches in this thread.
pub fn search(
    engine: &mut Engine,
    request: &SearchRequest,
    stop: &Stop,
    report: &mut dyn FnMut(&Info),
) -> Option<Answer> {
    let options = Options {
        level: request.level,
        multi_pv: request.n_lines,
        seed: request.seed,
        ..engine.options().clone()
    };
    engine.set_options(options);
    engine.search(&request.position, &request.limits, stop, report)
}
