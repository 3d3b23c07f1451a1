//! Faults of the database: it goes away and comes back, is locked, in use, or too new. A full disk
//! and a killed server are tested with the program itself.

use crate::host::{Host, code, sqlite, wait_for_type};
use azulejo_client::Method;
use azulejo_server::{Config, Place, Server, StartError, Store};
use azulejo_testkit::postgres;
use serde_json::json;
use std::time::{Duration, Instant};

#[tokio::test]
async fn a_restarted_database_costs_no_move() {
    let Some(database) = postgres::start() else { return };
    let any = "127.0.0.1:0".parse().unwrap();
    let mut config = Config::new(any, Place::read(&database.url()));
    config.limits.is_on = false;
    let host = Host::start(config).await;
    let game = host.two_player_game().await;
    game.play(2).await;
    let (i, state) = game.turn().await;
    let mut socket = game.socket(1 - i).await;
    wait_for_type(&mut socket, "state").await;
    database.stop();
    let body = json!({ "type": "move", "move": state["moves"][0]["move"], "id": "again", "after": state["number"] });
    assert_eq!(code(game.act(i, "/commands", &body).await), "unavailable");
    let (status, _) = host.client.text(Method::GET, "/readyz", None).await.unwrap();
    assert_eq!(status, 503);
    let (status, _) = host.client.text(Method::GET, "/healthz", None).await.unwrap();
    assert_eq!(status, 200, "alive, though not ready");
    database.start_again();
    // The client tries again with the same id until it is answered, and the opponent is told.
    let start = Instant::now();
    let played = loop {
        match game.act(i, "/commands", &body).await {
            Ok(played) => break played,
            Err(error) => assert_eq!(error.code(), Some("unavailable"), "{error}"),
        }
        assert!(start.elapsed() < Duration::from_secs(30), "the database does not come back");
        tokio::time::sleep(Duration::from_millis(100)).await;
    };
    let event = wait_for_type(&mut socket, "event").await;
    assert_eq!(event["number"], played["number"]);
    assert_eq!(game.finish().await["status"], "over");
    host.server.stop().await;
}

/// While another program locks the database, moves are refused; afterwards they are accepted.
#[tokio::test]
async fn a_locked_database_refuses_moves_until_unlocked() {
    let database = sqlite();
    let host = database.host().await;
    let game = host.two_player_game().await;
    game.play(2).await;
    let (i, state) = game.turn().await;
    let Place::File(path) = &database.place else { panic!() };
    let pool =
        sqlx::sqlite::SqlitePool::connect(&format!("sqlite://{}", path.display())).await.unwrap();
    let mut lock = pool.acquire().await.unwrap();
    sqlx::query("BEGIN EXCLUSIVE").execute(&mut *lock).await.unwrap();
    let body = json!({ "type": "move", "move": state["moves"][0]["move"], "id": "locked", "after": state["number"] });
    assert_eq!(code(game.act(i, "/commands", &body).await), "unavailable");
    sqlx::query("ROLLBACK").execute(&mut *lock).await.unwrap();
    drop(lock);
    pool.close().await;
    let played = game.act(i, "/commands", &body).await.unwrap();
    assert_eq!(played["game"]["n_moves"], 3);
    host.server.stop().await;
}

#[tokio::test]
async fn a_database_file_belongs_to_one_server() {
    let database = sqlite();
    let host = database.host().await;
    match Server::start(database.config()).await {
        Err(StartError::InUse(_)) => {}
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("two servers share a file"),
    }
    host.server.stop().await;
    let again = database.host().await;
    again.server.stop().await;
}

/// An older program does not open the database of a newer one.
#[tokio::test]
async fn a_newer_database_schema_is_refused() {
    let database = sqlite();
    database.host().await.server.stop().await;
    let Place::File(path) = &database.place else { panic!() };
    let pool =
        sqlx::sqlite::SqlitePool::connect(&format!("sqlite://{}", path.display())).await.unwrap();
    sqlx::query("INSERT INTO schema_version (version) VALUES (99)").execute(&pool).await.unwrap();
    pool.close().await;
    match Server::start(database.config()).await {
        Err(error) => assert!(error.to_string().contains("use a newer program"), "{error}"),
        Ok(_) => panic!("it was opened"),
    }
}

/// `db check` and a second look work beside a program that holds the lock: a database of this version is
/// not written when it is opened.
#[tokio::test]
async fn a_locked_database_can_be_opened_and_checked() {
    let database = sqlite();
    let host = database.host().await;
    host.two_player_game().await.play(2).await;
    host.server.stop().await;
    let pool = crate::host::pool(&database.place).await;
    let mut lock = pool.acquire().await.unwrap();
    sqlx::query("BEGIN IMMEDIATE").execute(&mut *lock).await.unwrap();
    let start = Instant::now();
    let store = Store::open(database.place.clone(), "look").await.unwrap();
    let report = store.check().await.unwrap();
    assert_eq!((report.games, report.faults), (1, Vec::new()));
    assert!(start.elapsed() < Duration::from_secs(4), "it waits for the lock");
    sqlx::query("ROLLBACK").execute(&mut *lock).await.unwrap();
    store.close().await;
}
