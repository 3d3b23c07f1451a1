//! The continuous backups of docs/backup.md, tried with the tools of the databases and a real server under
//! load. It runs only by `cargo xtask long backups`, which sets AZULEJO_BACKUPS.

use crate::process::{AZULEJO, Process};
use azulejo_client::Client;
use azulejo_testkit::{Scratch, postgres};
use serde_json::json;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

fn is_wanted() -> bool {
    std::env::var_os("AZULEJO_BACKUPS").is_some()
}

/// People who play until they are told to stop. Each remembers the moves that were acknowledged.
struct Load {
    is_over: Arc<AtomicBool>,
    players: Vec<tokio::task::JoinHandle<()>>,
    acknowledged: Arc<std::sync::Mutex<Vec<(String, u64)>>>,
}

impl Load {
    fn start(client: &Client) -> Load {
        let is_over = Arc::new(AtomicBool::new(false));
        let acknowledged = Arc::default();
        let players = (0..6).map(|n| {
            let (client, is_over) = (client.clone(), Arc::clone(&is_over));
            let acknowledged: Arc<std::sync::Mutex<Vec<_>>> = Arc::clone(&acknowledged);
            tokio::spawn(async move {
                while !is_over.load(Ordering::Relaxed) {
                    let me = client.new_person(&format!("Player {n}")).await.unwrap();
                    let seats = json!({ "seats": [{ "kind": "me" }, { "kind": "here" }] });
                    let game = me.post("/games", &seats).await.unwrap()["game"].clone();
                    let id = game["id"].as_str().unwrap().to_owned();
                    let mut moves = game["moves"].clone();
                    for _ in 0..15 {
                        let body = json!({ "type": "move", "move": moves[0]["move"] });
                        let path = format!("/games/{id}/commands");
                        let done = me.post(&path, &body).await.unwrap();
                        moves = done["game"]["moves"].clone();
                        let number = done["number"].as_u64().unwrap();
                        acknowledged.lock().unwrap().push((id.clone(), number));
                    }
                }
            })
        });
        Load { players: players.collect(), is_over, acknowledged }
    }

    /// The acknowledged moves so far: the game and the number of the event.
    fn so_far(&self) -> Vec<(String, u64)> {
        self.acknowledged.lock().unwrap().clone()
    }

    async fn some_more(&self) {
        let n = self.so_far().len();
        while self.so_far().len() < n + 60 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    async fn stop(self) {
        self.is_over.store(true, Ordering::Relaxed);
        for player in self.players {
            player.await.unwrap();
        }
    }
}

/// Runs a command and returns what it prints.
fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let problem = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{command:?}: {problem}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// A copy is sound and has every move that was acknowledged before it was made.
fn assert_sound(database: &str, acknowledged: &[(String, u64)], what: &str) {
    assert!(acknowledged.len() > 50);
    let check = run(Command::new(AZULEJO).args(["db", "check", "--database", database]));
    assert!(check.contains("no faults"), "{what}: {check}");
    let list = run(Command::new(AZULEJO).args([
        "admin",
        "games",
        "--database",
        database,
        "--limit",
        "100000",
        "--json",
    ]));
    let games: std::collections::HashMap<String, u64> = list
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
        .map(|game| (game["game"].as_str().unwrap().to_owned(), game["events"].as_u64().unwrap()))
        .collect();
    for (game, number) in acknowledged {
        let found = games.get(game).copied().unwrap_or(0);
        assert!(found >= *number, "{what}: game {game} has {found} events, not {number}");
    }
    eprintln!("{what}: sound, with all of {} moves", acknowledged.len());
}

#[tokio::test(flavor = "multi_thread")]
async fn sqlite_copies_are_sound() {
    if !is_wanted() {
        return;
    }
    let folder = Scratch::new();
    let database = folder.file("games.db");
    let server = Process::start(&database, 0, &[]);
    let load = Load::start(&server.client());
    load.some_more().await;
    // VACUUM INTO.
    let (copy, before) = (folder.file("vacuum.db"), load.so_far());
    run(Command::new("sqlite3").arg(&database).arg(format!("VACUUM INTO '{copy}'")));
    assert_sound(&copy, &before, "VACUUM INTO");
    // The online backup of the tool.
    let (copy, before) = (folder.file("online.db"), load.so_far());
    run(Command::new("sqlite3").arg(&database).arg(format!(".backup '{copy}'")));
    assert_sound(&copy, &before, ".backup");
    // Replication of the write-ahead log: a reader keeps the log from starting again, the file is copied
    // once, and then only what the log has gained.
    let mut reader = Command::new("sqlite3")
        .arg(&database)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = reader.stdin.take().unwrap();
    std::io::Write::write_all(&mut input, b"BEGIN; SELECT COUNT(*) FROM games;\n").unwrap();
    let mut line = String::new();
    let output = reader.stdout.take().unwrap();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(output), &mut line).unwrap();
    let copy = folder.file("replica.db");
    fs::copy(&database, &copy).unwrap();
    let (log, copy_of_log) = (format!("{database}-wal"), format!("{copy}-wal"));
    let mut n_copied = 0;
    let mut before = Vec::new();
    for _ in 0..4 {
        load.some_more().await;
        before = load.so_far();
        let bytes = fs::read(&log).unwrap();
        let mut out = fs::File::options().create(true).append(true).open(&copy_of_log).unwrap();
        std::io::Write::write_all(&mut out, &bytes[n_copied..]).unwrap();
        n_copied = bytes.len();
    }
    std::io::Write::write_all(&mut input, b"COMMIT;\n.quit\n").unwrap();
    reader.wait().unwrap();
    assert_sound(&copy, &before, "replica of the write-ahead log");
    load.stop().await;
    assert_eq!(server.stop(), Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn postgres_goes_back_to_a_moment() {
    if !is_wanted() {
        return;
    }
    let folder = Scratch::new();
    let archive = folder.file("wal");
    fs::create_dir(&archive).unwrap();
    let settings = format!(
        "archive_mode = on\nwal_level = replica\n\
         archive_command = 'test ! -f {archive}/%f && cp %p {archive}/%f'"
    );
    let Some(database) = postgres::start_prepared(|data| postgres::set(data, &settings)) else {
        panic!("PostgreSQL is not installed");
    };
    postgres::own(folder.path());
    postgres::own(Path::new(&archive));
    let server = Process::start(&database.url(), 0, &[]);
    let load = Load::start(&server.client());
    load.some_more().await;
    let base = folder.file("base");
    run(database.tool("pg_basebackup").args(["-X", "stream", "-D", &base]));
    load.some_more().await;
    // The moment, by the database's clock, and something after it that must be gone.
    let before = load.so_far();
    let moment = run(database.tool("psql").args(["-Atc", "SELECT clock_timestamp()"]));
    tokio::time::sleep(Duration::from_millis(100)).await;
    let late = server.client().new_person("Too late").await.unwrap();
    let late = late.get("/me").await.unwrap()["id"].as_str().unwrap().to_owned();
    load.some_more().await;
    load.stop().await;
    assert_eq!(server.stop(), Some(0));
    run(database.tool("psql").args(["-Atc", "SELECT pg_switch_wal()"]));
    run(database.tool("psql").args(["-Atc", "CHECKPOINT"]));
    tokio::time::sleep(Duration::from_secs(2)).await;
    drop(database);
    let settings = format!(
        "restore_command = 'cp {archive}/%f %p'\nrecovery_target_time = '{}'\n\
         recovery_target_action = 'promote'\narchive_mode = off",
        moment.trim()
    );
    let recovered = postgres::recover(Path::new(&base), &settings);
    assert_sound(&recovered.url(), &before, "recovery to a moment");
    let people = run(Command::new(AZULEJO).args([
        "admin",
        "people",
        "--database",
        &recovered.url(),
        "--limit",
        "100000",
    ]));
    assert!(!people.contains(&late), "what happened after the moment is gone");
}
