//! A whole match: several tables at once, until all games are played or the question is answered.

use crate::client::{Client, Halt, Manners};
use crate::fault::Fault;
use crate::game::{GameResult, Table};
use crate::schedule::Schedule;
use crate::spec::Engine;
use crate::sprt::{Sprt, Verdict};
use crate::tally::Tally;
use azulejo_notation::protocol::OptionSpec;
use azulejo_notation::{Seed, SeedError};
use azulejo_rules::Rules;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::channel;
use std::time::Duration;

/// What is to be played.
#[derive(Clone, Debug)]
pub struct Contest {
    /// The rules, with the number of seats.
    pub rules: Rules,
    /// The engines.
    pub engines: Vec<Engine>,
    /// How many seats each takes; together all that there are.
    pub seats: Vec<usize>,
    /// The seed of all shuffles.
    pub seed: Seed,
    /// How many games, rounded up so that each shuffle is played out.
    pub n_games: u64,
    /// How many games at once.
    pub concurrency: usize,
    /// When to stop early; only for two engines.
    pub sprt: Option<Sprt>,
    /// How long an engine may take to get ready, or for a move without a time limit.
    pub patience: Duration,
}

/// Why a match cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ContestError {
    /// Seats and engines do not go together.
    #[error("the engines take {taken} seats, but the game has {seats}")]
    Seats {
        /// What the engines take.
        taken: usize,
        /// What there is.
        seats: usize,
    },
    /// An early stop was asked for a match of more than two.
    #[error("an SPRT is for two engines with a seat each")]
    Sprt,
    /// The seed cannot be numbered.
    #[error("the seed: {0}")]
    Seed(#[from] SeedError),
    /// An engine does not work at all.
    #[error("engine {name} {fault}")]
    Engine {
        /// Its name.
        name: String,
        /// What happened.
        fault: Fault,
    },
    /// An engine has no such option.
    #[error("engine {name} has no option `{option}`; it has {has}")]
    NoOption {
        /// Its name.
        name: String,
        /// The option.
        option: String,
        /// What it has instead.
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
        /// What the engine says about it.
        spec: String,
    },
}

/// Why a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndedBy {
    /// All games are played.
    Complete,
    /// The sequential test is decided.
    Sprt(Verdict),
    /// It was stopped from outside.
    Stopped,
}

/// A match that is over.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The result.
    pub tally: Tally,
    /// Why it ended.
    pub ended_by: EndedBy,
}

impl Contest {
    /// Checks that everything goes together and that every engine starts and takes its options.
    ///
    /// # Errors
    /// What does not.
    pub fn check(&self, stop: &AtomicBool) -> Result<(), ContestError> {
        let (taken, seats) = (self.seats.iter().sum(), self.rules.players.count());
        if taken != seats || self.seats.len() != self.engines.len() || self.seats.contains(&0) {
            return Err(ContestError::Seats { taken, seats });
        }
        if self.sprt.is_some() && self.seats != [1, 1] {
            return Err(ContestError::Sprt);
        }
        self.schedule()?;
        for engine in &self.engines {
            match Client::start(engine, self.manners(stop)) {
                Ok(client) => check_options(engine, client.options())?,
                Err(Halt::Stopped) => return Ok(()),
                Err(Halt::Fault(fault)) => {
                    return Err(ContestError::Engine { name: engine.name.clone(), fault });
                }
            }
        }
        Ok(())
    }

    /// Checks the match and plays it. Every finished game is shown to `watch` with the result so
    /// far; an error of it ends the match. Setting `stop` ends it too, within a moment; games
    /// under way are dropped then. It is set as well when the match ends itself early.
    ///
    /// # Errors
    /// What does not go together, or the error of `watch`.
    pub fn run<E: From<ContestError>>(
        &self,
        stop: &AtomicBool,
        mut watch: impl FnMut(&GameResult, &Tally) -> Result<(), E>,
    ) -> Result<Summary, E> {
        self.check(stop)?;
        let schedule = self.schedule()?;
        let n_games = schedule.whole_groups(self.n_games);
        let mut tally = Tally::new(&self.seats, schedule.group_size());
        let next = AtomicU64::new(0);
        let (sender, results) = channel();
        let mut verdict = Verdict::Undecided;
        let mut watched = Ok(());
        std::thread::scope(|scope| {
            for _ in 0..self.concurrency.max(1) {
                let sender = sender.clone();
                let (schedule, next) = (&schedule, &next);
                scope.spawn(move || {
                    let mut table = Table::new(self, self.manners(stop));
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= n_games || stop.load(Ordering::Relaxed) {
                            return;
                        }
                        let Ok(result) = table.play(schedule.game(number)) else { return };
                        if sender.send(result).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            for result in results {
                // What comes in after the decision does not change it any more.
                if verdict != Verdict::Undecided || watched.is_err() {
                    continue;
                }
                let has_news = tally.add(&result);
                watched = watch(&result, &tally);
                if let (true, Some(sprt), Some(duel)) = (has_news, &self.sprt, tally.duel()) {
                    verdict = sprt.verdict(&duel.pairs);
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

    /// How many games will be played if nothing stops them.
    #[must_use]
    pub fn planned(&self) -> u64 {
        self.schedule().map_or(self.n_games, |schedule| schedule.whole_groups(self.n_games))
    }

    fn schedule(&self) -> Result<Schedule, ContestError> {
        Ok(Schedule::new(&self.seats, self.seed.clone())?)
    }

    fn manners<'a>(&self, stop: &'a AtomicBool) -> Manners<'a> {
        Manners { patience: self.patience, stop }
    }
}

/// Checks the options of an engine against those it offers: a misspelled one would otherwise spoil
/// a long match without a word.
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
