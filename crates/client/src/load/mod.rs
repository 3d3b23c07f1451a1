//! Load test: scripted clients play many games at once over WebSockets, with think times like
//! those of people, while others watch. Measures the latency from a move to the opponent's event, the
//! bytes of a move, and the processor time and memory of the server.

mod players;
mod process;
mod tally;
mod watchers;

use crate::{Client, ClientError};
use players::Pair;
use process::{cpu_time, resident_kib};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::{Duration, Instant};
use tally::Tally;
use tokio::sync::{Semaphore, watch};

/// The number of games that are set up at the same time.
const CONCURRENT_SETUPS: usize = 16;

/// The longest wait for a message.
const MESSAGE_TIMEOUT: Duration = Duration::from_secs(30);

/// The size of a load test.
#[derive(Clone, Debug)]
pub struct LoadConfig {
    /// The nodes of the server, which should run without rate limits. With several of them the players
    /// of a game are on different nodes.
    pub nodes: Vec<Client>,
    /// The process id of the server, to measure its memory and processor time on this machine.
    pub pid: Option<u32>,
    /// The number of games played at once.
    pub games: usize,
    /// The number of further sockets that watch games.
    pub watchers: usize,
    /// Whether the watchers join the first of the games that are played, all at once while it is
    /// played. Otherwise they watch games that are not played, 100 to a game.
    pub one_game: bool,
    /// The number of sockets that join that game, stay for a moment and leave, again and again.
    pub visitors: usize,
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
    /// Games set up per second, each with two new people, an invitation and two sockets.
    pub games_per_second: f64,
    /// Games finished; each was followed by a new one.
    pub finished: u64,
    /// Watching sockets.
    pub watchers: u64,
    /// How often a visitor came and left.
    pub visits: u64,
    /// The seconds in which the watchers of one game joined it.
    pub join_seconds: Option<f64>,
    /// Moves played in the measured time.
    pub moves: u64,
    /// Moves per second.
    pub moves_per_second: f64,
    /// Milliseconds from sending a move to the opponent's event: the percentiles 50, 90, 99 and
    /// 99.9, and the maximum.
    pub latency_ms: [f64; 5],
    /// The same for the one game that all watchers watch.
    pub watched_latency_ms: Option<[f64; 5]>,
    /// The mean size of the messages of a move.
    pub bytes_per_move: MoveBytes,
    /// Processor time of the server for a move, in milliseconds.
    pub cpu_ms_per_move: Option<f64>,
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

/// Bytes that the messages of a move take on a WebSocket, with the headers of their frames; means over
/// all moves, and the largest.
#[derive(Clone, Copy, Debug, Default)]
pub struct MoveBytes {
    /// For the player who is to move then, and is sent the legal moves.
    pub to_move: f64,
    /// For the player who has moved.
    pub moved: f64,
    /// For a watcher; only if all watch one game.
    pub watcher: Option<f64>,
    /// The largest for any of them.
    pub largest: u64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    SetUp,
    Play,
    Stop,
}

/// Runs a load test and reports its progress five times per second.
///
/// # Errors
/// If a node cannot be reached at all. Errors in the games are counted.
pub async fn run(
    config: &LoadConfig,
    report: &mut dyn FnMut(&Progress),
) -> Result<LoadReport, ClientError> {
    for node in &config.nodes {
        node.get("/options").await?;
    }
    let node = |n: usize| config.nodes[n % config.nodes.len()].clone();
    let tally = Arc::new(Tally::default());
    let memory = || config.pid.and_then(resident_kib);
    let memory_before_kib = memory();
    let (phase, _) = watch::channel(Phase::SetUp);
    let phase = Arc::new(phase);
    let setups = Arc::new(Semaphore::new(CONCURRENT_SETUPS));
    let mut tasks = Vec::new();
    let start = Instant::now();
    for n in 0..config.games {
        let pair = Pair {
            n,
            nodes: [node(n), node(n + 1)],
            tally: Arc::clone(&tally),
            phase: phase.subscribe(),
            setups: Arc::clone(&setups),
            think: config.think,
            is_watched: config.one_game && n == 0,
        };
        tasks.push(tokio::spawn(pair.run()));
    }
    wait_for(&tally, &tally.games, config.games, report).await;
    let set_up_seconds = tally.set_up_seconds(start);
    tokio::time::sleep(Duration::from_secs(1)).await;
    let memory_idle_kib = memory();
    let mut memory_watched_kib = None;
    let mut join_seconds = None;
    let mut watching = None;
    if config.watchers > 0 && !config.one_game {
        let games = watchers::new_games(&node(0), config.watchers).await?;
        watching = Some(watchers::start(config, games, &tally, &phase));
        wait_for(&tally, &tally.watchers, config.watchers, report).await;
        tokio::time::sleep(Duration::from_secs(1)).await;
        memory_watched_kib = memory();
    }
    let _ = phase.send(Phase::Play);
    // The first think times spread the moves evenly; the measurement starts afterwards.
    let start = Instant::now();
    while start.elapsed() < config.think * 2 {
        pause(&tally, report).await;
    }
    tally.restart();
    let (start, cpu_before) = (Instant::now(), config.pid.and_then(cpu_time));
    if config.watchers > 0 && config.one_game {
        watching = Some(watchers::start(config, tally.watched_game(), &tally, &phase));
        wait_for(&tally, &tally.watchers, config.watchers, report).await;
        join_seconds = Some(start.elapsed().as_secs_f64());
    }
    while start.elapsed() < config.duration {
        pause(&tally, report).await;
    }
    let (moves, seconds) = (Tally::get(&tally.moves), start.elapsed().as_secs_f64());
    let cpu_after = config.pid.and_then(cpu_time);
    let memory_after_kib = memory();
    let bytes_per_move = tally.bytes_per_move();
    let _ = phase.send(Phase::Stop);
    for task in tasks {
        let _ = task.await;
    }
    if let Some(watching) = watching {
        let _ = tokio::task::spawn_blocking(|| watching.join()).await;
    }
    let per = |after: Option<u64>, before: Option<u64>, n: u64| {
        Some(after?.saturating_sub(before?) as f64 / n.max(1) as f64)
    };
    let cpu = cpu_before.zip(cpu_after).map(|(before, after)| after.saturating_sub(before));
    let games = Tally::get(&tally.games);
    let watchers = Tally::get(&tally.watchers);
    Ok(LoadReport {
        games,
        games_per_second: games as f64 / set_up_seconds.max(1e-3),
        finished: Tally::get(&tally.finished),
        watchers,
        visits: Tally::get(&tally.visits),
        join_seconds,
        moves,
        moves_per_second: moves as f64 / seconds,
        latency_ms: Tally::percentiles(&tally.latencies),
        watched_latency_ms: config.one_game.then(|| Tally::percentiles(&tally.watched_latencies)),
        bytes_per_move,
        cpu_ms_per_move: cpu.map(|cpu| cpu.as_secs_f64() * 1_000.0 / moves.max(1) as f64),
        errors: Tally::get(&tally.errors),
        examples: tally.examples(),
        memory_before_kib,
        memory_idle_kib,
        memory_after_kib,
        memory_per_game_kib: per(memory_idle_kib, memory_before_kib, games),
        memory_per_watcher_kib: per(memory_watched_kib, memory_idle_kib, watchers),
    })
}

/// Waits until a count reaches a number, apart from errors.
async fn wait_for(tally: &Tally, count: &AtomicU64, n: usize, report: &mut dyn FnMut(&Progress)) {
    while Tally::get(count) + Tally::get(&tally.errors) < n as u64 {
        pause(tally, report).await;
    }
}

async fn pause(tally: &Tally, report: &mut dyn FnMut(&Progress)) {
    tokio::time::sleep(Duration::from_millis(200)).await;
    report(&Progress {
        games: Tally::get(&tally.games),
        watchers: Tally::get(&tally.watchers),
        moves: Tally::get(&tally.moves),
        errors: Tally::get(&tally.errors),
    });
}
