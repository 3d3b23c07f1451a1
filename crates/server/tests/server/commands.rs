//! Resigning, losing on time, take-backs, aborting, rematches and phrases.

use crate::host::{code, databases, sqlite, text, wait_for_type};
use serde_json::{Value, json};
use std::time::Duration;

#[tokio::test]
async fn resigning_ends_a_game_of_two() {
    for database in databases() {
        let host = database.host().await;
        let game = host.two_player_game().await;
        game.play(3).await;
        let end =
            game.act(0, "/commands", &json!({ "type": "resign" })).await.unwrap()["game"].clone();
        assert_eq!(end["status"], "over");
        assert_eq!(end["result"]["ended_by"], "resigned");
        assert_eq!(
            (&end["result"]["ranks"], &end["result"]["winners"]),
            (&json!([2, 1]), &json!([2]))
        );
        assert!(end["fair"]["seed"].is_string());
        assert_eq!(code(game.act(1, "/commands", &json!({ "type": "resign" })).await), "game_over");
        host.server.stop().await;
    }
}

#[tokio::test]
async fn the_engine_replaces_a_player_who_resigns_with_three_seats() {
    let database = sqlite();
    let host = database.host().await;
    let people = [host.person("Ana").await, host.person("Bob").await, host.person("Cem").await];
    let body = json!({ "seats": [{ "kind": "me" }, { "kind": "open" }, { "kind": "open" }], "listed": true });
    let id = text(&people[0].post("/games", &body).await.unwrap()["game"]["id"]).to_owned();
    let path = format!("/games/{id}");
    for person in &people[1..] {
        person.post(&format!("{path}/join"), &json!({})).await.unwrap();
    }
    let left =
        people[1].post(&format!("{path}/commands"), &json!({ "type": "resign" })).await.unwrap();
    assert_eq!(left["game"]["status"], "playing");
    assert_eq!(left["game"]["seats"][1]["left"], "resigned");
    // The two others play to the end, and the engine moves for seat 2.
    let mut n_own = 0;
    let end = loop {
        let state = people[0].get(&path).await.unwrap();
        if state["status"] == "over" {
            break state;
        }
        let turn = state["position"]["turn"].as_u64().unwrap() as usize;
        if turn == 2 {
            tokio::time::sleep(Duration::from_millis(3)).await;
            continue;
        }
        let mover = people[turn - 1].get(&path).await.unwrap();
        if mover["your_turn"] != true {
            continue;
        }
        let m = &mover["moves"][0]["move"];
        people[turn - 1]
            .post(&format!("{path}/commands"), &json!({ "type": "move", "move": m }))
            .await
            .unwrap();
        n_own += 1;
    };
    assert!(end["n_moves"].as_u64().unwrap() > n_own);
    assert_eq!(end["result"]["ranks"][1], 3, "the player who left is last");
    host.server.stop().await;
}

#[tokio::test]
async fn a_player_loses_on_time() {
    for database in databases() {
        let host = database.host().await;
        let clock = json!({ "clock": { "kind": "total", "seconds": 1, "increment": 0 } });
        let game = host.two_player_game_with(clock).await;
        let mut socket = game.socket(0).await;
        let state = wait_for_type(&mut socket, "state").await["game"].clone();
        let turn = state["position"]["turn"].as_u64().unwrap();
        assert_eq!(state["clock"]["running"].as_u64(), Some(turn));
        assert!(state["clock"]["left_ms"][turn as usize - 1].as_i64().unwrap() <= 1_000);
        let event = wait_for_type(&mut socket, "event").await;
        assert_eq!(event["event"], json!({ "type": "left", "seat": turn, "why": "timed_out" }));
        assert_eq!(event["game"]["result"]["ended_by"], "timed_out");
        assert_eq!(event["game"]["result"]["winners"], json!([3 - turn]));
        host.server.stop().await;
    }
}

/// A clock runs out while the server is stopped. The player has a grace period after the restart,
/// then loses on time although no client asks for the game.
#[tokio::test]
async fn a_player_loses_on_time_after_a_restart() {
    for database in databases() {
        let host = database.host().await;
        let clock = json!({ "clock": { "kind": "total", "seconds": 1 } });
        let game = host.two_player_game_with(clock).await;
        host.server.stop().await;
        tokio::time::sleep(Duration::from_millis(1_200)).await;
        let mut config = database.config();
        config.tables.start_grace = Duration::from_millis(1_500);
        let host = crate::host::Host::start(config).await;
        let ana = host.client.with_token(game.players[0].token().unwrap());
        assert_eq!(ana.get(&game.path("")).await.unwrap()["status"], "playing");
        let start = std::time::Instant::now();
        loop {
            let mine = ana.get("/me/games").await.unwrap();
            if mine["games"][0]["status"] == "over" {
                break;
            }
            assert!(start.elapsed() < Duration::from_secs(10), "the flag does not fall");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        host.server.stop().await;
    }
}

#[tokio::test]
async fn a_take_back_between_people_needs_consent() {
    for database in databases() {
        let host = database.host().await;
        let game = host.two_player_game().await;
        assert_eq!(
            code(game.act(0, "/commands", &json!({ "type": "takeback" })).await),
            "nothing_to_take_back"
        );
        let (i, before) = game.turn().await;
        game.play(2).await;
        let asked = game.act(i, "/commands", &json!({ "type": "takeback" })).await.unwrap();
        assert_eq!(asked["game"]["takeback"]["seat"], i + 1);
        assert_eq!(
            code(game.act(i, "/commands", &json!({ "type": "takeback" })).await),
            "already_asked"
        );
        let refuse = json!({ "type": "refuse_takeback" });
        let no = game.act(1 - i, "/commands", &refuse).await.unwrap();
        assert!(no["game"]["takeback"].is_null());
        assert_eq!(no["game"]["n_moves"], 2);
        assert_eq!(code(game.act(i, "/commands", &refuse).await), "nothing_asked");
        game.act(i, "/commands", &json!({ "type": "takeback" })).await.unwrap();
        let yes = game.act(1 - i, "/commands", &json!({ "type": "takeback" })).await.unwrap();
        assert_eq!(yes["game"]["n_moves"], 0);
        let after = game.state(i).await;
        assert_eq!(after["position"], before["position"]);
        assert_eq!(after["moves"], before["moves"]);
        // Across a deal it is too late.
        while game.state(0).await["position"]["round"] == 1 {
            game.play(1).await;
        }
        assert_eq!(
            code(game.act(i, "/commands", &json!({ "type": "takeback" })).await),
            "across_deal"
        );
        host.server.stop().await;
    }
}

#[tokio::test]
async fn a_take_back_against_the_engine_needs_no_consent() {
    let database = sqlite();
    let host = database.host().await;
    let me = host.person("Ana").await;
    let body = json!({ "seats": [{ "kind": "me" }, { "kind": "engine", "level": 1 }] });
    let id = text(&me.post("/games", &body).await.unwrap()["game"]["id"]).to_owned();
    let path = format!("/games/{id}");
    let my_turn = async || -> Value {
        loop {
            let state = me.get(&path).await.unwrap();
            if state["your_turn"] == true {
                return state;
            }
            tokio::time::sleep(Duration::from_millis(3)).await;
        }
    };
    let first = my_turn().await;
    let mut state = first.clone();
    // Into the second round, and back to the first move.
    while state["position"]["round"] == 1 {
        let m = &state["moves"][0]["move"];
        me.post(&format!("{path}/commands"), &json!({ "type": "move", "move": m })).await.unwrap();
        state = my_turn().await;
    }
    while state["n_moves"] != first["n_moves"] {
        me.post(&format!("{path}/commands"), &json!({ "type": "takeback" })).await.unwrap();
        state = my_turn().await;
    }
    assert_eq!(state["position"], first["position"]);
    assert_eq!(
        code(me.post(&format!("{path}/commands"), &json!({ "type": "takeback" })).await),
        "nothing_to_take_back"
    );
    let strict = json!({ "seats": [{ "kind": "me" }, { "kind": "here" }], "takebacks": false });
    let id = text(&me.post("/games", &strict).await.unwrap()["game"]["id"]).to_owned();
    let refused = me.post(&format!("/games/{id}/commands"), &json!({ "type": "takeback" })).await;
    assert_eq!(code(refused), "no_takebacks");
    host.server.stop().await;
}

#[tokio::test]
async fn a_rematch_rotates_the_seats() {
    for database in databases() {
        let host = database.host().await;
        let game = host.two_player_game().await;
        assert_eq!(code(game.act(0, "/rematch", &json!({})).await), "not_over");
        game.act(0, "/commands", &json!({ "type": "resign" })).await.unwrap();
        let eve = host.person("Eve").await;
        assert_eq!(code(eve.post(&game.path("/rematch"), &json!({})).await), "not_seated");
        let mut socket = game.socket(0).await;
        let created = game.act(1, "/rematch", &json!({})).await.unwrap();
        let new = text(&created["game"]["id"]).to_owned();
        assert_eq!(created["game"]["your_seats"], json!([1]));
        assert_eq!(created["game"]["seats"][1]["kind"], "reserved");
        let event = wait_for_type(&mut socket, "event").await;
        assert_eq!(event["event"]["game"], new.as_str());
        assert_eq!(code(game.act(0, "/rematch", &json!({})).await), "rematch_exists");
        // The seat is kept for Ana.
        let join = format!("/games/{new}/join");
        assert_eq!(code(eve.post(&join, &json!({})).await), "full");
        let begun = game.players[0].post(&join, &json!({})).await.unwrap();
        assert_eq!(begun["game"]["your_seats"], json!([2]));
        assert_eq!(begun["game"]["status"], "playing");
        assert_eq!(begun["game"]["rematch_of"], game.id.as_str());
        assert_ne!(begun["game"]["fair"]["seed_hash"], created["game"]["id"]);
        host.server.stop().await;
    }
}

#[tokio::test]
async fn a_game_can_be_aborted_before_its_first_move() {
    let database = sqlite();
    let host = database.host().await;
    let game = host.two_player_game().await;
    let eve = host.person("Eve").await;
    assert_eq!(
        code(eve.post(&game.path("/commands"), &json!({ "type": "abort" })).await),
        "not_seated"
    );
    let off = game.act(1, "/commands", &json!({ "type": "abort" })).await.unwrap();
    assert_eq!(off["game"]["result"]["ended_by"], "aborted");
    assert_eq!(off["game"]["result"]["winners"], json!([]));
    let game = host.two_player_game().await;
    game.play(1).await;
    assert_eq!(code(game.act(1, "/commands", &json!({ "type": "abort" })).await), "already_begun");
    host.server.stop().await;
}

#[tokio::test]
async fn phrases_reach_the_opponent() {
    let database = sqlite();
    let host = database.host().await;
    let game = host.two_player_game().await;
    let (i, state) = game.turn().await;
    let mut socket = game.socket(0).await;
    wait_for_type(&mut socket, "state").await;
    game.act(1, "/commands", &json!({ "type": "say", "phrase": "good_luck" })).await.unwrap();
    let event = wait_for_type(&mut socket, "event").await;
    assert_eq!(event["event"], json!({ "type": "said", "seat": 2, "phrase": "good_luck" }));
    assert_eq!(
        code(game.act(1, "/commands", &json!({ "type": "say", "phrase": "hello" })).await),
        "too_chatty"
    );
    assert_eq!(
        code(game.act(0, "/commands", &json!({ "type": "say", "phrase": "<b>" })).await),
        "bad_request"
    );
    // A phrase does not make a move stale.
    let body =
        json!({ "type": "move", "move": state["moves"][0]["move"], "after": state["number"] });
    game.act(i, "/commands", &body).await.unwrap();
    host.server.stop().await;
}
