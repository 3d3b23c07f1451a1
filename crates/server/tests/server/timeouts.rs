//! Timeouts: clients that do not read, do not answer or do not finish a request are disconnected,
//! and other clients do not wait for them.

use crate::host::{Host, TwoPlayerGame, sqlite, text, wait_for, wait_for_type};
use azulejo_server::Timeouts;
use serde_json::json;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

/// Shorter than in production, so that tests are quick.
fn short_timeouts() -> Timeouts {
    let ms = Duration::from_millis;
    Timeouts { head: ms(300), request: ms(400), ping: ms(100), silence: ms(400), write: ms(400) }
}

async fn host(database: &crate::host::Database) -> Host {
    let mut config = database.config();
    config.timeouts = short_timeouts();
    Host::start(config).await
}

/// Waits until the server closes a connection, and returns what it sent.
pub(crate) async fn until_closed(stream: &mut TcpStream) -> String {
    let mut said = Vec::new();
    let read = stream.read_to_end(&mut said);
    let closed = tokio::time::timeout(Duration::from_secs(20), read).await;
    assert!(
        closed.is_ok(),
        "the server does not close the connection: {}",
        String::from_utf8_lossy(&said)
    );
    String::from_utf8_lossy(&said).into_owned()
}

/// Opens a WebSocket or stream by hand that never reads, with a small receive buffer.
pub(crate) async fn mute_socket(
    host: &Host,
    game: &TwoPlayerGame,
    player: usize,
    path: &str,
) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(2_048).unwrap();
    let mut stream = socket.connect(host.server.address()).await.unwrap();
    let upgrade = if path.contains("socket") {
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
         Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    } else {
        ""
    };
    let request = format!(
        "GET /api/v1{} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\n{upgrade}\r\n",
        game.path(path),
        game.players[player].token().unwrap()
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    stream
}

/// The client of a half-open connection is gone, and no packet says so. The server notices because
/// its pings are not answered, and reports the new presence.
#[tokio::test]
async fn half_open_sockets_are_closed() {
    let database = sqlite();
    let host = host(&database).await;
    let game = host.two_player_game().await;
    let mut ana = game.socket(0).await;
    let mut bob = mute_socket(&host, &game, 1, "/socket").await;
    let is_here = |n: usize, here: bool| {
        move |m: &serde_json::Value| m["type"] == "presence" && m["presence"]["seats"][n] == here
    };
    wait_for(&mut ana, is_here(1, true)).await;
    // Ana answers pings (her client does) and stays, Bob does not.
    wait_for(&mut ana, is_here(1, false)).await;
    until_closed(&mut bob).await;
    ana.send(&json!({ "type": "ping" })).await.unwrap();
    wait_for_type(&mut ana, "pong").await;
    host.server.stop().await;
}

/// Clients that never read are disconnected once the buffers of the system are full, and the
/// players do not notice.
#[tokio::test]
async fn clients_that_do_not_read_are_disconnected() {
    let database = sqlite();
    let mut config = database.config();
    // No pings: only the failing writes may disconnect them.
    config.timeouts = Timeouts {
        silence: Duration::from_secs(600),
        ping: Duration::from_secs(600),
        ..short_timeouts()
    };
    let host = Host::start(config).await;
    // With both seats at one screen, moves can be taken back without end: the buffers of the system
    // hold megabytes for a client that does not read.
    let me = host.person("Ana").await;
    let seats = json!({ "seats": [{ "kind": "me" }, { "kind": "here" }] });
    let created = me.post("/games", &seats).await.unwrap();
    let id = text(&created["game"]["id"]).to_owned();
    let solo = TwoPlayerGame { players: vec![me], id };
    let mut mute = Vec::new();
    for _ in 0..3 {
        mute.push(mute_socket(&host, &solo, 0, "/socket?after=1").await);
        mute.push(mute_socket(&host, &solo, 0, "/stream").await);
    }
    let sockets = async || -> f64 {
        let (_, metrics) =
            host.client.text(azulejo_client::Method::GET, "/metrics", None).await.unwrap();
        let line = metrics.lines().find_map(|line| line.strip_prefix("azulejo_sockets "));
        line.unwrap().parse().unwrap()
    };
    let start = Instant::now();
    while sockets().await < 6.0 {
        assert!(start.elapsed() < Duration::from_secs(10), "the sockets are not open");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let mut slowest = Duration::ZERO;
    let m = json!({ "type": "move", "move": created["game"]["moves"][0]["move"] });
    let start = Instant::now();
    while sockets().await > 0.0 {
        assert!(start.elapsed() < Duration::from_secs(60), "they are not disconnected");
        for _ in 0..10 {
            let start = Instant::now();
            solo.act(0, "/commands", &m).await.unwrap();
            solo.act(0, "/commands", &json!({ "type": "takeback" })).await.unwrap();
            slowest = slowest.max(start.elapsed());
        }
    }
    assert!(slowest < Duration::from_secs(2), "{slowest:?}");
    host.server.stop().await;
}

/// The body of an ordinary response has a time limit, too.
#[tokio::test]
async fn responses_that_are_not_read_are_cut() {
    let database = sqlite();
    let host = host(&database).await;
    let request = "GET /api/v1/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n";
    let (_, document) =
        host.client.text(azulejo_client::Method::GET, "/api/v1/openapi.json", None).await.unwrap();
    // More than the buffers of the system can take.
    let n_requests = 30_000_000 / document.len();
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(2_048).unwrap();
    let mut stream = socket.connect(host.server.address()).await.unwrap();
    let (mut read, mut write) = stream.split();
    let requests = request.repeat(n_requests);
    let mut n_bytes = 0;
    let mut buffer = vec![0; 100_000];
    let talk = async {
        tokio::join!(
            async {
                // Fails when the server has closed the connection.
                let _ = write.write_all(requests.as_bytes()).await;
            },
            async {
                tokio::time::sleep(short_timeouts().write * 3).await;
                while let Ok(n @ 1..) = read.read(&mut buffer).await {
                    n_bytes += n;
                }
            }
        );
    };
    tokio::time::timeout(Duration::from_secs(20), talk).await.expect("the connection is closed");
    assert!(n_bytes < n_requests * document.len() / 2, "{n_bytes} bytes were sent");
    host.server.stop().await;
}

#[tokio::test]
async fn connections_without_a_request_are_closed() {
    let database = sqlite();
    let host = host(&database).await;
    let address = host.server.address();
    let mut silent = TcpStream::connect(address).await.unwrap();
    let mut half = TcpStream::connect(address).await.unwrap();
    half.write_all(b"GET /api/v1/options HTTP/1.1\r\nHo").await.unwrap();
    // An idle connection between two requests.
    let mut kept = TcpStream::connect(address).await.unwrap();
    kept.write_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n").await.unwrap();
    until_closed(&mut silent).await;
    until_closed(&mut half).await;
    assert!(until_closed(&mut kept).await.ends_with("alive\n"));
    // A body that does not arrive is answered with 408.
    let mut body = TcpStream::connect(address).await.unwrap();
    let head = "POST /api/v1/people HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n\
                Content-Length: 20\r\n\r\n{\"name\"";
    body.write_all(head.as_bytes()).await.unwrap();
    let answer = until_closed(&mut body).await;
    assert!(answer.starts_with("HTTP/1.1 408") && answer.contains("too_slow"), "{answer}");
    // A slow request is served.
    let mut slow = TcpStream::connect(address).await.unwrap();
    for part in ["GET /healthz HTTP/1.1\r\n", "Host: x\r\n", "Connection: close\r\n", "\r\n"] {
        slow.write_all(part.as_bytes()).await.unwrap();
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert!(until_closed(&mut slow).await.starts_with("HTTP/1.1 200"));
    host.server.stop().await;
}
