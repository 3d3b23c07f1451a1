//! Games end: the length of a game is limited, no honest game reaches the limit, and a game at the limit
//! is loaded quickly.

use crate::host::{databases, pool, sqlite, text, wait_for};
use azulejo_rules::{Players, Rules};
use azulejo_table::{
    ClockSpec, Command, Decision, Event, Game, LoggedEvent, MAX_EVENTS, MAX_MOVES, SeatKind,
    SeedBy, Settings, seed_hash,
};
use azulejo_testkit::games::each_position;
use azulejo_testkit::random_play::number_from;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Random moves make games much longer than players do. `AZULEJO_LENGTH_GAMES` plays more of them.
#[test]
fn no_honest_game_reaches_the_limit() {
    let n_games: u64 = number_from("AZULEJO_LENGTH_GAMES").unwrap_or(1_000);
    let mut longest = (0, String::new());
    for players in Players::ALL {
        for (wall, jokers) in [("colored", "off"), ("grey", "off"), ("grey", "on")] {
            let mut rules = Rules::official(players);
            rules.set("wall", wall).unwrap();
            rules.set("jokers", jokers).unwrap();
            for seed in 0..n_games / 9 {
                let mut n_moves = 0;
                each_position(rules, seed, |_| n_moves += 1);
                longest = longest.max((n_moves, format!("{rules}, seed {seed}")));
            }
        }
    }
    println!("the longest game has {} moves: {}", longest.0, longest.1);
    assert!(longest.0 * 3 / 2 <= MAX_MOVES, "{longest:?}");
}

/// A game without an end by the rules, played to the limit on a real server.
#[tokio::test]
async fn an_endless_game_is_closed() {
    let database = sqlite();
    let mut config = database.config();
    config.tables.start_grace = Duration::from_secs(30);
    let host = crate::host::Host::start(config.clone()).await;
    let me = host.person("Ana").await;
    let body = json!({ "seats": [{ "kind": "me" }, { "kind": "here" }], "rules": { "stall_rounds": "0" } });
    let mut game = me.post("/games", &body).await.unwrap()["game"].clone();
    let id = text(&game["id"]).to_owned();
    let mut socket = me.socket(&id, None).await.unwrap();
    let is_event = |message: &Value| message["type"] == "event";
    for _ in 0..MAX_MOVES {
        let moves = game["moves"].as_array().unwrap();
        let m = moves.iter().map(|m| text(&m["move"])).find(|m| m.ends_with('F')).unwrap();
        let command = json!({ "type": "command", "command": { "type": "move", "move": m } });
        socket.send(&command).await.unwrap();
        game = wait_for(&mut socket, is_event).await["game"].clone();
    }
    let closed = wait_for(&mut socket, is_event).await;
    assert_eq!(closed["event"], json!({ "type": "closed", "why": "too_long" }));
    assert_eq!(closed["game"]["status"], "over");
    assert_eq!(closed["game"]["result"]["ended_by"], "too_long");
    assert_eq!(closed["game"]["result"]["winners"], json!([]));
    let error = me.post(&format!("/games/{id}/commands"), &json!({ "type": "takeback" })).await;
    assert_eq!(crate::host::code(error), "game_over");
    let record = me.get(&format!("/games/{id}/record?format=json")).await.unwrap();
    assert_eq!(record["tags"]["EndedBy"], "too_long", "{record}");
    host.server.stop().await;
    // Another server loads the game.
    let host = crate::host::Host::start(config).await;
    let start = Instant::now();
    let loaded = host.client.get(&format!("/games/{id}")).await.unwrap();
    let time = start.elapsed();
    assert_eq!(loaded["result"]["ended_by"], "too_long");
    assert!(time < Duration::from_secs(1), "loading took {time:?}");
    host.server.stop().await;
}

/// The log of a game in which every tile goes to the floor, and which is taken back wherever that makes
/// loading slowest: far from its start, with a take-back after every second move, across deals too.
fn worst_log() -> (Game, Vec<LoggedEvent>) {
    let rules: Rules = "2c-stall0".parse().unwrap();
    let seed = "5".parse().unwrap();
    let person = || SeatKind::Person { person: "ana".into(), name: "Ana".into() };
    let settings = Settings {
        rules: rules.to_string(),
        seats: vec![person(), person()],
        clock: ClockSpec::default(),
        listed: false,
        takebacks: true,
        hints: false,
        seed_hash: seed_hash(&seed),
        seed_by: SeedBy::Creator,
        position: None,
        rematch_of: None,
        daily: None,
        creator: "ana".into(),
    };
    let start = Game::new("game".into(), settings.into(), seed).unwrap();
    let (mut game, mut log) = (start.clone(), Vec::new());
    let mut add = |game: &mut Game, event: Event| {
        let logged = LoggedEvent { number: game.number + 1, at_ms: 1, event };
        game.apply(&logged).unwrap();
        log.push(logged);
    };
    add(&mut game, Event::Created);
    while !game.is_too_long() {
        let is_far = game.plies.len() >= MAX_MOVES - 2;
        let command = if is_far && game.number % 2 == 1 {
            Command::Takeback {}
        } else {
            let moves = game.position.legal_moves();
            let m = moves.iter().map(ToString::to_string).find(|m| m.ends_with('F')).unwrap();
            let id = Some(format!("{:064}", game.number));
            Command::Move { m, id, after: None, seat: None }
        };
        match game.decide(Some("ana"), &command, 1) {
            Ok(Decision::Log(event)) => add(&mut game, event),
            other => panic!("{command:?}: {other:?}"),
        }
    }
    (start, log)
}

/// A stranger's longest game, read from the database and shown.
#[tokio::test]
async fn the_longest_log_is_loaded_quickly() {
    for database in databases() {
        database.host().await.server.stop().await;
        let (start, log) = worst_log();
        let id = "aaaabbbbccccdddd";
        let pool = pool(&database.place).await;
        let mut transaction = pool.begin().await.unwrap();
        sqlx::query(
            "INSERT INTO games (id, settings, seed, listed, status, number, created_ms, updated_ms) \
             VALUES ($1, $2, $3, 0, 'playing', 0, 1, 1)",
        )
        .bind(id)
        .bind(serde_json::to_string(&*start.settings).unwrap())
        .bind("5")
        .execute(&mut *transaction)
        .await
        .unwrap();
        for logged in &log {
            sqlx::query("INSERT INTO events (game, number, at_ms, body) VALUES ($1, $2, 1, $3)")
                .bind(id)
                .bind(logged.number as i64)
                .bind(serde_json::to_string(&logged.event).unwrap())
                .execute(&mut *transaction)
                .await
                .unwrap();
        }
        // The derived columns are made by the next start.
        sqlx::query("DELETE FROM read_model").execute(&mut *transaction).await.unwrap();
        transaction.commit().await.unwrap();
        pool.close().await;
        let host = database.host().await;
        let begin = Instant::now();
        let loaded = host.client.get(&format!("/games/{id}")).await.unwrap();
        let time = begin.elapsed();
        println!("{} events loaded in {time:?}", log.len());
        assert!(loaded["number"].as_u64() >= Some(MAX_EVENTS), "{}", loaded["number"]);
        assert!(time < Duration::from_secs(1), "loading took {time:?}");
        host.server.stop().await;
    }
}

#[test]
fn the_longest_log_is_applied_quickly() {
    let (start, log) = worst_log();
    let n_takebacks = log.iter().filter(|l| matches!(l.event, Event::TakenBack { .. })).count();
    assert!(log.len() as u64 == MAX_EVENTS && n_takebacks > 1_000, "{n_takebacks}");
    let mut game = start;
    let begin = Instant::now();
    for logged in &log {
        game.apply(logged).unwrap();
    }
    let time = begin.elapsed();
    println!("{} events, {n_takebacks} take-backs: {time:?}", log.len());
    assert!(time < Duration::from_millis(100), "{time:?}");
}
