//! Engine seats, hints and evaluations.

use crate::host::{code, databases, sqlite, text};
use serde_json::json;
use std::time::{Duration, Instant};

#[tokio::test]
async fn the_engine_plays_its_seats_and_survives_a_restart() {
    for database in databases() {
        let host = database.host().await;
        let me = host.person("Ana").await;
        let body = json!({ "seats": [{ "kind": "me" }, { "kind": "engine", "level": 4 }, { "kind": "engine", "level": 1 }] });
        let id = text(&me.post("/games", &body).await.unwrap()["game"]["id"]).to_owned();
        let path = format!("/games/{id}");
        let mut me = me;
        let mut host = host;
        for round in 0..6 {
            let start = Instant::now();
            let state = loop {
                let state = me.get(&path).await.unwrap();
                if state["your_turn"] == true {
                    break state;
                }
                assert!(start.elapsed() < Duration::from_secs(15), "the engine does not move");
                tokio::time::sleep(Duration::from_millis(5)).await;
            };
            let m = &state["moves"][0]["move"];
            me.post(&format!("{path}/commands"), &json!({ "type": "move", "move": m }))
                .await
                .unwrap();
            if round % 3 == 1 {
                // The server goes down while the engine thinks.
                host.server.stop().await;
                host = database.host().await;
                me = host.client.with_token(me.token().unwrap());
                // The engine goes on although no client asks for the game.
                let start = Instant::now();
                loop {
                    let mine = me.get("/me/games").await.unwrap();
                    if mine["games"][0]["turn"] == 1 {
                        break;
                    }
                    assert!(start.elapsed() < Duration::from_secs(15), "the game is stuck");
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
            }
        }
        host.server.stop().await;
    }
}

#[tokio::test]
async fn hints_are_given_where_they_are_allowed() {
    let database = sqlite();
    let host = database.host().await;
    let me = host.person("Ana").await;
    let body = json!({ "seats": [{ "kind": "me" }, { "kind": "here" }] });
    let game = me.post("/games", &body).await.unwrap()["game"].clone();
    let path = format!("/games/{}", text(&game["id"]));
    let hint = me.get(&format!("{path}/hint")).await.unwrap();
    let moves = hint["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 3);
    let best = &moves[0];
    assert_eq!(best["preview"]["move"], best["line"][0]);
    assert!(best["win"].as_f64().unwrap() >= moves[2]["win"].as_f64().unwrap() - 0.2);
    assert_eq!(best["reply"]["move"], best["line"][1]);
    assert_ne!(best["reply"]["step"]["seat"], hint["seat"]);
    assert_eq!(best["completes"], json!({ "rows": 0, "columns": 0, "colors": 0 }));
    me.post(
        &format!("{path}/commands"),
        &json!({ "type": "move", "move": best["preview"]["move"] }),
    )
    .await
    .unwrap();
    let evaluation = me.get(&format!("{path}/evaluation")).await.unwrap();
    let win: f64 = evaluation["win"].as_array().unwrap().iter().map(|w| w.as_f64().unwrap()).sum();
    assert!((win - 1.0).abs() < 0.01, "{evaluation}");
    assert_eq!(evaluation["moves"].as_array().map(Vec::len), Some(1));
    // The last tile of a round completes a row, and nobody replies.
    let body = json!({ "seats": [{ "kind": "me" }, { "kind": "here" }], "seed": "1",
        "position": "az1_2c_d1_5s1_.-.-.-.-._W_rest_._28~.-..-RR.-....-.....~BYRK.-WB..K-K....-R....-Y....~1_25~.-..-...-....-.....~BY...-W....-K....-.....-.....~." });
    let game = me.post("/games", &body).await.unwrap()["game"].clone();
    let hint = me.get(&format!("/games/{}/hint", text(&game["id"]))).await.unwrap();
    let best = &hint["moves"][0];
    assert_eq!(best["preview"]["move"], "0W1");
    assert_eq!(best["completes"], json!({ "rows": 1, "columns": 0, "colors": 0 }));
    assert_eq!(best["reply"], json!(null));
    // Between people there are none, unless they agree on it.
    let game = host.two_player_game().await;
    for what in ["/hint", "/evaluation"] {
        assert_eq!(code(game.players[0].get(&game.path(what)).await), "forbidden");
    }
    let game = host.two_player_game_with(json!({ "hints": true })).await;
    let (i, _) = game.turn().await;
    game.players[i].get(&game.path("/hint")).await.unwrap();
    assert_eq!(code(game.players[1 - i].get(&game.path("/hint")).await), "not_your_turn");
    host.server.stop().await;
}

/// Many engine games at once do not keep people from playing.
#[tokio::test]
async fn a_search_blocks_no_other_request() {
    let database = sqlite();
    let host = database.host().await;
    let busy = host.person("Busy").await;
    for _ in 0..20 {
        let body = json!({ "seats": [{ "kind": "engine", "level": 10 }, { "kind": "me" }], "rules": { "first_player": "seat:1" } });
        busy.post("/games", &body).await.unwrap();
    }
    let game = host.two_player_game().await;
    let start = Instant::now();
    game.play(10).await;
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
    host.server.stop().await;
}
