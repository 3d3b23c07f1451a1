//! Reviews, step by step, with their sentences, and single moves judged like those of a review.

use crate::{Thrown, bad_request, json, network};
use azulejo_engine::network::Network;
use azulejo_engine::{Engine, Options, Stop};
use azulejo_notation::Record;
use azulejo_review::{Budget, Decision, Settings, judge_move};
use azulejo_rules::{Move, Position, Seat};
use azulejo_table::view::ReplayView;
use azulejo_words::{Names, ToldReview, judged};
use serde::Serialize;
use std::sync::Arc;
use wasm_bindgen::prelude::wasm_bindgen;

/// A name for a record by which its reviews are kept: two texts of the same record have the same.
///
/// # Errors
/// If it is not a record.
#[wasm_bindgen]
pub fn record_key(record: &str) -> Result<String, Thrown> {
    let record = ReplayView::read_record(record).map_err(bad_request)?;
    Ok(azulejo_table::record_key(&record))
}

/// A review under way, for a worker of its own.
#[wasm_bindgen]
pub struct Reviewer {
    reviewer: azulejo_review::Reviewer,
    names: Vec<String>,
    settings: Settings,
    network: Arc<Network>,
}

#[wasm_bindgen]
impl Reviewer {
    /// The review of a record with the bytes of `azulejo.net` and a budget: `quick`, `normal` or
    /// `thorough`.
    ///
    /// # Errors
    /// What is wrong with the record, the budget or the network.
    #[wasm_bindgen(constructor)]
    pub fn new(net: &[u8], record: &str, budget: &str) -> Result<Reviewer, Thrown> {
        let record = ReplayView::read_record(record).map_err(bad_request)?;
        let budget: Budget = budget.parse().map_err(|e| bad_request(format!("{e}")))?;
        let settings = Settings { budget, ..Settings::default() };
        let network = network(net)?;
        let engine = Engine::with_network(Options::default(), Arc::clone(&network));
        let reviewer = azulejo_review::Reviewer::with_engine(&record, settings.clone(), engine);
        let reviewer = reviewer.map_err(|e| bad_request(e.to_string()))?;
        Ok(Reviewer { reviewer, names: names(&record), settings, network })
    }

    /// Makes the next step and says whether there was one.
    pub fn step(&mut self) -> bool {
        self.reviewer.step(&Stop::new())
    }

    /// What is done so far: the review as `azulejo review --json` prints it, with `words`: sentences by
    /// move and by deal.
    #[must_use]
    pub fn review(&self) -> String {
        json(&ToldReview::new(self.reviewer.review()))
    }

    /// Judges another move in a position of the game: `{decision, is_as_good, words}`.
    ///
    /// # Errors
    /// If the position or the move cannot be read, or the move is not legal.
    pub fn judge(&self, position: &str, m: &str) -> Result<String, Thrown> {
        let position: Position = position.parse().map_err(|e| bad_request(format!("{e}")))?;
        let m: Move = m.parse().map_err(|e| bad_request(format!("{e}")))?;
        let engine = Engine::with_network(Options::default(), Arc::clone(&self.network));
        let found = judge_move(&position, m, &self.settings, engine, &Stop::new());
        let found = found.map_err(|e| bad_request(e.to_string()))?;
        let decision = found.ok_or_else(|| bad_request(format!("{m} is not legal here")))?;
        let name = |seat: Seat| self.names[seat.index()].clone();
        let words = judged(&decision, Names::Given(&name));
        Ok(json(&Judged { is_as_good: decision.is_as_good(), decision, words }))
    }
}

#[derive(Serialize)]
struct Judged {
    decision: Decision,
    is_as_good: bool,
    words: Vec<String>,
}

/// The names of the record, and numbers for those without one.
fn names(record: &Record) -> Vec<String> {
    let seats = record.rules().players().seats().iter();
    let name = |&seat| record.name(seat).map_or_else(|| format!("Seat {seat}"), str::to_owned);
    seats.map(name).collect()
}
