//! Visitors who want too much, against the real program: records that are bombs, games without an end,
//! hints without a pause. Others are served as if they were alone.

use crate::process::Process;
use azulejo_client::{Client, Method, Socket};
use azulejo_notation::{Dealer, Record, Seed};
use azulejo_rules::{Destination, Draft, Move, Phase, Rules};
use azulejo_testkit::{Scratch, Slowness};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The memory that a server may gain while it is abused, in KiB.
const MAX_GROWTH_KIB: u64 = 200 * 1024;

/// What the largest record may take: time, and memory in KiB.
const MAX_RECORD_TIME: Duration = Duration::from_secs(2);
const MAX_RECORD_KIB: u64 = 60 * 1024;

/// The longest wait for `/healthz` meanwhile.
const MAX_HEALTH_TIME: Duration = Duration::from_secs(1);

/// A record of almost the largest size that a server reads, in which every tile goes to the floor.
fn huge_record() -> String {
    let rules: Rules = "2c-stall0".parse().unwrap();
    let seed: Seed = "5".parse().unwrap();
    let (first, mut dealer) = Dealer::new(&seed, &rules);
    let mut record = Record::new(rules, first).unwrap();
    // A step takes 10.6 bytes of JSON.
    for _ in 0..azulejo_notation::MAX_JSON / 11 {
        let position = record.final_position();
        if position.phase() == Phase::Deal {
            let deal = dealer.deal(position).unwrap();
            record.deal(&deal).unwrap();
        } else {
            let to_floor =
                |m: &&Move| matches!(m, Move::Draft(Draft { to: Destination::Floor, .. }));
            let m = *position.legal_moves().iter().find(to_floor).expect("the floor is open");
            record.play(m).unwrap();
        }
    }
    record.to_json()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn records_that_are_bombs_silence_nobody() {
    let folder = Scratch::new();
    let server = Process::start(&folder.file("games.db"), 0, &[]);
    let bomb = huge_record();
    assert!(bomb.len() > azulejo_notation::MAX_JSON / 10 * 9, "{} bytes", bomb.len());
    let (bomb_len, bomb) = (bomb.len(), Arc::new(serde_json::from_str(&bomb).unwrap()));
    let before = server.resident_kib();
    // One of them, alone: how long it is read, and what that takes.
    let (start, slowness) = (Instant::now(), Slowness::measure());
    let one = server.client().text(Method::POST, "/api/v1/records/replay", Some(&bomb)).await;
    assert_eq!(one.unwrap().0, 400);
    let (time, peak) = (start.elapsed(), server.peak_kib());
    if let (Some(before), Some(peak)) = (before, peak) {
        assert!(peak < before + MAX_RECORD_KIB, "memory grew from {before} to {peak} KiB");
    }
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
    let slowness = slowness.factor();
    println!(
        "a record of {bomb_len} bytes: {time:?}, {before:?} KiB before, at most {peak:?} KiB; \
         /healthz beside four of them {slowest:?}; {slowness:.1} times slower"
    );
    assert!(time < MAX_RECORD_TIME.mul_f64(slowness), "{time:?}");
    assert!(slowest < MAX_HEALTH_TIME.mul_f64(slowness), "/healthz took {slowest:?}");
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
        let mut moves = game["moves"].as_array().unwrap().iter().map(|m| &m["move"]);
        let to_floor = moves.find(|m| m.as_str().unwrap().ends_with('F'));
        let command = json!({ "type": "move", "move": to_floor.expect("the floor is open") });
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

/// A person in a game against a level, who waits for its answers.
struct EngineGame {
    me: Client,
    path: String,
    socket: Socket,
    /// The game before the person's next move.
    game: Value,
}

impl EngineGame {
    async fn new(server: &Process, level: u8) -> EngineGame {
        let me = server.client().new_person("Ana").await.unwrap();
        let body = json!({ "seats": [{ "kind": "me" }, { "kind": "engine", "level": level }],
            "rules": { "first_player": "seat:1" } });
        let game = me.post("/games", &body).await.unwrap()["game"].clone();
        let id = game["id"].as_str().unwrap();
        let (path, socket) = (format!("/games/{id}"), me.socket(id, None).await.unwrap());
        EngineGame { me, path, socket, game }
    }

    /// Plays a move; returns how long it takes until it is the person's turn again.
    async fn answer_time(&mut self) -> Duration {
        let command = json!({ "type": "move", "move": self.game["moves"][0]["move"] });
        let start = Instant::now();
        self.me.post(&format!("{}/commands", self.path), &command).await.unwrap();
        loop {
            let message = self.socket.next().await.unwrap().expect("the socket stays open");
            let is_answer = message["event"]["type"] == "moved" && message["event"]["seat"] == 2;
            if is_answer && message["game"]["your_turn"] == true {
                self.game = message["game"].clone();
                return start.elapsed();
            }
        }
    }
}

/// Forty games against level 10 on one engine thread, games against level 1, and somebody who asks for
/// hints in ten games without a pause: every answer of level 10 comes within 3 s and of level 1 within
/// 0.3 s, and the greedy one waits longer than everybody else.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_visitor_who_asks_for_hints_does_not_delay_others() {
    let folder = Scratch::new();
    let server = Process::start(&folder.file("games.db"), 0, &["--engine-threads", "1"]);
    let greedy = server.client().new_person("Greedy").await.unwrap();
    let alone = json!({ "seats": [{ "kind": "me" }, { "kind": "here" }] });
    let mut asking = tokio::task::JoinSet::new();
    let hint_times: Arc<Mutex<Vec<Duration>>> = Arc::default();
    for _ in 0..10 {
        let created = greedy.post("/games", &alone).await.unwrap();
        let path = format!("/games/{}", created["game"]["id"].as_str().unwrap());
        let (greedy, hint_times) = (greedy.clone(), Arc::clone(&hint_times));
        asking.spawn(async move {
            loop {
                let start = Instant::now();
                let _ = greedy.get(&format!("{path}/hint")).await;
                hint_times.lock().unwrap().push(start.elapsed());
                let Ok(game) = greedy.get(&path).await else { return };
                // Another position, so that the answer is not known.
                let m = &game["moves"][0]["move"];
                let command = json!({ "type": "move", "move": m });
                let _ = greedy.post(&format!("{path}/commands"), &command).await;
            }
        });
    }
    let (mut strong, mut weak) = (Vec::new(), Vec::new());
    for _ in 0..40 {
        strong.push(EngineGame::new(&server, 10).await);
    }
    for _ in 0..3 {
        weak.push(EngineGame::new(&server, 1).await);
    }
    hint_times.lock().unwrap().clear();
    let slowness = Slowness::measure();
    let mut playing = tokio::task::JoinSet::new();
    for mut game in strong {
        playing.spawn(async move {
            let mut slowest = Duration::ZERO;
            for _ in 0..2 {
                slowest = slowest.max(game.answer_time().await);
            }
            slowest
        });
    }
    let mut slowest_weak = Duration::ZERO;
    for game in &mut weak {
        for _ in 0..3 {
            slowest_weak = slowest_weak.max(game.answer_time().await);
        }
    }
    let times: Vec<Duration> = playing.join_all().await;
    let slowest = times.into_iter().max().unwrap();
    asking.shutdown().await;
    let slowest_hint = hint_times.lock().unwrap().iter().copied().max().unwrap_or_default();
    let slowness = slowness.factor();
    println!(
        "slowest: level 10 {slowest:?}, level 1 {slowest_weak:?}, a hint {slowest_hint:?}; \
         {slowness:.1} times slower"
    );
    assert!(slowest < Duration::from_secs(3).mul_f64(slowness));
    assert!(slowest_weak < Duration::from_millis(300).mul_f64(slowness));
    assert_eq!(server.stop(), Some(0));
}

/// A hundred streams of one person cost nothing while nothing happens, and little when games begin.
#[tokio::test]
async fn a_hundred_streams_of_one_person_are_cheap() {
    let folder = Scratch::new();
    let server = Process::start(&folder.file("games.db"), 0, &[]);
    let me = server.client().new_person("Ana").await.unwrap();
    let mut streams = Vec::new();
    for _ in 0..100 {
        streams.push(me.lines("/me/stream").await.unwrap());
    }
    let Some(before) = server.cpu_time() else { return };
    tokio::time::sleep(Duration::from_secs(2)).await;
    let idle = server.cpu_time().unwrap() - before;
    let alone = json!({ "seats": [{ "kind": "me" }, { "kind": "here" }] });
    for _ in 0..10 {
        me.post("/games", &alone).await.unwrap();
        for stream in &mut streams {
            let news = tokio::time::timeout(Duration::from_secs(5), stream.next()).await;
            assert_eq!(news.expect("in time").unwrap().unwrap()["type"], "game_start");
        }
    }
    let busy = server.cpu_time().unwrap() - before - idle;
    println!("100 streams: {idle:?} of processor time in 2 s, {:?} for a game", busy / 10);
    assert!(idle < Duration::from_millis(100), "5% of a core: {idle:?}");
    assert!(busy < Duration::from_secs(1), "{busy:?} for ten games");
    assert_eq!(server.stop(), Some(0));
}
