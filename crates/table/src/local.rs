//! A game on one device, without a server: the host in a page. It decides and applies commands like a
//! server does, answers with the same messages, and its whole state can be stored and opened again.
//!
//! Everybody at the device is one person, who holds all seats that are not the engine's. The time and
//! the random seed are arguments, as everywhere in this crate; the engine searches elsewhere and is
//! asked by [`SearchTask`].

use crate::apply::LogError;
use crate::clock::ClockSpec;
use crate::decide::Decision;
use crate::event::{CloseReason, Event, LoggedEvent};
use crate::messages::{ErrorBody, ToClient, ToServer};
use crate::new_game::{CreateGame, Creator, NewGameError, SeatSpec};
use crate::rejection::Rejection;
use crate::search::{EngineMove, SearchPurpose, SearchTask};
use crate::settings::Settings;
use crate::state::{Game, Status};
use crate::view::{Presence, SummaryView};
use azulejo_notation::Seed;
use azulejo_rules::Move;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The id of the person at the device.
const PERSON: &str = "local";

/// The version of [`StoredGame`].
const VERSION: u32 = 1;

/// The longest name, in characters, as on a server.
const MAX_NAME: usize = 40;

/// The longest search for a move or a hint, in milliseconds: an answer within a second.
pub const LOCAL_SEARCH_MS: u64 = 900;

/// A game on one device.
#[derive(Clone, Debug)]
pub struct LocalGame {
    game: Game,
    log: Vec<LoggedEvent>,
}

/// Everything that is needed to continue a game. Its JSON form is kept by browsers, so its names do
/// not change.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StoredGame {
    /// The version of this form.
    pub version: u32,
    /// The id.
    pub id: String,
    /// What was agreed before it began.
    pub settings: Settings,
    /// The seed of the deals.
    pub seed: String,
    /// The log.
    pub events: Vec<LoggedEvent>,
}

/// Why a stored game cannot be opened.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// A later version of the program has stored it.
    #[error("this game was stored by a later version (form {0}); update this one")]
    Version(u32),
    /// It is damaged.
    #[error("the stored game is damaged: {0}")]
    Damaged(String),
}

impl OpenError {
    /// The error as clients receive it.
    #[must_use]
    pub fn body(&self) -> ErrorBody {
        let code = match self {
            OpenError::Version(_) => "later_version",
            OpenError::Damaged(_) => "damaged",
        };
        ErrorBody::new(code, self.to_string())
    }
}

impl From<LogError> for OpenError {
    fn from(error: LogError) -> OpenError {
        OpenError::Damaged(error.to_string())
    }
}

impl LocalGame {
    /// Creates a game.
    ///
    /// # Errors
    /// What is wrong with the request. A seat by invitation needs a server.
    pub fn create(
        request: &CreateGame,
        id: &str,
        seed: Seed,
        now_ms: i64,
    ) -> Result<LocalGame, NewGameError> {
        if request.seats.iter().any(|seat| matches!(seat, SeatSpec::Open {})) {
            return Err(NewGameError::new("a seat by invitation needs a server"));
        }
        let creator = Creator { id: PERSON, name: None, check_name: &check_name };
        let (settings, seed) = request.settings(creator, seed)?;
        LocalGame::begin(id, settings, seed, now_ms)
            .map_err(|error| NewGameError::new(error.to_string()))
    }

    fn begin(id: &str, settings: Settings, seed: Seed, now_ms: i64) -> Result<LocalGame, LogError> {
        let game = Game::new(id.into(), Arc::new(settings), seed)?;
        let mut local = LocalGame { game, log: Vec::new() };
        local.log(Event::Created, now_ms)?;
        Ok(local)
    }

    /// Opens a stored game.
    ///
    /// # Errors
    /// If it is damaged, or stored by a later version.
    pub fn open(stored: StoredGame) -> Result<LocalGame, OpenError> {
        let StoredGame { version, id, settings, seed, events } = stored;
        if version > VERSION {
            return Err(OpenError::Version(version));
        }
        let seed: Seed = seed.parse().map_err(|e| OpenError::Damaged(format!("{e}")))?;
        if crate::seed_hash(&seed) != settings.seed_hash {
            return Err(OpenError::Damaged("the seed does not match its hash".to_owned()));
        }
        let mut game = Game::new(id.as_str().into(), Arc::new(settings), seed)?;
        if !matches!(events.first(), Some(LoggedEvent { event: Event::Created, .. })) {
            return Err(OpenError::Damaged("the log does not begin with `created`".to_owned()));
        }
        for logged in &events {
            game.apply(logged)?;
        }
        Ok(LocalGame { game, log: events })
    }

    /// What [`open`](LocalGame::open) needs.
    #[must_use]
    pub fn stored(&self) -> StoredGame {
        StoredGame {
            version: VERSION,
            id: self.game.id.to_string(),
            settings: (*self.game.settings).clone(),
            seed: self.game.seed().to_string(),
            events: self.log.clone(),
        }
    }

    /// The game.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Goes on with an opened game: the time since its last event is not charged to anybody.
    pub fn resume(&mut self, now_ms: i64) -> Vec<ToClient> {
        let ms = now_ms - self.game.at_ms;
        let is_running =
            self.game.status() == Status::Playing && self.game.settings.clock != ClockSpec::None;
        if is_running && ms > 0 { self.execute(Event::Paused { ms }, now_ms) } else { Vec::new() }
    }

    /// Does what is due without a command: a clock has run out, or the game is too long. A game without
    /// a clock waits as long as it is kept.
    pub fn wake(&mut self, now_ms: i64) -> Vec<ToClient> {
        let is_abandoned =
            |event: &Event| matches!(event, Event::Closed { why: CloseReason::Abandoned });
        match self.game.overdue(now_ms).filter(|event| !is_abandoned(event)) {
            Some(event) => self.execute(event, now_ms),
            None => Vec::new(),
        }
    }

    /// When a clock runs out and [`wake`](LocalGame::wake) has something to do.
    #[must_use]
    pub fn wake_ms(&self) -> Option<i64> {
        self.game.deadline_ms()
    }

    /// Receives a message of the page. The answer is what a server sends to this client: the events
    /// that follow, as patches, and the reply.
    pub fn receive(&mut self, message: ToServer, now_ms: i64) -> Vec<ToClient> {
        let mut answers = self.wake(now_ms);
        match message {
            ToServer::Ping {} => answers.push(ToClient::Pong { now_ms }),
            ToServer::Resync {} => answers.push(self.state(now_ms)),
            ToServer::Command { reference, command } => {
                let reply = match self.game.decide(Some(PERSON), &command, now_ms) {
                    Err(rejection) => ToClient::Error { reference, error: (&rejection).into() },
                    Ok(Decision::Done(number)) => ToClient::Done { reference, number },
                    Ok(Decision::Log(event)) => {
                        answers.append(&mut self.execute(event, now_ms));
                        ToClient::Done { reference, number: self.game.number }
                    }
                };
                answers.push(reply);
            }
        }
        answers
    }

    /// The state of the game.
    #[must_use]
    pub fn state(&self, now_ms: i64) -> ToClient {
        let presence = Presence { seats: vec![true; self.game.seats.len()], watchers: 0 };
        ToClient::state(&self.game, Some(PERSON), &presence, now_ms)
    }

    /// The line of the game in a list.
    #[must_use]
    pub fn summary(&self) -> SummaryView {
        let your_seats = self.game.seats_of(Some(PERSON)).collect();
        SummaryView { your_seats, ..SummaryView::new(&self.game) }
    }

    /// A rematch with rotated seats, and the messages of this game about it.
    ///
    /// # Errors
    /// Why a rematch is not possible.
    pub fn rematch(
        &mut self,
        id: &str,
        seed: Seed,
        now_ms: i64,
    ) -> Result<(LocalGame, Vec<ToClient>), Rejection> {
        let seat = self.game.check_rematch(Some(PERSON))?;
        let settings = self.game.rematch_settings(PERSON, &seed);
        let next = LocalGame::begin(id, settings, seed, now_ms)
            .expect("the settings of a game make another");
        let messages = self.execute(Event::Rematch { seat, game: id.to_owned() }, now_ms);
        Ok((next, messages))
    }

    /// The search for the engine's move, if it is an engine's turn.
    #[must_use]
    pub fn task(&self) -> Option<SearchTask> {
        let (level, seed) = (self.game.engine_turn()?, self.game.engine_seed());
        Some(self.search_task(self.game.position_number, SearchPurpose::Move { level, seed }))
    }

    /// The search for a hint.
    ///
    /// # Errors
    /// Why the game gives no hint now.
    pub fn hint_task(&self) -> Result<SearchTask, Rejection> {
        self.game.check_hint(Some(PERSON))?;
        Ok(self.search_task(self.game.number, SearchPurpose::Hint))
    }

    /// The search for an evaluation.
    ///
    /// # Errors
    /// Why the game gives no evaluation now.
    pub fn evaluation_task(&self) -> Result<SearchTask, Rejection> {
        self.game.check_evaluation()?;
        Ok(self.search_task(self.game.number, SearchPurpose::Evaluation))
    }

    fn search_task(&self, number: u64, purpose: SearchPurpose) -> SearchTask {
        let position = self.game.position.to_string();
        SearchTask { number, position, time_ms: LOCAL_SEARCH_MS, purpose }
    }

    /// Plays the move that answers a [`task`](LocalGame::task). An answer about a position that has
    /// passed is ignored; so is an illegal move, after which the task is still there.
    pub fn engine_move(&mut self, answer: &EngineMove, now_ms: i64) -> Vec<ToClient> {
        let legal = answer.m.parse().ok().filter(|&m: &Move| self.game.position.is_legal(m));
        let is_current = answer.number == self.game.position_number;
        let engine = self.game.engine_turn().and(self.game.turn());
        match (legal, engine) {
            (Some(m), Some(seat)) if is_current => {
                let mut messages =
                    self.execute(Event::Moved { seat, m: m.to_string(), id: None }, now_ms);
                messages.append(&mut self.wake(now_ms));
                messages
            }
            _ => Vec::new(),
        }
    }

    /// Logs an event that was decided, and says what it changed.
    fn execute(&mut self, event: Event, now_ms: i64) -> Vec<ToClient> {
        let last = self.game.clone();
        match self.log(event, now_ms) {
            Ok(logged) => {
                vec![ToClient::patch(&logged, &last, &self.game, Some(PERSON), now_ms)]
            }
            // Decided events apply; if one does not, the game stays as it was.
            Err(_) => {
                self.game = last;
                vec![self.state(now_ms)]
            }
        }
    }

    fn log(&mut self, event: Event, now_ms: i64) -> Result<LoggedEvent, LogError> {
        let at_ms = now_ms.max(self.game.at_ms);
        let logged = LoggedEvent { number: self.game.number + 1, at_ms, event };
        self.game.apply(&logged)?;
        self.log.push(logged.clone());
        Ok(logged)
    }
}

/// A name on one's own device: anything that can be seen, on one line.
fn check_name(name: &str) -> Result<String, String> {
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    let is_fine =
        (1..=MAX_NAME).contains(&name.chars().count()) && !name.chars().any(char::is_control);
    if is_fine { Ok(name) } else { Err("a name must have 1 to 40 visible characters".to_owned()) }
}
