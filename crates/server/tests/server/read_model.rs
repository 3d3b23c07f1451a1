//! The lists of games come from plain columns that follow from the logs, and can be rebuilt from them.

use crate::host::{databases, pool};
use azulejo_client::Client;
use azulejo_server::Store;
use azulejo_table::view::SummaryView;
use serde_json::json;
use std::time::{Duration, Instant};

/// What the lists of a server say is what the views of the games say.
#[tokio::test]
async fn lists_say_what_the_games_say() {
    for database in databases() {
        let host = database.host().await;
        let ana = host.person("Ana").await;
        let bob = host.person("Bob").await;
        let open = json!({ "seats": [{ "kind": "me" }, { "kind": "open" }], "listed": true,
            "clock": { "kind": "total", "seconds": 600, "increment": 5 } });
        ana.post("/games", &open).await.unwrap();
        let three = json!({ "seats": [{ "kind": "here", "name": "Zoë" }, { "kind": "engine", "level": 1 },
            { "kind": "me", "name": "Anna" }], "wall": "grey", "listed": true });
        ana.post("/games", &three).await.unwrap();
        let played = ana.post("/games", &open).await.unwrap();
        let path = |rest: &str| format!("/games/{}{rest}", played["game"]["id"].as_str().unwrap());
        bob.post(&path("/join"), &json!({})).await.unwrap();
        let game = crate::host::TwoPlayerGame {
            players: vec![ana.clone(), bob.clone()],
            id: played["game"]["id"].as_str().unwrap().to_owned(),
        };
        let store = Store::open(database.place.clone(), "look").await.unwrap();
        for stage in ["begun", "later", "over", "rematch"] {
            match stage {
                "later" => game.play(25).await,
                "over" => drop(game.finish().await),
                "rematch" => drop(ana.post(&path("/rematch"), &json!({})).await.unwrap()),
                _ => {}
            }
            for (person, viewer) in [(&ana, true), (&bob, true), (&host.client, false)] {
                let start = Instant::now();
                while !compare(&store, person, viewer).await {
                    assert!(start.elapsed() < Duration::from_secs(10), "{stage}: engines go on");
                }
            }
        }
        store.close().await;
        host.server.stop().await;
    }
}

/// Compares every game of a list with its view. Returns `false` if an engine has moved between the two
/// readings of a game.
async fn compare(store: &Store, person: &Client, is_mine: bool) -> bool {
    let list = person.get(if is_mine { "/me/games" } else { "/lobby" }).await.unwrap();
    let games = list["games"].as_array().unwrap();
    assert!(!games.is_empty());
    for listed in games {
        let game = store.game(listed["id"].as_str().unwrap()).await.unwrap().unwrap();
        let mut expected = serde_json::to_value(SummaryView::new(&game)).unwrap();
        if is_mine {
            let me = person.get("/me").await.unwrap();
            let seats: Vec<u8> = game.seats_of(me["id"].as_str()).collect();
            assert!(!seats.is_empty());
            expected["your_seats"] = json!(seats);
        }
        if listed["number"] != expected["number"] {
            return false;
        }
        assert_eq!(listed, &expected);
    }
    true
}

/// A program with another version of the columns rebuilds them, whatever is in them, and a damaged game
/// does not keep the others from it.
#[tokio::test]
async fn another_version_is_rebuilt_from_the_logs() {
    for database in databases() {
        let host = database.host().await;
        let game = host.two_player_game().await;
        game.play(5).await;
        let damaged = host.two_player_game().await;
        let before = game.players[0].get("/me/games").await.unwrap();
        host.server.stop().await;
        let pool = pool(&database.place).await;
        for statement in [
            "UPDATE read_model SET version = 999",
            "UPDATE games SET status = 'nonsense', scores = 'x', number = 0, turn = 9, wake_ms = NULL",
            "DELETE FROM seats",
        ] {
            sqlx::query(statement).execute(&pool).await.unwrap();
        }
        sqlx::query("UPDATE events SET body = '' WHERE game = $1 AND number = 2")
            .bind(damaged.id.as_str())
            .execute(&pool)
            .await
            .unwrap();
        pool.close().await;
        let host = database.host().await;
        let ana = host.client.with_token(game.players[0].token().unwrap());
        assert_eq!(ana.get("/me/games").await.unwrap(), before);
        let store = Store::open(database.place.clone(), "look").await.unwrap();
        let faults = store.check().await.unwrap().faults;
        assert!(faults.iter().all(|fault| fault.contains(&damaged.id)), "{faults:?}");
        assert!(!faults.is_empty(), "the damaged game is reported");
        store.close().await;
        host.server.stop().await;
    }
}
