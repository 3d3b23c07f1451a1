//! Limits that cannot be walked around: by another address of an IPv6 network, by rematches, by
//! listed games, by expensive requests, and by taking all connections.

use crate::host::{Host, TwoPlayerGame, code, post, raw, sqlite, text};
use serde_json::json;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// A GET request as text.
fn get(path: &str, headers: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{headers}\r\n")
}

/// The value of a header in an answer.
fn header<'a>(answer: &'a str, name: &str) -> Option<&'a str> {
    let head = answer.split("\r\n\r\n").next()?;
    head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
}

fn status(answer: &str) -> &str {
    answer.split(' ').nth(1).unwrap_or_default()
}

#[tokio::test]
async fn refusals_say_when_to_try_again() {
    let database = sqlite();
    let mut config = database.config();
    config.limits.is_on = true;
    config.limits.requests = 0.2;
    let host = Host::start(config).await;
    let mut answers = Vec::new();
    for _ in 0..3 {
        answers.push(raw(&host, &get("/api/v1/options", "")).await);
    }
    assert_eq!(
        answers.iter().map(|answer| status(answer)).collect::<Vec<_>>(),
        ["200", "200", "429"]
    );
    let wait: u64 = header(&answers[2], "retry-after").unwrap().parse().unwrap();
    assert!((1..=5).contains(&wait), "a token comes every five seconds: {wait}");
    assert_eq!(header(&answers[0], "retry-after"), None);
    host.server.stop().await;
}

#[tokio::test]
async fn expensive_requests_cost_more() {
    let database = sqlite();
    let mut config = database.config();
    config.limits.is_on = true;
    config.limits.requests = 1.0;
    config.trusts_proxy = true;
    let host = Host::start(config).await;
    for (address, path, expected) in [
        ("10.0.0.1", "/api/v1/lobby", 2),
        ("10.0.0.2", "/api/v1/options", 10),
        ("10.0.0.3", "/api/v1/games/abcdefghijkmnpqr/replay", 1),
    ] {
        let from = format!("X-Forwarded-For: {address}\r\n");
        let mut n_served = 0;
        while status(&raw(&host, &get(path, &from)).await) != "429" {
            n_served += 1;
        }
        // Another token or two may come meanwhile.
        assert!((expected..=expected + 2).contains(&n_served), "{path}: {n_served}");
    }
    host.server.stop().await;
}

/// A customer with a /48 network has 65,536 networks of /64, and gets the budget of sixteen.
#[tokio::test]
async fn an_ipv6_network_is_one_client() {
    let database = sqlite();
    let mut config = database.config();
    config.limits.is_on = true;
    config.limits.requests = 0.1;
    config.trusts_proxy = true;
    let host = Host::start(config).await;
    let mut n_served = 0;
    for n in 0..40 {
        let from = format!("X-Forwarded-For: 2001:db8:7:{n:x}::1\r\n");
        n_served += usize::from(status(&raw(&host, &get("/api/v1/options", &from)).await) == "200");
    }
    assert!((16..=20).contains(&n_served), "{n_served}");
    let other = raw(&host, &get("/api/v1/options", "X-Forwarded-For: 2001:db8:8::1\r\n")).await;
    assert_eq!(status(&other), "200", "another network has its own budget");
    host.server.stop().await;
}

/// Without the limit, one visitor could make games without end by rematches.
#[tokio::test]
async fn rematches_count_as_new_games() {
    let database = sqlite();
    let mut config = database.config();
    config.limits.is_on = true;
    config.limits.new = 0.1;
    let host = Host::start(config).await;
    let me = host.person("Ana").await;
    let seats = json!({ "seats": [{ "kind": "me" }, { "kind": "here" }] });
    let created = me.post("/games", &seats).await.unwrap();
    let mut id = text(&created["game"]["id"]).to_owned();
    let mut n_rematches = 0;
    let refused = loop {
        let m = me.get(&format!("/games/{id}")).await.unwrap()["moves"][0]["move"].clone();
        let commands = format!("/games/{id}/commands");
        me.post(&commands, &json!({ "type": "move", "move": m })).await.unwrap();
        me.post(&commands, &json!({ "type": "resign", "seat": 1 })).await.unwrap();
        match me.post(&format!("/games/{id}/rematch"), &json!({})).await {
            Ok(rematch) => id = text(&rematch["game"]["id"]).to_owned(),
            refused => break code(refused),
        }
        n_rematches += 1;
        assert!(n_rematches < 10, "rematches are not limited");
    };
    // Six at once: the person, the first game and the rematches.
    assert_eq!((refused.as_str(), n_rematches), ("too_many", 4));
    host.server.stop().await;
}

#[tokio::test]
async fn a_person_may_list_a_few_games() {
    for database in crate::host::databases() {
        let mut config = database.config();
        config.limits.is_on = true;
        config.limits.listed = 2;
        let host = Host::start(config).await;
        let (ana, bob) = (host.person("Ana").await, host.person("Bob").await);
        let listed = json!({ "seats": [{ "kind": "me" }, { "kind": "open" }], "listed": true });
        let private = json!({ "seats": [{ "kind": "me" }, { "kind": "open" }] });
        let first = ana.post("/games", &listed).await.unwrap();
        ana.post("/games", &listed).await.unwrap();
        assert_eq!(code(ana.post("/games", &listed).await), "too_many_listed");
        ana.post("/games", &private).await.unwrap();
        bob.post("/games", &listed).await.unwrap();
        // A game that somebody has joined no longer waits.
        let id = text(&first["game"]["id"]);
        bob.post(&format!("/games/{id}/join"), &json!({})).await.unwrap();
        ana.post("/games", &listed).await.unwrap();
        host.server.stop().await;
    }
}

/// Opens connections that stay open without a request.
async fn silent_connections(host: &Host, n: usize) -> Vec<TcpStream> {
    let mut open = Vec::new();
    for _ in 0..n {
        open.push(TcpStream::connect(host.server.address()).await.unwrap());
    }
    // The server has accepted them when it answers a later one.
    let (status, _) =
        host.client.text(azulejo_client::Method::GET, "/healthz", None).await.unwrap();
    assert_eq!(status, 200);
    open
}

/// A server that is full of strangers still serves the people who play, and strangers are told to
/// come back.
#[tokio::test]
async fn the_last_connections_are_for_players() {
    let database = sqlite();
    let mut config = database.config();
    config.limits.is_on = true;
    config.limits.total = Some(40);
    config.limits.reserve = Some(10);
    config.timeouts.head = Duration::from_secs(60);
    let host = Host::start(config).await;
    let game: TwoPlayerGame = host.two_player_game().await;
    let stranger = host.person("Eve").await;
    // The connections of the clients above stay open.
    let silent = silent_connections(&host, 29).await;
    let by = |token: &str| format!("Authorization: Bearer {token}\r\n");
    let path = format!("/api/v1{}", game.path(""));
    let strangers = by(stranger.token().unwrap());
    for headers in ["", &strangers] {
        let refused = raw(&host, &get(&path, headers)).await;
        assert_eq!(status(&refused), "503", "{refused}");
        assert!(refused.contains("\"busy\"") && refused.contains("connection: close"), "{refused}");
        assert_eq!(header(&refused, "retry-after"), Some("10"));
    }
    let player = by(game.players[0].token().unwrap());
    let served = raw(&host, &get(&path, &player)).await;
    assert_eq!(status(&served), "200", "{served}");
    let mut socket = game.socket(1).await;
    assert_eq!(socket.next().await.unwrap().unwrap()["type"], "state");
    assert_eq!(status(&raw(&host, &get("/healthz", "")).await), "200", "probes are served");
    // All places are taken: further connections are closed without an answer.
    let mut more = Vec::new();
    for _ in 0..20 {
        more.push(TcpStream::connect(host.server.address()).await.unwrap());
    }
    let mut last = more.pop().unwrap();
    let read = tokio::time::timeout(Duration::from_secs(5), last.read(&mut [0; 8])).await;
    assert!(matches!(read, Ok(Ok(0) | Err(_))), "{read:?}");
    // When the strangers have gone, everybody is served again.
    drop((silent, more));
    let start = std::time::Instant::now();
    while status(&raw(&host, &get("/api/v1/options", "")).await) != "200" {
        assert!(start.elapsed() < Duration::from_secs(10), "the places are not given back");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    drop(socket);
    host.server.stop().await;
}

/// Watchers of one address may take three quarters of its sockets; the rest is for players.
#[tokio::test]
async fn the_last_sockets_of_an_address_are_for_players() {
    let database = sqlite();
    let mut config = database.config();
    config.limits.is_on = true;
    config.limits.sockets = 8;
    let host = Host::start(config).await;
    let game = host.two_player_game().await;
    let mut watchers = Vec::new();
    while let Ok(socket) = host.client.socket(&game.id, None).await {
        watchers.push(socket);
        assert!(watchers.len() < 20);
    }
    assert_eq!(watchers.len(), 6);
    let players = (game.socket(0).await, game.socket(1).await);
    assert!(game.players[0].socket(&game.id, None).await.is_err(), "eight of an address");
    drop((players, watchers));
    host.server.stop().await;
}

/// A request of which only the first bytes arrive is given up after 10 s by default.
#[tokio::test]
async fn the_head_of_a_request_has_ten_seconds() {
    let database = sqlite();
    assert_eq!(database.config().timeouts.head, Duration::from_secs(10));
    let mut config = database.config();
    config.timeouts.head = Duration::from_millis(200);
    let host = Host::start(config).await;
    let mut slow = TcpStream::connect(host.server.address()).await.unwrap();
    let start = std::time::Instant::now();
    // A byte from time to time does not make the time longer.
    for byte in
        b"GET / HTTP/1.1\r\nX: yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"
    {
        if slow.write_all(&[*byte]).await.is_err() {
            break;
        }
        let read = tokio::time::timeout(Duration::from_millis(50), slow.read(&mut [0; 64])).await;
        if let Ok(Ok(0) | Err(_)) = read {
            break;
        }
    }
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
    assert_eq!(status(&raw(&host, &post("/people", "", "{}")).await), "201");
    host.server.stop().await;
}
