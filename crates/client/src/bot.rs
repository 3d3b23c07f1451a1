//! A bot: the engine plays on a server over the bot interface, HTTP requests and one stream of
//! JSON lines. It uses nothing that other bots cannot use.

use crate::{Client, ClientError};
use azulejo_engine::{Engine, Level, Limits, Options, Stop};
use azulejo_rules::{Move, Position};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// The longest time for one move.
const MOVE_TIME: Duration = Duration::from_secs(2);

/// A server that stops answering is tried again for this time.
const RETRY_FOR: Duration = Duration::from_secs(60);

/// The pause between two tries.
const RETRY_PAUSE: Duration = Duration::from_millis(500);

/// How a bot plays, and where.
#[derive(Clone, Debug)]
pub struct BotConfig {
    /// The server. The bot plays as the person of its token, or as a new person without one.
    pub client: Client,
    /// The name to show.
    pub name: String,
    /// The level of its engine.
    pub level: Level,
    /// Its opponents.
    pub opponent: Opponent,
}

/// Whom a bot plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Opponent {
    /// A level of the server's own engine.
    Engine(u8),
    /// Somebody who waits in the lobby. If nobody does, the bot waits there.
    Lobby,
    /// The players of a game to which the bot is invited.
    Invitation {
        /// The id of the game.
        game: String,
        /// The secret of the invitation, if the game needs one.
        secret: Option<String>,
    },
}

/// Why a bot gave up.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BotError {
    /// A request failed.
    #[error(transparent)]
    Client(#[from] ClientError),
    /// The server sent a position that the rules do not know.
    #[error("cannot read the position of game {game}: {reason}; is the server of another version?")]
    Position {
        /// The id of the game.
        game: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The search stopped with a panic.
    #[error("the engine failed: {0}")]
    Engine(#[from] tokio::task::JoinError),
}

/// Plays one game and reports each step as a line for people. Returns the final state of the game.
///
/// # Errors
/// If the server refuses, or does not answer for a minute.
pub async fn play(config: &BotConfig, report: &mut dyn FnMut(&str)) -> Result<Value, BotError> {
    let client = match config.client.token() {
        Some(_) => config.client.clone(),
        None => config.client.new_person(&config.name).await?,
    };
    let id = join_game(&client, config, report).await?;
    report(&format!("game {id}: watch it at {}", client.url(&format!("/game/{id}"))));
    let mut bot = Bot { client, id, engine: None, level: config.level, last: 0 };
    let mut last_heard = Instant::now();
    loop {
        match bot.follow(report, &mut last_heard).await {
            Ok(Some(game)) => return Ok(game),
            Ok(None) => {}
            Err(BotError::Client(error @ ClientError::Connection { .. }))
                if last_heard.elapsed() < RETRY_FOR =>
            {
                report(&format!("{error}; trying again"));
            }
            Err(error) => return Err(error),
        }
        tokio::time::sleep(RETRY_PAUSE).await;
    }
}

/// Joins or creates a game and returns its id.
async fn join_game(
    client: &Client,
    config: &BotConfig,
    report: &mut dyn FnMut(&str),
) -> Result<String, BotError> {
    let own_seat = json!({ "kind": "me", "name": config.name });
    let new_game = match &config.opponent {
        Opponent::Engine(level) => {
            json!({ "seats": [own_seat, { "kind": "engine", "level": level }] })
        }
        Opponent::Invitation { game, secret } => {
            let body = json!({ "name": config.name, "secret": secret });
            return match client.post(&format!("/games/{game}/join"), &body).await {
                Err(error) if error.code() != Some("already_seated") => Err(error.into()),
                _ => Ok(game.clone()),
            };
        }
        Opponent::Lobby => {
            let lobby = client.get("/lobby").await?;
            for game in lobby["games"].as_array().into_iter().flatten() {
                let (id, status) = (game["id"].as_str(), game["status"].as_str());
                let (Some(id), Some("waiting")) = (id, status) else { continue };
                let body = json!({ "name": config.name });
                // Another player may take the seat first.
                if client.post(&format!("/games/{id}/join"), &body).await.is_ok() {
                    return Ok(id.to_owned());
                }
            }
            report("nobody waits in the lobby; waiting there");
            json!({ "seats": [own_seat, { "kind": "open" }], "listed": true })
        }
    };
    let created = client.post("/games", &new_game).await?;
    let id = created["game"]["id"].as_str();
    Ok(id.ok_or_else(|| client.unexpected("a game without an id"))?.to_owned())
}

struct Bot {
    client: Client,
    id: String,
    level: Level,
    /// `None` before the first search.
    engine: Option<Engine>,
    /// The number of the last event received.
    last: u64,
}

impl Bot {
    /// Follows the game until it is over (`Some`) or the stream ends early (`None`).
    async fn follow(
        &mut self,
        report: &mut dyn FnMut(&str),
        last_heard: &mut Instant,
    ) -> Result<Option<Value>, BotError> {
        let path = format!("/games/{}/stream?after={}", self.id, self.last);
        let mut lines = self.client.lines(&path).await?;
        while let Some(message) = lines.next().await? {
            *last_heard = Instant::now();
            let number = message["number"].as_u64().or(message["game"]["number"].as_u64());
            self.last = self.last.max(number.unwrap_or(0));
            let event = &message["event"];
            if message["type"] == "event" && event["type"] == "moved" {
                let m = event["move"].as_str().unwrap_or_default();
                report(&format!("seat {}: {m}", event["seat"]));
            }
            let game = &message["game"];
            if game["status"] == "over" {
                return Ok(Some(game.clone()));
            }
            if game["your_turn"] == true {
                self.answer(game).await?;
            }
        }
        Ok(None)
    }

    /// Searches the position and plays the best move.
    async fn answer(&mut self, game: &Value) -> Result<(), BotError> {
        let position = game["position"]["position"].as_str().unwrap_or_default();
        let position: Position = position
            .parse()
            .map_err(|e| BotError::Position { game: self.id.clone(), reason: format!("{e}") })?;
        let (engine, level) = (self.engine.take(), self.level);
        // A weak level errs differently in every game.
        let seed =
            self.id.bytes().fold(0_u64, |sum, b| sum.wrapping_mul(31).wrapping_add(b.into()));
        let search = tokio::task::spawn_blocking(move || {
            let options = Options { level, seed, hash_mb: 16, ..Options::default() };
            let mut engine = engine.unwrap_or_else(|| Engine::new(options));
            let limits = Limits { time: Some(MOVE_TIME), ..Limits::default() };
            let found = engine.search(&position, &limits, &Stop::new(), &mut |_| {});
            (engine, found.map(|found| found.best))
        });
        let (engine, best): (Engine, Option<Move>) = search.await?;
        self.engine = Some(engine);
        let Some(m) = best else { return Ok(()) };
        let number = game["number"].as_u64().unwrap_or(0);
        let body = json!({ "type": "move", "move": m.to_string(), "id": format!("bot-{number}"), "after": number });
        match self.client.post(&format!("/games/{}/commands", self.id), &body).await {
            // The game has moved on in the meantime; the stream reports how.
            Err(error) if matches!(error.code(), Some("stale" | "not_your_turn" | "game_over")) => {
                Ok(())
            }
            played => Ok(played.map(|_| ())?),
        }
    }
}
