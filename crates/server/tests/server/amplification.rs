//! No route turns a small request into much work: the bytes of the largest answer, their ratio to the
//! bytes of the request, and the CPU time of the server are bounded for each route of the OpenAPI
//! document. A route without a row here fails the test.
//!
//! The server runs in a runtime of its own, whose threads have a name, so that their CPU time can be
//! told from that of the tests. Lists are measured with a few games and counted with the 200 that they
//! may have.

use crate::host::{Database, any_move, sqlite, text};
use azulejo_client::Client;
use azulejo_notation::Record;
use azulejo_server::Server;
use azulejo_testkit::Rng;
use azulejo_testkit::records::random_record;
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::runtime::{Builder, Runtime};

/// The name of the server's threads; Linux keeps 15 characters.
const THREAD: &str = "measured";

/// The length of a list, and the games that the test has in it.
const LIST: (usize, usize) = (200, 20);

/// The bounds of a route: the largest answer in bytes, the ratio of the answer to the request, and the
/// CPU time of a request in milliseconds (of a build for tests, which is slower).
struct Bounds {
    route: &'static str,
    bytes: usize,
    ratio: usize,
    cpu_ms: u64,
}

const fn row(route: &'static str, bytes: usize, ratio: usize, cpu_ms: u64) -> Bounds {
    Bounds { route, bytes, ratio, cpu_ms }
}

/// About twice what was measured, and more CPU time, which other work on the machine disturbs. Replays of
/// games have the bound of the longest page, which a record gives.
const ROUTES: [Bounds; 35] = [
    // The answer of a review has what is done of it, at most 2 KB for a deal or move; that of six moves is
    // measured. The searches are the engine's. The review that is cancelled must not be done before.
    row("DELETE /reviews/{key}", 2_000, 8, 20),
    row("GET /reviews/{key}", 20_000, 100, 20),
    row("POST /reviews", 20_000, 15, 100),
    row("POST /games/{id}/review", 20_000, 100, 60),
    row("POST /games", 100_000, 100, 20),
    row("GET /games/{id}", 120_000, 650, 20),
    row("POST /games/{id}/commands", 120_000, 450, 20),
    row("GET /games/{id}/evaluation", 2_000, 8, 10),
    row("GET /games/{id}/hint", 6_000, 30, 10),
    row("POST /games/{id}/invitations", 2_000, 8, 10),
    row("POST /games/{id}/join", 2_000, 8, 10),
    row("GET /games/{id}/record", 40_000, 200, 10),
    row("POST /games/{id}/rematch", 120_000, 500, 20),
    row("GET /games/{id}/replay", 1_300_000, 7_000, 60),
    row("GET /games/{id}/socket", 120_000, 400, 20),
    row("GET /games/{id}/stream", 120_000, 600, 20),
    row("GET /lobby", 300_000, 1_600, 60),
    row("GET /me", 2_000, 8, 10),
    row("PATCH /me", 2_000, 8, 10),
    row("GET /me/games", 550_000, 3_000, 100),
    row("GET /me/stream", 550_000, 3_000, 100),
    row("GET /options", 5_000, 25, 10),
    row("POST /people", 2_000, 8, 10),
    row("POST /records/replay", 1_300_000, 250, 100),
    row("GET /me/tokens", 4_000, 20, 20),
    row("POST /me/tokens", 2_000, 8, 20),
    row("DELETE /me/tokens/{token}", 4_000, 20, 20),
    row("DELETE /me/tokens", 4_000, 20, 20),
    row("GET /tv", 4_000, 20, 60),
    row("POST /pair", 2_000, 8, 60),
    row("POST /me/transfer", 2_000, 8, 20),
    row("POST /transfers", 300_000, 1_500, 20),
    row("DELETE /me/transfer", 2_000, 8, 20),
    // The copy grows with the games of the person. It is limited like new games, and made one game at a
    // time, as the client reads it.
    row("GET /me/export", 400_000, 2_000, 500),
    // The deletion changes every game of the person, which is gone afterwards.
    row("DELETE /me", 2_000, 8, 5_000),
];

/// A server in its own runtime.
struct Measured {
    runtime: Runtime,
    server: Option<Server>,
    address: SocketAddr,
}

/// What one request cost.
#[derive(Debug)]
struct Cost {
    sent: usize,
    received: usize,
    cpu: Duration,
    status: String,
}

impl Measured {
    fn start(database: &Database) -> Measured {
        let runtime = Builder::new_multi_thread()
            .worker_threads(2)
            .thread_name(THREAD)
            .enable_all()
            .build()
            .unwrap();
        let server = runtime.block_on(Server::start(database.config())).unwrap();
        let address = server.address();
        Measured { runtime, server: Some(server), address }
    }

    /// Sends a request and reads the answer until the server closes the connection or pauses.
    async fn request(&self, route: &str, headers: &str, body: &str) -> Cost {
        let (method, path) = route.split_once(' ').unwrap();
        let length = body.len();
        let request = format!(
            "{method} /api/v1{path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{headers}Content-Length: {length}\r\n\r\n{body}"
        );
        let before = cpu_time();
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        let mut buffer = vec![0; 1 << 16];
        // A stream does not end; it is read until it has nothing more to say.
        let mut patience = Duration::from_secs(10);
        while let Ok(read) = tokio::time::timeout(patience, stream.read(&mut buffer)).await {
            match read.unwrap() {
                0 => break,
                n => answer.extend_from_slice(&buffer[..n]),
            }
            patience = Duration::from_millis(200);
        }
        let head = String::from_utf8_lossy(&answer[..answer.len().min(12)]);
        let status = head.split(' ').nth(1).unwrap_or_default().to_owned();
        let cpu = cpu_time().saturating_sub(before);
        Cost { sent: request.len(), received: answer.len(), cpu, status }
    }
}

impl Drop for Measured {
    fn drop(&mut self) {
        if let Some(server) = self.server.take() {
            self.runtime.block_on(server.stop());
        }
    }
}

/// The CPU time of the server's threads; zero where the system does not tell it.
fn cpu_time() -> Duration {
    let Ok(tasks) = std::fs::read_dir("/proc/self/task") else { return Duration::ZERO };
    let of = |task: std::fs::DirEntry| {
        let file = |name: &str| std::fs::read_to_string(task.path().join(name)).ok();
        let on_cpu_ns = file("schedstat")?.split(' ').next()?.parse::<u64>().ok()?;
        (file("comm")?.trim() == THREAD).then_some(on_cpu_ns)
    };
    Duration::from_nanos(tasks.flatten().filter_map(of).sum())
}

/// A game of four in which one person plays all seats, with the longest names.
fn crowd(hints: bool) -> Value {
    let name = "😀".repeat(40);
    let mut body =
        json!({ "wall": "grey", "jokers": true, "seats": [{ "kind": "me", "name": name }] });
    for _ in 0..3 {
        body["seats"].as_array_mut().unwrap().push(json!({ "kind": "here", "name": name }));
    }
    body["hints"] = hints.into();
    body
}

/// A finished game of one person.
async fn finished_game(me: &Client) -> String {
    let body = json!({ "seats": [{ "kind": "me" }, { "kind": "here" }] });
    let mut game = me.post("/games", &body).await.unwrap()["game"].clone();
    let id = text(&game["id"]).to_owned();
    let mut rng = Rng::new(1);
    while game["status"] != "over" {
        let body = json!({ "type": "move", "move": any_move(&game, &mut rng) });
        game = me.post(&format!("/games/{id}/commands"), &body).await.unwrap()["game"].clone();
    }
    id
}

/// A game of one person that ended after six moves.
async fn resigned_game(me: &Client) -> String {
    let body = json!({ "seats": [{ "kind": "me" }, { "kind": "here" }] });
    let mut game = me.post("/games", &body).await.unwrap()["game"].clone();
    let id = text(&game["id"]).to_owned();
    let path = format!("/games/{id}/commands");
    for _ in 0..6 {
        let body = json!({ "type": "move", "move": game["moves"][0]["move"] });
        game = me.post(&path, &body).await.unwrap()["game"].clone();
    }
    me.post(&path, &json!({ "type": "resign", "seat": 1 })).await.unwrap();
    id
}

/// Asks for a review, quick ones to the end; returns its key.
async fn review(me: &Client, game: &str, is_quick: bool) -> String {
    let budget = if is_quick { "quick" } else { "normal" };
    loop {
        let path = format!("/games/{game}/review?budget={budget}");
        let answer = me.post(&path, &json!({})).await.unwrap();
        if !is_quick || answer["stage"] == "done" {
            return text(&answer["key"]).to_owned();
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[test]
fn no_route_amplifies() {
    let database = sqlite();
    let measured = Measured::start(&database);
    let clients = Builder::new_current_thread().enable_all().build().unwrap();
    clients.block_on(measure(&measured));
}

async fn measure(measured: &Measured) {
    let nobody = Client::new(&format!("http://{}", measured.address)).unwrap();
    let me = nobody.new_person(&"😀".repeat(40)).await.unwrap();
    let token = format!("Authorization: Bearer {}\r\n", me.token().unwrap());
    for _ in 0..LIST.1 {
        let body = json!({ "listed": true, "seats": [{ "kind": "me" }, { "kind": "open" }, { "kind": "open" }, { "kind": "open" }] });
        nobody.new_person(&"😀".repeat(40)).await.unwrap().post("/games", &body).await.unwrap();
        me.post("/games", &crowd(false)).await.unwrap();
    }
    let game = me.post("/games", &crowd(true)).await.unwrap()["game"].clone();
    let (id, m) = (text(&game["id"]), text(&game["moves"][0]["move"]));
    let open = json!({ "seats": [{ "kind": "me" }, { "kind": "open" }] });
    let open = me.post("/games", &open).await.unwrap();
    let finished = finished_game(&me).await;
    let spare = me.post("/me/tokens", &json!({})).await.unwrap();
    let games = json!({ "games": "😀".repeat(64 * 1024) });
    let host = nobody.new_person("Ana").await.unwrap();
    let offered = host.post("/me/transfer", &games).await.unwrap();
    let transfer = text(&offered["code"]);
    let record = long_record().to_string();
    let short = resigned_game(&me).await;
    let (reviewed, pending) =
        (review(&me, &short, true).await, review(&me, &finished, false).await);
    let short_record =
        me.get(&format!("/games/{short}/record?format=json")).await.unwrap().to_string();
    let mut found = Vec::new();
    let json_body = "Content-Type: application/json\r\n";
    let upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
        Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    for bounds in &ROUTES {
        let close = "Connection: close\r\n";
        let (id, headers, body) = match bounds.route {
            "POST /games" => (id, json_body, crowd(false).to_string()),
            "POST /games/{id}/commands" => {
                (id, json_body, json!({ "type": "move", "move": m }).to_string())
            }
            "POST /games/{id}/invitations" => {
                (text(&open["game"]["id"]), json_body, json!({ "seat": 2 }).to_string())
            }
            "POST /games/{id}/join" => {
                (text(&open["game"]["id"]), json_body, json!({ "secret": "x" }).to_string())
            }
            "PATCH /me" => (id, json_body, json!({ "name": "😀".repeat(40) }).to_string()),
            "POST /people" => (id, json_body, json!({ "name": "😀".repeat(40) }).to_string()),
            "POST /records/replay" => (id, "Content-Type: text/plain\r\n", record.clone()),
            "POST /reviews" => (id, "Content-Type: text/plain\r\n", short_record.clone()),
            "POST /games/{id}/rematch" | "GET /games/{id}/record" | "GET /games/{id}/replay" => {
                (finished.as_str(), "", String::new())
            }
            "POST /games/{id}/review" => (short.as_str(), "", String::new()),
            "GET /reviews/{key}" => (reviewed.as_str(), "", String::new()),
            "DELETE /reviews/{key}" => (pending.as_str(), "", String::new()),
            "POST /me/transfer" => (id, json_body, json!({ "games": "x" }).to_string()),
            "POST /transfers" => (id, json_body, json!({ "code": transfer }).to_string()),
            "GET /games/{id}/socket" => (id, upgrade, String::new()),
            "DELETE /me/tokens/{token}" => (text(&spare["id"]), "", String::new()),
            "DELETE /me" => (id, json_body, json!({ "confirm": "delete" }).to_string()),
            _ => (id, "", String::new()),
        };
        let close = if headers == upgrade { "" } else { close };
        let headers = format!("{token}{close}{headers}");
        let cost = measured
            .request(
                &bounds.route.replace("{id}", id).replace("{token}", id).replace("{key}", id),
                &headers,
                &body,
            )
            .await;
        found.push((bounds, cost));
    }
    check_all_routes();
    let mut faults = Vec::new();
    for (bounds, cost) in &found {
        let is_list = matches!(bounds.route, "GET /lobby" | "GET /me/games" | "GET /me/stream");
        let factor = if is_list { LIST.0 / LIST.1 } else { 1 };
        let (received, cpu_ms) =
            (cost.received * factor, cost.cpu.as_millis() as u64 * factor as u64);
        let ratio = received / cost.sent;
        println!(
            "{:<30} {} {received:>9} bytes, ratio {ratio:>5}, {cpu_ms:>4} ms",
            bounds.route, cost.status
        );
        let is_answered = cost.status.starts_with(['1', '2']) || bounds.route.ends_with("/join");
        if !is_answered || received > bounds.bytes || ratio > bounds.ratio || cpu_ms > bounds.cpu_ms
        {
            faults.push(format!("{}: {cost:?}", bounds.route));
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

/// Every operation of the document has a row.
fn check_all_routes() {
    let document = azulejo_server::api::openapi_document();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for method in methods.as_object().unwrap().keys() {
            let path = path.strip_prefix("/api/v1").unwrap();
            let route = format!("{} {path}", method.to_uppercase());
            let has_row = ROUTES.iter().any(|bounds| bounds.route == route);
            assert!(has_row, "{route}: add a row to ROUTES with the bounds of its worst answer");
        }
    }
}

/// A record of more steps than a page has, with four players.
fn long_record() -> Record {
    let records = (0..100).map(|seed| random_record("4gj", &seed.to_string()));
    records.max_by_key(Record::n_moves).unwrap()
}
