//! Visitors who want too much, against the real program: records that are bombs, games without an end,
//! hints without a pause. Others are served as if they were alone.

use crate::process::Process;
use azulejo_client::{Client, Method};
use azulejo_notation::{Dealer, Record, Seed};
use azulejo_rules::{Phase, Rules};
use azulejo_testkit::Scratch;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The memory that a server may gain while it is abused, in KiB.
const MAX_GROWTH_KIB: u64 = 200 * 1024;

/// The first move to the floor.
fn floor_move(moves: &[String]) -> &str {
    moves.iter().find(|m| m.ends_with('F')).expect("the floor takes everything")
}

/// A record of almost the largest size that a server reads, in which every tile goes to the floor.
fn huge_record() -> String {
    let rules: Rules = "2c-stall0".parse().unwrap();
    let seed: Seed = "5".parse().unwrap();
    let (first, mut dealer) = Dealer::new(&seed, &rules);
    let mut record = Record::new(rules, first).unwrap();
    // A step takes at least ten bytes of JSON.
    for _ in 0..azulejo_notation::MAX_JSON / 30 {
        let position = record.final_position();
        if position.phase() == Phase::Deal {
            let deal = dealer.deal(position).unwrap();
            record.deal(&deal).unwrap();
        } else {
            let moves: Vec<String> =
                position.legal_moves().iter().map(ToString::to_string).collect();
            record.play(floor_move(&moves).parse().unwrap()).unwrap();
        }
    }
    record.to_json()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn records_that_are_bombs_silence_nobody() {
    let folder = Scratch::new();
    let server = Process::start(&folder.file("games.db"), 0, &[]);
    let bomb = huge_record();
    assert!(bomb.len() > azulejo_notation::MAX_JSON / 4, "{} bytes", bomb.len());
    let bomb: Arc<Value> = Arc::new(serde_json::from_str(&bomb).unwrap());
    let before = server.resident_kib();
    let mut bombs = tokio::task::JoinSet::new();
    for _ in 0..4 {
        let (client, bomb) = (server.client(), Arc::clone(&bomb));
        bombs.spawn(async move {
            client.text(Method::POST, "/api/v1/records/replay", Some(&bomb)).await.unwrap()
        });
    }
    let mut slowest = Duration::ZERO;
    while !bombs.is_empty() {
        let start = Instant::now();
        let (status, _) = server.client().text(Method::GET, "/healthz", None).await.unwrap();
        assert_eq!(status, 200);
        slowest = slowest.max(start.elapsed());
        while let Some(answer) = bombs.try_join_next() {
            let (status, text) = answer.unwrap();
            assert!(status == 400 && text.len() < 1_000, "{status}: {} bytes", text.len());
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert!(slowest < Duration::from_secs(1), "/healthz took {slowest:?}");
    if let (Some(before), Some(after)) = (before, server.resident_kib()) {
        assert!(after < before + MAX_GROWTH_KIB, "memory grew from {before} to {after} KiB");
    }
    assert_eq!(server.stop(), Some(0));
}

#[tokio::test]
async fn a_game_without_an_end_is_closed() {
    let folder = Scratch::new();
    let server = Process::start(&folder.file("games.db"), 0, &[]);
    let me = server.client().new_person("Ana").await.unwrap();
    let seats = json!([{ "kind": "me" }, { "kind": "here" }]);
    let body = json!({ "seats": seats, "rules": { "stall_rounds": "0" } });
    let mut game = me.post("/games", &body).await.unwrap()["game"].clone();
    let path = format!("/games/{}", game["id"].as_str().unwrap());
    while game["status"] == "playing" {
        let moves = game["moves"].as_array().unwrap().iter();
        let moves: Vec<String> = moves.map(|m| m["move"].as_str().unwrap().to_owned()).collect();
        let command = json!({ "type": "move", "move": floor_move(&moves) });
        let done = me.post(&format!("{path}/commands"), &command).await.unwrap();
        assert!(done["game"]["n_moves"].as_u64() <= Some(1_000), "the game goes on");
        game = match &done["game"]["n_moves"] {
            // The server closes the game right after the last move.
            n_moves if *n_moves == 1_000 => closed(&me, &path).await,
            _ => done["game"].clone(),
        };
    }
    assert_eq!(game["result"]["ended_by"], "too_long");
    assert_eq!(server.stop(), Some(0));
}

/// The game once it is over.
async fn closed(me: &Client, path: &str) -> Value {
    let start = Instant::now();
    loop {
        let game = me.get(path).await.unwrap();
        if game["status"] == "over" {
            return game;
        }
        assert!(start.elapsed() < Duration::from_secs(5), "the game is not closed");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// Somebody asks for hints in ten games without a pause; another person plays against level 10 and gets
/// every answer within 3 s, with one engine thread.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_visitor_who_asks_for_hints_does_not_delay_others() {
    let folder = Scratch::new();
    let server = Process::start(&folder.file("games.db"), 0, &["--engine-threads", "1"]);
    let greedy = server.client().new_person("Greedy").await.unwrap();
    let alone = json!({ "seats": [{ "kind": "me" }, { "kind": "here" }] });
    let mut asking = tokio::task::JoinSet::new();
    for _ in 0..10 {
        let created = greedy.post("/games", &alone).await.unwrap();
        let path = format!("/games/{}", created["game"]["id"].as_str().unwrap());
        let greedy = greedy.clone();
        asking.spawn(async move {
            loop {
                let _ = greedy.get(&format!("{path}/hint")).await;
                let Ok(game) = greedy.get(&path).await else { return };
                // Another position, so that the answer is not known.
                let m = &game["moves"][0]["move"];
                let command = json!({ "type": "move", "move": m });
                let _ = greedy.post(&format!("{path}/commands"), &command).await;
            }
        });
    }
    let me = server.client().new_person("Ana").await.unwrap();
    let body = json!({ "seats": [{ "kind": "me" }, { "kind": "engine", "level": 10 }] });
    let created = me.post("/games", &body).await.unwrap();
    let path = format!("/games/{}", created["game"]["id"].as_str().unwrap());
    let mut slowest = Duration::ZERO;
    for _ in 0..4 {
        let start = Instant::now();
        let game = loop {
            let game = me.get(&path).await.unwrap();
            if game["your_turn"] == true {
                break game;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        };
        slowest = slowest.max(start.elapsed());
        let command = json!({ "type": "move", "move": game["moves"][0]["move"] });
        me.post(&format!("{path}/commands"), &command).await.unwrap();
    }
    assert!(slowest < Duration::from_secs(3), "an answer of the engine took {slowest:?}");
    asking.shutdown().await;
    assert_eq!(server.stop(), Some(0));
}
