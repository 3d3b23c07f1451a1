//! Time without a running server is not charged: a machine that was off for 40 days, or whose clock
//! starts 40 days ahead, ends no game. Time with a running server is charged as ever.

use crate::host::{Database, Host, databases, sqlite, text};
use azulejo_client::Client;
use azulejo_server::{Place, Store};
use serde_json::{Value, json};
use sqlx::{AnyConnection, AssertSqlSafe, Connection, Executor};
use std::time::{Duration, Instant, SystemTime};

const DAY_MS: i64 = 24 * 3_600_000;

async fn connect(database: &Database) -> AnyConnection {
    sqlx::any::install_default_drivers();
    let url = match &database.place {
        Place::File(path) => format!("sqlite://{}", path.display()),
        Place::Postgres(url) => url.clone(),
    };
    AnyConnection::connect(&url).await.unwrap()
}

/// Makes everything in a database older, as if its server had been stopped that long ago.
async fn age(database: &Database, ms: i64) {
    let mut connection = connect(database).await;
    for update in [
        "events SET at_ms = at_ms - $",
        "games SET created_ms = created_ms - $, updated_ms = updated_ms - $, wake_ms = wake_ms - $",
        "heartbeat SET at_ms = at_ms - $",
    ] {
        let update = format!("UPDATE {}", update.replace('$', &ms.to_string()));
        connection.execute(AssertSqlSafe(update)).await.unwrap();
    }
    connection.close().await.unwrap();
}

/// Games of every kind of time limit, each with the status that it has.
struct Games {
    ana: Client,
    ids: Vec<(String, &'static str)>,
}

impl Games {
    async fn create(host: &Host) -> Games {
        let ana = host.person("Ana").await;
        let here = json!([{ "kind": "me" }, { "kind": "here" }]);
        let mut ids = Vec::new();
        for (seats, clock, status) in [
            (&here, json!({ "kind": "total", "seconds": 600 }), "playing"),
            (&here, json!({ "kind": "per_move", "days": 2 }), "playing"),
            (&here, json!({ "kind": "none" }), "playing"),
            (&json!([{ "kind": "me" }, { "kind": "open" }]), json!({ "kind": "none" }), "waiting"),
            (
                &json!([{ "kind": "me" }, { "kind": "engine", "level": 1 }]),
                json!({ "kind": "total", "seconds": 600 }),
                "playing",
            ),
        ] {
            let body = json!({ "seats": seats, "clock": clock });
            let created = ana.post("/games", &body).await.unwrap();
            ids.push((text(&created["game"]["id"]).to_owned(), status));
        }
        let games = Games { ana, ids };
        games.play(3).await;
        games
    }

    async fn state(&self, n: usize) -> Value {
        self.ana.get(&format!("/games/{}", self.ids[n].0)).await.unwrap()
    }

    /// Plays moves in the games between people.
    async fn play(&self, n_moves: usize) {
        for n in 0..3 {
            for _ in 0..n_moves {
                let state = self.state(n).await;
                let m = json!({ "type": "move", "move": state["moves"][0]["move"] });
                self.ana.post(&format!("/games/{}/commands", self.ids[n].0), &m).await.unwrap();
            }
        }
    }

    /// Waits until every due game has been looked at, and checks that all go on.
    async fn check(&self, host: &Host) -> Games {
        let ana = host.client.with_token(self.ana.token().unwrap());
        let games = Games { ana, ids: self.ids.clone() };
        // A game is looked at 2 s after it was due, and the search for such games runs every second.
        tokio::time::sleep(Duration::from_millis(3_500)).await;
        for (n, (_, status)) in games.ids.iter().enumerate() {
            let state = games.state(n).await;
            assert_eq!(state["status"], *status, "game {n}: {}", state["result"]);
        }
        for seat in [0, 1] {
            let left = games.state(0).await["clock"]["left_ms"][seat].as_i64().unwrap();
            assert!((540_000..=600_000).contains(&left), "seat {seat} has {left} ms");
        }
        games.play(2).await;
        games
    }
}

async fn check_log(database: &Database, games: &Games) {
    let store = Store::open(database.place.clone(), "check").await.unwrap();
    assert_eq!(store.check().await.unwrap().faults, Vec::<String>::new());
    let mut bodies = Vec::new();
    for (id, _) in &games.ids {
        let log = store.events(id, 0).await.unwrap();
        let json =
            |logged: &azulejo_table::LoggedEvent| serde_json::to_value(&logged.event).unwrap();
        bodies.push(log.iter().map(json).collect::<Vec<Value>>());
    }
    let paused = |n: usize| bodies[n].iter().filter(|body| body["type"] == "paused").count();
    assert_eq!((paused(0), paused(1)), (1, 1), "the pause is in the log once");
    let ms = bodies[0].iter().find_map(|body| body["ms"].as_i64()).unwrap();
    assert!((ms - 40 * DAY_MS).abs() < 60_000, "{ms}");
    store.close().await;
}

#[tokio::test]
async fn forty_days_without_a_server_end_no_game() {
    for database in databases() {
        let host = database.host().await;
        let games = Games::create(&host).await;
        host.server.stop().await;
        age(&database, 40 * DAY_MS).await;
        let host = database.host().await;
        let games = games.check(&host).await;
        host.server.stop().await;
        check_log(&database, &games).await;
    }
}

#[tokio::test]
async fn a_clock_that_starts_forty_days_ahead_ends_no_game() {
    let database = sqlite();
    let host = database.host().await;
    let games = Games::create(&host).await;
    host.server.stop().await;
    let mut config = database.config();
    config.time_of_day = || SystemTime::now() + Duration::from_secs(40 * 24 * 3_600);
    let host = Host::start(config).await;
    let games = games.check(&host).await;
    host.server.stop().await;
    check_log(&database, &games).await;
    // With the right clock again: time goes on from the last event.
    let host = database.host().await;
    games.check(&host).await;
    host.server.stop().await;
}

/// A clock goes on where it was when the server stopped, and still runs out.
#[tokio::test]
async fn clocks_run_out_after_an_outage() {
    let database = sqlite();
    let host = database.host().await;
    let clock = json!({ "clock": { "kind": "total", "seconds": 4 } });
    let game = host.two_player_game_with(clock).await;
    host.server.stop().await;
    age(&database, 3_600_000).await;
    let host = database.host().await;
    let ana = host.client.with_token(game.players[0].token().unwrap());
    let path = format!("/games/{}", game.id);
    assert_eq!(ana.get(&path).await.unwrap()["status"], "playing");
    let start = Instant::now();
    loop {
        let state = ana.get(&path).await.unwrap();
        if state["status"] == "over" {
            assert_eq!(state["result"]["ended_by"], "timed_out");
            break;
        }
        assert!(start.elapsed() < Duration::from_secs(10), "the clock does not run");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    host.server.stop().await;
}

/// A shorter time than 15 s is charged: a restart in between is nobody's advantage.
#[tokio::test]
async fn a_quick_restart_is_no_outage() {
    let database = sqlite();
    let host = database.host().await;
    let games = Games::create(&host).await;
    host.server.stop().await;
    age(&database, 10_000).await;
    let host = database.host().await;
    let ana = host.client.with_token(games.ana.token().unwrap());
    let games = Games { ana, ids: games.ids };
    let state = games.state(0).await;
    let turn = state["position"]["turn"].as_u64().unwrap() as usize - 1;
    let left = state["clock"]["left_ms"][turn].as_i64().unwrap();
    assert!(left <= 590_000, "{left}");
    host.server.stop().await;
    let store = Store::open(database.place.clone(), "check").await.unwrap();
    let log = store.events(&games.ids[0].0, 0).await.unwrap();
    assert!(!format!("{log:?}").contains("Paused"), "{log:?}");
    store.close().await;
}

/// An outage is kept while a game may have to be told of it, and deleted afterwards.
#[tokio::test]
async fn outages_that_concern_no_game_are_deleted() {
    for database in databases() {
        let host = database.host().await;
        Games::create(&host).await;
        host.server.stop().await;
        age(&database, 40 * DAY_MS).await;
        let now_ms = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_millis();
        let (long_ago, since) = (now_ms as i64 - 60 * DAY_MS, now_ms as i64 - 30 * DAY_MS);
        let mut connection = connect(&database).await;
        for from_ms in [long_ago, since] {
            let insert = format!("INSERT INTO outages VALUES ({from_ms}, {})", from_ms + DAY_MS);
            connection.execute(AssertSqlSafe(insert)).await.unwrap();
        }
        let mut config = database.config();
        config.retention.interval = Duration::from_millis(50);
        let host = Host::start(config).await;
        let is_kept = async |connection: &mut AnyConnection, from_ms: i64| {
            let row = sqlx::query("SELECT from_ms FROM outages WHERE from_ms = $1").bind(from_ms);
            row.fetch_optional(connection).await.unwrap().is_some()
        };
        let start = Instant::now();
        while is_kept(&mut connection, long_ago).await {
            assert!(start.elapsed() < Duration::from_secs(5), "it is not deleted");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
        assert!(is_kept(&mut connection, since).await, "games wait since before this outage");
        connection.execute("UPDATE games SET status = 'over'").await.unwrap();
        let start = Instant::now();
        while is_kept(&mut connection, since).await {
            assert!(start.elapsed() < Duration::from_secs(5), "it is not deleted");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        connection.close().await.unwrap();
        host.server.stop().await;
    }
}
