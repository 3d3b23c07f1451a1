//! A bot: the engine as a player on any server, over the interface for bots. It is an example as
//! well: everything it does, any program can do.

use crate::http::{Client, ClientError};
use azulejo_engine::{Engine, Level, Limits, Options, Stop};
use azulejo_rules::{Move, Position};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// How long the engine thinks at most.
const THINK: Duration = Duration::from_secs(2);

/// For how long a server that does not answer is tried again.
const STUBBORN: Duration = Duration::from_secs(60);

/// What a bot is to do.
#[derive(Clone, Debug)]
pub struct BotPlan {
    /// The server, as `http://HOST:PORT`.
    pub server: String,
    /// The token of the person to be; a new one if left out.
    pub token: Option<String>,
    /// The name to show.
    pub name: String,
    /// How strong it plays.
    pub level: Level,
    /// Against whom.
    pub opponent: Opponent,
}

/// Whom a bot plays with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Opponent {
    /// A level of the server's own engine.
    Engine(u8),
    /// Whoever waits in the lobby, or whoever comes.
    Lobby,
    /// Those of a game to which it is invited: the id, and the secret if it needs one.
    Invitation(String, Option<String>),
}

/// Why a bot gave up.
#[derive(Debug, thiserror::Error)]
pub enum BotError {
    /// The server.
    #[error(transparent)]
    Client(#[from] ClientError),
    /// The server sent a position that is none.
    #[error("the server sent a position that cannot be read: {0}")]
    Position(String),
}

/// Plays one game and tells what happens. Gives the last state of the game.
///
/// # Errors
/// If the server cannot be reached any more, or refuses.
pub async fn play(plan: &BotPlan, tell: &mut dyn FnMut(&str)) -> Result<Value, BotError> {
    let server = Client::new(&plan.server)?;
    let me = match &plan.token {
        Some(token) => server.with_token(token),
        None => server.new_person(&plan.name).await?,
    };
    let id = sit_down(&me, plan, tell).await?;
    tell(&format!("game {id}: watch it at {}/api/v1/games/{id}", plan.server));
    let mut bot = Bot { me, id, engine: new_engine(plan.level), last: 0 };
    let mut since = Instant::now();
    loop {
        match bot.follow(tell, &mut since).await {
            Ok(Some(end)) => return Ok(end),
            Ok(None) => {}
            Err(BotError::Client(ClientError::Connection(why))) if since.elapsed() < STUBBORN => {
                tell(&format!("lost the server ({why}); trying again"));
            }
            Err(error) => return Err(error),
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}

fn new_engine(level: Level) -> Option<Engine> {
    Some(Engine::new(Options { level, hash_mb: 16, ..Options::default() }))
}

/// Finds or makes a game and gives its id.
async fn sit_down(
    me: &Client,
    plan: &BotPlan,
    tell: &mut dyn FnMut(&str),
) -> Result<String, BotError> {
    let own = json!({ "kind": "me", "name": plan.name });
    let create = match &plan.opponent {
        Opponent::Engine(level) => {
            json!({ "seats": [own, { "kind": "engine", "level": level }] })
        }
        Opponent::Invitation(id, secret) => {
            let body = json!({ "name": plan.name, "secret": secret });
            match me.post(&format!("/games/{id}/join"), &body).await {
                Err(error) if error.code() == Some("already_seated") => {}
                joined => {
                    joined?;
                }
            }
            return Ok(id.clone());
        }
        Opponent::Lobby => {
            let lobby = me.get("/lobby").await?;
            for game in lobby["games"].as_array().into_iter().flatten() {
                let (id, status) = (game["id"].as_str(), game["status"].as_str());
                let (Some(id), Some("waiting")) = (id, status) else { continue };
                let body = json!({ "name": plan.name });
                // Somebody else may be faster.
                if me.post(&format!("/games/{id}/join"), &body).await.is_ok() {
                    return Ok(id.to_owned());
                }
            }
            tell("nobody waits in the lobby; waiting there");
            json!({ "seats": [own, { "kind": "open" }], "listed": true })
        }
    };
    let created = me.post("/games", &create).await?;
    let id = created["game"]["id"].as_str();
    Ok(id.ok_or_else(|| ClientError::Strange("a game without an id".to_owned()))?.to_owned())
}

struct Bot {
    me: Client,
    id: String,
    /// `None` while it thinks.
    engine: Option<Engine>,
    /// The last event seen.
    last: u64,
}

impl Bot {
    /// Follows the game until it is over or the stream breaks off.
    async fn follow(
        &mut self,
        tell: &mut dyn FnMut(&str),
        since: &mut Instant,
    ) -> Result<Option<Value>, BotError> {
        let path = format!("/games/{}/stream?after={}", self.id, self.last);
        let mut lines = self.me.lines(&path).await?;
        while let Some(message) = lines.next().await? {
            *since = Instant::now();
            let number = message["number"].as_u64().or(message["game"]["number"].as_u64());
            self.last = self.last.max(number.unwrap_or(0));
            if message["type"] == "event" && message["event"]["type"] == "moved" {
                tell(&format!(
                    "seat {}: {}",
                    message["event"]["seat"],
                    text(&message["event"]["move"])
                ));
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

    /// Thinks and plays.
    async fn answer(&mut self, game: &Value) -> Result<(), BotError> {
        let position = text(&game["position"]["position"]);
        let position: Position =
            position.parse().map_err(|e| BotError::Position(format!("{e}")))?;
        let mut engine = self.engine.take().unwrap_or_else(|| Engine::new(Options::default()));
        let thought = tokio::task::spawn_blocking(move || {
            let limits = Limits { time: Some(THINK), ..Limits::default() };
            let answer = engine.search(&position, &limits, &Stop::new(), &mut |_| {});
            (engine, answer.map(|answer| answer.best))
        });
        let (engine, m): (Engine, Option<Move>) =
            thought.await.map_err(|e| BotError::Position(e.to_string()))?;
        self.engine = Some(engine);
        let Some(m) = m else { return Ok(()) };
        let number = game["number"].as_u64().unwrap_or(0);
        let body = json!({ "move": m.to_string(), "id": format!("bot-{number}"), "after": number });
        match self.me.post(&format!("/games/{}/moves", self.id), &body).await {
            // The game has gone on without us; the stream tells how.
            Err(error) if matches!(error.code(), Some("stale" | "not_your_turn" | "game_over")) => {
                Ok(())
            }
            played => Ok(played.map(|_| ())?),
        }
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
