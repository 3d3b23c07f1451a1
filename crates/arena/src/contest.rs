//! A match: several games at once, until all are played or the SPRT accepts a hypothesis.

use crate::client::{Client, EngineLimits, Halt};
use crate::fault::Fault;
use crate::game::{GameResult, GameRunner};
use crate::schedule::{Schedule, ScheduledGame};
use crate::spec::{Engine, number_duplicate_names};
use crate::sprt::{Sprt, Verdict};
use crate::tally::Tally;
use azulejo_notation::protocol::OptionSpec;
use azulejo_notation::{Dealer, Record, Seed, SeedError};
use azulejo_rules::{Position, Rules};
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::channel;
use std::time::Duration;

/// A match to be played.
#[derive(Clone, Debug)]
pub struct Contest {
    /// The rules, with the number of seats.
    pub rules: Rules,
    /// The engines.
    pub engines: Vec<Engine>,
    /// The number of seats of each engine; together the seats of the rules.
    pub seats: Vec<usize>,
    /// The seed of all shuffles.
    pub seed: Seed,
    /// Positions from which the games of successive shuffles start, in turn; none for new games. All
    /// have the rules of the match.
    pub starts: Vec<Position>,
    /// The number of games, rounded up to whole groups of the same shuffle.
    pub n_games: u64,
    /// Games played at the same time.
    pub concurrency: usize,
    /// The nodes to measure the luck of each deal, by which results are adjusted; `None` for plain
    /// results only.
    pub luck_nodes: Option<u64>,
    /// The test that stops the match early; only for two engines.
    pub sprt: Option<Sprt>,
    /// How long an engine may take to start, and for a move without a time limit.
    pub timeout: Duration,
}

/// Why a match cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ContestError {
    /// The seats of the engines are not those of the rules.
    #[error("the engines take {taken} seats, but the game has {seats}")]
    Seats {
        /// The seats that the engines take.
        taken: usize,
        /// The seats of the rules.
        seats: usize,
    },
    /// SPRT with more than two engines or seats.
    #[error("an SPRT is for two engines with a seat each")]
    Sprt,
    /// The seed is too long to append a number.
    #[error("the seed: {0}")]
    Seed(#[from] SeedError),
    /// An engine does not start.
    #[error("engine {name} {fault}")]
    Engine {
        /// Its name.
        name: String,
        /// What it did.
        fault: Fault,
    },
    /// An engine has no such option.
    #[error("engine {name} has no option `{option}`; it has {has}")]
    NoOption {
        /// Its name.
        name: String,
        /// The option.
        option: String,
        /// The options that it has.
        has: String,
    },
    /// An option does not take this value.
    #[error("engine {name}: the option `{option}` does not take `{value}` ({spec})")]
    Value {
        /// Its name.
        name: String,
        /// The option.
        option: String,
        /// The value.
        value: String,
        /// The option as the engine declared it.
        spec: String,
    },
}

/// Why a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndedBy {
    /// All games are played.
    Complete,
    /// The SPRT accepted a hypothesis.
    Sprt(Verdict),
    /// It was stopped by the caller.
    Stopped,
}

/// The result of a match.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The results of the engines.
    pub tally: Tally,
    /// Why it ended.
    pub ended_by: EndedBy,
}

impl Contest {
    /// Checks the seats, and [meets](Self::meet) the engines.
    ///
    /// # Errors
    /// The first problem found.
    pub fn check(&mut self, stop: &AtomicBool) -> Result<(), ContestError> {
        let (taken, seats) = (self.seats.iter().sum(), self.rules.players().count());
        if taken != seats || self.seats.len() != self.engines.len() || self.seats.contains(&0) {
            return Err(ContestError::Seats { taken, seats });
        }
        if self.sprt.is_some() && self.seats != [1, 1] {
            return Err(ContestError::Sprt);
        }
        self.schedule()?;
        self.meet(stop)
    }

    /// Checks that every engine starts and accepts its options. Engines without a chosen name get their
    /// own.
    ///
    /// # Errors
    /// The first problem found.
    pub fn meet(&mut self, stop: &AtomicBool) -> Result<(), ContestError> {
        let limits = self.limits(stop);
        for engine in &mut self.engines {
            match Client::start(engine, limits) {
                Ok(client) => {
                    check_options(engine, client.options())?;
                    if let Some(name) = client.name().filter(|_| !engine.is_named) {
                        engine.name = name;
                    }
                }
                Err(Halt::Stopped) => return Ok(()),
                Err(Halt::Fault(fault)) => {
                    return Err(ContestError::Engine { name: engine.name.clone(), fault });
                }
            }
        }
        number_duplicate_names(&mut self.engines);
        Ok(())
    }

    /// Plays the match, which has been [checked](Self::check), except for the `finished` games, which
    /// [`resume`](Self::resume) has read. Calls `watch` with every finished game and the tally so far; an
    /// error of it ends the match. Setting `stop` ends it too, within 50 ms, and drops unfinished
    /// games; the match sets it itself when it ends early.
    ///
    /// # Errors
    /// An invalid seed, or the error of `watch`.
    pub fn run<E: From<ContestError>>(
        &self,
        stop: &AtomicBool,
        finished: &[GameResult],
        mut watch: impl FnMut(&GameResult, &Tally) -> Result<(), E>,
    ) -> Result<Summary, E> {
        let schedule = self.schedule()?;
        let n_games = schedule.whole_groups(self.n_games);
        let mut tally = Tally::new(&self.seats, schedule.group_size());
        let mut verdict = Verdict::Undecided;
        let mut done = HashSet::new();
        for result in finished {
            let is_new = done.insert(schedule.number(&result.game));
            if is_new && verdict == Verdict::Undecided && tally.add(result) {
                verdict = self.verdict(&tally);
            }
        }
        if verdict != Verdict::Undecided {
            return Ok(Summary { tally, ended_by: EndedBy::Sprt(verdict) });
        }
        let next = AtomicU64::new(0);
        let (sender, results) = channel();
        let mut watched = Ok(());
        std::thread::scope(|scope| {
            for _ in 0..self.concurrency.max(1) {
                let sender = sender.clone();
                let (schedule, next, done) = (&schedule, &next, &done);
                scope.spawn(move || {
                    let mut runner = GameRunner::new(self, self.limits(stop));
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= n_games || stop.load(Ordering::Relaxed) {
                            return;
                        }
                        if done.contains(&number) {
                            continue;
                        }
                        let Ok(result) = runner.play(schedule.game(number)) else { return };
                        if sender.send(result).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            for result in results {
                // Games that finish after the decision do not count.
                if verdict != Verdict::Undecided || watched.is_err() {
                    continue;
                }
                let is_group_complete = tally.add(&result);
                watched = watch(&result, &tally);
                if is_group_complete {
                    verdict = self.verdict(&tally);
                }
                if verdict != Verdict::Undecided || watched.is_err() {
                    stop.store(true, Ordering::Relaxed);
                }
            }
        });
        watched?;
        let ended_by = match verdict {
            Verdict::Undecided if tally.games() == n_games => EndedBy::Complete,
            Verdict::Undecided => EndedBy::Stopped,
            decided => EndedBy::Sprt(decided),
        };
        Ok(Summary { tally, ended_by })
    }

    fn verdict(&self, tally: &Tally) -> Verdict {
        match (&self.sprt, tally.head_to_head()) {
            (Some(sprt), Some(head_to_head)) => sprt.verdict(&head_to_head.pairs),
            _ => Verdict::Undecided,
        }
    }

    /// The empty record of a scheduled game and its dealer.
    pub(crate) fn new_record(&self, game: &ScheduledGame) -> (Record, Dealer) {
        let n_starts = self.starts.len() as u64;
        if n_starts > 0 {
            let position = self.starts[((game.shuffle - 1) % n_starts) as usize];
            return (Record::from_position(position), Dealer::resume(&game.seed, &position));
        }
        let (first, dealer) = Dealer::new(&game.seed, &self.rules);
        (Record::new(self.rules, first).expect("the dealer knows who may start"), dealer)
    }

    /// The number of games if nothing stops the match.
    #[must_use]
    pub fn planned(&self) -> u64 {
        self.schedule().map_or(self.n_games, |schedule| schedule.whole_groups(self.n_games))
    }

    pub(crate) fn schedule(&self) -> Result<Schedule, ContestError> {
        Ok(Schedule::new(&self.seats, self.seed.clone())?)
    }

    fn limits<'a>(&self, stop: &'a AtomicBool) -> EngineLimits<'a> {
        EngineLimits { timeout: self.timeout, stop }
    }
}

/// Checks options against those that the engine declares: a misspelled one would otherwise silently
/// spoil a long match.
fn check_options(engine: &Engine, offered: &[OptionSpec]) -> Result<(), ContestError> {
    for (option, value) in &engine.options {
        let found = offered.iter().find(|offer| offer.name.eq_ignore_ascii_case(option));
        let (name, option) = (engine.name.clone(), option.clone());
        match found {
            None => {
                let has: Vec<_> = offered.iter().map(|offer| offer.name.as_str()).collect();
                let has = if has.is_empty() { "none".to_owned() } else { has.join(", ") };
                return Err(ContestError::NoOption { name, option, has });
            }
            Some(offer) if !offer.kind.accepts(value) => {
                let (value, spec) = (value.clone(), offer.to_string());
                return Err(ContestError::Value { name, option, value, spec });
            }
            Some(_) => {}
        }
    }
    Ok(())
}
