//! Sockets that only watch. They run on a thread of their own: the messages to thousands of watchers
//! keep the load test as busy as the server, and must not delay the players whose latency is measured.

use crate::load::tally::Tally;
use crate::load::{LoadConfig, MESSAGE_TIMEOUT, Phase};
use crate::{Client, ClientError, Socket};
use serde_json::json;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::sync::{Semaphore, watch};

/// The number of sockets that watch the same game.
const WATCHERS_PER_GAME: usize = 100;

/// The number of sockets that are opened at the same time.
const CONCURRENT_OPENINGS: usize = 64;

/// How long a visitor stays.
const VISIT: Duration = Duration::from_millis(500);

/// Creates the games to watch, which are not played.
pub(super) async fn new_games(server: &Client, n: usize) -> Result<Vec<String>, ClientError> {
    let me = server.new_person("Host").await?;
    let mut games = Vec::new();
    for _ in 0..n.div_ceil(WATCHERS_PER_GAME) {
        let seats = json!({ "seats": [{ "kind": "me" }, { "kind": "here" }] });
        let created = me.post("/games", &seats).await?;
        games.push(created["game"]["id"].as_str().unwrap_or_default().to_owned());
    }
    Ok(games)
}

/// Starts the thread, which opens the sockets and reads them until the load test stops.
pub(super) fn start(
    config: &LoadConfig,
    games: Vec<String>,
    tally: &Arc<Tally>,
    phase: &watch::Sender<Phase>,
) -> JoinHandle<()> {
    let (nodes, tally) = (config.nodes.clone(), Arc::clone(tally));
    let (n_watchers, n_visitors) = (config.watchers, config.visitors);
    let phase = phase.subscribe();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = match runtime {
            Ok(runtime) => runtime,
            Err(error) => return (0..n_watchers).for_each(|_| tally.add_error(&error)),
        };
        runtime.block_on(async {
            let openings = Arc::new(Semaphore::new(CONCURRENT_OPENINGS));
            let mut tasks = tokio::task::JoinSet::new();
            for n in 0..n_watchers + n_visitors {
                let game = games[n % games.len()].clone();
                let watcher = Watcher {
                    server: nodes[n % nodes.len()].clone(),
                    game,
                    tally: Arc::clone(&tally),
                };
                let (openings, phase) = (Arc::clone(&openings), phase.clone());
                tasks.spawn(async move {
                    let result = match n < n_watchers {
                        true => watcher.run(&openings, phase).await,
                        false => watcher.come_and_go(phase).await,
                    };
                    if let Err(error) = result {
                        watcher.tally.add_error(&error);
                    }
                });
            }
            while tasks.join_next().await.is_some() {}
        });
    })
}

struct Watcher {
    server: Client,
    game: String,
    tally: Arc<Tally>,
}

impl Watcher {
    async fn run(
        &self,
        openings: &Semaphore,
        mut phase: watch::Receiver<Phase>,
    ) -> Result<(), ClientError> {
        let mut socket = {
            let _permit = openings.acquire().await;
            self.open().await?
        };
        Tally::add(&self.tally.watchers);
        loop {
            let n_bytes = socket.n_bytes();
            let text = tokio::select! {
                text = socket.next_text() => text?,
                _ = phase.wait_for(|phase| *phase == Phase::Stop) => return Ok(()),
            };
            let closed = "the server closed a watching socket";
            let text = text.ok_or_else(|| self.server.broken(closed))?;
            if text.starts_with("{\"type\":\"patch\"") {
                self.tally.add_watcher_bytes(socket.n_bytes() - n_bytes);
            }
        }
    }

    /// Opens a socket and leaves after a moment, again and again.
    async fn come_and_go(&self, mut phase: watch::Receiver<Phase>) -> Result<(), ClientError> {
        loop {
            let _socket = self.open().await?;
            Tally::add(&self.tally.visits);
            let stop = phase.wait_for(|phase| *phase == Phase::Stop);
            if tokio::time::timeout(VISIT, stop).await.is_ok() {
                return Ok(());
            }
        }
    }

    /// Opens the socket and reads the state.
    async fn open(&self) -> Result<Socket, ClientError> {
        let mut socket = self.server.patch_socket(&self.game, None).await?;
        let state = tokio::time::timeout(MESSAGE_TIMEOUT, socket.next_text()).await;
        match state.map_err(|_| self.server.broken("no message for 30 s"))?? {
            Some(_) => Ok(socket),
            None => Err(self.server.broken("the server closed a watching socket")),
        }
    }
}
