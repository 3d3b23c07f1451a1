//! Games on one device: the messages of the host in a page add up to its states, a stored game is the
//! same game, and damage is noticed.

use azulejo_engine::{Engine, Options};
use azulejo_notation::{Record, Seed};
use azulejo_table::view::ReplayView;
use azulejo_table::{
    CreateGame, EngineMove, Event, LeaveReason, LocalGame, OpenError, Rejection, SearchAnswer,
    StoredGame, ToClient, ToServer, seed_hash,
};
use serde_json::{Value, json};

fn create(body: &Value, now_ms: i64) -> Result<LocalGame, String> {
    let request: CreateGame = serde_json::from_value(body.clone()).map_err(|e| e.to_string())?;
    LocalGame::create(&request, "g1", Seed::from([7; 16]), now_ms).map_err(|e| e.to_string())
}

fn alone() -> LocalGame {
    create(
        &json!({"seats": [{"kind": "me", "name": " Ana  B "}, {"kind": "engine", "level": 2}]}),
        5,
    )
    .unwrap()
}

fn state(game: &LocalGame, now_ms: i64) -> Value {
    value(&game.state(now_ms))["game"].take()
}

fn value(message: &ToClient) -> Value {
    serde_json::from_str(&message.text()).unwrap()
}

fn receive(game: &mut LocalGame, message: &Value, now_ms: i64) -> Vec<Value> {
    let message = ToServer::read(&message.to_string()).unwrap();
    game.receive(message, now_ms).iter().map(value).collect()
}

fn move_message(m: &Value, id: &str) -> Value {
    json!({"type": "command", "ref": "r", "command": {"type": "move", "move": m, "id": id}})
}

fn answer(game: &LocalGame, engine: &mut Engine) -> EngineMove {
    let task = serde_json::to_string(&game.task().expect("an engine has the turn")).unwrap();
    let task: azulejo_table::SearchTask = serde_json::from_str(&task).unwrap();
    match task.run(engine).unwrap() {
        SearchAnswer::Move(m) => m,
        SearchAnswer::Hint(_) | SearchAnswer::Deals(_) => panic!("a move was asked for"),
    }
}

/// Plays a game to its end, always the first legal move for the people.
fn play_on(game: &mut LocalGame, now_ms: &mut i64) {
    let mut engine = Engine::new(Options { hash_mb: 1, ..Options::default() });
    while game.game().result().is_none() {
        *now_ms += 1_000;
        if game.task().is_some() {
            let answer = answer(game, &mut engine);
            assert_eq!(game.engine_move(&answer, *now_ms).len(), 1);
            assert!(game.engine_move(&answer, *now_ms).is_empty(), "an old answer");
            continue;
        }
        let view = state(game, *now_ms);
        assert_eq!(view["your_turn"], true);
        let message = move_message(&view["moves"][0]["move"], &format!("m{now_ms}"));
        let types: Vec<Value> = receive(game, &message, *now_ms)
            .iter()
            .map(|message| message["type"].clone())
            .collect();
        assert_eq!(types, ["patch", "done"]);
        // A message that is sent again is one move.
        assert_eq!(receive(game, &message, *now_ms)[0]["type"], "done");
    }
}

#[test]
fn whole_games_can_be_stored_after_every_event_and_verified() {
    for seats in [
        json!([{"kind": "me"}, {"kind": "engine", "level": 1}]),
        json!([{"kind": "here", "name": "Ana"}, {"kind": "here", "name": "Bia"}]),
        json!([{"kind": "engine", "level": 2}, {"kind": "me"}, {"kind": "engine", "level": 3}]),
        json!([{"kind": "me"}, {"kind": "here"}, {"kind": "engine", "level": 1}, {"kind": "here"}]),
    ] {
        for (wall, jokers) in [("colored", false), ("grey", true)] {
            let mut now_ms = 1_000;
            let body = json!({"seats": seats, "wall": wall, "jokers": jokers});
            let mut game = create(&body, now_ms).unwrap();
            play_on(&mut game, &mut now_ms);
            let text = serde_json::to_string(&game.stored()).unwrap();
            let opened = LocalGame::open(serde_json::from_str(&text).unwrap()).unwrap();
            assert_eq!(serde_json::to_string(&opened.stored()).unwrap(), text);
            assert_eq!(state(&opened, now_ms), state(&game, now_ms));
            // The record proves the deals that the hash promised.
            let record = Record::parse(game.game().record().to_string()).unwrap();
            let seed = record.seed().expect("the game is over");
            assert_eq!(seed_hash(seed), game.game().settings.seed_hash);
            let replay = ReplayView::whole(&record);
            assert_eq!(replay.steps.len(), replay.n_steps);
        }
    }
}

#[test]
fn seed_stays_secret_until_the_end() {
    let mut game = alone();
    let seed = game.stored().seed;
    let mut now_ms = 10;
    assert!(!state(&game, 10).to_string().contains(&seed));
    assert!(!game.game().record().to_string().contains(&seed));
    play_on(&mut game, &mut now_ms);
    assert_eq!(state(&game, now_ms)["fair"]["seed"], seed.as_str());
}

#[test]
fn people_are_named_and_engines_answer_for_nobody() {
    let game = alone();
    let view = state(&game, 5);
    assert_eq!(view["seats"][0]["name"], "Ana B");
    assert_eq!(view["your_seats"], json!([1]));
    assert_eq!(view["presence"]["seats"], json!([true, true]));
    let summary = serde_json::to_value(game.summary()).unwrap();
    assert_eq!((&summary["your_seats"], &summary["id"]), (&json!([1]), &json!("g1")));
    for (seats, problem) in [
        (json!([{"kind": "me"}, {"kind": "open"}]), "needs a server"),
        (json!([{"kind": "me", "name": "a\u{7}"}, {"kind": "here"}]), "visible"),
        (json!([{"kind": "me", "name": "x".repeat(41)}, {"kind": "here"}]), "1 to 40"),
        (json!([{"kind": "engine", "level": 1}, {"kind": "engine", "level": 1}]), "engine's"),
        (json!([{"kind": "me"}, {"kind": "engine", "level": 99}]), "`level`"),
        (json!([{"kind": "me"}]), "two to four"),
    ] {
        let error = create(&json!({ "seats": seats }), 0).unwrap_err();
        assert!(error.contains(problem), "{error}");
    }
}

#[test]
fn refusals_are_those_of_a_server() {
    let mut game = create(&json!({"seats": [{"kind": "me"}, {"kind": "here"}]}), 0).unwrap();
    let mut bad = |message: Value| {
        let answers = receive(&mut game, &message, 6);
        assert_eq!(answers.len(), 1);
        assert_eq!(answers[0]["ref"], "r");
        answers[0]["error"]["code"].clone()
    };
    assert_eq!(bad(move_message(&json!("9B1"), "a")), "illegal_move");
    assert_eq!(bad(move_message(&json!("?"), "b")), "not_a_move");
    let takeback = json!({"type": "command", "ref": "r", "command": {"type": "takeback"}});
    assert_eq!(bad(takeback), "nothing_to_take_back");
    assert_eq!(
        receive(&mut game, &json!({"type": "ping"}), 9),
        [json!({"type": "pong", "now_ms": 9})]
    );
    assert_eq!(receive(&mut game, &json!({"type": "resync"}), 9)[0]["type"], "state");
    let silent = json!({"seats": [{"kind": "me"}, {"kind": "here"}], "hints": false});
    let silent = create(&silent, 0).unwrap();
    assert_eq!(silent.hint_task(), Err(Rejection::NoHints));
    assert_eq!(silent.evaluation_task(), Err(Rejection::NoHints));
}

#[test]
fn hints_have_the_form_of_a_server() {
    let game = create(&json!({"seats": [{"kind": "me"}, {"kind": "here"}]}), 0).unwrap();
    let mut engine = Engine::new(Options { hash_mb: 1, ..Options::default() });
    for (task, n_moves) in [(game.hint_task(), 3), (game.evaluation_task(), 1)] {
        let mut task = task.unwrap();
        task.time_ms = 100;
        let view = serde_json::to_value(task.run(&mut engine).unwrap()).unwrap();
        assert_eq!(
            (&view["number"], &view["seat"]),
            (&json!(1), &state(&game, 0)["position"]["turn"])
        );
        assert_eq!(view["moves"].as_array().unwrap().len(), n_moves);
        assert_eq!(view["win"].as_array().unwrap().len(), 2);
    }
}

#[test]
fn clocks_run_out_and_closed_pages_are_not_charged() {
    let body = json!({
        "seats": [{"kind": "here"}, {"kind": "here"}],
        "clock": {"kind": "total", "seconds": 60, "increment": 0},
    });
    let mut game = create(&body, 0).unwrap();
    assert_eq!(game.wake_ms(), Some(60_000));
    assert!(game.wake(59_999).is_empty());
    let month_ms = 31 * 24 * 3_600_000;
    let mut opened = LocalGame::open(game.stored()).unwrap();
    assert_eq!(opened.resume(month_ms).len(), 1);
    assert_eq!(opened.wake_ms(), Some(month_ms + 60_000));
    let seat = game.game().turn().unwrap();
    assert_eq!(game.wake(60_000).len(), 1);
    let left = Event::Left { seat, why: LeaveReason::TimedOut };
    assert_eq!(game.stored().events[1].event, left);
    // Without a clock a game waits.
    let mut game = alone();
    assert!(game.resume(month_ms).is_empty() && game.wake(2 * month_ms).is_empty());
    assert_eq!(game.game().number, 1);
}

#[test]
fn rematch_rotates_seats_and_is_linked() {
    let mut game = alone();
    let seed = Seed::from([8; 16]);
    assert_eq!(game.rematch("g2", seed.clone(), 6).unwrap_err(), Rejection::NotOver);
    let mut now_ms = 10;
    play_on(&mut game, &mut now_ms);
    let (next, messages) = game.rematch("g2", seed.clone(), now_ms).unwrap();
    assert_eq!(messages.len(), 1);
    assert_eq!(state(&next, now_ms)["your_seats"], json!([2]));
    assert_eq!(state(&next, now_ms)["rematch_of"], "g1");
    assert_eq!(state(&game, now_ms)["rematch"], "g2");
    assert!(matches!(game.rematch("g3", seed, now_ms), Err(Rejection::RematchExists(_))));
}

#[test]
fn damaged_games_are_refused() {
    let mut game = alone();
    let mut now_ms = 10;
    play_on(&mut game, &mut now_ms);
    let good = game.stored();
    let check = |damage: &dyn Fn(&mut StoredGame), expected: &str| {
        let mut stored = good.clone();
        damage(&mut stored);
        let error = LocalGame::open(stored).expect_err(expected);
        assert!(error.to_string().contains(expected), "{error}");
        let code = error.body().code;
        assert_eq!(code == "later_version", matches!(error, OpenError::Version(_)), "{code}");
    };
    check(&|stored| stored.version = 2, "later version");
    check(&|stored| stored.seed = "5".to_owned(), "hash");
    check(&|stored| stored.seed.clear(), "seed");
    check(&|stored| drop(stored.events.remove(3)), "follows");
    check(&|stored| stored.events.clear(), "begin");
    check(&|stored| stored.settings.rules = "9".to_owned(), "settings");
    check(
        &|stored| {
            for logged in &mut stored.events {
                if let Event::Moved { m, .. } = &mut logged.event {
                    *m = "0BF".to_owned();
                }
            }
        },
        "event",
    );
}

/// Browsers hold such games: a form that was written once can always be read.
#[test]
fn stored_games_keep_their_form() {
    let text = r#"{"version":1,"id":"abc","settings":{"rules":"2c","seats":[{"kind":"person","person":"local","name":"Ana"},{"kind":"engine","level":3}],"clock":{"kind":"none"},"listed":false,"takebacks":true,"hints":true,"seed_hash":"d0c6b893bd66ab76deffe5a145ab1a43f55ae13253a1f572803675d0a4e10f00","seed_by":"server","creator":"local"},"seed":"5","events":[{"number":1,"at_ms":1000,"event":{"type":"created"}}]}"#;
    let stored: StoredGame = serde_json::from_str(text).unwrap();
    assert_eq!(seed_hash(&"5".parse().unwrap()), stored.settings.seed_hash);
    let game = LocalGame::open(stored).unwrap();
    assert_eq!(serde_json::to_string(&game.stored()).unwrap(), text);
}

#[test]
fn daily_deal_is_one_game_for_everybody() {
    let me = json!({"kind": "me"});
    let seats = json!([me, {"kind": "engine", "level": 5}]);
    let body = json!({"seats": seats, "daily": "2026-11-18"});
    let (mut game, other) = (create(&body, 0).unwrap(), create(&body, 7).unwrap());
    let view = state(&game, 0);
    assert_eq!(view["daily"], "2026-11-18");
    assert_eq!(
        (&view["fair"]["seed_by"], &view["takebacks"], &view["hints"]),
        (&json!("date"), &json!(false), &json!(false))
    );
    assert_eq!(game.summary().daily.as_deref(), Some("2026-11-18"));
    assert_eq!(game.game().seed().as_str(), "daily-2026-11-18");
    let start = state(&other, 0)["position"]["position"].clone();
    assert_eq!(view["position"]["position"], start);
    // Stored and opened it is still that deal; its rematch is not.
    assert_eq!(
        LocalGame::open(game.stored()).unwrap().game().settings.daily.as_deref(),
        Some("2026-11-18")
    );
    let resign = json!({"type": "command", "ref": "r", "command": {"type": "resign", "seat": 1}});
    receive(&mut game, &resign, 9);
    let (next, _) = game.rematch("next", [7; 16].into(), 10).unwrap();
    assert_eq!(next.game().settings.daily, None);

    for (key, value) in [
        ("daily", json!("2026-02-30")),
        ("seats", json!([me, {"kind": "engine", "level": 4}])),
        ("seats", json!([{"kind": "engine", "level": 5}, me])),
        ("seed", json!("5")),
        ("hints", json!(true)),
        ("takebacks", json!(true)),
        ("wall", json!("grey")),
        ("clock", json!({"kind": "total", "seconds": 60, "increment": 0})),
    ] {
        let mut bad = body.clone();
        bad[key] = value;
        assert!(create(&bad, 0).is_err(), "{bad}");
    }
}
