//! Fair deals: the promise holds, and nobody is sent the future.

use crate::host::{any_move, databases, text};
use azulejo_notation::{Record, verify_deals};
use azulejo_server::game::seed_hash;
use hyper::Method;
use serde_json::json;
use sha2::{Digest, Sha256};

/// Plays games in which every byte that anybody is sent is kept, and looks through all of it for
/// the seed, which only the database knows, and for everything that would give it away.
#[tokio::test]
async fn nothing_that_is_sent_tells_the_seed_before_the_end() {
    for base in databases() {
        let host = base.host().await;
        let duel = host.duel().await;
        let mut sockets = [duel.socket(0).await, duel.socket(1).await];
        let mut watcher = host.client.socket(&duel.id, None).await.unwrap();
        for socket in sockets.iter_mut().chain([&mut watcher]) {
            socket.keep();
        }
        let mut sent: Vec<String> = Vec::new();
        let mut luck = 11;
        let end = loop {
            let n_before = sent.len();
            let mut mover = None;
            for (i, player) in duel.players.iter().enumerate() {
                for path in ["", "/record", "/record?format=json", "/replay", "/hint"] {
                    let path = format!("/api/v1{}", duel.path(path));
                    let (_, text) = player.text(Method::GET, &path, None).await.unwrap();
                    if path.ends_with(&duel.id) {
                        let state: serde_json::Value = serde_json::from_str(&text).unwrap();
                        if state["status"] == "over" || state["your_turn"] == true {
                            mover = Some((i, state));
                        }
                    }
                    sent.push(text);
                }
                let (_, text) = player.text(Method::GET, "/api/v1/me/games", None).await.unwrap();
                sent.push(text);
            }
            let (i, state) = mover.expect("somebody is to move");
            if state["status"] == "over" {
                // What was sent since the last move may tell, and so may the answer to it.
                sent.truncate(n_before - 1);
                break state;
            }
            let body = json!({ "move": any_move(&state, &mut luck) });
            let path = format!("/api/v1{}", duel.path("/moves"));
            let (_, text) = duel.players[i].text(Method::POST, &path, Some(&body)).await.unwrap();
            sent.push(text);
        };
        for socket in sockets.iter_mut().chain([&mut watcher]) {
            let is_last = |m: &serde_json::Value| m["game"]["status"] == "over";
            crate::host::wait_for(socket, is_last).await;
            let mut heard = socket.take_heard();
            assert!(heard.pop().unwrap().contains("\"status\":\"over\""));
            sent.extend(heard);
        }
        let (_, metrics) = host.client.text(Method::GET, "/metrics", None).await.unwrap();
        sent.push(metrics);
        let seed = text(&end["fair"]["seed"]).to_owned();
        // The generator's key is the hash of the seed itself: it must not appear either.
        let key: String = Sha256::digest(&seed).iter().map(|byte| format!("{byte:02x}")).collect();
        assert!(sent.len() > 500, "{}", sent.len());
        for message in &sent {
            assert!(!message.contains(&seed), "{message}");
            assert!(!message.contains(&key), "{message}");
        }
        assert_eq!(text(&end["fair"]["seed_hash"]), seed_hash(&seed.parse().unwrap()));
        host.server.stop().await;
    }
}

#[tokio::test]
async fn the_record_of_a_finished_game_can_be_verified() {
    for base in databases() {
        let host = base.host().await;
        let duel = host.duel().await;
        let promise = duel.state(0).await["fair"].clone();
        assert_eq!((&promise["seed"], &promise["seed_by"]), (&json!(null), &json!("server")));
        duel.finish().await;
        let path = format!("/api/v1{}", duel.path("/record"));
        let (_, text) = duel.players[0].text(Method::GET, &path, None).await.unwrap();
        let record = Record::parse(&text).unwrap();
        assert_eq!(record.tag("SeedHash"), promise["seed_hash"].as_str());
        assert_eq!(Some(seed_hash(record.seed().unwrap()).as_str()), record.tag("SeedHash"));
        verify_deals(&record).expect("the deals follow from the seed");
        host.server.stop().await;
    }
}

#[tokio::test]
async fn a_chosen_seed_is_said_to_be_chosen() {
    let base = crate::host::sqlite();
    let host = base.host().await;
    let duel = host.duel_with(json!({ "seed": "5" })).await;
    let state = duel.state(1).await;
    assert_eq!(state["fair"]["seed_by"], "creator");
    assert!(state["fair"]["seed"].is_null());
    assert_eq!(state["position"]["factories"], json!(["BYYW", "BYKW", "BYRW", "BRKK", "BBYR"]));
    host.server.stop().await;
}
