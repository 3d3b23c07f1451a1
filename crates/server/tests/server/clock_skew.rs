//! Clock skew: the machine's clock is set forward or back while the server runs or is stopped, or
//! differs between nodes. No player loses time, no game stalls, and the log stays in order. Also
//! the time that really passes in abandoned games.

use crate::host::{Database, Host, databases, sqlite, text, wait_for_type};
use azulejo_server::{Place, Store};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant, SystemTime};

const HOUR: i64 = 3_600;
const DAY: i64 = 24 * HOUR;

/// The time of a machine whose clock is ahead by `seconds`, or behind if they are negative.
fn wrong_by(seconds: i64) -> SystemTime {
    let by = Duration::from_secs(seconds.unsigned_abs());
    if seconds < 0 { SystemTime::now() - by } else { SystemTime::now() + by }
}

async fn start(database: &Database, time_of_day: fn() -> SystemTime) -> Host {
    let mut config = database.config();
    config.time_of_day = time_of_day;
    Host::start(config).await
}

/// The milliseconds left on both clocks.
fn left(state: &Value) -> [i64; 2] {
    [0, 1].map(|seat| state["clock"]["left_ms"][seat].as_i64().unwrap())
}

async fn check_log_order(database: &Database, id: &str) {
    let store = Store::open(database.place.clone(), "check").await.unwrap();
    let log = store.events(id, 0).await.unwrap();
    assert!(log.windows(2).all(|pair| pair[0].at_ms <= pair[1].at_ms), "{log:?}");
    assert_eq!(store.check().await.unwrap().faults, Vec::<String>::new());
    store.close().await;
}

#[tokio::test]
async fn setting_the_clock_costs_no_player_time() {
    static WRONG_BY: AtomicI64 = AtomicI64::new(0);
    fn time_of_day() -> SystemTime {
        wrong_by(WRONG_BY.load(Ordering::SeqCst))
    }
    let database = sqlite();
    let mut host = start(&database, time_of_day).await;
    let game =
        host.two_player_game_with(json!({ "clock": { "kind": "total", "seconds": 600 } })).await;
    let engine = json!({ "seats": [{ "kind": "me" }, { "kind": "engine", "level": 1 }], "rules": { "first_player": "seat:1" } });
    let created = game.players[0].post("/games", &engine).await.unwrap();
    let against_engine = format!("/games/{}", text(&created["game"]["id"]));
    let began = Instant::now();
    game.play(2).await;
    for (seconds, restarts) in
        [(2 * DAY, false), (-2 * DAY, false), (-HOUR, true), (-30 * DAY, true), (0, true)]
    {
        WRONG_BY.store(seconds, Ordering::SeqCst);
        if restarts {
            let ana = host.client.with_token(game.players[0].token().unwrap());
            let state = ana.get(&against_engine).await.unwrap();
            if state["your_turn"] == true {
                // The engine is to move when the server goes.
                let m = json!({ "type": "move", "move": state["moves"][0]["move"] });
                ana.post(&format!("{against_engine}/commands"), &m).await.unwrap();
            }
            host.server.stop().await;
            host = start(&database, time_of_day).await;
        }
        let players = game.players.iter().map(|p| host.client.with_token(p.token().unwrap()));
        let here = crate::host::TwoPlayerGame { players: players.collect(), id: game.id.clone() };
        here.play(2).await;
        let state = here.state(0).await;
        assert_eq!(state["status"], "playing");
        let used = began.elapsed().as_millis() as i64 + 1_000;
        for left in left(&state) {
            assert!(
                (600_000 - used..=600_000).contains(&left),
                "wrong by {seconds} s: {left} of {used}"
            );
        }
        // The engine moves in the other game although no client asks for it.
        let start = Instant::now();
        loop {
            let mine = here.players[0].get("/me/games").await.unwrap();
            let games = mine["games"].as_array().unwrap();
            let other =
                games.iter().find(|game| against_engine.ends_with(text(&game["id"]))).unwrap();
            if other["turn"] == 1 || other["status"] == "over" {
                break;
            }
            assert!(start.elapsed() < Duration::from_secs(15), "the game is stuck");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
    host.server.stop().await;
    check_log_order(&database, &game.id).await;
}

/// The nodes take the time from the shared database, so their own clocks do not matter.
#[tokio::test]
async fn nodes_with_different_clocks_agree() {
    for database in
        databases().iter().filter(|database| matches!(database.place, Place::Postgres(_)))
    {
        let early = start(database, || wrong_by(-5 * HOUR)).await;
        let late = start(database, || wrong_by(5 * HOUR)).await;
        let game = early
            .two_player_game_with(json!({ "clock": { "kind": "total", "seconds": 300 } }))
            .await;
        let there = game.players.iter().map(|p| late.client.with_token(p.token().unwrap()));
        let there = crate::host::TwoPlayerGame { players: there.collect(), id: game.id.clone() };
        let mut socket = there.socket(0).await;
        wait_for_type(&mut socket, "state").await;
        for _ in 0..4 {
            game.play(1).await;
            there.play(1).await;
        }
        // Longer than the interval in which a node looks for clocks that have run out.
        tokio::time::sleep(Duration::from_millis(1_500)).await;
        let (one, two) = (game.state(0).await, there.state(0).await);
        assert_eq!((&one["status"], &two["status"]), (&json!("playing"), &json!("playing")));
        for left in left(&one).into_iter().chain(left(&two)) {
            assert!(left > 280_000, "{left}");
        }
        early.server.stop().await;
        late.server.stop().await;
        check_log_order(database, &game.id).await;
    }
}

/// Sets the last heartbeat, as if a server had been running until `seconds` from now.
async fn run_until(database: &Database, seconds: i64) {
    let Place::File(path) = &database.place else { panic!() };
    let pool =
        sqlx::sqlite::SqlitePool::connect(&format!("sqlite://{}", path.display())).await.unwrap();
    let query = sqlx::query("UPDATE heartbeat SET at_ms = at_ms + $1").bind(seconds * 1_000);
    query.execute(&pool).await.unwrap();
    pool.close().await;
}

/// Games that nobody plays are closed in time although no client asks for them.
#[tokio::test]
async fn abandoned_games_are_closed() {
    for (days, expected) in [
        (6, ["waiting", "playing", "playing"]),
        (8, ["over", "playing", "playing"]),
        (31, ["over", "over", "over"]),
    ] {
        let database = sqlite();
        let host = database.host().await;
        let game = host.two_player_game().await;
        game.play(1).await;
        let ana = &game.players[0];
        let waiting = json!({ "seats": [{ "kind": "me" }, { "kind": "open" }] });
        let waiting = ana.post("/games", &waiting).await.unwrap()["game"]["id"].clone();
        let slow = json!({ "seats": [{ "kind": "me" }, { "kind": "here" }], "clock": { "kind": "per_move", "days": 30 } });
        let slow = ana.post("/games", &slow).await.unwrap()["game"]["id"].clone();
        host.server.stop().await;
        run_until(&database, days * DAY).await;
        let later: fn() -> SystemTime = match days {
            6 => || wrong_by(6 * DAY),
            8 => || wrong_by(8 * DAY),
            _ => || wrong_by(31 * DAY),
        };
        let host = start(&database, later).await;
        let ana = host.client.with_token(ana.token().unwrap());
        let start = Instant::now();
        loop {
            let mine = ana.get("/me/games").await.unwrap();
            let games = mine["games"].as_array().unwrap();
            let find = |id: &Value| games.iter().find(|game| game["id"] == *id).unwrap();
            let found = [find(&waiting), find(&json!(game.id)), find(&slow)];
            if found.map(|game| text(&game["status"])) == expected {
                if days == 31 {
                    let ends = found.map(|game| text(&game["result"]["ended_by"]));
                    assert_eq!(ends, ["abandoned", "abandoned", "timed_out"]);
                }
                break;
            }
            assert!(start.elapsed() < Duration::from_secs(10), "{days} days: {mine}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        host.server.stop().await;
    }
}
