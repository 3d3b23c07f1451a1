//! Load test: scripted clients play many games at once over WebSockets, with think times like
//! those of people. Measures the latency from a move to the opponent's event, and memory per game.

use crate::{Client, ClientError, Socket};
use serde::Deserialize;
use serde_json::json;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{Semaphore, watch};

/// The number of games that are set up at the same time.
const CONCURRENT_SETUPS: usize = 16;

/// The number of sockets that watch the same game: each is told when another one comes or goes.
const WATCHERS_PER_GAME: usize = 100;

/// The longest wait for a message.
const MESSAGE_TIMEOUT: Duration = Duration::from_secs(30);

/// The size of a load test.
#[derive(Clone, Debug)]
pub struct LoadConfig {
    /// The server, which should run without rate limits.
    pub client: Client,
    /// The process id of the server, to measure its memory on this machine.
    pub pid: Option<u32>,
    /// The number of games played at once.
    pub games: usize,
    /// The number of further sockets that watch games.
    pub watchers: usize,
    /// The measured time.
    pub duration: Duration,
    /// The mean time that a player thinks.
    pub think: Duration,
}

/// The counts so far.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    /// Games set up.
    pub games: u64,
    /// Watching sockets opened.
    pub watchers: u64,
    /// Moves played.
    pub moves: u64,
    /// Errors.
    pub errors: u64,
}

/// The result of a load test.
#[derive(Clone, Debug, Default)]
pub struct LoadReport {
    /// Games set up.
    pub games: u64,
    /// Games finished; each was followed by a new one.
    pub finished: u64,
    /// Watching sockets.
    pub watchers: u64,
    /// Moves played in the measured time.
    pub moves: u64,
    /// Moves per second.
    pub moves_per_second: f64,
    /// Milliseconds from sending a move to the opponent's event: the percentiles 50, 90, 99 and
    /// 99.9, and the maximum.
    pub latency_ms: [f64; 5],
    /// The number of errors.
    pub errors: u64,
    /// The texts of the first five errors.
    pub examples: Vec<String>,
    /// Memory of the server before the games, in KiB.
    pub memory_before_kib: Option<u64>,
    /// Memory with all games set up and both players of each connected, before the first move.
    pub memory_idle_kib: Option<u64>,
    /// Memory at the end.
    pub memory_after_kib: Option<u64>,
    /// Memory of one idle game with its two sockets, in KiB.
    pub memory_per_game_kib: Option<f64>,
    /// Memory of one watching socket, in KiB.
    pub memory_per_watcher_kib: Option<f64>,
}

#[derive(Default)]
struct Tally {
    games: AtomicU64,
    finished: AtomicU64,
    watchers: AtomicU64,
    moves: AtomicU64,
    errors: AtomicU64,
    latencies: Mutex<Vec<u32>>,
    examples: Mutex<Vec<String>>,
}

impl Tally {
    fn count_error(&self, error: &impl ToString) {
        self.errors.fetch_add(1, Relaxed);
        let mut examples = self.examples.lock().unwrap_or_else(PoisonError::into_inner);
        if examples.len() < 5 {
            examples.push(error.to_string());
        }
    }
}

/// The part of a message that a scripted client needs. The rest is skipped without being stored,
/// which keeps the load test cheaper than the server that it measures.
#[derive(Deserialize)]
struct Message {
    #[serde(rename = "type")]
    kind: String,
    number: Option<u64>,
    game: Option<GamePart>,
    #[serde(default)]
    error: serde_json::Value,
}

#[derive(Deserialize)]
struct GamePart {
    number: u64,
    status: String,
    your_turn: bool,
    moves: Vec<MovePart>,
}

#[derive(Deserialize)]
struct MovePart {
    #[serde(rename = "move")]
    m: String,
}

/// Runs a load test and reports its progress five times per second.
///
/// # Errors
/// If the server cannot be reached at all. Errors in the games are counted.
pub async fn run(
    config: &LoadConfig,
    report: &mut dyn FnMut(&Progress),
) -> Result<LoadReport, ClientError> {
    let server = &config.client;
    server.get("/options").await?;
    let tally = Arc::new(Tally::default());
    let memory = || config.pid.and_then(resident_kib);
    let memory_before_kib = memory();
    let (phase, _) = watch::channel(Phase::SetUp);
    let phase = Arc::new(phase);
    let setups = Arc::new(Semaphore::new(CONCURRENT_SETUPS));
    let mut tasks = Vec::new();
    for n in 0..config.games {
        let pair = Pair {
            n,
            server: server.clone(),
            tally: Arc::clone(&tally),
            phase: phase.subscribe(),
            setups: Arc::clone(&setups),
            think: config.think,
        };
        tasks.push(tokio::spawn(pair.run()));
    }
    let done = |tally: &Tally, wanted: &AtomicU64, n: usize| {
        wanted.load(Relaxed) + tally.errors.load(Relaxed) >= n as u64
    };
    while !done(&tally, &tally.games, config.games) {
        pause(&tally, report).await;
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
    let memory_idle_kib = memory();
    let watched = watch_games(config, server, &tally, &setups, &phase).await?;
    while !done(&tally, &tally.watchers, config.watchers) {
        pause(&tally, report).await;
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
    let memory_watched_kib = memory();
    let _ = phase.send(Phase::Play);
    // The first think times spread the moves evenly; the measurement starts afterwards.
    warm_up(config, &tally, report).await;
    tally.moves.store(0, Relaxed);
    tally.latencies.lock().unwrap_or_else(PoisonError::into_inner).clear();
    let start = Instant::now();
    while start.elapsed() < config.duration {
        pause(&tally, report).await;
    }
    let (moves, seconds) = (tally.moves.load(Relaxed), start.elapsed().as_secs_f64());
    let memory_after_kib = memory();
    let _ = phase.send(Phase::Stop);
    for task in tasks.into_iter().chain(watched) {
        let _ = task.await;
    }
    let per = |after: Option<u64>, before: Option<u64>, n: u64| {
        Some(after?.saturating_sub(before?) as f64 / n.max(1) as f64)
    };
    let games = tally.games.load(Relaxed);
    let watchers = tally.watchers.load(Relaxed);
    Ok(LoadReport {
        games,
        finished: tally.finished.load(Relaxed),
        watchers,
        moves,
        moves_per_second: moves as f64 / seconds,
        latency_ms: percentiles(&tally),
        errors: tally.errors.load(Relaxed),
        examples: tally.examples.lock().unwrap_or_else(PoisonError::into_inner).clone(),
        memory_before_kib,
        memory_idle_kib,
        memory_after_kib,
        memory_per_game_kib: per(memory_idle_kib, memory_before_kib, games),
        memory_per_watcher_kib: per(memory_watched_kib, memory_idle_kib, watchers)
            .filter(|_| watchers > 0),
    })
}

async fn warm_up(config: &LoadConfig, tally: &Tally, report: &mut dyn FnMut(&Progress)) {
    let start = Instant::now();
    while start.elapsed() < config.think * 2 {
        pause(tally, report).await;
    }
}

async fn pause(tally: &Tally, report: &mut dyn FnMut(&Progress)) {
    tokio::time::sleep(Duration::from_millis(200)).await;
    report(&Progress {
        games: tally.games.load(Relaxed),
        watchers: tally.watchers.load(Relaxed),
        moves: tally.moves.load(Relaxed),
        errors: tally.errors.load(Relaxed),
    });
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    SetUp,
    Play,
    Stop,
}

/// Two scripted clients who play one game after another.
struct Pair {
    n: usize,
    server: Client,
    tally: Arc<Tally>,
    phase: watch::Receiver<Phase>,
    setups: Arc<Semaphore>,
    think: Duration,
}

impl Pair {
    async fn run(mut self) {
        let mut rng = 0x9e37_79b9_u64.wrapping_mul(self.n as u64 + 1);
        let mut is_first = true;
        loop {
            match self.game(&mut rng, is_first).await {
                Ok(true) => {
                    self.tally.finished.fetch_add(1, Relaxed);
                }
                Ok(false) => return,
                Err(error) => {
                    self.tally.count_error(&error);
                    return;
                }
            }
            is_first = false;
        }
    }

    /// Plays a game. Returns `true` when it was finished, `false` when the load test stops.
    async fn game(&mut self, rng: &mut u64, is_first: bool) -> Result<bool, ClientError> {
        let permit = Arc::clone(&self.setups).acquire_owned().await;
        let (ana, bob, id) = self.set_up().await?;
        let mut sockets = [ana.socket(&id, None).await?, bob.socket(&id, None).await?];
        drop((ana, bob, permit));
        let mut turn: Option<(usize, u64, String)> = None;
        for (i, socket) in sockets.iter_mut().enumerate() {
            let message = receive(&self.server, socket).await?;
            turn = turn.or(to_move(i, &message, rng));
        }
        if is_first {
            self.tally.games.fetch_add(1, Relaxed);
        }
        // Wait until all games are set up. The sockets are read meanwhile, because only a socket
        // that is read answers the server's pings.
        loop {
            let [one, two] = &mut sockets;
            tokio::select! {
                phase = self.phase.wait_for(|phase| *phase != Phase::SetUp) => match phase {
                    Ok(_) => break,
                    Err(_) => return Ok(false),
                },
                message = one.next_text() => message.map(|_| ())?,
                message = two.next_text() => message.map(|_| ())?,
            }
        }
        loop {
            let Some((i, number, m)) = turn.take() else {
                return Err(self.server.unexpected("no player is to move"));
            };
            let pause = self.think.mul_f64(0.4 + 1.2 * (random(rng) % 1000) as f64 / 1000.0);
            let wait = self.phase.wait_for(|phase| *phase == Phase::Stop);
            if tokio::time::timeout(pause, wait).await.is_ok() {
                return Ok(false);
            }
            let sent = Instant::now();
            let command =
                json!({ "type": "move", "move": m, "after": number, "id": format!("m{number}") });
            sockets[i].send(&json!({ "type": "command", "command": command })).await?;
            let mut is_over = false;
            // The opponent first: the latency is measured there.
            for player in [1 - i, i] {
                let message = loop {
                    let message = receive(&self.server, &mut sockets[player]).await?;
                    match message.kind.as_str() {
                        "event" if message.number > Some(number) => break message,
                        "error" => return Err(self.server.unexpected(&message.error)),
                        _ => {}
                    }
                };
                if player != i {
                    let us = u32::try_from(sent.elapsed().as_micros()).unwrap_or(u32::MAX);
                    let latencies = &self.tally.latencies;
                    latencies.lock().unwrap_or_else(PoisonError::into_inner).push(us);
                    self.tally.moves.fetch_add(1, Relaxed);
                }
                is_over |= message.game.as_ref().is_some_and(|game| game.status == "over");
                turn = turn.or(to_move(player, &message, rng));
            }
            if is_over {
                return Ok(true);
            }
        }
    }

    /// Creates a game between two new people.
    async fn set_up(&self) -> Result<(Client, Client, String), ClientError> {
        let ana = self.server.new_person("Ana").await?;
        let bob = self.server.new_person("Bob").await?;
        let seats = json!({ "seats": [{ "kind": "me" }, { "kind": "open" }] });
        let created = ana.post("/games", &seats).await?;
        let id = created["game"]["id"].as_str().unwrap_or_default().to_owned();
        let secret = &created["invitations"][0]["secret"];
        bob.post(&format!("/games/{id}/join"), &json!({ "secret": secret })).await?;
        Ok((ana, bob, id))
    }
}

/// Opens the sockets that only watch, at games that are not played.
async fn watch_games(
    config: &LoadConfig,
    server: &Client,
    tally: &Arc<Tally>,
    setups: &Arc<Semaphore>,
    phase: &watch::Sender<Phase>,
) -> Result<Vec<tokio::task::JoinHandle<()>>, ClientError> {
    if config.watchers == 0 {
        return Ok(Vec::new());
    }
    let me = server.new_person("Host").await?;
    let mut games = Vec::new();
    for _ in 0..config.watchers.div_ceil(WATCHERS_PER_GAME) {
        let seats = json!({ "seats": [{ "kind": "me" }, { "kind": "here" }] });
        let created = me.post("/games", &seats).await?;
        games.push(created["game"]["id"].as_str().unwrap_or_default().to_owned());
    }
    let watch = |n: usize| {
        let (server, tally) = (server.clone(), Arc::clone(tally));
        let (setups, mut phase) = (Arc::clone(setups), phase.subscribe());
        let game = games[n % games.len()].clone();
        tokio::spawn(async move {
            let permit = setups.acquire_owned().await;
            let opened = async {
                let mut socket = server.socket(&game, None).await?;
                receive(&server, &mut socket).await?;
                Ok::<Socket, ClientError>(socket)
            };
            let mut socket = match opened.await {
                Ok(socket) => socket,
                Err(error) => return tally.count_error(&error),
            };
            drop(permit);
            tally.watchers.fetch_add(1, Relaxed);
            loop {
                tokio::select! {
                    message = socket.next() => match message {
                        Ok(Some(_)) => {}
                        Ok(None) => return tally.count_error(&"the server closed a watching socket"),
                        Err(error) => return tally.count_error(&error),
                    },
                    _ = phase.wait_for(|phase| *phase == Phase::Stop) => return,
                }
            }
        })
    };
    Ok((0..config.watchers).map(watch).collect())
}

async fn receive(client: &Client, socket: &mut Socket) -> Result<Message, ClientError> {
    let text = tokio::time::timeout(MESSAGE_TIMEOUT, socket.next_text()).await;
    let text = text.map_err(|_| client.broken("no message for 30 s"))?;
    let text = text?.ok_or_else(|| client.broken("the server closed the socket"))?;
    serde_json::from_str(&text).map_err(|e| client.unexpected(e))
}

/// If player `i` is to move: `i`, the number of the last event, and a random legal move.
fn to_move(i: usize, message: &Message, rng: &mut u64) -> Option<(usize, u64, String)> {
    let game = message.game.as_ref().filter(|game| game.your_turn && !game.moves.is_empty())?;
    let m = &game.moves[random(rng) as usize % game.moves.len()].m;
    Some((i, game.number, m.clone()))
}

/// Linear congruential generator, good enough to choose moves in a load test.
fn random(rng: &mut u64) -> u64 {
    *rng = rng.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *rng >> 33
}

fn percentiles(tally: &Tally) -> [f64; 5] {
    let mut latencies = tally.latencies.lock().unwrap_or_else(PoisonError::into_inner).clone();
    latencies.sort_unstable();
    let at = |share: f64| {
        let last = latencies.len().checked_sub(1)?;
        latencies.get((last as f64 * share) as usize).map(|&us| f64::from(us) / 1_000.0)
    };
    [0.5, 0.9, 0.99, 0.999, 1.0].map(|share| at(share).unwrap_or(0.0))
}

/// Resident memory of a process in KiB; only on Linux.
fn resident_kib(pid: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}
