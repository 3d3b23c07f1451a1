//! Prints the speed of this build for each number of players as JSON: a position, a number of nodes, and the
//! milliseconds that a search of them takes. The web app's tests compare it with the module in a browser.
//!
//! `cargo run --release --package azulejo-engine --example speed`

use azulejo_engine::{Engine, Limits, Options, Stop};
use azulejo_testkit::games::positions;
use serde_json::json;
use std::time::Instant;

const NODES: u64 = 400_000;

fn main() {
    // The memory of the engine in the page, and its one thread.
    let mut engine = Engine::new(Options { hash_mb: 16, ..Options::default() });
    let limits = Limits { nodes: Some(NODES), ..Limits::default() };
    let searches = ["2c", "3c", "4c"].map(|kind| {
        let position = positions(kind.parse().expect("a kind of game"), 1)[0];
        // The best of three: other programs run, too.
        let times = [0; 3].map(|_| {
            let start = Instant::now();
            engine.search(&position, &limits, &Stop::new(), &mut |_| {});
            start.elapsed().as_secs_f64() * 1_000.0
        });
        let ms = times.into_iter().fold(f64::MAX, f64::min);
        json!({"position": position.to_string(), "nodes": NODES, "ms": ms})
    });
    println!("{}", json!(searches));
}
