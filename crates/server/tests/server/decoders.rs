//! Every reader of what clients send, with good messages that were damaged at random: whatever
//! comes, it is read or refused, and the server goes on.

use crate::host::{random, sqlite};
use azulejo_server::api::{
    CreateGame, JoinRequest, MoveRequest, NewPerson, SayRequest, SeatRequest, ToServer,
};
use hyper::Method;
use serde_json::{Value, json};

const GOOD: [&str; 12] = [
    r#"{"type":"move","move":"3B2","id":"m1","after":12,"seat":1,"ref":"a"}"#,
    r#"{"type":"resign","seat":2}"#,
    r#"{"type":"say","phrase":"good_luck"}"#,
    r#"{"type":"takeback"}"#,
    r#"{"type":"resync"}"#,
    r#"{"move":"2JB1j1","id":"x-1","after":3,"seat":4}"#,
    r#"{"seats":[{"kind":"me","name":"Ana"},{"kind":"engine","level":3}],"wall":"grey","jokers":true}"#,
    r#"{"seats":[{"kind":"open"},{"kind":"here"}],"clock":{"kind":"total","seconds":60,"increment":5},"rules":{"row_bonus":"3"}}"#,
    r#"{"seat":1,"secret":"00","name":"Ana"}"#,
    r#"{"name":"Ana","cookie":true}"#,
    r#"{"phrase":"hello","seat":1}"#,
    r#"{"seats":[{"kind":"me"},{"kind":"here"}],"position":"az1_2c_n_1s2","seed":"5","listed":true,"takebacks":false,"hints":true}"#,
];

/// A good message with some letters changed, doubled, left out or taken from another one.
fn damaged(luck: &mut u64) -> Vec<u8> {
    let mut pick = |n: usize| random(luck) as usize % n.max(1);
    let mut bytes = GOOD[pick(GOOD.len())].as_bytes().to_vec();
    for _ in 0..pick(4) {
        let at = pick(bytes.len());
        match pick(6) {
            0 => bytes[at] = pick(256) as u8,
            1 => bytes.insert(at, b"{}[]\",:0\\-e\x00\xff"[pick(13)]),
            2 => bytes.truncate(at),
            3 => {
                let other = GOOD[pick(GOOD.len())].as_bytes();
                let from = pick(other.len());
                bytes.splice(at.., other[from..].iter().copied());
            }
            4 => {
                let number =
                    ["-1", "1e999", "99999999999999999999", "null", "[[[[[[", "\"\\ud800\""]
                        [pick(6)];
                bytes.splice(at..(at + 1).min(bytes.len()), number.bytes());
            }
            _ => {
                bytes.remove(at);
            }
        }
        if bytes.is_empty() {
            break;
        }
    }
    bytes
}

#[test]
fn readers_never_fail_on_anything() {
    let mut luck = 2;
    let mut n_read = 0;
    for _ in 0..100_000 {
        let bytes = damaged(&mut luck);
        n_read += usize::from(serde_json::from_slice::<CreateGame>(&bytes).is_ok());
        n_read += usize::from(serde_json::from_slice::<MoveRequest>(&bytes).is_ok());
        n_read += usize::from(serde_json::from_slice::<JoinRequest>(&bytes).is_ok());
        n_read += usize::from(serde_json::from_slice::<SayRequest>(&bytes).is_ok());
        n_read += usize::from(serde_json::from_slice::<SeatRequest>(&bytes).is_ok());
        n_read += usize::from(serde_json::from_slice::<NewPerson>(&bytes).is_ok());
        if let Ok(text) = str::from_utf8(&bytes) {
            n_read += usize::from(ToServer::read(text).is_ok());
        }
    }
    // Some are good: the damage is not so great that nothing is tried.
    assert!(n_read > 10_000, "{n_read}");
}

#[test]
fn deep_nesting_is_refused() {
    for deep in ["[".repeat(100_000), "{\"seats\":".repeat(50_000)] {
        assert!(serde_json::from_str::<CreateGame>(&deep).is_err());
        assert!(ToServer::read(&deep).is_err());
    }
}

#[tokio::test]
async fn damaged_requests_are_refused_and_nothing_breaks() {
    let base = sqlite();
    let host = base.host().await;
    let duel = host.duel().await;
    let mut luck = 4;
    let paths =
        ["/people", "/games", "/moves", "/join", "/say", "/resign", "/invitations", "/takeback"];
    for n in 0..600 {
        let bytes = damaged(&mut luck);
        // A value of JSON, whatever it was: the client sends it as it is.
        let body: Value = serde_json::from_slice(&bytes)
            .unwrap_or_else(|_| json!(String::from_utf8_lossy(&bytes)));
        let path = paths[random(&mut luck) as usize % paths.len()];
        let path = match path {
            "/people" | "/games" => format!("/api/v1{path}"),
            rest => format!("/api/v1{}", duel.path(rest)),
        };
        // The last player stays, so that the game goes on.
        if path.ends_with("/resign") && !body.is_string() {
            continue;
        }
        let (status, text) =
            duel.players[n % 2].text(Method::POST, &path, Some(&body)).await.unwrap();
        assert!(!status.is_server_error(), "{status} {path} {body} {text}");
    }
    let mut socket = duel.socket(0).await;
    for _ in 0..40 {
        let bytes = damaged(&mut luck);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if !text.contains("resign") && !text.contains("takeback") {
            socket.send_text(text).await.unwrap();
        }
    }
    drop(socket);
    assert_eq!(duel.state(0).await["status"], "playing");
    host.server.stop().await;
}
