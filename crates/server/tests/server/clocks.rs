//! The clocks of machines: set forward or back while the server runs or while it is away, and
//! different on every node. Nobody loses time by it, no game stands still, and the log goes forward.
//! And the time that really passes while nobody plays.

use crate::host::{Base, Host, databases, sqlite, text, wait_for_type};
use azulejo_server::{Place, Store};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant, SystemTime};

const HOUR: i64 = 3_600;
const DAY: i64 = 24 * HOUR;

/// The time of a machine whose clock is wrong by so many seconds.
fn wrong_by(seconds: i64) -> SystemTime {
    let by = Duration::from_secs(seconds.unsigned_abs());
    if seconds < 0 { SystemTime::now() - by } else { SystemTime::now() + by }
}

async fn start(base: &Base, time_of_day: fn() -> SystemTime) -> Host {
    let mut config = base.config();
    config.time_of_day = time_of_day;
    Host::start(config).await
}

/// What is left on both clocks, in milliseconds.
fn left(state: &Value) -> [i64; 2] {
    [0, 1].map(|seat| state["clock"]["left_ms"][seat].as_i64().unwrap())
}

async fn is_forward(base: &Base, id: &str) {
    let store = Store::open(base.place.clone(), "check").await.unwrap();
    let log = store.facts(id, 0).await.unwrap();
    assert!(log.windows(2).all(|pair| pair[0].at_ms <= pair[1].at_ms), "{log:?}");
    assert_eq!(store.check().await.unwrap().faults, Vec::<String>::new());
    store.close().await;
}

#[tokio::test]
async fn a_clock_that_is_set_takes_nobodys_time() {
    static WRONG_BY: AtomicI64 = AtomicI64::new(0);
    fn time_of_day() -> SystemTime {
        wrong_by(WRONG_BY.load(Ordering::SeqCst))
    }
    let base = sqlite();
    let mut host = start(&base, time_of_day).await;
    let duel = host.duel_with(json!({ "clock": { "kind": "total", "seconds": 600 } })).await;
    let engine = json!({ "seats": [{ "kind": "me" }, { "kind": "engine", "level": 1 }], "rules": { "first_player": "seat:1" } });
    let created = duel.players[0].post("/games", &engine).await.unwrap();
    let against_engine = format!("/games/{}", text(&created["game"]["id"]));
    let began = Instant::now();
    duel.play(2).await;
    for (seconds, restarts) in
        [(2 * DAY, false), (-2 * DAY, false), (-HOUR, true), (-30 * DAY, true), (0, true)]
    {
        WRONG_BY.store(seconds, Ordering::SeqCst);
        if restarts {
            let ana = host.client.with_token(duel.players[0].token().unwrap());
            let state = ana.get(&against_engine).await.unwrap();
            if state["your_turn"] == true {
                // The engine is to move when the server goes.
                let m = json!({ "move": state["moves"][0]["move"] });
                ana.post(&format!("{against_engine}/moves"), &m).await.unwrap();
            }
            host.server.stop().await;
            host = start(&base, time_of_day).await;
        }
        let players = duel.players.iter().map(|p| host.client.with_token(p.token().unwrap()));
        let here = crate::host::Duel { players: players.collect(), id: duel.id.clone() };
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
        // Nobody looks at the other game, and still the engine moves.
        let start = Instant::now();
        loop {
            let mine = here.players[0].get("/me/games").await.unwrap();
            let games = mine["games"].as_array().unwrap();
            let game =
                games.iter().find(|game| against_engine.ends_with(text(&game["id"]))).unwrap();
            if game["turn"] == 1 || game["status"] == "over" {
                break;
            }
            assert!(start.elapsed() < Duration::from_secs(15), "the game is stuck");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
    host.server.stop().await;
    is_forward(&base, &duel.id).await;
}

/// The nodes take the time from the database that they share, so that their own clocks do not
/// matter.
#[tokio::test]
async fn nodes_with_different_clocks_agree() {
    for base in databases().iter().filter(|base| matches!(base.place, Place::Postgres(_))) {
        let early = start(base, || wrong_by(-5 * HOUR)).await;
        let late = start(base, || wrong_by(5 * HOUR)).await;
        let duel = early.duel_with(json!({ "clock": { "kind": "total", "seconds": 300 } })).await;
        let there = duel.players.iter().map(|p| late.client.with_token(p.token().unwrap()));
        let there = crate::host::Duel { players: there.collect(), id: duel.id.clone() };
        let mut socket = there.socket(0).await;
        wait_for_type(&mut socket, "state").await;
        for _ in 0..4 {
            duel.play(1).await;
            there.play(1).await;
        }
        // Longer than a node takes to look for clocks that have run out.
        tokio::time::sleep(Duration::from_millis(1_500)).await;
        let (one, two) = (duel.state(0).await, there.state(0).await);
        assert_eq!((&one["status"], &two["status"]), (&json!("playing"), &json!("playing")));
        for left in left(&one).into_iter().chain(left(&two)) {
            assert!(left > 280_000, "{left}");
        }
        early.server.stop().await;
        late.server.stop().await;
        is_forward(base, &duel.id).await;
    }
}

/// Games that nobody plays are closed when their time has come, without anybody asking for them.
#[tokio::test]
async fn abandoned_games_are_closed() {
    for (days, expected) in [
        (6, ["waiting", "playing", "playing"]),
        (8, ["over", "playing", "playing"]),
        (31, ["over", "over", "over"]),
    ] {
        let base = sqlite();
        let host = base.host().await;
        let duel = host.duel().await;
        duel.play(1).await;
        let ana = &duel.players[0];
        let waiting = json!({ "seats": [{ "kind": "me" }, { "kind": "open" }] });
        let waiting = ana.post("/games", &waiting).await.unwrap()["game"]["id"].clone();
        let slow = json!({ "seats": [{ "kind": "me" }, { "kind": "here" }], "clock": { "kind": "per_move", "days": 30 } });
        let slow = ana.post("/games", &slow).await.unwrap()["game"]["id"].clone();
        host.server.stop().await;
        let later: fn() -> SystemTime = match days {
            6 => || wrong_by(6 * DAY),
            8 => || wrong_by(8 * DAY),
            _ => || wrong_by(31 * DAY),
        };
        let host = start(&base, later).await;
        let ana = host.client.with_token(ana.token().unwrap());
        let start = Instant::now();
        loop {
            let mine = ana.get("/me/games").await.unwrap();
            let games = mine["games"].as_array().unwrap();
            let game = |id: &Value| games.iter().find(|game| game["id"] == *id).unwrap();
            let found = [game(&waiting), game(&json!(duel.id)), game(&slow)];
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
