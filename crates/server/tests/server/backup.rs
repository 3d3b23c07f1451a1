//! Backup, restore and check.

use crate::host::{databases, sqlite};
use azulejo_server::{CopyError, Store};
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

#[tokio::test]
async fn a_backup_moves_a_server_from_one_database_to_another() {
    for (from, to) in databases().into_iter().zip(databases().into_iter().rev()) {
        let host = from.host().await;
        let game = host.two_player_game().await;
        game.play(5).await;
        let waiting = json!({ "seats": [{ "kind": "me" }, { "kind": "open" }] });
        let created = game.players[0].post("/games", &waiting).await.unwrap();
        let before = game.state(0).await;
        // While the server runs.
        let Ok(store) = Store::open(from.place.clone(), "copy").await else { panic!() };
        let mut backup = Vec::new();
        store.backup(&mut backup).await.unwrap();
        store.close().await;
        host.server.stop().await;
        let store = Store::open(to.place.clone(), "copy").await.unwrap();
        store.restore(&mut backup.as_slice()).await.unwrap();
        assert!(matches!(store.restore(&mut backup.as_slice()).await, Err(CopyError::NotEmpty)));
        let report = store.check().await.unwrap();
        assert_eq!((report.faults, report.games, report.people), (vec![], 2, 2));
        store.close().await;
        let host = to.host().await;
        let ana = host.client.with_token(game.players[0].token().unwrap());
        let after = ana.get(&game.path("")).await.unwrap();
        assert_eq!(after["position"], before["position"]);
        assert_eq!(after["moves"], before["moves"]);
        // The invitation still opens its seat.
        let eve = host.person("Eve").await;
        let join = format!("/games/{}/join", created["game"]["id"].as_str().unwrap());
        eve.post(&join, &json!({ "secret": created["invitations"][0]["secret"] })).await.unwrap();
        host.server.stop().await;
    }
}

#[tokio::test]
async fn a_truncated_backup_is_refused() {
    let database = sqlite();
    let host = database.host().await;
    host.two_player_game().await.play(3).await;
    host.server.stop().await;
    let store = Store::open(database.place.clone(), "copy").await.unwrap();
    let mut backup = Vec::new();
    store.backup(&mut backup).await.unwrap();
    store.close().await;
    let text = String::from_utf8(backup).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let other = sqlite();
    let store = Store::open(other.place.clone(), "copy").await.unwrap();
    for n in 0..lines.len() {
        let part = lines[..n].join("\n");
        assert!(store.restore(&mut part.as_bytes()).await.is_err(), "{n} lines");
    }
    // The failed attempts left nothing behind.
    store.restore(&mut text.as_bytes()).await.unwrap();
    store.close().await;
}

/// A backup taken while people appear, create games and play is one moment of all of it: it is restored
/// into the other kind of database without a fault.
#[tokio::test]
async fn a_backup_under_load_is_one_moment() {
    for (from, to) in databases().into_iter().zip(databases().into_iter().rev()) {
        let host = from.host().await;
        let is_over = Arc::new(AtomicBool::new(false));
        let n_moves = Arc::new(AtomicU64::new(0));
        let players: Vec<_> = (0..8)
            .map(|n| {
                let (client, is_over) = (host.client.clone(), Arc::clone(&is_over));
                let n_moves = Arc::clone(&n_moves);
                tokio::spawn(async move {
                    while !is_over.load(Ordering::Relaxed) {
                        let me = client.new_person(&format!("Player {n}")).await.unwrap();
                        let seats = json!({ "seats": [{ "kind": "me" }, { "kind": "here" }] });
                        let game = me.post("/games", &seats).await.unwrap()["game"].clone();
                        let path = format!("/games/{}/commands", game["id"].as_str().unwrap());
                        let mut moves = game["moves"].clone();
                        for _ in 0..12 {
                            let body = json!({ "type": "move", "move": moves[0]["move"] });
                            moves = me.post(&path, &body).await.unwrap()["game"]["moves"].clone();
                            n_moves.fetch_add(1, Ordering::Relaxed);
                        }
                    }
                })
            })
            .collect();
        while n_moves.load(Ordering::Relaxed) < 100 {
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
        let store = Store::open(from.place.clone(), "copy").await.unwrap();
        let mut backups = Vec::new();
        for _ in 0..3 {
            let before = n_moves.load(Ordering::Relaxed);
            let mut backup = Vec::new();
            store.backup(&mut backup).await.unwrap();
            backups.push(backup);
            assert_eq!(store.check().await.unwrap().faults, [""; 0], "beside a running server");
            while n_moves.load(Ordering::Relaxed) < before + 50 {
                tokio::time::sleep(std::time::Duration::from_millis(10)).await;
            }
        }
        store.close().await;
        is_over.store(true, Ordering::Relaxed);
        for player in players {
            player.await.unwrap();
        }
        host.server.stop().await;
        let backup = backups.pop().unwrap();
        let store = Store::open(to.place.clone(), "copy").await.unwrap();
        let lines = store.restore(&mut backup.as_slice()).await.unwrap();
        let report = store.check().await.unwrap();
        assert_eq!(report.faults, [""; 0]);
        // Each person has one game, which begins with the person: the backup cannot have one alone, but
        // for a person who was about to create it.
        assert!(report.games > 5 && report.people.abs_diff(report.games) <= 8, "{report:?}");
        assert!(lines > 100);
        store.close().await;
    }
}
