//! Reviews on the server: made when the engine has nothing else to do, kept, cancelled, and refused for games
//! that are not over.

use crate::host::{Host, post, raw, sqlite, text};
use azulejo_client::{Client, Method};
use azulejo_engine::Stop;
use azulejo_notation::Record;
use azulejo_review::{Budget, Reviewer, Settings};
use azulejo_rules::Seat;
use azulejo_testkit::records::random_record;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Asks until a review is done.
async fn until_done(client: &Client, first: Value) -> Value {
    let path = format!("/reviews/{}", text(&first["key"]));
    let (start, mut answer) = (Instant::now(), first);
    while answer["stage"] != "done" {
        // A second on an idle machine.
        assert!(start.elapsed() < Duration::from_secs(300), "not in time: {}", answer["stage"]);
        tokio::time::sleep(Duration::from_millis(20)).await;
        answer = client.get(&path).await.unwrap();
    }
    answer
}

fn as_json(record: &Record) -> Value {
    serde_json::from_str(&record.to_json()).unwrap()
}

/// A finished game as a record, each number another one.
fn record(number: usize) -> Record {
    let mut record = random_record("2c", "reviewed");
    record.set_tag("Event", &number.to_string()).unwrap();
    record
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_finished_game_is_reviewed_once() {
    let database = sqlite();
    let host = database.host().await;
    let game = host.two_player_game().await;
    let path = game.path("/review?budget=quick");
    let early = game.players[0].post(&path, &json!({})).await.unwrap_err();
    assert_eq!(early.code(), Some("not_over"));
    game.play(6).await;
    game.act(0, "/commands", &json!({ "type": "resign" })).await.unwrap();
    let first = game.players[0].post(&path, &json!({})).await.unwrap();
    assert_ne!(first["stage"], "done");
    let done = until_done(&game.players[0], first).await;
    // The same as everywhere else.
    let json = host.client.get(&game.path("/record?format=json")).await.unwrap();
    let record = Record::from_json(json.to_string()).unwrap();
    let settings = Settings { budget: Budget::QUICK, ..Settings::default() };
    let mut reviewer = Reviewer::new(&record, settings).unwrap();
    while reviewer.step(&Stop::new()) {}
    let json_text = serde_json::to_string(&reviewer.review()).unwrap();
    let mut expected: Value = serde_json::from_str(&json_text).unwrap();
    expected["words"] = done["review"]["words"].clone();
    assert_eq!(done["review"], expected);
    assert_eq!(expected["n_done"], expected["n_steps"]);
    let words = expected["words"]["moves"].as_array().unwrap();
    assert_eq!(words.len(), record.n_moves());
    // Known from now on, to everybody, by game and by record.
    for (path, body) in [(path, json!({})), ("/reviews?budget=quick".to_owned(), json)] {
        let again = host.client.post(&path, &body).await.unwrap();
        assert_eq!(again, done, "{path}");
    }
    host.server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn games_that_are_not_over_are_refused() {
    let database = sqlite();
    let host = database.host().await;
    let game = host.two_player_game().await;
    game.play(3).await;
    let json = host.client.get(&game.path("/record?format=json")).await.unwrap();
    let running = Record::from_json(json.to_string()).unwrap();
    let mut resigned = running.clone();
    resigned.set_tag("EndedBy", "resigned").unwrap();
    resigned.set_tag("Ranks", "1-2").unwrap();
    // Without the id of the game, one can see only with the games of the players that it is running.
    let unnamed: String = resigned
        .to_string()
        .lines()
        .filter(|line| !line.starts_with("[Game "))
        .map(|line| format!("{line}\n"))
        .collect();
    let unnamed: Record = unnamed.parse().unwrap();
    for (who, record) in [
        (&host.client, as_json(&running)),
        (&host.client, as_json(&resigned)),
        (&game.players[0], as_json(&unnamed)),
        (&game.players[1], as_json(&unnamed)),
    ] {
        let refused = who.post("/reviews?budget=quick", &record).await.unwrap_err();
        assert_eq!(refused.code(), Some("not_over"), "{record}");
    }
    let mut never = Record::new("2c".parse().unwrap(), Seat::One).unwrap();
    never.set_tag("EndedBy", "resigned").unwrap();
    never.set_tag("Ranks", "1-2").unwrap();
    let long = crate::replays::endless_record(2_000);
    for (record, problem) in [
        (as_json(&never), "no move"),
        (as_json(&long), "not over"),
        (json!({ "azulejo": 1 }), "the record is invalid"),
    ] {
        let refused = host.client.post("/reviews", &record).await.unwrap_err().to_string();
        assert!(refused.contains(problem), "{refused}");
    }
    for path in ["/reviews?budget=thorough", "/reviews?depth=9"] {
        let refused = host.client.post(path, &as_json(&record(1))).await.unwrap_err();
        assert_eq!(refused.code(), Some("bad_request"), "{path}");
    }
    host.server.stop().await;
}

/// The searches that wait or run.
async fn n_searches(host: &Host) -> i64 {
    let (_, metrics) = host.client.text(Method::GET, "/metrics", None).await.unwrap();
    let value = metrics.lines().find_map(|line| line.strip_prefix("azulejo_engine_jobs "));
    value.unwrap().parse().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_review_ends_when_nobody_wants_it() {
    let database = sqlite();
    let host = database.host().await;
    let (ana, bob) = (host.person("Ana").await, host.person("Bob").await);
    let body = as_json(&record(1));
    let asked = ana.post("/reviews", &body).await.unwrap();
    assert_eq!(asked["review"], Value::Null);
    let path = format!("/reviews/{}", text(&asked["key"]));
    assert_eq!(bob.post("/reviews", &body).await.unwrap()["key"], asked["key"]);
    let (status, _) = ana.text(Method::DELETE, &format!("/api/v1{path}"), None).await.unwrap();
    assert_eq!(status, 204);
    assert_eq!(ana.get(&path).await.unwrap()["stage"], "running", "Bob wants it");
    let again = ana.json(Method::DELETE, &path, None).await.unwrap_err();
    assert_eq!(again.code(), Some("not_found"));
    let (status, _) = bob.text(Method::DELETE, &format!("/api/v1{path}"), None).await.unwrap();
    assert_eq!(status, 204);
    assert_eq!(bob.get(&path).await.unwrap_err().code(), Some("not_found"));
    let start = Instant::now();
    while n_searches(&host).await > 0 {
        assert!(start.elapsed() < Duration::from_secs(10), "the search goes on");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    host.server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_queue_is_bounded() {
    let database = sqlite();
    let host = database.host().await;
    let person = host.person("Ana").await;
    for number in 0..3 {
        person.post("/reviews", &as_json(&record(number))).await.unwrap();
    }
    let refused = person.post("/reviews", &as_json(&record(3))).await.unwrap_err();
    assert_eq!(refused.code(), Some("too_many"));
    let again = person.post("/reviews", &as_json(&record(2))).await.unwrap();
    assert_eq!(again["stage"], "waiting", "asking again is not a new review");
    // The first ones may be done before the queue is full.
    let (mut number, mut person) = (3, person);
    let refused = loop {
        if number % 3 == 0 {
            person = host.person("Bob").await;
        }
        if let Err(refused) = person.post("/reviews", &as_json(&record(number))).await {
            break refused;
        }
        number += 1;
        assert!(number < 100, "the queue has no end");
    };
    assert_eq!((refused.code(), number >= 32), (Some("busy"), true), "{number}: {refused}");
    let request = post("/reviews", "", &record(100).to_string());
    let answer = raw(&host, &request).await;
    assert!(answer.starts_with("HTTP/1.1 503"), "{answer}");
    assert!(answer.to_lowercase().contains("\r\nretry-after: "), "{answer}");
    host.server.stop().await;
}

/// With one engine thread, a review at work does not delay a hint, which has all of its time.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn games_do_not_wait_for_reviews() {
    let database = sqlite();
    let mut config = database.config();
    config.engine_threads = 1;
    let host = Host::start(config).await;
    let game = host.two_player_game_with(json!({ "hints": true })).await;
    let asked = host.client.post("/reviews", &as_json(&record(1))).await.unwrap();
    for _ in 0..5 {
        let (i, _) = game.turn().await;
        let hint = game.players[i].get(&game.path("/hint")).await.unwrap();
        assert_eq!(hint["is_short"], false, "{hint}");
        game.play(1).await;
    }
    let path = format!("/reviews/{}", text(&asked["key"]));
    assert_eq!(host.client.get(&path).await.unwrap()["stage"], "running");
    host.server.stop().await;
}
