//! Fair deals: the seed matches its published hash, and no client is sent a deal before its time.

use crate::host::{Host, TwoPlayerGame, any_move, databases, text, wait_for_type};
use crate::recording_proxy::{RecordingProxy, contains};
use azulejo_client::{Client, Method};
use azulejo_notation::{Chance, Record, verify_deals};
use azulejo_rules::{Deal, Players, Rules, Tile};
use azulejo_table::seed_hash;
use azulejo_testkit::Rng;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::sync::atomic::Ordering;
use std::time::Duration;

/// What is requested between two moves, besides what the server sends on its own.
const PATHS: [&str; 12] = [
    "/api/v1/games/ID",
    "/api/v1/games/ID/record",
    "/api/v1/games/ID/record?format=json",
    "/api/v1/games/ID/replay",
    "/api/v1/me/games",
    "/api/v1/me",
    "/api/v1/lobby",
    "/api/v1/options",
    "/game/ID",
    "/metrics",
    "/readyz",
    "/healthz",
];

/// Plays a game over a proxy that records every byte the server sends (to two players on sockets
/// and streams, to a watcher, and to a client that requests everything), and searches all of it for
/// the seed, which only the database knows, for the order of the bag, and for every deal before its
/// time.
#[tokio::test]
async fn no_message_reveals_the_seed_or_a_later_deal() {
    for database in databases() {
        let mut config = database.config();
        config.engine_time = Duration::from_millis(10);
        let host = Host::start(config).await;
        let proxy = RecordingProxy::to(host.server.address()).await;
        let nobody = Client::new(&format!("http://{}", proxy.address)).unwrap();
        let game = two_player_game(&nobody).await;
        let mut sockets = [game.socket(0).await, game.socket(1).await];
        let mut watcher = nobody.socket(&game.id, None).await.unwrap();
        let streams =
            ["/me/stream", &game.path("/stream"), &game.path("/stream?after=1")].map(|path| {
                tokio::spawn(drain(game.players[0].with_token(token(&game, 0)), path.to_owned()))
            });
        let mut rng = Rng::new(11);
        let mut rounds = vec![0_u64];
        let end = loop {
            let (i, state) = match mover(&game).await {
                Ok(found) => found,
                Err(end) => break end,
            };
            rounds.push(state["position"]["round"].as_u64().unwrap());
            let n = rounds.len();
            let is_new = rounds[n - 2] != rounds[n - 1];
            if is_new || n % 6 == 0 {
                ask_everything(&game, &nobody, i).await;
            }
            for socket in sockets.iter_mut().chain([&mut watcher]) {
                socket.send(&json!({ "type": "resync" })).await.unwrap();
                wait_for_type(socket, "state").await;
            }
            proxy.step.fetch_add(1, Ordering::SeqCst);
            let m = any_move(&state, &mut rng);
            game.act(i, "/commands", &json!({ "type": "move", "move": m })).await.unwrap();
        };
        for stream in streams.into_iter().skip(1) {
            assert!(stream.await.unwrap() > 40, "the streams were read to the end of the game");
        }
        let path = format!("/api/v1{}", game.path("/record"));
        let (_, record) = nobody.text(Method::GET, &path, None).await.unwrap();
        look_through(&proxy, &end, &Record::parse(&record).unwrap(), &rounds);
        host.server.stop().await;
    }
}

/// A listed game with hints.
async fn two_player_game(nobody: &Client) -> TwoPlayerGame {
    let players =
        vec![nobody.new_person("Ana").await.unwrap(), nobody.new_person("Bob").await.unwrap()];
    let terms =
        json!({ "seats": [{ "kind": "me" }, { "kind": "open" }], "listed": true, "hints": true });
    let created = players[0].post("/games", &terms).await.unwrap();
    let id = text(&created["game"]["id"]).to_owned();
    players[1].post(&format!("/games/{id}/join"), &json!({})).await.unwrap();
    TwoPlayerGame { players, id }
}

fn token(game: &TwoPlayerGame, i: usize) -> &str {
    game.players[i].token().unwrap()
}

/// The player to move, or the final state.
async fn mover(game: &TwoPlayerGame) -> Result<(usize, Value), Value> {
    let state = game.state(0).await;
    if state["status"] == "over" { Err(state) } else { Ok(game.turn().await) }
}

/// Reads a stream to its end and counts its lines.
async fn drain(client: Client, path: String) -> usize {
    let mut lines = client.lines(&path).await.unwrap();
    let mut n = 0;
    while let Ok(Some(_)) = lines.next().await {
        n += 1;
    }
    n
}

/// Requests everything as the player to move, as the other one and without a token, and some
/// things that are refused.
async fn ask_everything(game: &TwoPlayerGame, nobody: &Client, i: usize) {
    let askers = [&game.players[i], &game.players[1 - i], nobody];
    for path in PATHS {
        for asker in askers {
            asker.text(Method::GET, &path.replace("ID", &game.id), None).await.unwrap();
        }
    }
    game.players[i].get(&game.path("/hint")).await.unwrap();
    nobody.get(&game.path("/evaluation")).await.unwrap();
    for (path, body) in [
        ("/commands", json!({ "type": "move", "move": "9J5" })),
        ("/commands", json!({ "type": "move", "move": 1 })),
        ("/join", json!({ "secret": "0".repeat(64) })),
        ("/commands", json!({ "type": "say", "phrase": "hello" })),
        ("/commands", json!({ "type": "takeback", "x": 1 })),
        ("/rematch", json!({})),
        ("/invitations", json!({ "seat": 1 })),
    ] {
        let _ = game.act(1 - i, path, &body).await;
    }
}

/// Checks that nothing was sent before its time. `rounds` has the round of each step.
fn look_through(proxy: &RecordingProxy, end: &Value, record: &Record, rounds: &[u64]) {
    let seed = text(&end["fair"]["seed"]).to_owned();
    assert_eq!(text(&end["fair"]["seed_hash"]), seed_hash(&seed.parse().unwrap()));
    let last = rounds.len() - 1;
    let sent = proxy.before(last);
    let n_bytes: usize = sent.iter().map(Vec::len).sum();
    assert!(n_bytes > 3_000_000, "{n_bytes}");
    // The recording is complete: it holds the hash, and later the seed.
    let hash = text(&end["fair"]["seed_hash"]).as_bytes();
    assert!(sent.iter().any(|bytes| contains(bytes, hash)));
    assert!(proxy.before(usize::MAX).iter().any(|bytes| contains(bytes, seed.as_bytes())));
    for secret in forms_of_the_seed(&seed).iter().chain(&forms_of_the_order(&seed)) {
        for bytes in &sent {
            assert!(!contains(bytes, secret), "{}", String::from_utf8_lossy(secret));
        }
    }
    // No deal is sent before the move after which it was dealt.
    assert!(record.rounds().len() > 3);
    for (round, dealt) in (1..).zip(record.rounds()).skip(1) {
        let step = rounds.iter().position(|&at| at == round).expect("the round was played") - 1;
        let factories: Vec<String> =
            dealt.deal.iter().flat_map(Deal::factories).map(ToString::to_string).collect();
        let numbers = |tiles: &String| {
            let number = |c: char| "BYRKW".find(c).map(|n| n.to_string());
            format!("[{}]", tiles.chars().filter_map(number).collect::<Vec<_>>().join(","))
        };
        let (early, all) = (proxy.before(step), proxy.before(usize::MAX));
        for form in [
            factories.concat(),
            factories.join("-"),
            factories.join("\",\""),
            factories.join(" "),
            factories.iter().map(numbers).collect::<Vec<_>>().join(","),
        ] {
            for bytes in &early {
                assert!(!contains(bytes, form.as_bytes()), "round {round}: {form}");
            }
            let is_said = all.iter().any(|bytes| contains(bytes, form.as_bytes()));
            assert!(is_said || !form.contains('-'), "round {round} is told in time: {form}");
        }
    }
}

/// The seed and the key of the dealer's generator, which is the hash of the seed, in all common
/// encodings of bytes.
fn forms_of_the_seed(seed: &str) -> Vec<Vec<u8>> {
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let raw: Vec<u8> = (0..seed.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&seed[at..at + 2], 16).expect("the server's seeds are digits"))
        .collect();
    let key: Vec<u8> = Sha256::digest(seed).to_vec();
    let mut forms = Vec::new();
    for bytes in [seed.as_bytes(), &raw, &key] {
        let list: Vec<String> = bytes.iter().map(ToString::to_string).collect();
        forms.push(bytes.to_vec());
        forms.push(bytes.iter().rev().copied().collect());
        forms.extend(
            [
                hex(bytes),
                hex(bytes).to_uppercase(),
                base64(bytes),
                base64(bytes).replace('+', "-").replace('/', "_"),
                list.join(","),
            ]
            .map(String::into_bytes),
        );
    }
    forms
}

/// The order of the first bag, as the dealer shuffles it, forward and backward, as letters with
/// several separators. In pieces of 16 tiles: any 31 tiles in a row contain a whole piece.
fn forms_of_the_order(seed: &str) -> Vec<Vec<u8>> {
    let rules = Rules::official(Players::Two);
    let mut chance = Chance::new(&seed.parse().unwrap());
    chance.below(2);
    let mut order: Vec<Tile> = rules.all_tiles().each().collect();
    chance.shuffle(&mut order);
    // This is the order: the first deal is made of its beginning.
    let letters: Vec<String> = order.iter().map(ToString::to_string).collect();
    let mut forms = Vec::new();
    let backward: Vec<String> = letters.iter().rev().cloned().collect();
    for tiles in [&letters, &backward] {
        for some in tiles.as_chunks::<16>().0 {
            for between in ["", ",", "\",\"", " ", "-"] {
                forms.push(some.join(between).into_bytes());
            }
        }
    }
    forms
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let bits = chunk.iter().fold(0_u32, |bits, &byte| bits << 8 | u32::from(byte))
            << (8 * (3 - chunk.len()));
        // The last digit depends on the bytes that follow; the others are enough to find it.
        for digit in 0..chunk.len() * 8 / 6 {
            text.push(char::from(DIGITS[(bits >> (18 - 6 * digit) & 63) as usize]));
        }
    }
    text
}

#[tokio::test]
async fn the_record_of_a_finished_game_can_be_verified() {
    for database in databases() {
        let host = database.host().await;
        let game = host.two_player_game().await;
        let promise = game.state(0).await["fair"].clone();
        assert_eq!((&promise["seed"], &promise["seed_by"]), (&json!(null), &json!("server")));
        game.finish().await;
        let path = format!("/api/v1{}", game.path("/record"));
        let (_, text) = game.players[0].text(Method::GET, &path, None).await.unwrap();
        let record = Record::parse(&text).unwrap();
        assert_eq!(record.tag("SeedHash"), promise["seed_hash"].as_str());
        assert_eq!(Some(seed_hash(record.seed().unwrap()).as_str()), record.tag("SeedHash"));
        verify_deals(&record).expect("the deals follow from the seed");
        host.server.stop().await;
    }
}

#[tokio::test]
async fn a_chosen_seed_is_reported_as_chosen() {
    let database = crate::host::sqlite();
    let host = database.host().await;
    let game = host.two_player_game_with(json!({ "seed": "5" })).await;
    let state = game.state(1).await;
    assert_eq!(state["fair"]["seed_by"], "creator");
    assert!(state["fair"]["seed"].is_null());
    assert_eq!(state["position"]["factories"], json!(["BYYW", "BYKW", "BYRW", "BRKK", "BBYR"]));
    host.server.stop().await;
}
