//! Backup, restore and check.

use crate::host::{databases, sqlite};
use azulejo_server::{CopyError, Store, summary_json};
use serde_json::json;

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
        store.restore(&mut backup.as_slice(), summary_json).await.unwrap();
        assert!(matches!(
            store.restore(&mut backup.as_slice(), summary_json).await,
            Err(CopyError::NotEmpty)
        ));
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
        assert!(store.restore(&mut part.as_bytes(), summary_json).await.is_err(), "{n} lines");
    }
    // The failed attempts left nothing behind.
    store.restore(&mut text.as_bytes(), summary_json).await.unwrap();
    store.close().await;
}
