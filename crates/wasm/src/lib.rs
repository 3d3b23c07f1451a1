#![doc = include_str!("../README.md")]

mod puzzles;
mod review;
mod study;

pub use puzzles::{daily_puzzle, puzzle_try, puzzles};
pub use review::{Reviewer, record_key};
pub use study::{setup, setup_check, setup_new, study, study_act, study_draw, variations_record};

use azulejo_engine::network::Network;
use azulejo_engine::{Engine, Options};
use azulejo_notation::Seed;
use azulejo_table::rating::{RatedResult, Rating};
use azulejo_table::view::{KeptView, OptionsView, PositionView, ReplayView};
use azulejo_table::{
    CreateGame, EngineMove, ErrorBody, LOCAL_SEARCH_MS, NewGameError, OpenError, Rejection,
    SearchTask, StoredGame, ToClient, ToServer, search_nodes,
};
use serde::Serialize;
use std::sync::Arc;
use std::time::Duration;
use wasm_bindgen::prelude::wasm_bindgen;

/// What a function throws: `{"code", "message"}` as JSON text, like the `error` of a server.
type Thrown = String;

/// The version of the program that the module belongs to.
#[wasm_bindgen]
#[must_use]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// The options for a new game, as in `GET /options`.
#[wasm_bindgen]
#[must_use]
pub fn options() -> String {
    let time = Duration::from_millis(LOCAL_SEARCH_MS);
    json(&OptionsView::new(time, time, KeptView::default()))
}

/// The whole replay of a record (text or JSON), as in `POST /records/replay` but on one page.
///
/// # Errors
/// If it is not a record.
#[wasm_bindgen]
pub fn replay_record(text: &str) -> Result<String, Thrown> {
    let record = ReplayView::read_record(text).map_err(bad_request)?;
    Ok(json(&ReplayView::whole(&record)))
}

/// The ratings (Glicko-2) after each of several rating periods, as an array of `{rating, deviation,
/// volatility}`. The first rating is of the same form, or `null` for a new player; a period is an array of
/// `{rating, deviation, outcome}`, one for each opponent or puzzle, with the outcome `win`, `draw` or `loss`.
///
/// # Errors
/// If one of the texts has another form.
#[wasm_bindgen]
pub fn rate(rating: &str, periods: &str) -> Result<String, Thrown> {
    let bad = |error: serde_json::Error| bad_request(error.to_string());
    let rating: Option<Rating> = serde_json::from_str(rating).map_err(bad)?;
    let periods: Vec<Vec<RatedResult>> = serde_json::from_str(periods).map_err(bad)?;
    let ratings = periods.iter().scan(rating.unwrap_or_default(), |rating, period| {
        *rating = rating.after(period);
        Some(*rating)
    });
    Ok(json(&ratings.collect::<Vec<_>>()))
}

/// The positions after each step of a move, as a JSON array: what an animation shows in between.
///
/// # Errors
/// If the position or the move cannot be read, or the move is illegal.
#[wasm_bindgen]
pub fn after_each_step(position: &str, m: &str) -> Result<String, Thrown> {
    PositionView::after_each_step(position, m).map(|views| json(&views)).map_err(bad_request)
}

/// A game on one device. Times are in milliseconds since 1970. Messages are those of the WebSocket of a
/// server, with patches; several are a JSON array.
#[wasm_bindgen]
#[derive(Debug)]
pub struct LocalGame(azulejo_table::LocalGame);

#[wasm_bindgen]
impl LocalGame {
    /// Creates a game from the body of `POST /games`, with 16 random bytes.
    ///
    /// # Errors
    /// What is wrong with the body.
    pub fn create(
        new_game: &str,
        id: &str,
        random: &[u8],
        now_ms: f64,
    ) -> Result<LocalGame, Thrown> {
        let request: CreateGame =
            serde_json::from_str(new_game).map_err(|e| bad_request(e.to_string()))?;
        azulejo_table::LocalGame::create(&request, id, seed(random)?, ms(now_ms))
            .map(LocalGame)
            .map_err(|error: NewGameError| bad_request(error.to_string()))
    }

    /// Opens what `stored` returned.
    ///
    /// # Errors
    /// With the code `damaged` or `later_version`.
    pub fn open(stored: &str) -> Result<LocalGame, Thrown> {
        let stored: Result<StoredGame, _> = serde_json::from_str(stored);
        stored
            .map_err(|error| OpenError::Damaged(error.to_string()))
            .and_then(azulejo_table::LocalGame::open)
            .map(LocalGame)
            .map_err(|error| json(&error.body()))
    }

    /// Everything that is needed to continue: `{version, id, settings, seed, events}`.
    #[must_use]
    pub fn stored(&self) -> String {
        json(&self.0.stored())
    }

    /// Goes on with a game that was opened to be played: clocks start now. Returns messages, and the
    /// game has to be stored if there are any.
    pub fn resume(&mut self, now_ms: f64) -> String {
        messages(&self.0.resume(ms(now_ms)))
    }

    /// Receives one message `ToServer` and returns messages `ToClient`.
    pub fn receive(&mut self, message: &str, now_ms: f64) -> String {
        let answers = match ToServer::read(message) {
            Ok(message) => self.0.receive(message, ms(now_ms)),
            Err(problem) => {
                let error = ErrorBody::new("bad_request", problem);
                vec![ToClient::Error { reference: None, error }]
            }
        };
        messages(&answers)
    }

    /// When a clock runs out; call `wake` then.
    #[must_use]
    pub fn wake_ms(&self) -> Option<f64> {
        self.0.wake_ms().map(|ms| ms as f64)
    }

    /// Does what is due without a command and returns messages.
    pub fn wake(&mut self, now_ms: f64) -> String {
        messages(&self.0.wake(ms(now_ms)))
    }

    /// The message `state`.
    #[must_use]
    pub fn state(&self, now_ms: f64) -> String {
        self.0.state(ms(now_ms)).text().to_string()
    }

    /// The line of the game in a list, as in `GET /me/games`.
    #[must_use]
    pub fn summary(&self) -> String {
        json(&self.0.summary())
    }

    /// The whole replay, as in `GET /games/{id}/replay` but on one page.
    #[must_use]
    pub fn replay(&self) -> String {
        json(&ReplayView::whole(&self.0.game().record()))
    }

    /// The record, as in `GET /games/{id}/record`: JSON if the format is `json`, else text.
    #[must_use]
    pub fn record(&self, format: &str) -> String {
        let record = self.0.game().record();
        if format == "json" { record.to_json() } else { record.to_string() }
    }

    /// Creates the rematch, with 16 random bytes. Both games have to be stored, the new one first; this
    /// one shows the link in its `state`.
    ///
    /// # Errors
    /// Why a rematch is not possible.
    pub fn rematch(&mut self, id: &str, random: &[u8], now_ms: f64) -> Result<LocalGame, Thrown> {
        let rematch = self.0.rematch(id, seed(random)?, ms(now_ms));
        rematch.map(|(game, _)| LocalGame(game)).map_err(|rejection| rejected(&rejection))
    }

    /// If an engine has the turn: a task for `Searcher`, to be passed on as it is.
    #[must_use]
    pub fn task(&self) -> Option<String> {
        self.0.task().map(|task| json(&task))
    }

    /// A task for `Searcher` whose answer is that of `GET /games/{id}/hint` or, if the kind is
    /// `evaluation`, of `GET /games/{id}/evaluation`.
    ///
    /// # Errors
    /// Why the game does not give it now.
    pub fn hint_task(&self, kind: &str) -> Result<String, Thrown> {
        let task = if kind == "evaluation" { self.0.evaluation_task() } else { self.0.hint_task() };
        task.map(|task| json(&task)).map_err(|rejection| rejected(&rejection))
    }

    /// Plays the answer of `Searcher` to a `task` and returns messages; none if the answer is about a
    /// position that has passed.
    ///
    /// # Errors
    /// If it is not an answer.
    pub fn engine_move(&mut self, answer: &str, now_ms: f64) -> Result<String, Thrown> {
        let answer: EngineMove =
            serde_json::from_str(answer).map_err(|e| bad_request(e.to_string()))?;
        Ok(messages(&self.0.engine_move(&answer, ms(now_ms))))
    }
}

/// The engine, for a worker of its own.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Searcher(Engine);

#[wasm_bindgen]
impl Searcher {
    /// An engine with the bytes of `azulejo.net` and a transposition table of a size in MiB.
    ///
    /// # Errors
    /// If the bytes are not a network for this version.
    #[wasm_bindgen(constructor)]
    pub fn new(network: &[u8], hash_mb: usize) -> Result<Searcher, Thrown> {
        let options = Options { hash_mb: hash_mb.clamp(1, 1_024), ..Options::default() };
        Ok(Searcher(Engine::with_network(options, crate::network(network)?)))
    }

    /// Searches until the answer to a task of `LocalGame` is found, in about a second or less. Nothing
    /// stops it but the end of the worker.
    ///
    /// # Errors
    /// If it is not a task.
    pub fn search(&mut self, task: &str) -> Result<String, Thrown> {
        let task: SearchTask =
            serde_json::from_str(task).map_err(|e| bad_request(e.to_string()))?;
        task.run(&mut self.0).map(|answer| json(&answer)).map_err(bad_request)
    }

    /// Searches a position at full strength until a node limit: `{move, nodes, depth, win, difference,
    /// exact, proved, line}`, the same on every machine.
    ///
    /// # Errors
    /// If the position cannot be read or has no legal move.
    pub fn search_nodes(&mut self, position: &str, nodes: u32) -> Result<String, Thrown> {
        search_nodes(&mut self.0, position, nodes.into())
            .map(|view| json(&view))
            .map_err(bad_request)
    }
}

fn network(bytes: &[u8]) -> Result<Arc<Network>, Thrown> {
    let network = Network::read(bytes);
    network.map(Arc::new).map_err(|e| json(&ErrorBody::new("damaged", e.to_string())))
}

fn seed(random: &[u8]) -> Result<Seed, Thrown> {
    let bytes: [u8; 16] = random
        .try_into()
        .map_err(|_| bad_request("a seed is made of 16 random bytes".to_owned()))?;
    Ok(bytes.into())
}

/// A time of JavaScript: a number with a fraction.
fn ms(now_ms: f64) -> i64 {
    now_ms as i64
}

fn messages(messages: &[ToClient]) -> String {
    json(&messages)
}

fn rejected(rejection: &Rejection) -> Thrown {
    json(&ErrorBody::from(rejection))
}

fn bad_request(problem: String) -> Thrown {
    json(&ErrorBody::new("bad_request", problem))
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
