//! What happens to servers: the database goes away and comes back, or is locked; the server stops.
//! That the disk is full, and that the server is killed, is tried with the program itself.

use crate::host::{Host, any_move, code, databases, sqlite, wait_for_type};
use crate::postgres;
use azulejo_client::Method;
use azulejo_server::{Config, Place, Server, StartError};
use serde_json::json;
use std::time::{Duration, Instant};

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

/// A database that a newer program has changed is not touched by an older one.
#[tokio::test]
async fn a_database_from_the_future_is_refused() {
    let base = sqlite();
    base.host().await.server.stop().await;
    let Place::File(path) = &base.place else { panic!() };
    let pool =
        sqlx::sqlite::SqlitePool::connect(&format!("sqlite://{}", path.display())).await.unwrap();
    sqlx::query("INSERT INTO schema_version (version) VALUES (99)").execute(&pool).await.unwrap();
    pool.close().await;
    match Server::start(base.config()).await {
        Err(error) => assert!(error.to_string().contains("use a newer program"), "{error}"),
        Ok(_) => panic!("it was opened"),
    }
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

/// Games go on while the server stops: every move is either acknowledged and there after the start,
/// or was not acknowledged. Sockets and streams hear of it and end.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn moves_under_way_are_finished_or_refused() {
    for base in databases() {
        let mut host = base.host().await;
        let duel = host.duel().await;
        for _ in 0..5 {
            let here = |i: usize| host.client.with_token(duel.players[i].token().unwrap());
            let players = [here(0), here(1)];
            let mut socket = here(0).socket(&duel.id, None).await.unwrap();
            let mut lines = here(1).lines(&duel.path("/stream")).await.unwrap();
            let path = duel.path("");
            let play = tokio::spawn(async move {
                let mut luck = 3;
                let mut acknowledged = None;
                loop {
                    for player in &players {
                        let Ok(state) = player.get(&path).await else { return acknowledged };
                        if state["your_turn"] != true {
                            continue;
                        }
                        let body = json!({ "move": any_move(&state, &mut luck) });
                        match player.post(&format!("{path}/moves"), &body).await {
                            Ok(played) => acknowledged = played["number"].as_u64(),
                            Err(_) => return acknowledged,
                        }
                    }
                }
            });
            // In the middle of it.
            for _ in 0..4 {
                wait_for_type(&mut socket, "event").await;
            }
            let start = Instant::now();
            host.server.stop().await;
            assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
            wait_for_type(&mut socket, "bye").await;
            assert!(socket.next().await.unwrap().is_none(), "the socket is closed");
            while lines.next().await.expect("the stream ends in order").is_some() {}
            let acknowledged = play.await.unwrap().expect("some moves were played");
            host = base.host().await;
            let ana = host.client.with_token(duel.players[0].token().unwrap());
            let state = ana.get(&duel.path("")).await.unwrap();
            // One more may have been written whose answer found no way any more.
            let number = state["number"].as_u64().unwrap();
            assert!((acknowledged..=acknowledged + 1).contains(&number), "{acknowledged} {number}");
            if state["status"] == "over" {
                break;
            }
        }
        host.server.stop().await;
    }
}
