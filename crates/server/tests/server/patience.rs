//! Clients that are slow, silent, or half gone: each is waited for, for a while, and then let go;
//! and meanwhile nobody else waits.

use crate::host::{Duel, Host, sqlite, text, wait_for, wait_for_type};
use azulejo_server::Patience;
use serde_json::json;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

/// Less than people are given, so that tests need not wait.
fn impatient() -> Patience {
    let ms = Duration::from_millis;
    Patience { head: ms(300), request: ms(400), ping: ms(100), silence: ms(400), stuck: ms(400) }
}

async fn host(base: &crate::host::Base) -> Host {
    let mut config = base.config();
    config.patience = impatient();
    Host::start(config).await
}

/// Waits until the server has closed a connection, and gives what it said before.
async fn until_closed(stream: &mut TcpStream) -> String {
    let mut said = Vec::new();
    let read = stream.read_to_end(&mut said);
    let closed = tokio::time::timeout(Duration::from_secs(20), read).await;
    assert!(closed.is_ok(), "the server does not let go: {}", String::from_utf8_lossy(&said));
    String::from_utf8_lossy(&said).into_owned()
}

/// Opens a socket by hand, which then neither reads nor answers, with little room for what is sent.
async fn mute_socket(host: &Host, duel: &Duel, player: usize, path: &str) -> TcpStream {
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
        duel.path(path),
        duel.players[player].token().unwrap()
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    stream
}

/// The other end of a half-open socket is gone without a word: no packet says so. The server finds
/// out because its pings are not answered, and tells who is still there.
#[tokio::test]
async fn a_half_open_socket_is_found_out() {
    let base = sqlite();
    let host = host(&base).await;
    let duel = host.duel().await;
    let mut ana = duel.socket(0).await;
    let mut bob = mute_socket(&host, &duel, 1, "/socket").await;
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

/// Sockets and streams of clients that never read: the system takes some for them, then they are
/// let go, and those who play notice nothing.
#[tokio::test]
async fn who_does_not_read_is_let_go_and_nobody_waits() {
    let base = sqlite();
    let mut config = base.config();
    // Not for their silence: it is their not reading that is to be noticed.
    config.patience = Patience {
        silence: Duration::from_secs(600),
        ping: Duration::from_secs(600),
        ..impatient()
    };
    let host = Host::start(config).await;
    // Around one screen moves are taken back freely, so that the game is as long as it has to be:
    // the system alone holds megabytes for a client that does not read.
    let me = host.person("Ana").await;
    let seats = json!({ "seats": [{ "kind": "me" }, { "kind": "here" }] });
    let created = me.post("/games", &seats).await.unwrap();
    let id = text(&created["game"]["id"]).to_owned();
    let solo = Duel { players: vec![me], id };
    let mut deaf = Vec::new();
    for _ in 0..3 {
        deaf.push(mute_socket(&host, &solo, 0, "/socket?after=1").await);
        deaf.push(mute_socket(&host, &solo, 0, "/stream").await);
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
    let m = json!({ "move": created["game"]["moves"][0]["move"] });
    let start = Instant::now();
    while sockets().await > 0.0 {
        assert!(start.elapsed() < Duration::from_secs(60), "they are not let go");
        for _ in 0..10 {
            let start = Instant::now();
            solo.act(0, "/moves", &m).await.unwrap();
            solo.act(0, "/takeback", &json!({})).await.unwrap();
            slowest = slowest.max(start.elapsed());
        }
    }
    assert!(slowest < Duration::from_secs(2), "{slowest:?}");
    host.server.stop().await;
}

#[tokio::test]
async fn a_connection_that_asks_nothing_is_closed() {
    let base = sqlite();
    let host = host(&base).await;
    let address = host.server.address();
    let mut silent = TcpStream::connect(address).await.unwrap();
    let mut half = TcpStream::connect(address).await.unwrap();
    half.write_all(b"GET /api/v1/options HTTP/1.1\r\nHo").await.unwrap();
    // Between two requests as well.
    let mut kept = TcpStream::connect(address).await.unwrap();
    kept.write_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n").await.unwrap();
    until_closed(&mut silent).await;
    until_closed(&mut half).await;
    assert!(until_closed(&mut kept).await.ends_with("alive\n"));
    // A body that does not come is not waited for either, and the answer says why.
    let mut body = TcpStream::connect(address).await.unwrap();
    let head = "POST /api/v1/people HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n\
                Content-Length: 20\r\n\r\n{\"name\"";
    body.write_all(head.as_bytes()).await.unwrap();
    let answer = until_closed(&mut body).await;
    assert!(answer.starts_with("HTTP/1.1 408") && answer.contains("too_slow"), "{answer}");
    // Whoever writes slowly, but writes, is served.
    let mut slow = TcpStream::connect(address).await.unwrap();
    for part in ["GET /healthz HTTP/1.1\r\n", "Host: x\r\n", "Connection: close\r\n", "\r\n"] {
        slow.write_all(part.as_bytes()).await.unwrap();
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert!(until_closed(&mut slow).await.starts_with("HTTP/1.1 200"));
    host.server.stop().await;
}

/// A server that is asked to stop does not wait for the silent.
#[tokio::test]
async fn stopping_does_not_wait_for_silent_clients() {
    let base = sqlite();
    let mut config = base.config();
    config.grace = Duration::from_millis(500);
    let host = Host::start(config).await;
    let duel = host.duel().await;
    let mut silent = TcpStream::connect(host.server.address()).await.unwrap();
    let mut body = TcpStream::connect(host.server.address()).await.unwrap();
    let head = "POST /api/v1/people HTTP/1.1\r\nHost: x\r\nContent-Length: 20\r\n\r\n";
    body.write_all(head.as_bytes()).await.unwrap();
    let mute = mute_socket(&host, &duel, 0, "/socket").await;
    duel.play(1).await;
    let start = Instant::now();
    host.server.stop().await;
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    until_closed(&mut silent).await;
    drop(mute);
}
