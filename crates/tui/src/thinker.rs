//! The engine beside the game: a thread that searches one position at a time and reports what it
//! finds. A new order ends the search before it.

use azulejo_engine::{Answer, Clock, Engine, Info, Level, Limits, Options, Stop};
use azulejo_rules::Position;
use std::sync::mpsc::{self, Sender};
use std::time::{Duration, Instant};

use crate::session::Session;

/// Memory for positions already searched; more brings nothing in a few seconds.
const HASH_MB: usize = 32;

/// A position to think about.
#[derive(Clone, Debug)]
pub struct Order {
    /// Tells the reports of one order from those of another.
    pub id: u64,
    /// The position.
    pub position: Position,
    /// How strong.
    pub level: Level,
    /// How long.
    pub limits: Limits,
    /// How many of the best moves are wanted.
    pub n_lines: usize,
    /// Decides between moves where a level leaves it to chance.
    pub luck: u64,
}

impl Order {
    /// The move of the player whose turn it is, at its level, within `think` or its clock.
    #[must_use]
    pub fn turn(id: u64, session: &Session, level: Level, think: Duration, now: Instant) -> Order {
        let turn = session.position().turn();
        let clock = session.clock().map(|clock| Clock {
            left: Duration::from_millis(clock.left_ms(turn, now).max(0) as u64),
            increment: Duration::from_secs(clock.control().increment_s.into()),
        });
        // Also with a clock nobody waits for ever.
        let limits = Limits { time: Some(think), clock, ..Limits::default() };
        let luck = session.record().seed().map_or(0, |seed| luck(seed.as_str()));
        Order { id, position: *session.position(), level, limits, n_lines: 1, luck }
    }

    /// The best moves of a position, whoever's turn it is.
    #[must_use]
    pub fn advice(id: u64, position: &Position, time: Duration) -> Order {
        let limits = Limits { time: Some(time), ..Limits::default() };
        Order { id, position: *position, level: Level::MAX, limits, n_lines: 3, luck: 0 }
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

/// A number that differs from game to game (FNV-1a).
fn luck(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// What the thread reports.
#[derive(Clone, Debug)]
pub enum Report {
    /// A line of play, found so far.
    Found {
        /// Of which order.
        id: u64,
        /// What was found.
        info: Info,
    },
    /// The search is over.
    Done {
        /// Of which order.
        id: u64,
        /// The move, unless the position has none.
        answer: Option<Answer>,
    },
}

/// The thread, as its owner sees it. When it is dropped the search ends.
#[derive(Debug)]
pub struct Thinker {
    orders: Sender<(Order, Stop)>,
    stop: Stop,
}

impl Thinker {
    /// Starts the thread, which says to `report` what it finds.
    #[must_use]
    pub fn new(report: impl Fn(Report) + Send + 'static) -> Thinker {
        let (orders, inbox) = mpsc::channel::<(Order, Stop)>();
        std::thread::spawn(move || {
            let mut engine = None;
            for (order, stop) in inbox {
                if !stop.is_stopped() {
                    let engine = engine.get_or_insert_with(new_engine);
                    let mut found = |info: &Info| {
                        report(Report::Found { id: order.id, info: info.clone() });
                    };
                    let answer = search(engine, &order, &stop, &mut found);
                    report(Report::Done { id: order.id, answer });
                }
            }
        });
        Thinker { orders, stop: Stop::new() }
    }

    /// Thinks about this from now on.
    pub fn think(&mut self, order: Order) {
        self.rest();
        // The thread ends only with this struct, or by a fault that has been reported.
        let _ = self.orders.send((order, self.stop.clone()));
    }

    /// Ends the search.
    pub fn rest(&mut self) {
        self.stop.stop();
        self.stop = Stop::new();
    }
}

impl Drop for Thinker {
    fn drop(&mut self) {
        self.stop.stop();
    }
}

/// An engine for orders.
#[must_use]
pub fn new_engine() -> Engine {
    Engine::new(Options { hash_mb: HASH_MB, ..Options::default() })
}

/// Carries an order out.
pub fn search(
    engine: &mut Engine,
    order: &Order,
    stop: &Stop,
    report: &mut dyn FnMut(&Info),
) -> Option<Answer> {
    let options = Options {
        level: order.level,
        multi_pv: order.n_lines,
        seed: order.luck,
        ..engine.options().clone()
    };
    engine.set_options(options);
    engine.search(&order.position, &order.limits, stop, report)
}
