//! `/me/stream`: news about a person's games, pushed and not polled, also from another node.

use crate::host::databases;
use azulejo_client::Lines;
use azulejo_server::Place;
use serde_json::{Value, json};
use std::time::Duration;

/// The next line, which comes long before the slow re-read of 45 s.
async fn next(lines: &mut Lines) -> Value {
    let line = tokio::time::timeout(Duration::from_secs(10), lines.next()).await;
    line.expect("news comes soon").unwrap().expect("the stream goes on")
}

#[tokio::test]
async fn games_that_begin_and_end_are_told_at_once() {
    for database in databases() {
        let one = database.host().await;
        // On PostgreSQL the streams are on another node than the game.
        let two = match database.place {
            Place::Postgres(_) => Some(database.host().await),
            _ => None,
        };
        let there = two.as_ref().unwrap_or(&one);
        let (ana, bob) = (one.person("Ana").await, one.person("Bob").await);
        let mut streams = Vec::new();
        for person in [&ana, &ana, &bob] {
            let person = there.client.with_token(person.token().unwrap());
            streams.push(person.lines("/me/stream").await.unwrap());
        }
        let seats = json!({ "seats": [{ "kind": "me" }, { "kind": "open" }] });
        let created = ana.post("/games", &seats).await.unwrap();
        let id = created["game"]["id"].as_str().unwrap();
        let secret = &created["invitations"][0]["secret"];
        bob.post(&format!("/games/{id}/join"), &json!({ "secret": secret })).await.unwrap();
        for stream in &mut streams {
            let line = next(stream).await;
            assert_eq!((&line["type"], &line["game"]["id"]), (&json!("game_start"), &json!(id)));
        }
        // A stream that starts later is told of games being played.
        let late = there.client.with_token(bob.token().unwrap());
        streams.push(late.lines("/me/stream").await.unwrap());
        assert_eq!(next(&mut streams[3]).await["type"], "game_start");
        let resign = json!({ "type": "resign" });
        ana.post(&format!("/games/{id}/commands"), &resign).await.unwrap();
        for stream in &mut streams {
            let line = next(stream).await;
            assert_eq!((&line["type"], &line["game"]["id"]), (&json!("game_end"), &json!(id)));
        }
        // A game against the engine begins when it is created.
        let seats = json!({ "seats": [{ "kind": "me" }, { "kind": "engine", "level": 1 }] });
        let created = ana.post("/games", &seats).await.unwrap();
        for stream in &mut streams[..2] {
            let line = next(stream).await;
            assert_eq!(line["type"], "game_start");
            assert_eq!(line["game"]["id"], created["game"]["id"]);
        }
        one.server.stop().await;
        if let Some(two) = two {
            two.server.stop().await;
        }
    }
}
