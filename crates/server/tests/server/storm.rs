//! Many clients do anything they like at the same time: legal and illegal moves, twice, out of
//! turn, to the wrong game, with lost connections. At the end every game is compared with the
//! rules, and every number with the others.

use crate::host::{Host, any_move, databases, random, text};
use azulejo_notation::{Record, verify_deals};
use azulejo_server::client::Client;
use hyper::Method;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

/// How much is done; AZULEJO_STORM makes it more.
fn size() -> usize {
    std::env::var("AZULEJO_STORM").ok().and_then(|n| n.parse().ok()).unwrap_or(1)
}

/// The moves that were acknowledged: by game and event number.
type Acknowledged = Arc<Mutex<BTreeMap<(String, u64), String>>>;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn any_number_of_clients_may_do_anything() {
    for base in databases() {
        let mut config = base.config();
        // Tables come and go while they are needed.
        config.terms.keep = std::time::Duration::from_millis(20);
        let host = Arc::new(Host::start(config).await);
        let mut duels = Vec::new();
        for _ in 0..4 * size() {
            duels.push(host.duel().await);
        }
        let acknowledged = Acknowledged::default();
        let ids: Vec<String> = duels.iter().map(|duel| duel.id.clone()).collect();
        let mut tasks = Vec::new();
        for (n, duel) in duels.iter().enumerate() {
            for (seat, player) in duel.players.iter().enumerate() {
                // Every player has two windows open.
                for window in 0..2 {
                    let storm = Storm {
                        me: player.with_token(player.token().unwrap()),
                        id: duel.id.clone(),
                        ids: ids.clone(),
                        luck: (n * 8 + seat * 2 + window + 1) as u64 * 0x9e37_79b9,
                        acknowledged: Arc::clone(&acknowledged),
                    };
                    tasks.push(tokio::spawn(storm.run()));
                }
            }
        }
        for task in tasks {
            task.await.expect("no client fails");
        }
        for duel in &duels {
            let end = duel.state(0).await;
            assert_eq!(end["status"], "over");
            compare(duel, &end, &acknowledged).await;
        }
        drop(duels);
        let host = Arc::into_inner(host).expect("nobody uses it any more");
        host.server.stop().await;
        let store = azulejo_server::Store::open(base.place.clone(), "check").await.unwrap();
        let report = store.check().await.unwrap();
        assert_eq!(report.faults, Vec::<String>::new());
        store.close().await;
    }
}

/// The record is good by the rules, its deals follow from the seed, and every acknowledged move
/// is in the log at its number.
async fn compare(duel: &crate::host::Duel, end: &Value, acknowledged: &Acknowledged) {
    let path = format!("/api/v1{}", duel.path("/record"));
    let (_, record) = duel.players[0].text(Method::GET, &path, None).await.unwrap();
    let record = Record::parse(&record).expect("a record that the rules accept");
    verify_deals(&record).expect("fair deals");
    let position = record.final_position().to_string();
    assert_eq!(text(&end["position"]["position"]), position);
    let mut socket = duel.players[0].socket(&duel.id, Some(1)).await.unwrap();
    let mut log: BTreeMap<u64, Value> = BTreeMap::new();
    loop {
        let message = socket.next().await.unwrap().unwrap();
        match text(&message["type"]) {
            "event" => {
                log.insert(message["number"].as_u64().unwrap(), message["event"].clone());
            }
            "state" => break,
            _ => {}
        }
    }
    let last = end["number"].as_u64().unwrap();
    if log.is_empty() {
        // So much happened that only the state is sent.
        assert!(last > 200, "{last}");
        return;
    }
    assert_eq!(log.keys().copied().collect::<Vec<_>>(), (2..=last).collect::<Vec<_>>());
    for ((id, number), m) in acknowledged.lock().unwrap().iter() {
        if *id == duel.id {
            assert_eq!(log[number]["move"], m.as_str(), "event {number} was acknowledged");
        }
    }
}

struct Storm {
    me: Client,
    id: String,
    ids: Vec<String>,
    luck: u64,
    acknowledged: Acknowledged,
}

impl Storm {
    async fn run(mut self) {
        let path = format!("/games/{}", self.id);
        let mut state = self.me.get(&path).await.unwrap();
        let mut n = 0;
        while state["status"] != "over" {
            n += 1;
            assert!(n < 20_000, "the game does not end");
            match random(&mut self.luck) % 12 {
                // Illegal, out of turn, stale, to another game, or nonsense.
                0 => self.try_bad(&state).await,
                1 => {
                    // A connection that breaks off in the middle of a request.
                    let other = self.me.with_token(self.me.token().unwrap());
                    let body = self.any_body(&state);
                    let moves = format!("{path}/moves");
                    let request = other.post(&moves, &body);
                    let _ =
                        tokio::time::timeout(std::time::Duration::from_micros(300), request).await;
                }
                2 => {
                    if let Ok(mut socket) = self.me.socket(&self.id, state["number"].as_u64()).await
                    {
                        let _ = socket.send(&json!({ "type": "resync" })).await;
                        let _ = socket.next().await;
                    }
                }
                3 => {
                    let _ =
                        self.me.post(&format!("{path}/say"), &json!({ "phrase": "oops" })).await;
                }
                _ if state["your_turn"] == true => self.play(&state, &path).await,
                _ => tokio::time::sleep(std::time::Duration::from_millis(1)).await,
            }
            state = self.me.get(&path).await.unwrap();
        }
    }

    fn any_body(&mut self, state: &Value) -> Value {
        let m = if state["your_turn"] == true {
            any_move(state, &mut self.luck)
        } else {
            "1B1".to_owned()
        };
        json!({ "move": m, "after": state["number"], "id": format!("x{}", random(&mut self.luck)) })
    }

    /// Plays a move, twice at the same time; both answers must agree.
    async fn play(&mut self, state: &Value, path: &str) {
        let body = self.any_body(state);
        let other = self.me.with_token(self.me.token().unwrap());
        let moves = format!("{path}/moves");
        let (a, b) = tokio::join!(self.me.post(&moves, &body), other.post(&moves, &body));
        match (&a, &b) {
            (Ok(a), Ok(b)) => {
                assert_eq!(a["number"], b["number"]);
                assert_ne!(a["repeated"], b["repeated"]);
                let number = a["number"].as_u64().unwrap();
                let key = (self.id.clone(), number);
                self.acknowledged.lock().unwrap().insert(key, text(&body["move"]).to_owned());
            }
            // The other window was faster.
            (Err(a), Err(b)) => {
                for error in [a, b] {
                    let code = error.code().unwrap_or_default();
                    assert!(["stale", "not_your_turn", "game_over"].contains(&code), "{error}");
                }
            }
            _ => panic!("the same move was played and refused: {a:?} {b:?}"),
        }
    }

    async fn try_bad(&mut self, state: &Value) {
        let other = self.ids[random(&mut self.luck) as usize % self.ids.len()].clone();
        let (id, body, expected): (&str, Value, &[&str]) = match random(&mut self.luck) % 5 {
            0 if other != self.id => (&other, json!({ "move": "1B1" }), &["not_seated"]),
            1 => (
                &self.id,
                json!({ "move": "9J5j9" }),
                &["illegal_move", "not_your_turn", "game_over", "not_a_move"],
            ),
            2 => (&self.id, json!({ "move": "1B1", "after": 1 }), &["stale", "game_over"]),
            3 => (&self.id, json!({ "move": state["moves"] }), &["bad_request"]),
            _ => (&self.id, json!({ "move": "1B1", "seat": 4 }), &["no_such_seat", "game_over"]),
        };
        let answer = self.me.post(&format!("/games/{id}/moves"), &body).await;
        let error = answer.expect_err("it must be refused");
        assert!(expected.contains(&error.code().unwrap_or_default()), "{body}: {error}");
    }
}
