//! Fan-out: patches that add up to the whole view, and an audience that disturbs nobody.

use crate::host::{Host, TwoPlayerGame, any_move, sqlite, text, wait_for, wait_for_type};
use crate::timeouts::mute_socket;
use azulejo_client::{Client, Socket};
use azulejo_testkit::Rng;
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use tokio::io::AsyncReadExt;
use tokio_tungstenite::tungstenite::Message;

/// A client that knows nothing but how to merge (RFC 7386).
fn merge(target: &mut Value, patch: &Value) {
    let Value::Object(patch) = patch else {
        *target = patch.clone();
        return;
    };
    for (key, value) in patch {
        if value.is_null() {
            target.as_object_mut().unwrap().shift_remove(key);
        } else {
            merge(&mut target[key], value);
        }
    }
}

/// A view without what a merge cannot tell (null or missing) and what changes without an event.
fn comparable(view: &Value) -> Value {
    fn without_nulls(value: &Value) -> Value {
        let Value::Object(object) = value else { return value.clone() };
        let kept = object.iter().filter(|(_, value)| !value.is_null());
        kept.map(|(key, value)| (key.clone(), without_nulls(value))).collect()
    }
    let mut view = without_nulls(view);
    view.as_object_mut().unwrap().shift_remove("presence");
    view
}

/// The bytes on the wire of each message to one kind of follower.
#[derive(Default)]
struct Sizes(Vec<u64>);

impl Sizes {
    fn mean(&self) -> u64 {
        self.0.iter().sum::<u64>() / self.0.len() as u64
    }

    fn max(&self) -> u64 {
        self.0.iter().copied().max().unwrap()
    }
}

#[tokio::test]
async fn patches_add_up_to_the_whole_view_and_are_small() {
    let database = sqlite();
    let host = database.host().await;
    let game = host.two_player_game().await;
    // Ana has a socket of each kind, Bob and a watcher merge.
    let mut whole = game.socket(0).await;
    let mut sockets = Vec::new();
    for client in [&game.players[0], &game.players[1], &host.client] {
        sockets.push(client.patch_socket(&game.id, None).await.unwrap());
    }
    wait_for_type(&mut whole, "state").await;
    let mut views = Vec::new();
    for socket in &mut sockets {
        views.push(wait_for_type(socket, "state").await["game"].clone());
    }
    let mut rng = Rng::new(5);
    let mut sizes: [Sizes; 3] = Default::default();
    while views[0]["status"] != "over" {
        let mover = views.iter().position(|view| view["your_turn"] == true).unwrap();
        let m = any_move(&views[mover], &mut rng);
        let command = json!({ "type": "move", "move": m });
        sockets[mover].send(&json!({ "type": "command", "command": command })).await.unwrap();
        for (i, socket) in sockets.iter_mut().enumerate() {
            let n_bytes = socket.n_bytes();
            let message = wait_for_type(socket, "patch").await;
            merge(&mut views[i], &message["patch"]);
            assert_eq!(message["number"], views[i]["number"]);
            assert_eq!(message["event"]["move"], m.as_str());
            assert!(views[i]["report"][0]["type"].is_string());
            let kind = match views[i]["your_turn"].as_bool() {
                Some(true) => 0,
                _ if i < 2 => 1,
                _ => 2,
            };
            sizes[kind].0.push(socket.n_bytes() - n_bytes);
        }
        let event = wait_for_type(&mut whole, "event").await;
        assert_eq!(comparable(&views[0]), comparable(&event["game"]));
    }
    let means = sizes.each_ref().map(Sizes::mean);
    println!("bytes of a move: to move, moved, watcher {means:?}");
    assert!(means.iter().all(|&bytes| bytes < 1_500), "{means:?}");
    assert!(sizes.iter().all(|sizes| sizes.max() < MAX_BYTES));
    // A client that resyncs gets the whole view.
    sockets[2].send(&json!({ "type": "resync" })).await.unwrap();
    let state = wait_for_type(&mut sockets[2], "state").await;
    assert_eq!(state["game"]["position"], views[2]["position"]);
    host.server.stop().await;
}

/// What a move may cost any follower, in bytes.
const MAX_BYTES: u64 = 5_000;

/// Every message of a move is small, also with four players, jokers, and wall-tiling of all boards.
#[tokio::test]
async fn a_move_is_small_in_every_kind_of_game() {
    let database = sqlite();
    let host = database.host().await;
    let me = host.person("Ana").await;
    println!("largest bytes of a move: to move, watcher; of a whole state");
    for (n_seats, wall, jokers) in (2..=4)
        .flat_map(|n| ["colored", "grey"].map(|wall| [false, true].map(|j| (n, wall, j))))
        .flatten()
    {
        let mut seats = vec![json!({ "kind": "here" }); n_seats];
        seats[0] = json!({ "kind": "me" });
        let body = json!({ "seats": seats, "wall": wall, "jokers": jokers });
        let created = me.post("/games", &body).await.unwrap();
        let id = text(&created["game"]["id"]);
        // One person plays all seats, and is always to move.
        let mut sockets = [
            me.patch_socket(id, None).await.unwrap(),
            host.client.patch_socket(id, None).await.unwrap(),
        ];
        for socket in &mut sockets {
            wait_for_type(socket, "state").await;
        }
        let state = sockets[0].n_bytes();
        let mut rng = Rng::new(n_seats as u64);
        let mut sizes: [Sizes; 2] = Default::default();
        let mut moves = created["game"]["moves"].clone();
        while moves.as_array().is_some_and(|moves| !moves.is_empty()) {
            let m = any_move(&json!({ "moves": moves }), &mut rng);
            let command = json!({ "type": "command", "command": { "type": "move", "move": m } });
            sockets[0].send(&command).await.unwrap();
            for (socket, sizes) in sockets.iter_mut().zip(&mut sizes) {
                let n_bytes = socket.n_bytes();
                let message = wait_for_type(socket, "patch").await;
                sizes.0.push(socket.n_bytes() - n_bytes);
                if let Some(next) = message["patch"].get("moves") {
                    moves = next.clone();
                }
            }
        }
        let largest = sizes.map(|sizes| sizes.max());
        println!("{n_seats} players, {wall}, jokers {jokers}: {largest:?}; {state}");
        assert!(largest.iter().all(|&bytes| bytes < MAX_BYTES) && state < MAX_BYTES);
    }
    host.server.stop().await;
}

/// A client in any language reads compressed messages: binary, raw DEFLATE. Short ones stay text.
#[tokio::test]
async fn only_long_messages_are_compressed_and_only_with_patches() {
    use miniz_oxide::inflate::decompress_to_vec;
    let database = sqlite();
    let host = database.host().await;
    let game = host.two_player_game().await;
    let whole = game.state(0).await;
    for (query, is_binary) in [("?patches=true", true), ("?patches=false", false), ("", false)] {
        let url = format!("ws://{}/api/v1/games/{}/socket{query}", host.server.address(), game.id);
        let (mut socket, _) = tokio_tungstenite::connect_async(url).await.unwrap();
        let first = socket.next().await.unwrap().unwrap();
        assert_eq!(first.is_binary(), is_binary, "{query}");
        let bytes = first.into_data();
        let text = if is_binary { decompress_to_vec(&bytes).unwrap() } else { bytes.to_vec() };
        let state: Value = serde_json::from_slice(&text).unwrap();
        assert_eq!(state["game"]["position"], whole["position"]);
        socket.send(Message::text(r#"{"type":"ping"}"#)).await.unwrap();
        loop {
            let message = socket.next().await.unwrap().unwrap();
            assert!(message.is_text());
            if message.to_text().unwrap().contains("pong") {
                break;
            }
        }
    }
    // Lines are for simple clients, and have whole views.
    let refused = game.players[0].lines(&game.path("/stream?patches=true")).await;
    assert_eq!(crate::host::code(refused), "bad_request");
    host.server.stop().await;
}

/// Opens a watching socket and reads it until the game is over. Returns the number of the last event.
async fn watch(client: Client, game: String) -> Result<u64, String> {
    let mut socket = client.patch_socket(&game, None).await.map_err(|e| e.to_string())?;
    let mut last = 0;
    loop {
        let message = socket.next().await.map_err(|e| e.to_string())?;
        let message = message.ok_or_else(|| format!("closed: {:?}", socket.close_reason()))?;
        let number = message["number"].as_u64().or(message["game"]["number"].as_u64());
        let is_patch = message["type"] == "patch";
        if is_patch && number != Some(last + 1) {
            return Err(format!("{number:?} after {last}"));
        }
        last = number.unwrap_or(last);
        let status = &message[if is_patch { "patch" } else { "game" }]["status"];
        if status == "over" {
            return Ok(last);
        }
    }
}

/// Counts the messages on a socket until it is told to stop, or the socket is closed.
async fn count_presence(mut socket: Socket, mut stop: tokio::sync::oneshot::Receiver<()>) -> usize {
    let mut n = 0;
    loop {
        tokio::select! {
            message = socket.next() => {
                let message = message.unwrap().expect("a player is not disconnected");
                n += usize::from(message["type"] == "presence");
            }
            _ = &mut stop => return n,
        }
    }
}

/// Hundreds of watchers come at once, stay and go, and others come and go all the time: every one of
/// those who stay sees every event, no player is disconnected, and presence is told rarely.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_crowd_of_watchers_disturbs_nobody() {
    let database = sqlite();
    let mut config = database.config();
    config.tables.presence = Duration::from_secs(1);
    let host = Host::start(config).await;
    let game = host.two_player_game().await;
    let start = Instant::now();
    let (stop, stopped) = tokio::sync::oneshot::channel();
    let bob = tokio::spawn(count_presence(game.socket(1).await, stopped));
    let mut crowd = tokio::task::JoinSet::new();
    for _ in 0..300 {
        crowd.spawn(watch(host.client.clone(), game.id.clone()));
    }
    let (client, id) = (host.client.clone(), game.id.clone());
    let visitors = tokio::spawn(async move {
        for _ in 0..300 {
            let mut socket = client.socket(&id, None).await.unwrap();
            wait_for_type(&mut socket, "state").await;
        }
    });
    let mut ana = game.socket(0).await;
    wait_for(&mut ana, |m| m["presence"]["watchers"].as_u64() > Some(250)).await;
    let mut slowest = Duration::ZERO;
    for _ in 0..10 {
        let start = Instant::now();
        game.play(1).await;
        wait_for_type(&mut ana, "event").await;
        slowest = slowest.max(start.elapsed());
    }
    visitors.await.unwrap();
    game.act(0, "/commands", &json!({ "type": "resign" })).await.unwrap();
    let last = game.state(0).await["number"].as_u64().unwrap();
    while let Some(watched) = crowd.join_next().await {
        assert_eq!(watched.unwrap(), Ok(last));
    }
    stop.send(()).unwrap();
    let (n_presence, seconds) = (bob.await.unwrap(), start.elapsed().as_secs() as usize);
    assert!((1..=seconds + 2).contains(&n_presence), "{n_presence} in {seconds} s");
    assert!(slowest < Duration::from_secs(2), "{slowest:?}");
    host.server.stop().await;
}

/// A watcher that stops reading for a while misses messages, and gets the state instead of being
/// disconnected.
#[tokio::test]
async fn a_slow_watcher_starts_again_from_the_state() {
    let database = sqlite();
    let mut config = database.config();
    config.timeouts.write = Duration::from_secs(60);
    let host = Host::start(config).await;
    let me = host.person("Ana").await;
    let seats = json!({ "seats": [{ "kind": "me" }, { "kind": "here" }] });
    let created = me.post("/games", &seats).await.unwrap();
    let solo = TwoPlayerGame { players: vec![me], id: text(&created["game"]["id"]).to_owned() };
    let mut slow = mute_socket(&host, &solo, 0, "/socket").await;
    let too_slow = async || {
        let metrics = host.client.text(azulejo_client::Method::GET, "/metrics", None).await;
        metrics.unwrap().1.contains("azulejo_too_slow_total 1")
    };
    // Take-backs make a game of any length; whole views fill the buffers of the system.
    let m = json!({ "type": "move", "move": created["game"]["moves"][0]["move"] });
    let start = Instant::now();
    while !too_slow().await {
        assert!(start.elapsed() < Duration::from_secs(60), "the queue is never full");
        for _ in 0..20 {
            solo.act(0, "/commands", &m).await.unwrap();
            solo.act(0, "/commands", &json!({ "type": "takeback" })).await.unwrap();
        }
    }
    let number = solo.state(0).await["number"].as_u64().unwrap();
    let wanted =
        format!("{{\"type\":\"state\",\"game\":{{\"id\":\"{}\",\"number\":{number},", solo.id);
    let mut bytes = Vec::new();
    let read = async {
        while !bytes.windows(wanted.len()).any(|part| part == wanted.as_bytes()) {
            // Only the end can hold it: the search stays short.
            bytes.drain(..bytes.len().saturating_sub(wanted.len()));
            assert!(slow.read_buf(&mut bytes).await.unwrap() > 0, "the watcher is disconnected");
        }
    };
    tokio::time::timeout(Duration::from_secs(20), read).await.expect("the state comes");
    host.server.stop().await;
}
