//! Replays are read in pages, and a record that is too long cannot hurt others.

use crate::host::{Host, post, raw, sqlite};
use azulejo_client::Method;
use azulejo_notation::{Dealer, Record, Seed};
use azulejo_rules::{Phase, Rules};
use serde_json::Value;
use std::time::{Duration, Instant};

/// A record in which every tile goes to the floor, so that the game never ends.
pub(crate) fn endless_record(n_steps: usize) -> Record {
    let rules: Rules = "2c-stall0".parse().unwrap();
    let seed: Seed = "5".parse().unwrap();
    let (first, mut dealer) = Dealer::new(&seed, &rules);
    let mut record = Record::new(rules, first).unwrap();
    for _ in 0..n_steps {
        let position = record.final_position();
        if position.phase() == Phase::Deal {
            let deal = dealer.deal(position).unwrap();
            record.deal(&deal).unwrap();
        } else {
            let moves = position.legal_moves();
            let m = moves.into_iter().find(|m| m.to_string().ends_with('F')).unwrap();
            record.play(m).unwrap();
        }
    }
    record
}

/// Sends a record; returns the status and the body of the answer.
async fn send(host: &Host, record: &str, query: &str) -> (u16, String) {
    let length = record.len();
    let request = format!(
        "POST /api/v1/records/replay{query} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\
         Content-Type: text/plain\r\nContent-Length: {length}\r\n\r\n{record}"
    );
    let answer = raw(host, &request).await;
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head[9..12].parse().unwrap(), body.to_owned())
}

async fn page(host: &Host, record: &str, query: &str) -> (u16, Value) {
    let (status, body) = send(host, record, query).await;
    (status, serde_json::from_str(&body).unwrap_or_else(|e| panic!("{e}: {body}")))
}

#[tokio::test]
async fn pages_of_a_replay_are_one_game() {
    let database = sqlite();
    let host = database.host().await;
    let record = endless_record(450).to_string();
    let (_, first) = page(&host, &record, "").await;
    assert_eq!((&first["n_steps"], &first["from"]), (&450.into(), &0.into()));
    let mut steps = first["steps"].as_array().unwrap().clone();
    assert_eq!(steps.len(), 200);
    while steps.len() < 450 {
        let (_, next) = page(&host, &record, &format!("?from={}", steps.len())).await;
        assert_eq!(next["from"], steps.len());
        assert_eq!(next["start"], steps.last().unwrap()["position"]);
        steps.extend(next["steps"].as_array().unwrap().iter().cloned());
    }
    assert_eq!(steps.len(), 450);
    let (_, few) = page(&host, &record, "?from=10&limit=3").await;
    assert_eq!(few["steps"].as_array().unwrap()[..], steps[10..13]);
    let (_, none) = page(&host, &record, "?from=9999").await;
    assert_eq!((&none["from"], &none["steps"]), (&450.into(), &Value::Array(Vec::new())));
    assert_eq!(none["start"], steps[449]["position"]);
    for (query, problem) in [
        ("?limit=0", "`limit` must be 1 to 200"),
        ("?limit=201", "`limit` must be 1 to 200"),
        ("?from=-1", "from"),
        ("?form=1", "unknown field `form`"),
    ] {
        let (status, answer) = page(&host, &record, query).await;
        let message = answer["error"]["message"].as_str().unwrap();
        assert!(status == 400 && message.contains(problem), "{query}: {answer}");
    }
    host.server.stop().await;
}

/// The largest record that is read, several times at once: each is refused with a reason, and other
/// requests are answered meanwhile.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn huge_records_silence_nobody() {
    let database = sqlite();
    let host = database.host().await;
    let long = endless_record(2_001);
    let (status, answer) = page(&host, &long.to_string(), "").await;
    assert_eq!(status, 400, "{answer}");
    let message = "the record has 2001 deals and moves; at most 2000 can be replayed";
    assert_eq!(answer["error"]["message"], message);
    let mut n_steps = 100_000;
    let huge = loop {
        let huge = endless_record(n_steps).to_json();
        if huge.len() < azulejo_notation::MAX_JSON {
            break huge;
        }
        n_steps = n_steps * 9 / 10;
    };
    assert!(huge.len() > azulejo_notation::MAX_JSON / 4, "{}", huge.len());
    let bomb = async || {
        let start = Instant::now();
        let (status, body) = send(&host, &huge, "").await;
        assert!(status == 400 && body.contains("can be replayed"), "{status} {body}");
        start.elapsed()
    };
    let probe = async || {
        let mut slowest = Duration::ZERO;
        for _ in 0..50 {
            let start = Instant::now();
            let (status, _) = host.client.text(Method::GET, "/healthz", None).await.unwrap();
            assert_eq!(status, 200);
            slowest = slowest.max(start.elapsed());
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        slowest
    };
    let (slowest, ..) = tokio::join!(probe(), bomb(), bomb(), bomb(), bomb());
    assert!(slowest < Duration::from_secs(1), "/healthz took {slowest:?}");
    // More at the same time than are kept in memory: the server says so.
    let n_refused = unfinished_records(&host, 20).await;
    assert_eq!(n_refused, 4, "sixteen of twenty unfinished records are received");
    host.server.stop().await;
}

/// Begins to send records and never ends; returns how many are refused at once.
async fn unfinished_records(host: &Host, n: usize) -> usize {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let request = post("/records/replay", "", "").replace("Content-Length: 0", "Content-Length: 9");
    let mut streams = Vec::new();
    let mut n_refused = 0;
    for _ in 0..n {
        let mut stream = tokio::net::TcpStream::connect(host.server.address()).await.unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = [0; 12];
        let read = stream.read_exact(&mut answer);
        if let Ok(read) = tokio::time::timeout(Duration::from_millis(100), read).await {
            read.unwrap();
            assert_eq!(&answer, b"HTTP/1.1 503");
            n_refused += 1;
        }
        streams.push(stream);
    }
    n_refused
}
