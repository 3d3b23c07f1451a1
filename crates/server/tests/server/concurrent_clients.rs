//! Stress test: many clients act at the same time, over requests and sockets, on one node and on
//! two: legal and illegal moves, twice, out of turn, to the wrong game, take-backs, phrases,
//! resigning, with connections that break off anywhere. At the end the log of every game is replayed
//! by the rules alone and compared with every answer that the clients received.

use crate::host::{Database, Host, TwoPlayerGame, any_move, databases, text};
use crate::log_replay::Replay;
use azulejo_client::{Client, ClientError, Method};
use azulejo_notation::{Record, verify_deals};
use azulejo_server::{Place, Store};
use azulejo_table::{Event, LoggedEvent};
use azulejo_testkit::Rng;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::AsyncWriteExt;

/// The factor by which AZULEJO_STRESS multiplies the number of games.
fn size() -> usize {
    std::env::var("AZULEJO_STRESS").ok().and_then(|n| n.parse().ok()).unwrap_or(1)
}

/// What the clients were told: the acknowledged moves by game and event number, and the names of
/// everything done and refused.
#[derive(Default)]
struct Told {
    moves: BTreeMap<(String, u64), String>,
    kinds: BTreeSet<String>,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_clients_keep_games_consistent() {
    for database in databases() {
        stress(&database, 1).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_clients_on_two_nodes_keep_games_consistent() {
    for database in
        databases().iter().filter(|database| matches!(database.place, Place::Postgres(_)))
    {
        stress(database, 2).await;
    }
}

async fn stress(database: &Database, n_nodes: usize) {
    let mut hosts = Vec::new();
    for _ in 0..n_nodes {
        let mut config = database.config();
        // Games are unloaded from memory almost at once.
        config.tables.keep = Duration::from_millis(20);
        hosts.push(Host::start(config).await);
    }
    let mut games = Vec::new();
    for n in 0..4 * size() {
        games.push(hosts[n % n_nodes].two_player_game().await);
    }
    let told = Arc::new(Mutex::new(Told::default()));
    let ids: Vec<String> = games.iter().map(|game| game.id.clone()).collect();
    let mut tasks = Vec::new();
    for (n, game) in games.iter().enumerate() {
        for (seat, player) in game.players.iter().enumerate() {
            // Every player has two windows open.
            for n_window in 0..2 {
                let token = player.token().unwrap();
                let window = Window {
                    nodes: hosts.iter().map(|host| host.client.with_token(token)).collect(),
                    addresses: hosts.iter().map(|host| host.server.address()).collect(),
                    stranger: hosts[0].person("Eve").await,
                    id: game.id.clone(),
                    ids: ids.clone(),
                    rng: Rng::new((n * 8 + seat * 2 + n_window + 1) as u64),
                    told: Arc::clone(&told),
                };
                tasks.push(tokio::spawn(window.run()));
            }
        }
    }
    for task in tasks {
        task.await.expect("no client fails");
    }
    let told = std::mem::take(&mut *told.lock().unwrap());
    let done = [
        "moved",
        "repeated",
        "moved on a socket",
        "takeback_asked",
        "taken_back",
        "takeback_refused",
        "said",
        "move_id_reused",
    ];
    for kind in done.into_iter().chain(REFUSALS) {
        assert!(told.kinds.contains(kind), "{kind} did not happen: {:?}", told.kinds);
    }
    let mut ends = Vec::new();
    for game in &games {
        let end = game.state(0).await;
        assert_eq!(end["status"], "over");
        let path = format!("/api/v1{}", game.path("/record"));
        let (_, record) = game.players[0].text(Method::GET, &path, None).await.unwrap();
        ends.push((end, Record::parse(&record).expect("a record that the rules accept")));
    }
    for host in hosts {
        host.server.stop().await;
    }
    let store = Store::open(database.place.clone(), "check").await.unwrap();
    for (game, (end, record)) in games.iter().zip(&ends) {
        compare(game, end, record, &store.events(&game.id, 0).await.unwrap(), &told);
    }
    let report = store.check().await.unwrap();
    assert_eq!(report.faults, Vec::<String>::new());
    store.close().await;
}

/// The rules accept the log, and every answer follows from it.
fn compare(game: &TwoPlayerGame, end: &Value, record: &Record, log: &[LoggedEvent], told: &Told) {
    verify_deals(record).expect("fair deals");
    let replay = Replay::of(log, record);
    let position = replay.now().0.to_string();
    assert_eq!(text(&end["position"]["position"]), position);
    assert_eq!(record.final_position().to_string(), position);
    assert_eq!(end["n_moves"].as_u64(), Some(replay.plies.len() as u64));
    assert_eq!(end["number"].as_u64(), Some(log.len() as u64));
    let ended_by = text(&end["result"]["ended_by"]);
    assert_eq!(ended_by == "resigned", replay.has_resigned, "{ended_by}");
    assert_eq!(ended_by != "resigned", replay.now().0.ended_by().is_some(), "{ended_by}");
    for ((_, number), m) in told.moves.iter().filter(|((id, _), _)| *id == game.id) {
        match &log[*number as usize - 1].event {
            Event::Moved { m: logged, .. } => assert_eq!(logged, m, "event {number}"),
            other => panic!("event {number} was acknowledged as {m}, and is {other:?}"),
        }
    }
}

/// The codes with which the bad requests of `try_bad` are refused, in their order.
const REFUSALS: [&str; 17] = [
    "not_seated",
    "illegal_move",
    "stale",
    "bad_request",
    "no_such_seat",
    "not_your_seat",
    "not_a_move",
    "bad_move_id",
    "not_found",
    "full",
    "already_seated",
    "not_over",
    "forbidden",
    "seat_taken",
    "no_token",
    "already_begun",
    "not_your_turn",
];

/// One window of a player.
struct Window {
    nodes: Vec<Client>,
    addresses: Vec<std::net::SocketAddr>,
    stranger: Client,
    id: String,
    ids: Vec<String>,
    rng: Rng,
    told: Arc<Mutex<Told>>,
}

impl Window {
    async fn run(mut self) {
        let path = format!("/games/{}", self.id);
        let mut state = self.node().get(&path).await.unwrap();
        let mut n = 0;
        while state["status"] != "over" {
            n += 1;
            assert!(n < 20_000, "the game does not end");
            let is_asked = state["takeback"].is_object();
            match self.pick(24) {
                _ if is_asked && self.pick(3) == 0 => {
                    self.act(json!({ "type": "takeback" }), "takeback").await;
                }
                _ if is_asked && self.pick(4) == 0 => {
                    self.act(json!({ "type": "refuse_takeback" }), "takeback_refused").await;
                }
                0..4 => self.try_bad(&state).await,
                4 => self.break_off(&state, &path).await,
                5 => self.follow(&state).await,
                6 => self.act(json!({ "type": "say", "phrase": "oops" }), "said").await,
                7 => self.act(json!({ "type": "takeback" }), "takeback").await,
                9 if state["n_moves"].as_u64() > Some(30) && self.pick(40) == 0 => {
                    self.act(json!({ "type": "resign" }), "resigned").await;
                }
                _ if state["your_turn"] != true => {
                    tokio::time::sleep(Duration::from_millis(1)).await;
                }
                10..14 => self.play_on_a_socket(&state).await,
                _ => self.play(&state, &path).await,
            }
            state = self.node().get(&path).await.unwrap();
        }
    }

    fn pick(&mut self, n: u64) -> u64 {
        self.rng.next_u64() % n
    }

    /// A client of any node.
    fn node(&mut self) -> Client {
        let n = self.pick(self.nodes.len() as u64) as usize;
        self.nodes[n].clone()
    }

    fn count(&self, kind: &str) {
        self.told.lock().unwrap().kinds.insert(kind.to_owned());
    }

    fn note_move(&self, number: &Value, m: &Value) {
        let key = (self.id.clone(), number.as_u64().unwrap());
        self.told.lock().unwrap().moves.insert(key, text(m).to_owned());
    }

    fn any_body(&mut self, state: &Value) -> Value {
        let m = if state["your_turn"] == true {
            any_move(state, &mut self.rng)
        } else {
            "1B1".to_owned()
        };
        json!({ "type": "move", "move": m, "after": state["number"], "id": format!("x{}", self.rng.next_u64()) })
    }

    /// Plays a move twice at the same time, each on a random node; both answers must agree.
    async fn play(&mut self, state: &Value, path: &str) {
        let body = self.any_body(state);
        let (one, two) = (self.node(), self.node());
        let moves = format!("{path}/commands");
        let (a, b) = tokio::join!(answered(&one, &moves, &body), answered(&two, &moves, &body));
        match (&a, &b) {
            (Ok(a), Ok(b)) => {
                assert_eq!(a["number"], b["number"]);
                assert_ne!(a["repeated"], b["repeated"]);
                self.note_move(&a["number"], &body["move"]);
                self.count("moved");
                self.count("repeated");
                // The same id for another move.
                if let Some(other) =
                    state["moves"].as_array().unwrap().iter().find(|m| m["move"] != body["move"])
                {
                    let reused = json!({ "type": "move", "move": other["move"], "id": body["id"] });
                    let error = answered(&one, &moves, &reused).await.expect_err("another move");
                    assert_eq!(error.code(), Some("move_id_reused"));
                    self.count("move_id_reused");
                }
            }
            // The other window was faster.
            (Err(a), Err(b)) => {
                for error in [a, b] {
                    let code = error.code().unwrap_or_default();
                    assert!(["stale", "not_your_turn", "game_over"].contains(&code), "{error}");
                    self.count(code);
                }
            }
            _ => panic!("the same move was played and refused: {a:?} {b:?}"),
        }
    }

    async fn play_on_a_socket(&mut self, state: &Value) {
        let body = self.any_body(state);
        let message = json!({ "type": "command", "ref": "mine", "command": body });
        let Ok(mut socket) = self.node().socket(&self.id, None).await else { return };
        socket.send(&message).await.unwrap();
        // Sometimes the client does not wait for the answer.
        if self.pick(3) == 0 {
            return;
        }
        loop {
            let message = socket.next().await.unwrap().expect("an answer");
            match text(&message["type"]) {
                "done" if message["ref"] == "mine" => {
                    self.note_move(&message["number"], &body["move"]);
                    return self.count("moved on a socket");
                }
                "error" => {
                    let code = text(&message["error"]["code"]);
                    assert!(
                        ["stale", "not_your_turn", "game_over", "busy"].contains(&code),
                        "{message}"
                    );
                    return;
                }
                _ => {}
            }
        }
    }

    /// A command that is done, or refused for an expected reason.
    async fn act(&mut self, command: Value, done: &str) {
        let path = format!("/games/{}/commands", self.id);
        match self.node().post(&path, &command).await {
            Ok(after) if done == "takeback" => {
                let is_asked = after["game"]["takeback"].is_object();
                self.count(if is_asked { "takeback_asked" } else { "taken_back" });
            }
            Ok(_) => self.count(done),
            Err(error) => {
                let code = error.code().unwrap_or_else(|| panic!("{error}"));
                let fine = [
                    "too_chatty",
                    "nothing_to_take_back",
                    "already_asked",
                    "across_deal",
                    "nothing_asked",
                    "game_over",
                    "busy",
                ];
                assert!(fine.contains(&code), "{command}: {error}");
                self.count(code);
            }
        }
    }

    /// Breaks off two connections: one that waits for an answer, one in the middle of a request.
    async fn break_off(&mut self, state: &Value, path: &str) {
        let body = self.any_body(state);
        let node = self.node();
        let moves = format!("{path}/commands");
        let request = node.post(&moves, &body);
        let _ = tokio::time::timeout(Duration::from_micros(300), request).await;
        let n = self.pick(self.addresses.len() as u64) as usize;
        let text = format!(
            "POST /api/v1{moves} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\n\
             Content-Type: application/json\r\nContent-Length: 500\r\n\r\n{body}",
            node.token().unwrap()
        );
        let half = self.pick(text.len() as u64) as usize;
        if let Ok(mut stream) = tokio::net::TcpStream::connect(self.addresses[n]).await {
            let _ = stream.write_all(&text.as_bytes()[..half]).await;
        }
    }

    async fn follow(&mut self, state: &Value) {
        let after = state["number"].as_u64().map(|number| number.saturating_sub(self.pick(5)));
        if let Ok(mut socket) = self.node().socket(&self.id, after).await {
            let _ = socket.send(&json!({ "type": "resync" })).await;
            let _ = socket.send(&json!({ "type": "ping" })).await;
            let _ = socket.next().await;
        }
    }

    /// A random bad request, preferably one whose code no client has received yet.
    fn pick_bad(&mut self) -> usize {
        let n = self.pick(REFUSALS.len() as u64 + 1) as usize;
        let told = self.told.lock().unwrap();
        let is_missing = |&n: &usize| !told.kinds.contains(REFUSALS[n]);
        let missing: Vec<usize> = (0..REFUSALS.len()).filter(is_missing).collect();
        if missing.is_empty() || n.is_multiple_of(2) { n } else { missing[n % missing.len()] }
    }

    /// A request that is illegal, out of turn, stale, for another game, by another person, or invalid.
    async fn try_bad(&mut self, state: &Value) {
        let n = self.pick(self.ids.len() as u64) as usize;
        let other = self.ids[n].clone();
        let own = self.id.clone();
        let me = self.node();
        let no_token = Client::new(&format!("http://{}", self.addresses[0])).unwrap();
        let stranger = self.stranger.clone();
        let seat = state["your_seats"][0].as_u64().unwrap();
        let m = json!({ "type": "move", "move": "1B1" });
        let bad = self.pick_bad();
        let (client, id, what, body, expected): (&Client, &str, &str, Value, &[&str]) = match bad {
            0 if other != own => (&me, &other, "/commands", m, &["not_seated"]),
            1 => {
                let body = json!({ "type": "move", "move": "9J5" });
                (&me, &own, "/commands", body, &["illegal_move", "not_your_turn", "game_over"])
            }
            2 => (
                &me,
                &own,
                "/commands",
                json!({ "type": "move", "move": "1B1", "after": 1 }),
                &["stale", "game_over"],
            ),
            3 => (
                &me,
                &own,
                "/commands",
                json!({ "type": "move", "move": [state["number"]] }),
                &["bad_request"],
            ),
            4 => {
                let body = json!({ "type": "move", "move": "1B1", "seat": 4 });
                (&me, &own, "/commands", body, &["no_such_seat", "game_over"])
            }
            5 => {
                let body = json!({ "type": "move", "move": "1B1", "seat": 3 - seat });
                (&me, &own, "/commands", body, &["not_your_seat"])
            }
            6 => {
                (&me, &own, "/commands", json!({ "type": "move", "move": "azul" }), &["not_a_move"])
            }
            7 => (
                &me,
                &own,
                "/commands",
                json!({ "type": "move", "move": "1B1", "id": "a b" }),
                &["bad_move_id"],
            ),
            8 => (&me, "abcdefghijkmnpqr", "/commands", m, &["not_found"]),
            9 => (&stranger, &own, "/join", json!({}), &["full", "game_over"]),
            10 => (&me, &own, "/join", json!({}), &["already_seated", "game_over"]),
            11 => (&me, &own, "/rematch", json!({}), &["not_over"]),
            12 => (&stranger, &own, "/invitations", json!({ "seat": 2 }), &["forbidden"]),
            13 => (&me, &own, "/invitations", json!({ "seat": 2 }), &["seat_taken", "forbidden"]),
            14 => (&no_token, &own, "/commands", m, &["no_token"]),
            15 if state["n_moves"].as_u64() > Some(20) => (
                &me,
                &own,
                "/commands",
                json!({ "type": "abort" }),
                &["already_begun", "game_over"],
            ),
            // The turn may have come since.
            16 if state["your_turn"] != true => {
                let body = json!({ "type": "move", "move": "9J5" });
                (&me, &own, "/commands", body, &["not_your_turn", "illegal_move", "game_over"])
            }
            _ => {
                let (what, body) = match self.rng.next_u64() % 6 {
                    0 => ("/commands", m),
                    1 => ("/commands", json!({ "type": "resign" })),
                    2 => ("/commands", json!({ "type": "abort" })),
                    3 => ("/commands", json!({ "type": "takeback" })),
                    4 => ("/commands", json!({ "type": "say", "phrase": "hello" })),
                    _ => ("/rematch", json!({})),
                };
                (&stranger, &own, what, body, &["not_seated", "game_over"])
            }
        };
        match client.post(&format!("/games/{id}{what}"), &body).await {
            Ok(_) if what == "/rematch" => {}
            Ok(answer) => panic!("it must be refused: {what} {body} {answer}"),
            Err(error) => {
                let code = error.code().unwrap_or_default();
                let is_expected = expected.contains(&code) || what == "/rematch" || code == "busy";
                assert!(is_expected, "{what} {body}: {error}");
                self.count(code);
            }
        }
    }
}

/// Sends a request until the server is not busy; the id makes repetitions one move.
async fn answered(client: &Client, path: &str, body: &Value) -> Result<Value, ClientError> {
    loop {
        match client.post(path, body).await {
            Err(error) if error.code() == Some("busy") => {}
            answer => return answer,
        }
    }
}
