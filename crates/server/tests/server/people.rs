//! People: tokens, names, their games, the lobby, and streams for bots.

use crate::host::{code, databases, sqlite, text};
use azulejo_client::Method;
use serde_json::json;
use std::time::Duration;

#[tokio::test]
async fn a_token_remembers_a_persons_games() {
    for database in databases() {
        let host = database.host().await;
        let game = host.two_player_game().await;
        let me = game.players[0].get("/me").await.unwrap();
        assert_eq!(me["name"], "Ana");
        let mine = game.players[0].get("/me/games").await.unwrap();
        assert_eq!(mine["games"][0]["id"], game.id.as_str());
        assert_eq!(mine["games"][0]["your_seats"], json!([1]));
        assert_eq!(mine["games"][0]["seats"][1]["name"], "Bob");
        let renamed =
            game.players[0].json(Method::PATCH, "/me", Some(&json!({ "name": " Anna " }))).await;
        assert_eq!(renamed.unwrap()["name"], "Anna");
        assert_eq!(game.players[0].get("/me").await.unwrap()["name"], "Anna");
        assert_eq!(code(host.client.get("/me").await), "no_token");
        assert_eq!(code(host.client.with_token("nonsense").get("/me").await), "unknown_token");
        assert_eq!(code(host.client.with_token(&"a".repeat(64)).get("/me").await), "unknown_token");
        host.server.stop().await;
    }
}

#[tokio::test]
async fn only_hashes_are_stored() {
    let database = sqlite();
    let host = database.host().await;
    let game = host.two_player_game().await;
    let body = json!({ "seats": [{ "kind": "me" }, { "kind": "open" }] });
    let created = game.players[0].post("/games", &body).await.unwrap();
    let secret = text(&created["invitations"][0]["secret"]).to_owned();
    host.server.stop().await;
    let azulejo_server::Place::File(path) = &database.place else { panic!() };
    let mut bytes = std::fs::read(path).unwrap();
    bytes.extend(std::fs::read(path.with_extension("db-wal")).unwrap_or_default());
    let stored = String::from_utf8_lossy(&bytes);
    assert!(stored.contains(game.id.as_str()));
    for secret in [game.players[0].token().unwrap(), game.players[1].token().unwrap(), &secret] {
        assert!(!stored.contains(secret));
    }
}

#[tokio::test]
async fn the_lobby_shows_listed_games_only() {
    for database in databases() {
        let host = database.host().await;
        let ana = host.person("Ana").await;
        let open = json!({ "seats": [{ "kind": "me" }, { "kind": "open" }] });
        ana.post("/games", &open).await.unwrap();
        let mut listed = open.clone();
        listed["listed"] = json!(true);
        let id = text(&ana.post("/games", &listed).await.unwrap()["game"]["id"]).to_owned();
        let lobby = host.client.get("/lobby").await.unwrap();
        let games = lobby["games"].as_array().unwrap();
        assert_eq!(games.len(), 1);
        assert_eq!((&games[0]["id"], &games[0]["status"]), (&json!(id), &json!("waiting")));
        let bob = host.person("Bob").await;
        bob.post(&format!("/games/{id}/join"), &json!({})).await.unwrap();
        let lobby = host.client.get("/lobby").await.unwrap();
        assert_eq!(lobby["games"][0]["status"], "playing");
        assert_eq!(lobby["games"][0]["seats"][1]["name"], "Bob");
        host.server.stop().await;
    }
}

#[tokio::test]
async fn bots_play_over_streams() {
    for database in databases() {
        let host = database.host().await;
        let bot = host.person("Bot").await;
        let mut news = bot.lines("/me/stream").await.unwrap();
        let body = json!({ "seats": [{ "kind": "me" }, { "kind": "engine", "level": 1 }] });
        let id = text(&bot.post("/games", &body).await.unwrap()["game"]["id"]).to_owned();
        let next = tokio::time::timeout(Duration::from_secs(10), news.next()).await.unwrap();
        let next = next.unwrap().unwrap();
        assert_eq!((text(&next["type"]), text(&next["game"]["id"])), ("game_start", id.as_str()));
        let mut lines = bot.lines(&format!("/games/{id}/stream")).await.unwrap();
        let mut last = json!(null);
        while let Some(message) = lines.next().await.unwrap() {
            if message["game"]["your_turn"] == true {
                let body = json!({ "type": "move", "move": message["game"]["moves"][0]["move"] });
                bot.post(&format!("/games/{id}/commands"), &body).await.unwrap();
            }
            if message["game"].is_object() {
                last = message["game"].clone();
            }
        }
        assert_eq!(last["status"], "over", "the stream ends with the game");
        let next = tokio::time::timeout(Duration::from_secs(10), news.next()).await.unwrap();
        assert_eq!(next.unwrap().unwrap()["type"], "game_end");
        host.server.stop().await;
    }
}
