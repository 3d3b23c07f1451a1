//! Stopping a server: clients are told, moves in progress are finished or refused, and silent
//! clients do not hold it up.

use crate::host::{Host, any_move, databases, sqlite, wait_for_type};
use crate::timeouts::mute_socket;
use azulejo_testkit::Rng;
use serde_json::json;
use std::time::{Duration, Instant};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

#[tokio::test]
async fn stopping_sends_bye_and_loses_no_move() {
    let database = sqlite();
    let host = database.host().await;
    let game = host.two_player_game().await;
    game.play(3).await;
    let mut socket = game.socket(0).await;
    let state = wait_for_type(&mut socket, "state").await;
    let start = Instant::now();
    let (bye, ()) = tokio::join!(wait_for_type(&mut socket, "bye"), host.server.stop());
    assert_eq!(bye["type"], "bye");
    assert!(start.elapsed() < Duration::from_secs(3));
    let host = database.host().await;
    let ana = host.client.with_token(game.players[0].token().unwrap());
    let mut socket = ana.socket(&game.id, state["game"]["number"].as_u64()).await.unwrap();
    let again = wait_for_type(&mut socket, "state").await;
    assert_eq!(again["game"]["position"], state["game"]["position"]);
    host.server.stop().await;
}

/// Games go on while the server stops: every acknowledged move is there after the restart. Sockets
/// and streams are told and end.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn moves_in_progress_are_finished_or_refused() {
    for database in databases() {
        let mut host = database.host().await;
        let game = host.two_player_game().await;
        for _ in 0..5 {
            let here = |i: usize| host.client.with_token(game.players[i].token().unwrap());
            let players = [here(0), here(1)];
            let mut socket = here(0).socket(&game.id, None).await.unwrap();
            let mut lines = here(1).lines(&game.path("/stream")).await.unwrap();
            let path = game.path("");
            let play = tokio::spawn(async move {
                let mut rng = Rng::new(3);
                let mut acknowledged = None;
                loop {
                    for player in &players {
                        let Ok(state) = player.get(&path).await else { return acknowledged };
                        if state["your_turn"] != true {
                            continue;
                        }
                        let body = json!({ "type": "move", "move": any_move(&state, &mut rng) });
                        match player.post(&format!("{path}/commands"), &body).await {
                            Ok(played) => acknowledged = played["number"].as_u64(),
                            Err(_) => return acknowledged,
                        }
                    }
                }
            });
            // Stop in the middle of the game.
            for _ in 0..4 {
                wait_for_type(&mut socket, "event").await;
            }
            let start = Instant::now();
            host.server.stop().await;
            assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
            wait_for_type(&mut socket, "bye").await;
            assert!(socket.next().await.unwrap().is_none(), "the socket is closed");
            while lines.next().await.expect("the stream ends in order").is_some() {}
            let acknowledged = play.await.unwrap().expect("some moves were played");
            host = database.host().await;
            let ana = host.client.with_token(game.players[0].token().unwrap());
            let state = ana.get(&game.path("")).await.unwrap();
            // One more move may have been stored without being acknowledged.
            let number = state["number"].as_u64().unwrap();
            assert!((acknowledged..=acknowledged + 1).contains(&number), "{acknowledged} {number}");
            if state["status"] == "over" {
                break;
            }
        }
        host.server.stop().await;
    }
}

/// A stopping server does not wait for silent clients longer than its grace period.
#[tokio::test]
async fn stopping_does_not_wait_for_silent_clients() {
    let database = sqlite();
    let mut config = database.config();
    config.grace = Duration::from_millis(500);
    let host = Host::start(config).await;
    let game = host.two_player_game().await;
    let mut silent = TcpStream::connect(host.server.address()).await.unwrap();
    let mut body = TcpStream::connect(host.server.address()).await.unwrap();
    let head = "POST /api/v1/people HTTP/1.1\r\nHost: x\r\nContent-Length: 20\r\n\r\n";
    body.write_all(head.as_bytes()).await.unwrap();
    let mute = mute_socket(&host, &game, 0, "/socket").await;
    game.play(1).await;
    let start = Instant::now();
    host.server.stop().await;
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    crate::timeouts::until_closed(&mut silent).await;
    drop(mute);
}
