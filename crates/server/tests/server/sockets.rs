//! The WebSocket of a game: numbered events, catching up, resync, presence, allowed origins, limits.

use crate::host::{Host, any_move, code, databases, text, wait_for, wait_for_type};
use azulejo_client::Socket;
use azulejo_testkit::Rng;
use serde_json::json;

#[tokio::test]
async fn a_game_is_played_on_sockets_and_watched() {
    for database in databases() {
        let host = database.host().await;
        let game = host.two_player_game().await;
        let mut sockets = [game.socket(0).await, game.socket(1).await];
        let mut watcher = host.client.socket(&game.id, None).await.unwrap();
        let seen = wait_for_type(&mut watcher, "state").await;
        assert_eq!(seen["game"]["your_seats"], json!([]));
        let mut states = Vec::new();
        for socket in &mut sockets {
            states.push(wait_for_type(socket, "state").await["game"].clone());
        }
        let mut rng = Rng::new(3);
        let mut last = states[0]["number"].as_u64().unwrap();
        while states[0]["status"] != "over" {
            let i = states.iter().position(|state| state["your_turn"] == true).unwrap();
            assert_eq!(states[1 - i]["moves"], json!([]), "only the one to move gets the moves");
            let m = any_move(&states[i], &mut rng);
            let reference = format!("r{}", rng.next_u64());
            let command = json!({ "type": "move", "move": m });
            let message = json!({ "type": "command", "ref": reference, "command": command });
            sockets[i].send(&message).await.unwrap();
            // The answer comes before the event.
            let done = wait_for_type(&mut sockets[i], "done").await;
            assert_eq!(done["ref"], reference.as_str());
            for player in [0, 1] {
                let event = wait_for_type(&mut sockets[player], "event").await;
                assert_eq!(event["number"].as_u64(), Some(last + 1), "no gaps");
                assert_eq!(event["event"]["move"], m.as_str());
                assert!(event["report"][0]["type"].is_string());
                states[player] = event["game"].clone();
            }
            let event = wait_for_type(&mut watcher, "event").await;
            assert_eq!(event["game"]["moves"], json!([]));
            assert_eq!(event["game"]["position"], states[0]["position"]);
            last += 1;
        }
        assert!(states[0]["result"]["winners"][0].is_number());
        host.server.stop().await;
    }
}

#[tokio::test]
async fn a_reconnecting_client_receives_missed_events() {
    for database in databases() {
        let host = database.host().await;
        let game = host.two_player_game().await;
        let mut socket = game.socket(0).await;
        let number = wait_for_type(&mut socket, "state").await["game"]["number"].as_u64().unwrap();
        drop(socket);
        game.play(7).await;
        let mut socket = game.players[0].socket(&game.id, Some(number)).await.unwrap();
        for missed in number + 1..=number + 7 {
            let event = wait_for(&mut socket, |_| true).await;
            assert_eq!(event["type"], "event");
            assert_eq!(event["number"].as_u64(), Some(missed));
            assert!(event["game"].is_null(), "only the last state counts");
        }
        let state = wait_for(&mut socket, |_| true).await;
        assert_eq!((text(&state["type"]), &state["game"]["number"]), ("state", &json!(number + 7)));
        // An unknown or too old number: only the state.
        for after in [0, number + 1_000] {
            let mut socket = game.players[0].socket(&game.id, Some(after)).await.unwrap();
            assert_eq!(wait_for(&mut socket, |_| true).await["type"], "state");
        }
        socket.send(&json!({ "type": "resync" })).await.unwrap();
        let again = wait_for_type(&mut socket, "state").await;
        assert_eq!(again["game"]["position"], state["game"]["position"]);
        socket.send(&json!({ "type": "ping" })).await.unwrap();
        assert!(wait_for_type(&mut socket, "pong").await["now_ms"].is_number());
        host.server.stop().await;
    }
}

#[tokio::test]
async fn presence_is_reported() {
    for database in databases() {
        let host = database.host().await;
        let game = host.two_player_game().await;
        let mut ana = game.socket(0).await;
        let here = wait_for_type(&mut ana, "presence").await;
        assert_eq!(here["presence"], json!({ "seats": [true, false], "watchers": 0 }));
        let bob = game.socket(1).await;
        let both = wait_for_type(&mut ana, "presence").await;
        assert_eq!(both["presence"], json!({ "seats": [true, true], "watchers": 0 }));
        let eve = host.client.socket(&game.id, None).await.unwrap();
        assert_eq!(wait_for_type(&mut ana, "presence").await["presence"]["watchers"], 1);
        drop(bob);
        let left = wait_for_type(&mut ana, "presence").await;
        assert_eq!(left["presence"]["seats"], json!([true, false]));
        drop(eve);
        assert_eq!(wait_for_type(&mut ana, "presence").await["presence"]["watchers"], 0);
        host.server.stop().await;
    }
}

#[tokio::test]
async fn sockets_open_for_own_and_configured_origins_only() {
    let database = crate::host::sqlite();
    let mut config = database.config();
    config.origins = vec!["https://friend.example".to_owned()];
    let host = crate::host::Host::start(config).await;
    let game = host.two_player_game().await;
    let own = format!("http://{}", host.server.address());
    for (origin, is_fine) in [
        (own.as_str(), true),
        ("https://friend.example", true),
        ("https://evil.example", false),
        ("null", false),
        ("https://friend.example.evil.example", false),
    ] {
        let opened = host.client.socket_with(&game.id, None, &[("origin", origin)]).await;
        match opened {
            Ok(_) => assert!(is_fine, "{origin}"),
            Err(error) => {
                assert!(!is_fine, "{origin}: {error}");
                assert_eq!(error.code(), Some("bad_origin"));
            }
        }
    }
    assert_eq!(code(host.client.socket("abcdefghijkmnpqr", None).await), "not_found");
    let nobody = host.client.with_token(&"0".repeat(64));
    assert_eq!(code(nobody.socket(&game.id, None).await), "unknown_token");
    host.server.stop().await;
}

#[tokio::test]
async fn invalid_messages_are_answered_and_change_nothing() {
    let database = crate::host::sqlite();
    let host = database.host().await;
    let game = host.two_player_game().await;
    let mut socket = game.socket(0).await;
    let before = wait_for_type(&mut socket, "state").await;
    for nonsense in
        ["", "{", "[]", "{\"type\":\"fly\"}", "{\"type\":\"move\"}", "{\"type\":\"ping\",\"x\":1}"]
    {
        socket.send_text(nonsense.to_owned()).await.unwrap();
        let answer = wait_for_type(&mut socket, "error").await;
        assert_eq!(answer["error"]["code"], "bad_request", "{nonsense}");
    }
    // A watcher cannot move, whatever is sent.
    let mut watcher = host.client.socket(&game.id, None).await.unwrap();
    let command = json!({ "type": "move", "move": "1B1" });
    watcher.send(&json!({ "type": "command", "ref": "w", "command": command })).await.unwrap();
    let answer = wait_for_type(&mut watcher, "error").await;
    assert_eq!((&answer["error"]["code"], &answer["ref"]), (&json!("not_seated"), &json!("w")));
    assert_eq!(game.state(0).await["position"], before["game"]["position"]);
    // A message that is too large closes the socket and changes nothing.
    socket.send_text("x".repeat(10_000)).await.unwrap();
    while let Ok(Some(_)) = socket.next().await {}
    game.play(1).await;
    host.server.stop().await;
}

#[tokio::test]
async fn too_many_messages_close_the_socket_if_limits_are_on() {
    for is_limited in [true, false] {
        let database = crate::host::sqlite();
        let mut config = database.config();
        config.limits.is_on = is_limited;
        // One message, and no further one within the time of a test.
        config.limits.messages = 0.001;
        let host = Host::start(config).await;
        let game = host.two_player_game().await;
        let mut socket = game.socket(0).await;
        let n_answers = pings_answered(&mut socket, 200).await;
        if is_limited {
            assert_eq!((n_answers, socket.close_reason()), (1, Some("too many messages")));
        } else {
            assert_eq!((n_answers, socket.close_reason()), (200, None));
        }
        game.play(1).await;
        host.server.stop().await;
    }
}

/// Pings of the WebSocket protocol, which are answered without being looked at, count as messages.
#[tokio::test]
async fn a_flood_of_protocol_pings_closes_the_socket() {
    let database = crate::host::sqlite();
    let mut config = database.config();
    config.limits.is_on = true;
    config.limits.requests = 1_000.0;
    config.limits.new = 1_000.0;
    let host = Host::start(config).await;
    let game = host.two_player_game().await;
    let mut flood = crate::timeouts::mute_socket(&host, &game, 0, "/socket").await;
    // Final, ping, masked, no data.
    let ping = [0x89, 0x80, 0, 0, 0, 0];
    tokio::io::AsyncWriteExt::write_all(&mut flood, &ping.repeat(1_000)).await.unwrap();
    let said = crate::timeouts::until_closed(&mut flood).await;
    assert!(said.contains("too many messages"), "{said}");
    game.play(1).await;
    host.server.stop().await;
}

/// The number of pings answered before the socket is closed.
async fn pings_answered(socket: &mut Socket, n_pings: usize) -> usize {
    for n_answers in 0..n_pings {
        socket.send(&json!({ "type": "ping" })).await.unwrap();
        loop {
            match socket.next().await.unwrap() {
                Some(message) if message["type"] == "pong" => break,
                Some(_) => {}
                None => return n_answers,
            }
        }
    }
    n_pings
}
