//! A soak: games, spectators, hints and backups go on while a fault happens every minute. No
//! acknowledged move is lost, no game is stuck, every backup can be restored, and the memory of a
//! server that is never killed does not grow.
//!
//! AZULEJO_SOAK_SECONDS sets its length; `cargo xtask long soak` runs an hour.

use crate::players::{Acknowledged, Player, follow};
use crate::process::{AZULEJO, Process};
use azulejo_client::{Client, ClientError};
use azulejo_testkit::{Rng, Scratch, postgres};
use serde_json::{Value, json};
use std::fmt;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// The number of games that are played at the same time.
const GAMES: u64 = 12;

/// The largest time between two faults.
const MAX_FAULT_INTERVAL: Duration = Duration::from_secs(60);

/// The pause of a player between two looks at the game.
const PAUSE_MS: u64 = 25;

/// Memory may grow by this factor, and by this number of KiB, from the first third of the run to its end:
/// allocators keep some of what a burst has used.
const MEMORY_FACTOR: f64 = 1.25;
const MEMORY_SLACK_KIB: u64 = 8 * 1024;

fn length() -> Duration {
    let seconds = std::env::var("AZULEJO_SOAK_SECONDS").ok().and_then(|n| n.parse().ok());
    Duration::from_secs(seconds.unwrap_or(10))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_soaked_server_with_a_file_loses_nothing() {
    let folder = Scratch::new();
    let faults = [Fault::Backup, Fault::Kill, Fault::FullDisk, Fault::Freeze];
    Soak::start(&folder.file("games.db"), folder.path(), 1, &faults).run().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn soaked_nodes_with_postgresql_lose_nothing() {
    let Some(database) = postgres::start() else { return };
    let folder = Scratch::new();
    let faults = [Fault::Backup, Fault::Kill, Fault::LostDatabase, Fault::Freeze];
    let mut soak = Soak::start(&database.url(), folder.path(), 2, &faults);
    soak.postgres = Some(database);
    soak.run().await;
}

/// Something that happens to a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    /// A backup is made under load, restored elsewhere and checked.
    Backup,
    /// The first node is killed and started again.
    Kill,
    /// No file may grow for a second.
    FullDisk,
    /// The first node does not run for two seconds.
    Freeze,
    /// The database stops and starts again.
    LostDatabase,
}

/// What has happened so far.
#[derive(Debug, Default)]
struct Counts {
    games: AtomicU64,
    moves: AtomicU64,
    resumed: AtomicU64,
    hints: AtomicU64,
    refused_hints: AtomicU64,
    watchers: AtomicU64,
    faults: AtomicU64,
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counts { games, moves, resumed, hints, refused_hints, watchers, faults } = self;
        write!(
            f,
            "{} games, {} acknowledged moves, {} connections resumed, {} hints ({} refused), \
             {} spectators, {} faults",
            games.load(Relaxed),
            moves.load(Relaxed),
            resumed.load(Relaxed),
            hints.load(Relaxed),
            refused_hints.load(Relaxed),
            watchers.load(Relaxed),
            faults.load(Relaxed)
        )
    }
}

struct Soak<'a> {
    database: String,
    folder: &'a Path,
    /// The first node suffers; the last one is never killed or stopped if there are two.
    nodes: Vec<Process>,
    faults: &'a [Fault],
    postgres: Option<postgres::Postgres>,
    counts: Arc<Counts>,
    end: Instant,
}

impl<'a> Soak<'a> {
    fn start(database: &str, folder: &'a Path, n_nodes: usize, faults: &'a [Fault]) -> Soak<'a> {
        Soak {
            database: database.to_owned(),
            folder,
            nodes: (0..n_nodes).map(|_| node(database, folder, 0)).collect(),
            faults,
            postgres: None,
            counts: Arc::default(),
            end: Instant::now() + length(),
        }
    }

    async fn run(mut self) {
        let urls: Vec<String> = self.nodes.iter().map(|node| node.url.clone()).collect();
        let table = Table { urls, end: self.end, counts: Arc::clone(&self.counts) };
        let mut tasks = Vec::new();
        for n in 0..GAMES {
            tasks.push(tokio::spawn(table.clone().play_games(n)));
        }
        let interval = MAX_FAULT_INTERVAL.min(length() / (self.faults.len() as u32 + 1));
        let mut memory = Vec::new();
        let mut next_fault = Instant::now() + interval;
        for &fault in self.faults.iter().cycle() {
            while Instant::now() < next_fault.min(self.end) {
                tokio::time::sleep(Duration::from_millis(200)).await;
                memory.extend(self.nodes.last().and_then(Process::resident_kib));
            }
            if Instant::now() >= self.end {
                break;
            }
            next_fault += interval;
            self.suffer(fault).await;
            self.counts.faults.fetch_add(1, Relaxed);
        }
        for task in tasks {
            task.await.expect("every game comes to its end");
        }
        println!("{:?}: {}", length(), self.counts);
        self.finish(&memory);
    }

    async fn suffer(&mut self, fault: Fault) {
        let pid = self.nodes[0].child.id();
        match fault {
            Fault::Backup => {
                let (database, folder) = (self.database.clone(), self.folder.to_owned());
                let backup = move || back_up_and_restore(&database, &folder);
                tokio::task::spawn_blocking(backup).await.expect("a backup can be restored");
            }
            Fault::Kill => {
                let port = self.nodes[0].port();
                self.nodes.remove(0).kill();
                let again = node(&self.database, self.folder, port);
                self.nodes.insert(0, again);
            }
            Fault::FullDisk => {
                limit_file_size(pid, "300000:");
                tokio::time::sleep(Duration::from_secs(1)).await;
                limit_file_size(pid, "unlimited:");
            }
            Fault::Freeze => {
                signal(pid, "STOP");
                tokio::time::sleep(Duration::from_secs(2)).await;
                signal(pid, "CONT");
            }
            Fault::LostDatabase => {
                let postgres = self.postgres.as_ref().expect("a PostgreSQL");
                postgres.stop();
                tokio::time::sleep(Duration::from_secs(1)).await;
                postgres.start_again();
            }
        }
    }

    /// Stops the servers, checks the database, and compares the memory of the last node at the end of the
    /// run with the first third.
    fn finish(self, memory: &[u64]) {
        for node in self.nodes {
            assert_eq!(node.stop(), Some(0), "it stops gracefully");
        }
        check(&self.database);
        let third = memory.len() / 3;
        let most = |part: &[u64]| part.iter().copied().max().unwrap_or(0);
        let (before, after) = (most(&memory[..third]), most(&memory[memory.len() - third..]));
        println!(
            "memory of the last node: {before} KiB in the first third, {after} KiB in the last"
        );
        let allowed = (before as f64 * MEMORY_FACTOR) as u64 + MEMORY_SLACK_KIB;
        assert!(after <= allowed, "memory grew from {before} to {after} KiB");
    }
}

/// A server whose files can be limited in size: the signal of that limit is ignored.
fn node(database: &str, folder: &Path, port: u16) -> Process {
    let line = format!(
        "trap '' XFSZ; exec \"$azulejo\" serve --listen 127.0.0.1:{port} --database {database} \
         --limits no --grace 2 --engine-ms 50"
    );
    Process::shell(&line, folder)
}

/// What the clients know.
#[derive(Clone)]
struct Table {
    urls: Vec<String>,
    end: Instant,
    counts: Arc<Counts>,
}

impl Table {
    /// Plays one game after another, and compares each log with what was acknowledged.
    async fn play_games(self, n: u64) {
        let mut rng = Rng::new(n + 1);
        while Instant::now() < self.end {
            let (id, tokens) = self.new_game(&mut rng).await;
            let acknowledged = Acknowledged::default();
            let pause_ms = Arc::new(AtomicU64::new(PAUSE_MS));
            let follower = tokio::spawn(follow(self.urls.clone(), id.clone(), rng.next_u64()));
            let company = tokio::spawn(self.clone().keep_company(
                id.clone(),
                tokens[0].clone(),
                rng.next_u64(),
            ));
            let players: Vec<_> = tokens
                .into_iter()
                .map(|token| Player {
                    urls: self.urls.clone(),
                    token,
                    id: id.clone(),
                    rng: Rng::new(rng.next_u64()),
                    pause_ms: Arc::clone(&pause_ms),
                    acknowledged: Arc::clone(&acknowledged),
                })
                .map(|player| tokio::spawn(player.run()))
                .collect();
            // A game that is under way at the end of the run is finished without pauses.
            let hurry = tokio::spawn({
                let (end, pause_ms) = (self.end, Arc::clone(&pause_ms));
                async move {
                    tokio::time::sleep_until(end.into()).await;
                    pause_ms.store(0, Relaxed);
                }
            });
            for player in players {
                let (_, log) = player.await.expect("every player gets to the end");
                for ((_, number), m) in acknowledged.lock().unwrap().iter() {
                    assert_eq!(log.get(number), Some(m), "event {number} of {id} was acknowledged");
                }
            }
            let (_, heard, n_resumed) = follower.await.expect("every follower hears the end");
            hurry.abort();
            company.abort();
            let ended = company.await.expect_err("company ends with the game");
            assert!(ended.is_cancelled(), "spectators and hints: {ended}");
            for ((_, number), m) in acknowledged.lock().unwrap().iter() {
                assert_eq!(heard.get(number), Some(m), "a follower hears event {number} of {id}");
            }
            self.counts.games.fetch_add(1, Relaxed);
            self.counts.moves.fetch_add(acknowledged.lock().unwrap().len() as u64, Relaxed);
            self.counts.resumed.fetch_add(n_resumed, Relaxed);
        }
    }

    /// Creates a game of two people, or of one person and the engine, and returns its id and the tokens
    /// of its people.
    async fn new_game(&self, rng: &mut Rng) -> (String, Vec<String>) {
        let is_alone = rng.index(3) == 0;
        let other = match is_alone {
            true => json!({ "kind": "engine", "level": 1 + rng.index(3) }),
            false => json!({ "kind": "open" }),
        };
        let seats = json!({ "seats": [{ "kind": "me" }, other], "hints": true });
        loop {
            let client = self.client(rng);
            let made: Result<_, ClientError> = async {
                let ana = client.new_person("Ana").await?;
                let created = ana.post("/games", &seats).await?;
                let id = created["game"]["id"].as_str().unwrap().to_owned();
                let mut tokens = vec![ana.token().unwrap().to_owned()];
                if !is_alone {
                    let bob = client.new_person("Bob").await?;
                    let secret = json!({ "secret": created["invitations"][0]["secret"] });
                    bob.post(&format!("/games/{id}/join"), &secret).await?;
                    tokens.push(bob.token().unwrap().to_owned());
                }
                Ok((id, tokens))
            }
            .await;
            match made {
                Ok(made) => return made,
                Err(error) => accept(&error, &["unavailable", "busy"]),
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Spectators come and go, and the first player asks for hints.
    async fn keep_company(self, id: String, token: String, seed: u64) {
        let mut rng = Rng::new(seed);
        loop {
            let client = self.client(&mut rng);
            let socket = match rng.index(2) {
                0 => client.socket(&id, None).await,
                _ => client.patch_socket(&id, None).await,
            };
            if let Ok(mut socket) = socket {
                self.counts.watchers.fetch_add(1, Relaxed);
                let watch = async { while let Ok(Some(_)) = socket.next().await {} };
                let stay = Duration::from_millis(rng.next_u64() % 1_000);
                let _ = tokio::time::timeout(stay, watch).await;
            }
            let me = self.client(&mut rng).with_token(&token);
            let answer: Result<Value, _> = me.get(&format!("/games/{id}/hint")).await;
            match answer {
                Ok(_) => self.counts.hints.fetch_add(1, Relaxed),
                Err(error) => {
                    let codes = [
                        "unavailable",
                        "busy",
                        "not_your_turn",
                        "game_over",
                        "too_slow",
                        "too_many",
                    ];
                    accept(&error, &codes);
                    self.counts.refused_hints.fetch_add(1, Relaxed)
                }
            };
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
    }

    fn client(&self, rng: &mut Rng) -> Client {
        Client::new(&self.urls[rng.index(self.urls.len())]).unwrap()
    }
}

/// Fails on an error that a client should not see during a fault.
fn accept(error: &ClientError, codes: &[&str]) {
    let is_fine = match error {
        ClientError::Connection { .. } => true,
        error => error.code().is_some_and(|code| codes.contains(&code)),
    };
    assert!(is_fine, "{error}");
}

/// Backs a database up, restores the backup into a new file, and checks that.
fn back_up_and_restore(database: &str, folder: &Path) {
    let (backup, copy) = (folder.join("backup.jsonl"), folder.join("copy.db"));
    for file in [&backup, &copy] {
        let _ = std::fs::remove_file(file);
    }
    let copy = copy.to_str().unwrap();
    azulejo(&["db", "backup", backup.to_str().unwrap(), "--database", database]);
    azulejo(&["db", "restore", backup.to_str().unwrap(), "--database", copy]);
    check(copy);
}

fn check(database: &str) {
    azulejo(&["db", "check", "--database", database]);
}

fn azulejo(args: &[&str]) {
    let output = Command::new(AZULEJO).args(args).output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&said));
}

fn signal(pid: u32, name: &str) {
    let pid = pid.to_string();
    assert!(Command::new("kill").args([&format!("-{name}"), &pid]).status().unwrap().success());
}

fn limit_file_size(pid: u32, limit: &str) {
    let mut command = Command::new("prlimit");
    command.args(["--pid", &pid.to_string(), &format!("--fsize={limit}")]);
    assert!(command.status().is_ok_and(|status| status.success()), "prlimit works");
}
