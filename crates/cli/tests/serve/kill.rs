//! `kill -9` in the middle of games, repeatedly, at random moments. No acknowledged move is lost, no
//! game is stuck, and clients resume where they were.
//!
//! AZULEJO_KILLS sets the number of kills; `cargo xtask long kills` runs a hundred.

use crate::players::{Acknowledged, Player, follow};
use crate::process::{AZULEJO, Process};
use azulejo_testkit::{Rng, Scratch, postgres};
use serde_json::json;
use std::collections::BTreeMap;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

fn kills() -> u64 {
    std::env::var("AZULEJO_KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(8)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_with_a_file_may_be_killed() {
    let folder = Scratch::new();
    storm(&folder.file("games.db"), 1).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_with_postgresql_may_be_killed() {
    if let Some(database) = postgres::new_database() {
        storm(&database, 1).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_of_two_nodes_may_be_killed() {
    if let Some(database) = postgres::new_database() {
        storm(&database, 2).await;
    }
}

async fn storm(database: &str, n_nodes: usize) {
    let mut nodes: Vec<Process> =
        (0..n_nodes).map(|_| Process::start(database, 0, &["--engine-ms", "50"])).collect();
    let urls: Vec<String> = nodes.iter().map(|node| node.url.clone()).collect();
    // Games last until the last kill, then end quickly.
    let pause_ms = Arc::new(AtomicU64::new(10 * kills()));
    let acknowledged = Acknowledged::default();
    let (mut tasks, mut followers) = (Vec::new(), Vec::new());
    // More kills need more games.
    let n_games = 6 + kills() as usize / 10;
    for n in 0..n_games {
        let client = nodes[n % n_nodes].client();
        let (ana, bob) =
            (client.new_person("Ana").await.unwrap(), client.new_person("Bob").await.unwrap());
        // Every third game is against the engine.
        let open = if n % 3 == 2 {
            json!({ "kind": "engine", "level": 2 })
        } else {
            json!({ "kind": "open" })
        };
        let created =
            ana.post("/games", &json!({ "seats": [{ "kind": "me" }, open] })).await.unwrap();
        let id = created["game"]["id"].as_str().unwrap().to_owned();
        let mut tokens = vec![ana.token().unwrap().to_owned()];
        if n % 3 != 2 {
            let body = json!({ "secret": created["invitations"][0]["secret"] });
            bob.post(&format!("/games/{id}/join"), &body).await.unwrap();
            tokens.push(bob.token().unwrap().to_owned());
        }
        followers.push(tokio::spawn(follow(urls.clone(), id.clone(), n as u64)));
        for (seat, token) in tokens.into_iter().enumerate() {
            let player = Player {
                urls: urls.clone(),
                token,
                id: id.clone(),
                rng: Rng::new((n * 2 + seat + 1) as u64 * 77),
                pause_ms: Arc::clone(&pause_ms),
                acknowledged: Arc::clone(&acknowledged),
            };
            tasks.push(tokio::spawn(player.run()));
        }
    }
    let mut rng = Rng::new(5);
    for n in 0..kills() {
        tokio::time::sleep(Duration::from_millis(rng.next_u64() % 250)).await;
        let victim = n as usize % n_nodes;
        let port = nodes[victim].port();
        let node = nodes.swap_remove(victim);
        node.kill();
        tokio::time::sleep(Duration::from_millis(rng.next_u64() % 50)).await;
        nodes.push(Process::start(database, port, &["--engine-ms", "50"]));
        nodes.sort_by_key(|node| urls.iter().position(|url| *url == node.url));
    }
    pause_ms.store(0, Ordering::Relaxed);
    let mut logs = BTreeMap::new();
    for task in tasks {
        let (id, log) = task.await.expect("every player gets to the end");
        logs.insert(id, log);
    }
    let mut n_resumed = 0;
    for follower in followers {
        let (id, heard, n) = follower.await.expect("every follower hears the end");
        assert_eq!(heard, logs[&id], "a follower hears every move once, in order");
        n_resumed += n;
    }
    assert!(n_resumed > kills() / 2, "{n_resumed} connections were resumed");
    let acknowledged = acknowledged.lock().unwrap();
    assert!(acknowledged.len() > 50, "{}", acknowledged.len());
    println!(
        "{} kills of {n_nodes} nodes, {n_games} games, {} acknowledged moves, {n_resumed} connections resumed",
        kills(),
        acknowledged.len()
    );
    for ((id, number), m) in acknowledged.iter() {
        let log = &logs[id];
        assert_eq!(log.get(number), Some(m), "event {number} of {id} was acknowledged");
    }
    for node in nodes {
        assert_eq!(node.stop(), Some(0));
    }
    let check =
        Command::new(AZULEJO).args(["db", "check", "--database", database]).output().unwrap();
    let said = String::from_utf8_lossy(&check.stdout).into_owned();
    assert!(check.status.success() && said.contains(&format!("{n_games} games")), "{said}");
}

/// A full disk: moves are refused with a reason, no acknowledged move is lost, and the game continues
/// when there is space again.
#[tokio::test]
async fn the_disk_is_full() {
    let folder = Scratch::new();
    // A limit on the file size simulates a full disk; its signal is ignored.
    let line = "trap '' XFSZ; ulimit -S -f 300; exec \"$azulejo\" serve --listen 127.0.0.1:0 --database games.db --limits no";
    let server = Process::shell(line, folder.path());
    let me = server.client().new_person("Ana").await.unwrap();
    let seats = json!({ "seats": [{ "kind": "me" }, { "kind": "here" }] });
    let mut last = None;
    let refused = 'full: loop {
        let game = match me.post("/games", &seats).await {
            Ok(created) => created["game"].clone(),
            Err(error) => break error,
        };
        let path = format!("/games/{}", game["id"].as_str().unwrap());
        let mut state = game;
        while state["status"] != "over" {
            let id = format!("x{}", state["number"]);
            let body = json!({ "type": "move", "move": state["moves"][0]["move"], "id": id, "after": state["number"] });
            match me.post(&format!("{path}/commands"), &body).await {
                Ok(played) => {
                    state = played["game"].clone();
                    last = Some((path.clone(), state["position"]["position"].clone()));
                }
                Err(error) => break 'full error,
            }
        }
    };
    assert_eq!(refused.code(), Some("unavailable"), "{refused}");
    // The game is still shown, and moves are still refused.
    let (path, position) = last.expect("some moves found room");
    let state = me.get(&path).await.unwrap();
    assert_eq!(state["position"]["position"], position, "the last acknowledged move is there");
    let (status, _) =
        server.client().text(azulejo_client::Method::GET, "/healthz", None).await.unwrap();
    assert_eq!(status, 200);
    // With space again, the same server recovers by itself.
    let pid = server.child.id().to_string();
    let room = Command::new("prlimit").args(["--pid", &pid, "--fsize=unlimited:"]).status();
    if room.is_ok_and(|room| room.success()) {
        let start = Instant::now();
        while let Err(error) = me.post("/games", &seats).await {
            assert_eq!(error.code(), Some("unavailable"), "{error}");
            assert!(start.elapsed() < Duration::from_secs(30), "it does not go on");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    } else {
        eprintln!("prlimit is not installed: the disk stays full");
    }
    let token = me.token().unwrap().to_owned();
    server.kill();
    let server = Process::start(&folder.file("games.db"), 0, &[]);
    let me = server.client().with_token(&token);
    let state = me.get(&path).await.unwrap();
    assert_eq!(state["position"]["position"], position, "also after a kill");
    me.post("/games", &seats).await.expect("and it goes on");
    drop(server);
    let check = Command::new(AZULEJO)
        .args(["db", "check", "--database", &folder.file("games.db")])
        .output()
        .unwrap();
    assert!(check.status.success(), "{}", String::from_utf8_lossy(&check.stdout));
}
