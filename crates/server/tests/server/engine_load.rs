//! The engine under load, with one engine thread: nobody waits long, nobody can make others wait, and
//! nothing is searched in vain.

use crate::host::{Database, Host, sqlite, text, wait_for};
use azulejo_client::{Client, Method, Socket};
use azulejo_testkit::Slowness;
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::task::JoinSet;

/// A server with one engine thread and the usual time for a move.
async fn one_thread(database: &Database) -> Host {
    let mut config = database.config();
    config.engine_threads = 1;
    config.engine_time = Duration::from_millis(1_500);
    Host::start(config).await
}

/// A person in a game against a level, who is about to move first.
struct EngineGame {
    me: Client,
    path: String,
    socket: Socket,
    command: Value,
}

impl EngineGame {
    async fn new(host: &Host, level: u8) -> EngineGame {
        let me = host.person("Ana").await;
        let body = json!({ "seats": [{ "kind": "me" }, { "kind": "engine", "level": level }],
            "rules": { "first_player": "seat:1" } });
        let game = me.post("/games", &body).await.unwrap()["game"].clone();
        let id = text(&game["id"]);
        let socket = me.socket(id, None).await.unwrap();
        let command = json!({ "type": "move", "move": game["moves"][0]["move"] });
        EngineGame { path: format!("/games/{id}"), me, socket, command }
    }

    async fn play(&self) {
        self.me.post(&format!("{}/commands", self.path), &self.command).await.unwrap();
    }

    /// Plays a move and waits for the engine's answer; returns the time that it took.
    async fn answer_time(mut self) -> Duration {
        let start = Instant::now();
        self.play().await;
        let is_answer =
            |message: &Value| message["type"] == "event" && message["event"]["seat"] == 2;
        wait_for(&mut self.socket, is_answer).await;
        start.elapsed()
    }
}

/// The value of a metric.
async fn metric(host: &Host, name: &str) -> i64 {
    let (_, metrics) = host.client.text(Method::GET, "/metrics", None).await.unwrap();
    let prefix = format!("azulejo_{name} ");
    let value = metrics.lines().find_map(|line| line.strip_prefix(&prefix));
    value.unwrap_or_else(|| panic!("{name}\n{metrics}")).parse().unwrap()
}

async fn until(what: &str, mut is_so: impl AsyncFnMut() -> bool) {
    let start = Instant::now();
    while !is_so().await {
        assert!(start.elapsed() < Duration::from_secs(10), "not in time: {what}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// A hint request of a client that can break off.
async fn raw_hint(host: &Host, me: &Client, path: &str) -> TcpStream {
    let mut stream = TcpStream::connect(host.server.address()).await.unwrap();
    let token = me.token().unwrap();
    let request = format!(
        "GET /api/v1{path}/hint HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    stream
}

/// A game of one person on both seats, where hints are allowed.
async fn hint_game(me: &Client) -> String {
    let body = json!({ "seats": [{ "kind": "me" }, { "kind": "here" }] });
    format!("/games/{}", text(&me.post("/games", &body).await.unwrap()["game"]["id"]))
}

/// Forty games against level 10 at once, games against level 1, and somebody who asks for a hint in
/// thirty games: every answer of level 10 comes within 3 s, of level 1 within 0.3 s (both longer if
/// others use the processors), and the greedy one waits behind everyone.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn forty_games_and_a_greedy_visitor() {
    let database = sqlite();
    let host = one_thread(&database).await;
    let greedy = host.person("Greedy").await;
    let (mut strong, mut weak, mut greedy_games) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..40 {
        strong.push(EngineGame::new(&host, 10).await);
    }
    for _ in 0..5 {
        weak.push(EngineGame::new(&host, 1).await);
    }
    for _ in 0..30 {
        greedy_games.push(hint_game(&greedy).await);
    }
    let mut hints = JoinSet::new();
    for path in greedy_games {
        let greedy = greedy.clone();
        hints.spawn(async move {
            let hint = greedy.get(&format!("{path}/hint")).await;
            (Instant::now(), hint)
        });
    }
    until("hints wait", async || metric(&host, "engine_jobs").await > 10).await;
    let slowness = Slowness::measure();
    let mut answers: JoinSet<Duration> = strong.into_iter().map(EngineGame::answer_time).collect();
    until("less time to think", async || {
        let options = host.client.get("/options").await.unwrap();
        assert_eq!(options["thinking"]["full_ms"], 1_500);
        options["thinking"]["now_ms"].as_u64().unwrap() < 300
    })
    .await;
    let mut slowest_weak = Duration::ZERO;
    for game in weak {
        slowest_weak = slowest_weak.max(game.answer_time().await);
    }
    let mut times = Vec::new();
    while let Some(time) = answers.join_next().await {
        times.push(time.unwrap());
    }
    let answered = Instant::now();
    times.sort();
    let slowness = slowness.factor();
    println!("level 1: {slowest_weak:?}; level 10: {times:?}; {slowness:.1} times slower");
    assert!(slowest_weak < Duration::from_millis(300).mul_f64(slowness));
    assert!(times[39] < Duration::from_secs(3).mul_f64(slowness));
    // Everyone was answered before the greedy visitor's last hint, and that one was short.
    let mut last: Option<(Instant, Value)> = None;
    while let Some(hint) = hints.join_next().await {
        let (at, hint) = hint.unwrap();
        if last.as_ref().is_none_or(|last| last.0 < at) {
            last = Some((at, hint.unwrap()));
        }
    }
    let (at, hint) = last.unwrap();
    assert!(at > answered, "the greedy visitor was served first");
    assert_eq!(hint["is_short"], true, "{hint}");
    assert!(metric(&host, "engine_cut_total").await >= 40);
    host.server.stop().await;
}

/// A hint of somebody else comes before the queue of a greedy visitor.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_modest_visitor_does_not_wait_for_a_greedy_one() {
    let database = sqlite();
    let host = one_thread(&database).await;
    let (greedy, modest) = (host.person("Greedy").await, host.person("Modest").await);
    let mut waiting = Vec::new();
    for _ in 0..60 {
        let path = hint_game(&greedy).await;
        waiting.push(raw_hint(&host, &greedy, &path).await);
    }
    let path = hint_game(&modest).await;
    let (start, slowness) = (Instant::now(), Slowness::measure());
    let hint = modest.get(&format!("{path}/hint")).await.unwrap();
    let (time, slowness) = (start.elapsed(), slowness.factor());
    assert!(time < Duration::from_millis(2_500).mul_f64(slowness), "{time:?}, {slowness:.1}");
    assert!(
        hint["time_ms"].as_u64().unwrap() >= 200,
        "half of the time is the modest one's: {hint}"
    );
    host.server.stop().await;
}

#[tokio::test]
async fn the_same_hint_is_searched_once() {
    let database = sqlite();
    let host = one_thread(&database).await;
    let me = host.person("Ana").await;
    let path = hint_game(&me).await;
    let first = me.get(&format!("{path}/hint")).await.unwrap();
    assert_eq!(first["is_short"], false, "{first}");
    let start = Instant::now();
    let again = me.get(&format!("{path}/hint")).await.unwrap();
    let evaluation = host.client.get(&format!("{path}/evaluation")).await.unwrap();
    assert!(start.elapsed() < Duration::from_millis(500), "{:?}", start.elapsed());
    assert_eq!(first, again);
    assert_eq!(first["win"], evaluation["win"]);
    assert_eq!(metric(&host, "engine_known_total").await, 2);
    host.server.stop().await;
}

/// Searches end when nobody waits for them: the connection was closed, or the position has
/// passed.
#[tokio::test]
async fn searches_end_when_nobody_wants_them() {
    let database = sqlite();
    let mut config = database.config();
    config.engine_threads = 1;
    config.engine_time = Duration::from_secs(30);
    let host = Host::start(config).await;
    let me = host.person("Ana").await;
    let mut streams = Vec::new();
    for _ in 0..5 {
        let path = hint_game(&me).await;
        streams.push(raw_hint(&host, &me, &path).await);
    }
    until("five hints", async || metric(&host, "engine_jobs").await == 5).await;
    let start = Instant::now();
    drop(streams);
    until("no hint", async || metric(&host, "engine_jobs").await == 0).await;
    assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
    assert!(metric(&host, "engine_dropped_total").await >= 4);
    let game = EngineGame::new(&host, 10).await;
    game.play().await;
    until("a search", async || metric(&host, "engine_jobs").await == 1).await;
    let start = Instant::now();
    let takeback = json!({ "type": "takeback" });
    game.me.post(&format!("{}/commands", game.path), &takeback).await.unwrap();
    until("no search", async || metric(&host, "engine_jobs").await == 0).await;
    assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
    assert_eq!(game.me.get(&game.path).await.unwrap()["your_turn"], true);
    host.server.stop().await;
}
