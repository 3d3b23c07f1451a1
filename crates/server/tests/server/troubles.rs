//! What happens to servers: the database goes away and comes back, or is locked; clients stop
//! reading. That the disk is full, and that the server is killed, is tried with the program itself.

use crate::host::{Host, code, sqlite, text, wait_for_type};
use crate::postgres;
use azulejo_server::{Config, Place, Server, StartError};
use hyper::Method;
use serde_json::json;
use std::time::{Duration, Instant};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

#[tokio::test]
async fn the_database_goes_away_and_comes_back() {
    let Some(database) = postgres::start() else { return };
    let any = "127.0.0.1:0".parse().unwrap();
    let mut config = Config::new(any, Place::read(&database.url()));
    config.limits.is_on = false;
    let host = Host::start(config).await;
    let duel = host.duel().await;
    duel.play(2).await;
    let (i, state) = duel.turn().await;
    let mut socket = duel.socket(1 - i).await;
    wait_for_type(&mut socket, "state").await;
    database.stop();
    let body =
        json!({ "move": state["moves"][0]["move"], "id": "again", "after": state["number"] });
    assert_eq!(code(duel.act(i, "/moves", &body).await), "unavailable");
    let (status, _) = host.client.text(Method::GET, "/readyz", None).await.unwrap();
    assert_eq!(status, 503);
    let (status, _) = host.client.text(Method::GET, "/healthz", None).await.unwrap();
    assert_eq!(status, 200, "alive, though not ready");
    database.start_again();
    // The client tries again with the same id until it is answered, and the opponent hears of it.
    let start = Instant::now();
    let played = loop {
        match duel.act(i, "/moves", &body).await {
            Ok(played) => break played,
            Err(error) => assert_eq!(error.code(), Some("unavailable"), "{error}"),
        }
        assert!(start.elapsed() < Duration::from_secs(30), "it does not come back");
        tokio::time::sleep(Duration::from_millis(100)).await;
    };
    let event = wait_for_type(&mut socket, "event").await;
    assert_eq!(event["number"], played["number"]);
    assert_eq!(duel.finish().await["status"], "over");
    host.server.stop().await;
}

/// A database that another program has locked takes no move, and takes it when it may again.
#[tokio::test]
async fn the_database_is_locked() {
    let base = sqlite();
    let host = base.host().await;
    let duel = host.duel().await;
    duel.play(2).await;
    let (i, state) = duel.turn().await;
    let Place::File(path) = &base.place else { panic!() };
    let pool =
        sqlx::sqlite::SqlitePool::connect(&format!("sqlite://{}", path.display())).await.unwrap();
    let mut lock = pool.acquire().await.unwrap();
    sqlx::query("BEGIN EXCLUSIVE").execute(&mut *lock).await.unwrap();
    let body =
        json!({ "move": state["moves"][0]["move"], "id": "locked", "after": state["number"] });
    assert_eq!(code(duel.act(i, "/moves", &body).await), "unavailable");
    sqlx::query("ROLLBACK").execute(&mut *lock).await.unwrap();
    drop(lock);
    pool.close().await;
    let played = duel.act(i, "/moves", &body).await.unwrap();
    assert_eq!(played["game"]["n_moves"], 3);
    host.server.stop().await;
}

#[tokio::test]
async fn who_does_not_read_is_let_go_and_nobody_waits() {
    let base = sqlite();
    let host = base.host().await;
    let duel = host.duel().await;
    // A socket that opens and never reads.
    let mut deaf = Vec::new();
    for _ in 0..5 {
        let mut stream = TcpStream::connect(host.server.address()).await.unwrap();
        let request = format!(
            "GET /api/v1{}?after=1 HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
            duel.path("/socket")
        );
        stream.write_all(request.as_bytes()).await.unwrap();
        deaf.push(stream);
    }
    let mut slowest = Duration::ZERO;
    let mut luck = 1;
    // Three games long: far more than any queue holds.
    let mut duel = duel;
    for _ in 0..3 {
        loop {
            let state = duel.state(0).await;
            if state["status"] == "over" {
                break;
            }
            let (i, state) = duel.turn().await;
            let body = json!({ "move": crate::host::any_move(&state, &mut luck) });
            let start = Instant::now();
            duel.act(i, "/moves", &body).await.unwrap();
            slowest = slowest.max(start.elapsed());
        }
        let rematch = duel.act(0, "/rematch", &json!({})).await.unwrap();
        let id = text(&rematch["game"]["id"]).to_owned();
        duel.players[1].post(&format!("/games/{id}/join"), &json!({})).await.unwrap();
        duel.players.swap(0, 1);
        duel.id = id;
    }
    assert!(slowest < Duration::from_secs(2), "{slowest:?}");
    host.server.stop().await;
}

#[tokio::test]
async fn a_file_belongs_to_one_server() {
    let base = sqlite();
    let host = base.host().await;
    match Server::start(base.config()).await {
        Err(StartError::InUse(_)) => {}
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("two servers share a file"),
    }
    host.server.stop().await;
    let again = base.host().await;
    again.server.stop().await;
}

#[tokio::test]
async fn stopping_says_goodbye_and_loses_nothing() {
    let base = sqlite();
    let host = base.host().await;
    let duel = host.duel().await;
    duel.play(3).await;
    let mut socket = duel.socket(0).await;
    let state = wait_for_type(&mut socket, "state").await;
    let start = Instant::now();
    let (bye, ()) = tokio::join!(wait_for_type(&mut socket, "bye"), host.server.stop());
    assert_eq!(bye["type"], "bye");
    assert!(start.elapsed() < Duration::from_secs(3));
    let host = base.host().await;
    let ana = host.client.with_token(duel.players[0].token().unwrap());
    let mut socket = ana.socket(&duel.id, state["game"]["number"].as_u64()).await.unwrap();
    let again = wait_for_type(&mut socket, "state").await;
    assert_eq!(again["game"]["position"], state["game"]["position"]);
    host.server.stop().await;
}
