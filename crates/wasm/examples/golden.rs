//! Writes what the module must answer, computed by the same code natively: searches of positions of all
//! twelve kinds of game, and whole games as calls with their results. The scripts that run the module
//! (web/golden) compare it with every line.
//!
//! `cargo run --package azulejo-wasm --example golden > golden.jsonl`

use azulejo_testkit::games::positions;
use azulejo_wasm::{LocalGame, Reviewer, Searcher, options, replay_record};
use serde_json::{Value, json};

const KINDS: [&str; 12] =
    ["2c", "3c", "4c", "2g", "3g", "4g", "2cj", "3cj", "4cj", "2gj", "3gj", "4gj"];

/// Positions of each kind: more than 1,000 in all.
const N_POSITIONS: usize = 84;

/// The node limit of each search.
const NODES: u32 = 2_000;

const NETWORK: &[u8] = include_bytes!("../../engine/network/azulejo.net");

fn main() {
    let mut searcher = Searcher::new(NETWORK, 16).expect("the network fits");
    for kind in KINDS {
        let rules = kind.parse().expect("a kind of game");
        let all: Vec<String> =
            (0..4).flat_map(|seed| positions(rules, seed)).map(|p| p.to_string()).collect();
        assert!(all.len() >= N_POSITIONS, "{kind} has only {} positions", all.len());
        for i in 0..N_POSITIONS {
            let position = &all[i * all.len() / N_POSITIONS];
            let answer = searcher.search_nodes(position, NODES).expect("there is a legal move");
            let (kind, nodes) = ("search", NODES);
            let line =
                json!({"kind": kind, "position": position, "nodes": nodes, "answer": answer});
            println!("{line}");
        }
    }
    println!("{}", json!({"kind": "options", "answer": options()}));
    println!("{}", review(include_str!("../../../testdata/records/two-players.txt")));
    println!("{}", review(include_str!("../../../testdata/records/grey-jokers.txt")));
    for (i, kind) in KINDS.into_iter().enumerate() {
        println!("{}", game(kind, i as u8, &mut searcher));
    }
}

/// A quick review with its sentences.
fn review(record: &str) -> Value {
    let mut reviewer = Reviewer::new(NETWORK, record, "quick").expect("a record with moves");
    while reviewer.step() {}
    json!({"kind": "review", "record": record, "answer": reviewer.review()})
}

/// A whole game by calls of the binding. People play the first legal move, weak engines their own.
fn game(kind: &str, random: u8, searcher: &mut Searcher) -> Value {
    let n_seats = kind[..1].parse().expect("the number of players");
    let seats = (1..=n_seats).map(|n: usize| match n {
        1 => json!({"kind": "me", "name": "Ana"}),
        _ => json!({"kind": "engine", "level": n}),
    });
    let seats: Vec<Value> = seats.collect();
    let wall = if kind.contains('g') { "grey" } else { "colored" };
    let body = json!({"seats": seats, "wall": wall, "jokers": kind.contains('j')}).to_string();
    let (bytes, mut now_ms) = ([random; 16], 1_700_000_000_000_f64);
    let mut game = LocalGame::create(&body, "golden", &bytes, now_ms).expect("a good request");
    let create = json!([body, "golden", bytes, now_ms]);
    let mut calls = Vec::new();
    loop {
        now_ms += 1_500.0;
        let state = game.state(now_ms);
        calls.push(json!(["state", [now_ms], state]));
        if let Some(task) = game.task() {
            let answer = searcher.search(&task).expect("a task of a game");
            let messages = game.engine_move(&answer, now_ms).expect("an answer");
            calls.push(json!(["task", [], task]));
            calls.push(json!(["search", [task], answer]));
            calls.push(json!(["engine_move", [answer, now_ms], messages]));
            continue;
        }
        let state: Value = serde_json::from_str(&state).expect("a message");
        let Some(m) = state["game"]["moves"][0]["move"].as_str() else { break };
        let command = json!({"type": "move", "move": m});
        let message = json!({"type": "command", "ref": "1", "command": command}).to_string();
        let messages = game.receive(&message, now_ms);
        calls.push(json!(["receive", [message, now_ms], messages]));
    }
    let record = game.record("text");
    assert_eq!(replay_record(&record).as_deref(), Ok(game.replay().as_str()));
    calls.push(json!(["record", ["text"], record]));
    calls.push(json!(["record", ["json"], game.record("json")]));
    calls.push(json!(["replay", [], game.replay()]));
    calls.push(json!(["summary", [], game.summary()]));
    calls.push(json!(["stored", [], game.stored()]));
    json!({"kind": "game", "rules": kind, "create": create, "calls": calls})
}
