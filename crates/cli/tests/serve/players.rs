//! Players and spectators who go on whatever happens to the server.

use azulejo_client::{Client, ClientError};
use azulejo_testkit::Rng;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The acknowledged moves, by game and event number.
pub(crate) type Acknowledged = Arc<Mutex<BTreeMap<(String, u64), String>>>;

/// Follows a game on a socket to its end, and resumes after the last event number when the server is
/// killed. Returns the moves by number, and the number of reconnections.
pub(crate) async fn follow(
    urls: Vec<String>,
    id: String,
    n: u64,
) -> (String, BTreeMap<u64, String>, u64) {
    let (mut rng, mut last, mut n_resumed) = (Rng::new(n), 1, 0);
    let mut heard = BTreeMap::new();
    let start = Instant::now();
    loop {
        assert!(start.elapsed() < Duration::from_secs(600), "the game does not end");
        let url = &urls[rng.index(urls.len())];
        let Ok(mut socket) = Client::new(url).unwrap().socket(&id, Some(last)).await else {
            tokio::time::sleep(Duration::from_millis(20)).await;
            continue;
        };
        while let Ok(Some(message)) = socket.next().await {
            match message["type"].as_str() {
                Some("event") => {
                    last += 1;
                    assert_eq!(message["number"].as_u64(), Some(last), "no event is missing");
                    if let Some(m) = message["event"]["move"].as_str() {
                        heard.insert(last, m.to_owned());
                    }
                }
                Some("state") => {
                    assert_eq!(
                        message["game"]["number"].as_u64(),
                        Some(last),
                        "nor before a state"
                    );
                }
                _ => {}
            }
            if message["game"]["status"] == "over" {
                return (id, heard, n_resumed);
            }
        }
        n_resumed += 1;
    }
}

/// A player who continues whatever happens to the server.
pub(crate) struct Player {
    /// The nodes; each request goes to a random one.
    pub(crate) urls: Vec<String>,
    pub(crate) token: String,
    /// The game.
    pub(crate) id: String,
    pub(crate) rng: Rng,
    /// The pause after each look at the game.
    pub(crate) pause_ms: Arc<AtomicU64>,
    pub(crate) acknowledged: Acknowledged,
}

impl Player {
    /// Plays to the end and returns the moves by event number.
    pub(crate) async fn run(mut self) -> (String, BTreeMap<u64, String>) {
        let path = format!("/games/{}", self.id);
        let mut lively = Instant::now();
        loop {
            let client = self.client();
            match client.get(&path).await {
                Ok(state) if state["status"] == "over" => break,
                Ok(state) if state["your_turn"] == true => {
                    self.play(&state, &path).await;
                    lively = Instant::now();
                }
                Ok(_) => tokio::time::sleep(Duration::from_millis(5)).await,
                Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
            }
            assert!(lively.elapsed() < Duration::from_secs(60), "the game is stuck");
            let pause_ms = self.pause_ms.load(Ordering::Relaxed);
            tokio::time::sleep(Duration::from_millis(pause_ms)).await;
        }
        (self.id.clone(), self.log().await)
    }

    fn client(&mut self) -> Client {
        let url = &self.urls[self.rng.index(self.urls.len())];
        Client::new(url).unwrap().with_token(&self.token)
    }

    /// Sends a move until a server answers; its id makes the request idempotent.
    async fn play(&mut self, state: &Value, path: &str) {
        let moves = state["moves"].as_array().unwrap();
        let m = moves[self.rng.index(moves.len())]["move"].as_str().unwrap();
        let id = format!("k{}", self.rng.next_u64());
        let body = json!({ "type": "move", "move": m, "id": id, "after": state["number"] });
        let start = Instant::now();
        loop {
            assert!(start.elapsed() < Duration::from_secs(60), "no server answers");
            match self.client().post(&format!("{path}/commands"), &body).await {
                Ok(played) => {
                    let key = (self.id.clone(), played["number"].as_u64().unwrap());
                    self.acknowledged.lock().unwrap().insert(key, m.to_owned());
                    return;
                }
                Err(ClientError::Connection { .. }) => {
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
                Err(error) if matches!(error.code(), Some("unavailable" | "busy")) => {}
                // The state came from a node that had not heard of the last event yet: look again.
                Err(error) if error.code() == Some("stale") && self.urls.len() > 1 => return,
                Err(error) => panic!("{error}"),
            }
        }
    }

    /// The moves of the finished game, from a server that answers.
    async fn log(&mut self) -> BTreeMap<u64, String> {
        let start = Instant::now();
        loop {
            assert!(start.elapsed() < Duration::from_secs(60), "no server answers");
            match self.try_log().await {
                Some(log) => return log,
                None => tokio::time::sleep(Duration::from_millis(20)).await,
            }
        }
    }

    async fn try_log(&mut self) -> Option<BTreeMap<u64, String>> {
        let mut socket = self.client().socket(&self.id, Some(1)).await.ok()?;
        let mut log = BTreeMap::new();
        let mut last = 1;
        loop {
            let message = socket.next().await.ok()??;
            if message["type"] == "state" {
                // While the database is away, the state comes without the events before it: try again.
                return (message["game"]["number"] == last).then_some(log);
            }
            let Some(number) = message["number"].as_u64() else { continue };
            last = number;
            if let Some(m) = message["event"]["move"].as_str() {
                log.insert(number, m.to_owned());
            }
        }
    }
}
