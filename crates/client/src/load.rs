//! Many games at once, played by scripted clients over WebSockets with pauses like those of
//! people: how fast does a move reach the opponent, and what does a game cost?

use crate::http::{Client, ClientError};
use crate::socket::Socket;
use serde::Deserialize;
use serde_json::json;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{Semaphore, watch};

/// How many games are set up at the same time.
const SETUPS: usize = 16;

/// What to do.
#[derive(Clone, Debug)]
pub struct LoadPlan {
    /// The server.
    pub server: String,
    /// The process of the server, to ask how much memory it uses.
    pub pid: Option<u32>,
    /// How many games at once.
    pub games: usize,
    /// How many sockets watch besides.
    pub watchers: usize,
    /// For how long.
    pub duration: Duration,
    /// How long a player thinks, on average.
    pub think: Duration,
}

/// How far it is.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    /// Games set up.
    pub games: u64,
    /// Watching sockets open.
    pub watchers: u64,
    /// Moves played.
    pub moves: u64,
    /// Errors.
    pub errors: u64,
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct LoadReport {
    /// Games that were set up.
    pub games: u64,
    /// Games that were finished and begun anew.
    pub finished: u64,
    /// Watching sockets.
    pub watchers: u64,
    /// Moves in the measured time.
    pub moves: u64,
    /// Of them, per second.
    pub moves_per_second: f64,
    /// From sending a move to the opponent's event, in milliseconds: the median, 90, 99 and 99.9 percent, and the worst.
    pub latency_ms: [f64; 5],
    /// What went wrong, with examples.
    pub errors: u64,
    /// The first few of them.
    pub examples: Vec<String>,
    /// The memory of the server before the games, in KiB.
    pub memory_before_kib: Option<u64>,
    /// With all games and both their players connected and nothing played.
    pub memory_idle_kib: Option<u64>,
    /// At the end.
    pub memory_after_kib: Option<u64>,
    /// Of one idle game with its two sockets, in KiB.
    pub memory_per_game_kib: Option<f64>,
    /// Of one watching socket, in KiB.
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
    fn fault(&self, error: &impl ToString) {
        self.errors.fetch_add(1, Relaxed);
        let mut examples = self.examples.lock().unwrap_or_else(PoisonError::into_inner);
        if examples.len() < 5 {
            examples.push(error.to_string());
        }
    }
}

/// What of a message matters here; everything else is skipped without being stored.
#[derive(Deserialize)]
struct Heard {
    #[serde(rename = "type")]
    kind: String,
    number: Option<u64>,
    game: Option<HeardGame>,
    #[serde(default)]
    error: serde_json::Value,
}

#[derive(Deserialize)]
struct HeardGame {
    number: u64,
    status: String,
    your_turn: bool,
    moves: Vec<HeardMove>,
}

#[derive(Deserialize)]
struct HeardMove {
    #[serde(rename = "move")]
    m: String,
}

/// Runs the load and reports.
///
/// # Errors
/// If the server cannot be reached at all.
pub async fn run(
    plan: &LoadPlan,
    tell: &mut dyn FnMut(&Progress),
) -> Result<LoadReport, ClientError> {
    let server = Arc::new(Client::new(&plan.server)?);
    server.get("/options").await?;
    let tally = Arc::new(Tally::default());
    let memory = || plan.pid.and_then(resident_kib);
    let memory_before_kib = memory();
    let (phase, _) = watch::channel(Phase::SetUp);
    let phase = Arc::new(phase);
    let setups = Arc::new(Semaphore::new(SETUPS));
    let mut tasks = Vec::new();
    for n in 0..plan.games {
        let job = Job {
            n,
            server: Arc::clone(&server),
            tally: Arc::clone(&tally),
            phase: phase.subscribe(),
            setups: Arc::clone(&setups),
            think: plan.think,
        };
        tasks.push(tokio::spawn(job.run()));
    }
    let done = |tally: &Tally, wanted: &AtomicU64, n: usize| {
        wanted.load(Relaxed) + tally.errors.load(Relaxed) >= n as u64
    };
    while !done(&tally, &tally.games, plan.games) {
        pause(&tally, tell).await;
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
    let memory_idle_kib = memory();
    let watched = watch_games(plan, &server, &tally, &setups, &phase).await?;
    while !done(&tally, &tally.watchers, plan.watchers) {
        pause(&tally, tell).await;
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
    let memory_watched_kib = memory();
    let _ = phase.send(Phase::Play);
    // The first pauses spread the games in time; then it counts.
    warm_up(plan, &tally, tell).await;
    tally.moves.store(0, Relaxed);
    tally.latencies.lock().unwrap_or_else(PoisonError::into_inner).clear();
    let start = Instant::now();
    while start.elapsed() < plan.duration {
        pause(&tally, tell).await;
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

async fn warm_up(plan: &LoadPlan, tally: &Tally, tell: &mut dyn FnMut(&Progress)) {
    let start = Instant::now();
    while start.elapsed() < plan.think * 2 {
        pause(tally, tell).await;
    }
}

async fn pause(tally: &Tally, tell: &mut dyn FnMut(&Progress)) {
    tokio::time::sleep(Duration::from_millis(200)).await;
    tell(&Progress {
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

/// One game after another, at one table.
struct Job {
    n: usize,
    server: Arc<Client>,
    tally: Arc<Tally>,
    phase: watch::Receiver<Phase>,
    setups: Arc<Semaphore>,
    think: Duration,
}

impl Job {
    async fn run(mut self) {
        let mut luck = 0x9e37_79b9_u64.wrapping_mul(self.n as u64 + 1);
        let mut is_first = true;
        loop {
            match self.game(&mut luck, is_first).await {
                Ok(true) => {
                    self.tally.finished.fetch_add(1, Relaxed);
                }
                Ok(false) => return,
                Err(error) => {
                    self.tally.fault(&error);
                    return;
                }
            }
            is_first = false;
        }
    }

    /// Plays a game; `true` when it was finished, `false` when it is time to stop.
    async fn game(&mut self, luck: &mut u64, is_first: bool) -> Result<bool, ClientError> {
        let permit = Arc::clone(&self.setups).acquire_owned().await;
        let (ana, bob, id) = self.set_up().await?;
        let mut sockets = [ana.socket(&id, None).await?, bob.socket(&id, None).await?];
        drop((ana, bob, permit));
        let mut turn: Option<(usize, u64, String)> = None;
        for (i, socket) in sockets.iter_mut().enumerate() {
            let heard = hear(socket).await?;
            turn = turn.or(to_move(i, &heard, luck));
        }
        if is_first {
            self.tally.games.fetch_add(1, Relaxed);
        }
        // Others are still set up. The server asks now and then whether a client is there, and only
        // a socket that is read answers.
        loop {
            let [one, two] = &mut sockets;
            tokio::select! {
                phase = self.phase.wait_for(|phase| *phase != Phase::SetUp) => match phase {
                    Ok(_) => break,
                    Err(_) => return Ok(false),
                },
                heard = one.next_text() => heard.map(|_| ())?,
                heard = two.next_text() => heard.map(|_| ())?,
            }
        }
        loop {
            let Some((i, number, m)) = turn.take() else {
                return Err(ClientError::Strange("nobody is to move".to_owned()));
            };
            let pause = self.think.mul_f64(0.4 + 1.2 * (random(luck) % 1000) as f64 / 1000.0);
            let wait = self.phase.wait_for(|phase| *phase == Phase::Stop);
            if tokio::time::timeout(pause, wait).await.is_ok() {
                return Ok(false);
            }
            let sent = Instant::now();
            let message =
                json!({ "type": "move", "move": m, "after": number, "id": format!("m{number}") });
            sockets[i].send(&message).await?;
            let mut is_over = false;
            // The opponent first: that is the time that counts.
            for who in [1 - i, i] {
                let heard = loop {
                    let heard = hear(&mut sockets[who]).await?;
                    match heard.kind.as_str() {
                        "event" if heard.number > Some(number) => break heard,
                        "error" => return Err(ClientError::Strange(heard.error.to_string())),
                        _ => {}
                    }
                };
                if who != i {
                    let us = u32::try_from(sent.elapsed().as_micros()).unwrap_or(u32::MAX);
                    let latencies = &self.tally.latencies;
                    latencies.lock().unwrap_or_else(PoisonError::into_inner).push(us);
                    self.tally.moves.fetch_add(1, Relaxed);
                }
                is_over |= heard.game.as_ref().is_some_and(|game| game.status == "over");
                turn = turn.or(to_move(who, &heard, luck));
            }
            if is_over {
                return Ok(true);
            }
        }
    }

    /// A game between two new people.
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

/// Opens the sockets that only watch, all at one game that is not played.
async fn watch_games(
    plan: &LoadPlan,
    server: &Arc<Client>,
    tally: &Arc<Tally>,
    setups: &Arc<Semaphore>,
    phase: &watch::Sender<Phase>,
) -> Result<Vec<tokio::task::JoinHandle<()>>, ClientError> {
    if plan.watchers == 0 {
        return Ok(Vec::new());
    }
    // A hundred games, so that who comes and goes is told to a hundred and not to ten thousand.
    let me = server.new_person("Host").await?;
    let mut games = Vec::new();
    for _ in 0..plan.watchers.div_ceil(100) {
        let seats = json!({ "seats": [{ "kind": "me" }, { "kind": "here" }] });
        let created = me.post("/games", &seats).await?;
        games.push(created["game"]["id"].as_str().unwrap_or_default().to_owned());
    }
    let watch = |n: usize| {
        let (server, tally) = (Arc::clone(server), Arc::clone(tally));
        let (setups, mut phase) = (Arc::clone(setups), phase.subscribe());
        let game = games[n % games.len()].clone();
        tokio::spawn(async move {
            let permit = setups.acquire_owned().await;
            let opened = async {
                let mut socket = server.socket(&game, None).await?;
                hear(&mut socket).await?;
                Ok::<Socket, ClientError>(socket)
            };
            let mut socket = match opened.await {
                Ok(socket) => socket,
                Err(error) => return tally.fault(&error),
            };
            drop(permit);
            tally.watchers.fetch_add(1, Relaxed);
            loop {
                tokio::select! {
                    heard = socket.next() => match heard {
                        Ok(Some(_)) => {}
                        Ok(None) => return tally.fault(&"a watching socket was closed"),
                        Err(error) => return tally.fault(&error),
                    },
                    _ = phase.wait_for(|phase| *phase == Phase::Stop) => return,
                }
            }
        })
    };
    Ok((0..plan.watchers).map(watch).collect())
}

async fn hear(socket: &mut Socket) -> Result<Heard, ClientError> {
    let patience = Duration::from_secs(30);
    let text = tokio::time::timeout(patience, socket.next_text()).await;
    let text = text.map_err(|_| ClientError::Connection("nothing for half a minute".to_owned()))?;
    let text = text?.ok_or_else(|| ClientError::Connection("the socket was closed".to_owned()))?;
    serde_json::from_str(&text).map_err(|e| ClientError::Strange(e.to_string()))
}

/// Who is to move, what was seen, and a move.
fn to_move(i: usize, heard: &Heard, luck: &mut u64) -> Option<(usize, u64, String)> {
    let game = heard.game.as_ref().filter(|game| game.your_turn && !game.moves.is_empty())?;
    let m = &game.moves[random(luck) as usize % game.moves.len()].m;
    Some((i, game.number, m.clone()))
}

/// Good enough to choose a move in a load test.
fn random(luck: &mut u64) -> u64 {
    *luck = luck.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *luck >> 33
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

/// The memory that a process has in use, in KiB; only on Linux.
fn resident_kib(pid: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}
