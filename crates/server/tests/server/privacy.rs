//! People's data: a copy of it, its deletion, and how long things are kept.

use crate::host::{Database, Host, code, databases, pool, text, wait_for};
use crate::tokens::soon;
use azulejo_client::{Client, ClientError, Method};
use azulejo_server::{Place, Retention, Store};
use serde_json::{Value, json};
use sqlx::Row;
use std::time::Duration;

async fn delete_me(client: &Client) -> Result<Value, ClientError> {
    client.json(Method::DELETE, "/me", Some(&json!({ "confirm": "delete" }))).await
}

/// Everything that can be read in a database: all rows as text, and with SQLite all bytes of the files.
async fn readable(database: &Database) -> String {
    let pool = pool(&database.place).await;
    let mut all = String::new();
    for query in [
        "SELECT id || ' ' || name AS t FROM people",
        "SELECT hash || ' ' || person AS t FROM tokens",
        "SELECT id || ' ' || settings || ' ' || creator AS t FROM games",
        "SELECT game || ' ' || body AS t FROM events",
        "SELECT what || ' ' || subject AS t FROM notices",
        "SELECT game || ' ' || COALESCE(person, '') || ' ' || COALESCE(name, '') AS t FROM seats",
    ] {
        for row in sqlx::query(query).fetch_all(&pool).await.unwrap() {
            all.push_str(&row.try_get::<String, _>("t").unwrap());
            all.push('\n');
        }
    }
    pool.close().await;
    if let Place::File(path) = &database.place {
        for ending in ["", "-wal", "-journal"] {
            let file = format!("{}{ending}", path.display());
            all.push_str(&String::from_utf8_lossy(&std::fs::read(file).unwrap_or_default()));
        }
    }
    all
}

#[tokio::test]
async fn a_deleted_person_leaves_no_name_and_no_id() {
    for database in databases() {
        let host = database.host().await;
        let name = "Wilhelmina Quxworth";
        let (me, bob) = (host.person(name).await, host.person("Bob").await);
        let id = text(&me.get("/me").await.unwrap()["id"]).to_owned();
        let open = json!({ "seats": [{ "kind": "me" }, { "kind": "open" }], "listed": true });
        let mut games = Vec::new();
        for _ in 0..3 {
            let created = me.post("/games", &open).await.unwrap();
            let game = text(&created["game"]["id"]).to_owned();
            bob.post(&format!("/games/{game}/join"), &json!({})).await.unwrap();
            games.push(game);
        }
        // One is over, with a rematch that waits for me; in another I joined.
        let path = |game: &str, rest: &str| format!("/games/{game}{rest}");
        let resign = json!({ "type": "resign" });
        bob.post(&path(&games[0], "/commands"), &resign).await.unwrap();
        bob.post(&path(&games[0], "/rematch"), &json!({})).await.unwrap();
        let theirs = bob.post("/games", &open).await.unwrap();
        let theirs = text(&theirs["game"]["id"]).to_owned();
        me.post(&path(&theirs, "/join"), &json!({ "name": "Quxworth again" })).await.unwrap();
        let waiting = me.post("/games", &open).await.unwrap();
        let waiting = text(&waiting["game"]["id"]).to_owned();
        me.json(Method::PATCH, "/me", Some(&json!({ "name": "Minna Quxworth" }))).await.unwrap();
        assert!(readable(&database).await.contains("Quxworth"), "the test can see names");

        let mut socket = bob.socket(&games[1], None).await.unwrap();
        for wrong in [json!({}), json!({ "confirm": "yes" })] {
            assert_eq!(code(me.json(Method::DELETE, "/me", Some(&wrong)).await), "bad_request");
        }
        delete_me(&me).await.unwrap();
        assert_eq!(code(me.get("/me").await), "unknown_token");
        // The opponent was told, has won, and no longer sees the name.
        let left = wait_for(&mut socket, |m| m["event"]["type"] == "left").await;
        assert_eq!(left["game"]["status"], "over");
        for game in &games {
            soon("the name", async || {
                let state = bob.get(&path(game, "")).await.unwrap();
                state["status"] == "over" && state["seats"][0]["name"] == "Deleted player"
            })
            .await;
            let path = format!("/api/v1/games/{game}/record");
            let (_, record) = host.client.text(Method::GET, &path, None).await.unwrap();
            assert!(!record.contains("Quxworth"));
        }
        assert_eq!(bob.get(&path(&waiting, "")).await.unwrap()["result"]["ended_by"], "aborted");
        let list = bob.get("/me/games").await.unwrap().to_string();
        assert!(!list.contains("Quxworth") && list.contains("Deleted player"), "{list}");
        host.server.stop().await;
        let all = readable(&database).await;
        for trace in [id.as_str(), "Quxworth", "Wilhelmina", "Minna"] {
            assert!(!all.contains(trace), "{trace} is still in the database");
        }
        let store = Store::open(database.place.clone(), "check").await.unwrap();
        assert_eq!(store.check().await.unwrap().faults, [""; 0]);
        store.close().await;
    }
}

#[tokio::test]
async fn a_person_can_take_a_copy_of_everything() {
    for database in databases() {
        let host = database.host().await;
        let game = host.two_player_game().await;
        game.play(3).await;
        let me = &game.players[0];
        let empty = json!({ "seats": [{ "kind": "open" }, { "kind": "open" }] });
        let created = me.post("/games", &empty).await.unwrap();
        let (status, text) = me.text(Method::GET, "/api/v1/me/export", None).await.unwrap();
        assert_eq!(status, 200);
        let lines: Vec<Value> = text.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
        assert_eq!(lines.len(), 3);
        let id = me.get("/me").await.unwrap()["id"].clone();
        assert_eq!((&lines[0]["type"], &lines[0]["id"]), (&json!("person"), &id));
        assert_eq!(lines[0]["tokens_created_ms"].as_array().unwrap().len(), 1);
        let find = |id: &Value| lines.iter().find(|line| line["id"] == *id).unwrap();
        let mine = find(&json!(game.id));
        assert_eq!((&mine["your_seats"], &mine["is_creator"]), (&json!([1]), &json!(true)));
        assert!(mine["record"].as_str().unwrap().contains("Ana"));
        assert!(!text.contains("[Seed "), "no seed of a running game");
        assert_eq!(find(&created["game"]["id"])["your_seats"], json!([]));
        for secret in [me.token().unwrap(), game.players[1].token().unwrap()] {
            assert!(!text.contains(secret));
        }
        assert_eq!(code(host.client.get("/me/export").await), "no_token");
        host.server.stop().await;
    }
}

async fn with_retention(database: &Database, retention: Retention) -> Host {
    let mut config = database.config();
    config.retention = Retention { interval: Duration::from_millis(200), ..retention };
    Host::start(config).await
}

/// Old games and people are deleted after the times that are set, and nothing else.
#[tokio::test]
async fn what_is_too_old_is_deleted_and_off_means_off() {
    for database in databases() {
        let host = database.host().await;
        let (finished, running) = (host.two_player_game().await, host.two_player_game().await);
        finished.act(0, "/commands", &json!({ "type": "resign" })).await.unwrap();
        let aborted = host.two_player_game().await;
        aborted.act(0, "/commands", &json!({ "type": "abort" })).await.unwrap();
        let idle = host.person("Idle").await;
        host.server.stop().await;
        let pool = pool(&database.place).await;
        let age = |days: i64| days * 24 * 3_600_000;
        for statement in [
            "UPDATE games SET updated_ms = updated_ms - $1",
            "UPDATE people SET created_ms = created_ms - $1, seen_ms = seen_ms - $1",
        ] {
            sqlx::query(statement).bind(age(100)).execute(&pool).await.unwrap();
        }
        pool.close().await;
        let days = |finished_days, unfinished_days, people_days| Retention {
            finished_days,
            unfinished_days,
            people_days,
            ..Retention::default()
        };
        let there = async |host: &Host, game: &crate::host::TwoPlayerGame| {
            host.client.get(&game.path("")).await.is_ok()
        };
        // Off, and longer than the age.
        for retention in [days(0, 0, 0), days(101, 101, 101)] {
            let host = with_retention(&database, retention).await;
            tokio::time::sleep(Duration::from_millis(700)).await;
            for game in [&finished, &running, &aborted] {
                assert!(there(&host, game).await);
            }
            host.server.stop().await;
        }
        let host = with_retention(&database, days(0, 99, 0)).await;
        soon("the aborted game", async || !there(&host, &aborted).await).await;
        assert!(there(&host, &finished).await && there(&host, &running).await);
        host.server.stop().await;
        // The person without games, and those whose only game has been deleted.
        let host = with_retention(&database, days(99, 0, 99)).await;
        soon("the finished game", async || !there(&host, &finished).await).await;
        assert!(there(&host, &running).await);
        let gone = async |client: &Client| {
            host.client.with_token(client.token().unwrap()).get("/me").await.is_err()
        };
        soon("the people", async || gone(&idle).await && gone(&finished.players[0]).await).await;
        assert!(!gone(&running.players[0]).await && !gone(&running.players[1]).await);
        host.server.stop().await;
    }
}
