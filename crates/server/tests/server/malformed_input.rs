//! Fuzzing of every parser of external input with randomly damaged good input: bodies, paths,
//! queries and headers of requests, socket messages, backups, and a server's answers to our own
//! client. Each input is accepted or refused with a reason, a refusal changes nothing, and the
//! server keeps running.

use crate::host::{Host, sqlite, text};
use azulejo_client::Client;
use azulejo_server::api::{JoinRequest, NewPerson};
use azulejo_server::{Store, ToServer};
use azulejo_table::{Command, CreateGame};
use azulejo_testkit::Rng;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

const BODIES: [&str; 17] = [
    r#"{"type":"move","move":"3B2","id":"m1","after":12,"seat":1}"#,
    r#"{"type":"move","move":"2JB1j1","id":"x-1","after":3,"seat":4}"#,
    r#"{"seats":[{"kind":"me","name":"Ana"},{"kind":"engine","level":3}],"wall":"grey","jokers":true}"#,
    r#"{"seats":[{"kind":"open"},{"kind":"here"}],"clock":{"kind":"total","seconds":60,"increment":5},"rules":{"row_bonus":"3"}}"#,
    r#"{"seats":[{"kind":"me"},{"kind":"here"}],"position":"az1_2c_n_1s2","seed":"5","listed":true,"takebacks":false,"hints":true}"#,
    r#"{"seats":[{"kind":"me"},{"kind":"open"}],"clock":{"kind":"per_move","days":2},"preset":"duel"}"#,
    r#"{"seat":1,"secret":"0000000000000000000000000000000000000000000000000000000000000000","name":"Ana"}"#,
    r#"{"name":"Ana","cookie":true}"#,
    r#"{"name":"Ana"}"#,
    r#"{"type":"say","phrase":"hello","seat":1}"#,
    r#"{"type":"abort"}"#,
    r#"{"type":"takeback"}"#,
    r#"{"type":"refuse_takeback"}"#,
    r#"{"seat":2}"#,
    r#"{"azulejo":1,"players":2,"rounds":[{"deal":["BYRK","WBYR"],"turns":["1B1"]}]}"#,
    "[Players \"2\"]\n[Seed \"5\"]\n\n1. BYYW-BYKW-BYRW-BRKK-BBYR 4K2 0R1\n",
    "{}",
];

const MESSAGES: [&str; 8] = [
    r#"{"type":"command","ref":"a","command":{"type":"move","move":"3B2","id":"m1","after":12,"seat":1}}"#,
    r#"{"type":"command","command":{"type":"resign","seat":2}}"#,
    r#"{"type":"command","command":{"type":"say","phrase":"good_luck"}}"#,
    r#"{"type":"command","command":{"type":"takeback"},"ref":"b"}"#,
    r#"{"type":"command","command":{"type":"refuse_takeback"}}"#,
    r#"{"type":"command","command":{"type":"abort"}}"#,
    r#"{"type":"resync"}"#,
    r#"{"type":"ping"}"#,
];

const REQUESTS: [&str; 31] = [
    "POST /api/v1/people",
    "GET /api/v1/me",
    "PATCH /api/v1/me",
    "GET /api/v1/me/games",
    "GET /api/v1/lobby",
    "GET /api/v1/options",
    "POST /api/v1/games",
    "GET /api/v1/games/ID",
    "POST /api/v1/games/ID/join",
    "POST /api/v1/games/ID/invitations",
    "POST /api/v1/games/ID/commands",
    "POST /api/v1/games/ID/commands",
    "POST /api/v1/games/ID/rematch",
    "GET /api/v1/games/ID/record?format=json",
    "GET /api/v1/games/ID/record?format=text",
    "GET /api/v1/games/ID/replay",
    "GET /api/v1/games/ID/hint",
    "GET /api/v1/games/ID/evaluation",
    "GET /api/v1/games/ID/socket?after=3",
    "GET /api/v1/games/ID/stream?after=x",
    "GET /api/v1/me/stream?after=1",
    "POST /api/v1/records/replay",
    "GET /api/v1/openapi.json",
    "GET /api",
    "GET /home.css",
    "GET /metrics",
    "GET /readyz",
    "GET /healthz",
    "GET /game/ID",
    "GET /assets/../../etc/passwd",
    "HEAD /",
];

const HEADERS: [&str; 16] = [
    "Authorization: Bearer TOKEN",
    "Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==",
    "Cookie: a=b; azulejo=TOKEN; c=d",
    "Cookie: azulejo=",
    "Content-Type: application/json",
    "Content-Type: text/plain; charset=utf-8",
    "Origin: http://azulejo.test",
    "Sec-Fetch-Site: same-origin",
    "X-Forwarded-For: 10.0.0.1, 2001:db8::1",
    "X-Request-Id: 5",
    "Accept-Encoding: gzip;q=0.5, br",
    "If-None-Match: W/\"0\"",
    "Upgrade: websocket\r\nConnection: upgrade",
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    "Transfer-Encoding: chunked",
    "Expect: 100-continue",
];

/// One of the good inputs with up to three random edits; sometimes unchanged.
fn damaged(good: &[&str], rng: &mut Rng) -> Vec<u8> {
    let mut pick = |n: usize| rng.index(n.max(1));
    let mut bytes = good[pick(good.len())].as_bytes().to_vec();
    for _ in 0..pick(4) {
        let at = pick(bytes.len());
        match pick(6) {
            0 if at < bytes.len() => bytes[at] = pick(256) as u8,
            1 => bytes.insert(at, b"{}[]\",:0\\-e\x00\xff%/?&=;\r\n"[pick(21)]),
            2 => bytes.truncate(at),
            3 => {
                let other = good[pick(good.len())].as_bytes();
                bytes.splice(at.., other[pick(other.len())..].iter().copied());
            }
            4 => {
                let odd = [
                    "-1",
                    "1e999",
                    "99999999999999999999",
                    "null",
                    "[[[[[[",
                    "\"\\ud800\"",
                    "%ff",
                    "\u{202e}",
                ];
                bytes.splice(at..(at + 1).min(bytes.len()), odd[pick(odd.len())].bytes());
            }
            _ if at < bytes.len() => {
                bytes.remove(at);
            }
            _ => {}
        }
    }
    bytes
}

#[test]
fn parsers_never_panic() {
    let mut rng = Rng::new(2);
    let mut n_read = 0;
    for _ in 0..60_000 {
        let bytes = damaged(&BODIES, &mut rng);
        n_read += usize::from(serde_json::from_slice::<CreateGame>(&bytes).is_ok());
        n_read += usize::from(serde_json::from_slice::<Command>(&bytes).is_ok());
        n_read += usize::from(serde_json::from_slice::<JoinRequest>(&bytes).is_ok());
        n_read += usize::from(serde_json::from_slice::<NewPerson>(&bytes).is_ok());
        if let Ok(text) = str::from_utf8(&damaged(&MESSAGES, &mut rng)) {
            n_read += usize::from(ToServer::read(text).is_ok());
        }
    }
    // Enough inputs stay valid to reach the code behind the parsers.
    assert!(n_read > 10_000, "{n_read}");
}

#[test]
fn deep_nesting_is_refused() {
    for deep in ["[".repeat(100_000), "{\"seats\":".repeat(50_000)] {
        assert!(serde_json::from_str::<CreateGame>(&deep).is_err());
        assert!(ToServer::read(&deep).is_err());
    }
}

/// Whole requests, damaged anywhere: in the method, the path, the query, the headers, the body.
#[tokio::test]
async fn damaged_requests_are_refused_and_change_nothing() {
    let database = sqlite();
    let mut config = database.config();
    config.trusts_proxy = true;
    config.engine_time = std::time::Duration::from_millis(1);
    let host = Host::start(config).await;
    let game = host.two_player_game_with(json!({ "hints": true, "takebacks": false })).await;
    game.play(2).await;
    let mut rng = Rng::new(4);
    let mut codes = std::collections::BTreeMap::<String, u32>::new();
    let mut before = game.state(0).await;
    let stranger = host.person("Eve").await;
    for n in 0..1_200 {
        let person = [&game.players[0], &game.players[1], &stranger][n % 3];
        let token = person.token().unwrap();
        let request = request(&mut rng, token, &game.id);
        let answer = exchange(&host, &request).await;
        let shown = String::from_utf8_lossy(&request).into_owned();
        let (status, body) = read(&answer);
        assert!(!(500..600).contains(&status), "{shown}\n{answer}");
        let after = game.state(0).await;
        if (400..500).contains(&status) {
            // Hyper refuses invalid HTTP with an empty body, and the web app has a page for unknown
            // addresses; every other refusal has a reason.
            if answer.contains("content-type: text/html") {
                assert_eq!(status, 404, "{shown}\n{answer}");
            } else if !body.is_empty() {
                let error: Value =
                    serde_json::from_str(body).unwrap_or_else(|_| panic!("{shown}\n{answer}"));
                assert!(!text(&error["error"]["message"]).is_empty());
                *codes.entry(text(&error["error"]["code"]).to_owned()).or_default() += 1;
            }
            assert_eq!(before["number"], after["number"], "{shown}\n{answer}");
            assert_eq!(before["position"], after["position"], "{shown}\n{answer}");
        } else {
            *codes.entry(status.to_string()).or_default() += 1;
        }
        before = after;
    }
    for code in [
        "200",
        "201",
        "bad_request",
        "not_found",
        "wrong_method",
        "unknown_token",
        "no_token",
        "not_json",
        "not_seated",
    ] {
        assert!(codes.contains_key(code), "{code} was not reached: {codes:?}");
    }
    assert_eq!(before["status"], "playing");
    host.server.stop().await;
}

/// A request as bytes.
fn request(rng: &mut Rng, token: &str, id: &str) -> Vec<u8> {
    let whole = |good: &[&str], rng: &mut Rng, often: u32| {
        if rng.below(often) == 0 {
            damaged(good, rng)
        } else {
            good[rng.index(good.len())].as_bytes().to_vec()
        }
    };
    let fill = |bytes: Vec<u8>| -> Vec<u8> {
        match String::from_utf8(bytes) {
            Ok(text) => text.replace("TOKEN", token).replace("ID", id).into_bytes(),
            Err(error) => error.into_bytes(),
        }
    };
    let mut bytes = fill(whole(&REQUESTS, rng, 3));
    // A body that fits, or any other.
    let bodies = match bytes.as_slice() {
        [.., b'e', b's'] if rng.below(2) == 0 => &BODIES[2..6],
        [.., b'p', b'l', b'e'] if rng.below(2) == 0 => &BODIES[7..9],
        _ => &BODIES[..],
    };
    bytes.extend(b" HTTP/1.1\r\nHost: azulejo.test\r\nConnection: close\r\n");
    match rng.below(8) {
        0 => {}
        1 => bytes.extend(fill(damaged(&["Authorization: Bearer TOKEN\r\n"], rng))),
        _ => bytes.extend(format!("Authorization: Bearer {token}\r\n").bytes()),
    }
    if rng.below(4) != 0 {
        bytes.extend(b"Content-Type: application/json\r\n");
    }
    for _ in 0..rng.below(3) {
        bytes.extend(fill(whole(&HEADERS, rng, 2)));
        bytes.extend(b"\r\n");
    }
    let body = damaged(bodies, rng);
    bytes.extend(format!("Content-Length: {}\r\n\r\n", body.len()).bytes());
    bytes.extend(body);
    bytes
}

/// Sends bytes and returns the answer: up to its end, or up to 2 s of silence.
async fn exchange(host: &Host, request: &[u8]) -> String {
    let mut stream = TcpStream::connect(host.server.address()).await.unwrap();
    let _ = stream.write_all(request).await;
    let mut answer = Vec::new();
    let mut buffer = [0; 8192];
    loop {
        // Streams and sockets do not end by themselves; their beginning is enough.
        let read =
            tokio::time::timeout(std::time::Duration::from_secs(2), stream.read(&mut buffer));
        match read.await {
            Ok(Ok(n)) if n > 0 => answer.extend(&buffer[..n]),
            _ => break,
        }
        let text = String::from_utf8_lossy(&answer);
        if text.starts_with("HTTP/1.1 101")
            || text.contains("application/x-ndjson")
            || text.starts_with("HTTP/1.1 100")
        {
            break;
        }
    }
    String::from_utf8_lossy(&answer).into_owned()
}

/// The status and the body of an answer; 0 if there is none.
fn read(answer: &str) -> (u16, &str) {
    let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    (status, answer.split_once("\r\n\r\n").map_or("", |(_, body)| body))
}

#[tokio::test]
async fn damaged_messages_on_a_socket_are_answered() {
    let database = sqlite();
    let host = database.host().await;
    let game = host.two_player_game().await;
    game.play(1).await;
    let mut rng = Rng::new(6);
    let mut n_refused = 0;
    for _ in 0..15 {
        let mut socket = game.socket(0).await;
        for _ in 0..40 {
            let text = String::from_utf8_lossy(&damaged(&MESSAGES, &mut rng)).into_owned();
            // Without resignations, so that the game goes on.
            let is_resign = |message| {
                matches!(message, ToServer::Command { command: Command::Resign { .. }, .. })
            };
            if !ToServer::read(&text).is_ok_and(is_resign) {
                let _ = socket.send_text(text).await;
            }
        }
        let hello = json!({ "type": "say", "phrase": "hello" });
        let last = json!({ "type": "command", "ref": "last", "command": hello });
        socket.send(&last).await.unwrap();
        while let Some(message) = socket.next().await.unwrap() {
            n_refused += u32::from(message["type"] == "error");
            if message["ref"] == "last" {
                break;
            }
        }
    }
    assert!(n_refused > 200, "{n_refused}");
    assert_eq!(game.state(0).await["status"], "playing");
    host.server.stop().await;
}

/// A backup with damage is restored completely or not at all.
#[tokio::test]
async fn damaged_backups_leave_nothing_behind() {
    let database = sqlite();
    let host = database.host().await;
    let game = host.two_player_game().await;
    game.play(6).await;
    game.act(0, "/commands", &json!({ "type": "say", "phrase": "hello" })).await.unwrap();
    game.players[0]
        .post("/games", &json!({ "seats": [{ "kind": "me" }, { "kind": "open" }] }))
        .await
        .unwrap();
    host.server.stop().await;
    let store = Store::open(database.place.clone(), "copy").await.unwrap();
    let mut backup = Vec::new();
    store.backup(&mut backup).await.unwrap();
    store.close().await;
    let good = String::from_utf8(backup).unwrap();
    let lines: Vec<&str> = good.lines().collect();
    let mut rng = Rng::new(8);
    let mut other = sqlite();
    let mut store = Store::open(other.place.clone(), "copy").await.unwrap();
    let mut n_refused = 0;
    for _ in 0..150 {
        let at = rng.index(lines.len());
        let mut bytes = Vec::new();
        for (n, line) in lines.iter().enumerate() {
            let line =
                if n == at { damaged(&lines[at..=at], &mut rng) } else { line.as_bytes().to_vec() };
            bytes.extend(line);
            bytes.push(b'\n');
        }
        match store.restore(&mut bytes.as_slice()).await {
            Err(_) => n_refused += 1,
            // The damage was harmless, such as another name; the data must be consistent.
            Ok(_) => {
                let report = store.check().await.unwrap();
                let faults: Vec<&String> =
                    report.faults.iter().filter(|fault| !fault.contains("promised")).collect();
                assert!(faults.is_empty(), "{faults:?}\n{}", String::from_utf8_lossy(&bytes));
                store.close().await;
                other = sqlite();
                store = Store::open(other.place.clone(), "copy").await.unwrap();
            }
        }
    }
    assert!(n_refused > 50, "{n_refused}");
    store.restore(&mut good.as_bytes()).await.expect("nothing was left behind");
    store.close().await;
    drop(other);
}

/// Our own client reports the nonsense of a broken server as an error, and ends.
#[tokio::test]
async fn the_client_survives_a_broken_server() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let client = Client::new(&format!("http://{}", listener.local_addr().unwrap())).unwrap();
    let server = tokio::spawn(async move {
        let mut rng = Rng::new(9);
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut buffer = [0; 4096];
            let n = stream.read(&mut buffer).await.unwrap_or(0);
            let asked = String::from_utf8_lossy(&buffer[..n]).into_owned();
            let mut answer = b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n".to_vec();
            if asked.contains("/endless") {
                let _ = stream.write_all(&answer).await;
                while stream.write_all(&[b'x'; 65_536]).await.is_ok() {}
                continue;
            }
            if rng.below(3) == 0 {
                answer = damaged(&["HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"], &mut rng);
            }
            for _ in 0..4 {
                answer.push(b'\n');
                answer.extend(damaged(
                    &[MESSAGES[0], BODIES[0], "{\"game\":{\"status\":\"over\"}}\n", "\n"],
                    &mut rng,
                ));
            }
            let _ = stream.write_all(&answer).await;
        }
    });
    let (mut n_lines, mut n_errors) = (0, 0);
    for _ in 0..300 {
        let Ok(mut lines) = client.lines("/me/stream").await else { continue };
        loop {
            match lines.next().await {
                Ok(Some(_)) => n_lines += 1,
                Ok(None) => break,
                Err(_) => {
                    n_errors += 1;
                    break;
                }
            }
        }
        let _ = client.get("/me").await;
    }
    assert!(n_lines > 50 && n_errors > 50, "{n_lines} {n_errors}");
    let mut lines = client.lines("/endless").await.unwrap();
    let error = lines.next().await.expect_err("a line that does not end").to_string();
    assert!(error.contains("a line of more than"), "{error}");
    server.abort();
}
