//! Several servers over one PostgreSQL.

use crate::host::{Database, Host, any_move, code, databases, wait_for};
use azulejo_server::Place;
use azulejo_testkit::Rng;
use serde_json::{Value, json};
use std::time::Duration;

fn shared() -> Option<Database> {
    databases().into_iter().find(|database| matches!(database.place, Place::Postgres(_)))
}

#[tokio::test]
async fn players_on_different_nodes_see_each_others_moves() {
    let Some(database) = shared() else { return };
    let (one, two) = (database.host().await, database.host().await);
    let game = one.two_player_game().await;
    let players = [
        one.client.with_token(game.players[0].token().unwrap()),
        two.client.with_token(game.players[1].token().unwrap()),
    ];
    let mut sockets = [
        players[0].socket(&game.id, None).await.unwrap(),
        players[1].socket(&game.id, None).await.unwrap(),
    ];
    let mut states: Vec<Value> = Vec::new();
    for socket in &mut sockets {
        states.push(wait_for(socket, |m| m["type"] == "state").await["game"].clone());
    }
    let mut rng = Rng::new(1);
    let mut slowest = Duration::ZERO;
    while states[0]["status"] != "over" {
        let i = states.iter().position(|state| state["your_turn"] == true).unwrap();
        let m = any_move(&states[i], &mut rng);
        let start = std::time::Instant::now();
        sockets[i]
            .send(&json!({ "type": "command", "command": { "type": "move", "move": m } }))
            .await
            .unwrap();
        for player in [1 - i, i] {
            states[player] =
                wait_for(&mut sockets[player], |m| m["type"] == "event").await["game"].clone();
            slowest = slowest.max(start.elapsed());
        }
        assert_eq!(states[0]["position"], states[1]["position"]);
    }
    assert!(slowest < Duration::from_secs(3), "nodes notify each other: {slowest:?}");
    one.server.stop().await;
    two.server.stop().await;
}

/// Both nodes are asked to play the same turn at the same moment, 30 times: one of the moves wins,
/// and both nodes agree on which.
#[tokio::test]
async fn two_nodes_never_play_the_same_turn_twice() {
    let Some(database) = shared() else { return };
    let (one, two) = (database.host().await, database.host().await);
    let game = one.two_player_game().await;
    let mut rng = Rng::new(9);
    for _ in 0..30 {
        let (i, state) = game.turn().await;
        let token = game.players[i].token().unwrap();
        let (here, there) = (one.client.with_token(token), two.client.with_token(token));
        let path = game.path("/commands");
        let bodies =
            [0, 1].map(|_| json!({ "type": "move", "move": any_move(&state, &mut rng), "after": state["number"] }));
        let (a, b) = tokio::join!(here.post(&path, &bodies[0]), there.post(&path, &bodies[1]));
        let n_played = usize::from(a.is_ok()) + usize::from(b.is_ok());
        assert_eq!(n_played, 1, "{a:?} {b:?}");
        let loser = code(if a.is_ok() { b } else { a });
        assert!(["stale", "not_your_turn"].contains(&loser.as_str()), "{loser}");
        if game.state(0).await["status"] == "over" {
            break;
        }
    }
    let there = two.client.with_token(game.players[0].token().unwrap());
    let theirs = there.get(&game.path("")).await.unwrap();
    assert_eq!(theirs["position"], game.state(0).await["position"]);
    one.server.stop().await;
    two.server.stop().await;
}

#[tokio::test]
async fn another_node_takes_over() {
    let Some(database) = shared() else { return };
    let (one, two) = (database.host().await, database.host().await);
    let game = one.two_player_game().await;
    game.play(4).await;
    let before = game.state(0).await;
    one.server.stop().await;
    let ana = two.client.with_token(game.players[0].token().unwrap());
    assert_eq!(ana.get(&game.path("")).await.unwrap()["position"], before["position"]);
    let moved: Host = two;
    let players = game.players.iter().map(|p| moved.client.with_token(p.token().unwrap()));
    let game = crate::host::TwoPlayerGame { players: players.collect(), id: game.id.clone() };
    assert_eq!(game.finish().await["status"], "over");
    moved.server.stop().await;
}
