//! `azulejo bench search`: fixed positions, a fixed depth, and how many nodes that takes. The number
//! is the engine's fingerprint: whatever changes the search changes it.

use super::{Eval, positions};
use crate::Answer;
use anyhow::Context;
use azulejo_engine::{Engine, Limits, Options, Stop};
use azulejo_rules::{Players, Position};
use serde_json::json;
use std::io::Write;
use std::time::{Duration, Instant};

/// The depth of the fingerprint: about a second in all.
const DEPTH: u32 = 10;

/// With more than two players the tree is wider, and it is searched half as deep. A search that
/// does not count in plies ends with these nodes.
const MANY_NODES: u64 = 50_000;

/// Search fixed positions to a fixed depth and count the nodes.
///
/// The number of nodes is the engine's fingerprint. It is the same on every machine, and changes
/// with every change of the search or the evaluation; the repository says in testdata/bench.txt what
/// it should be. One thread and default options.
///
/// Example: azulejo bench search --eval classic --depth 3
#[derive(clap::Args)]
// Its options are also those of `azulejo bench` itself, which has a group of that name already.
#[group(skip)]
pub(crate) struct Args {
    /// How many plies deep. Another depth gives another fingerprint.
    #[arg(long, default_value_t = DEPTH, value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: u32,
    /// Which evaluation.
    #[arg(long, value_enum, default_value_t = Eval::Learned)]
    eval: Eval,
    /// Print the nodes of each position too.
    #[arg(long, conflicts_with = "json")]
    each: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<Answer> {
    let positions = positions::bench()?;
    let mut engine = Engine::new(Options { eval: args.eval.kind(), ..Options::default() });
    let mut nodes = 0;
    let mut time = Duration::ZERO;
    for position in &positions {
        // Every position counts the same, whatever came before it.
        engine.new_game();
        let start = Instant::now();
        let answer =
            engine.search(position, &limits(position, args.depth), &Stop::new(), &mut |_| {});
        time += start.elapsed();
        let info = answer.context("there is nothing to search")?.info;
        nodes += info.nodes;
        if args.each {
            writeln!(out, "{:>9}  {position}", info.nodes)?;
        }
    }
    let seconds = time.as_secs_f64();
    let speed = nodes as f64 / seconds;
    if args.json {
        let report = json!({
            "nodes": nodes,
            "positions": positions.len(),
            "depth": args.depth,
            "eval": args.eval.name(),
            "seconds": seconds,
            "nodes_per_second": speed,
        });
        writeln!(out, "{report}")?;
    } else {
        let Args { depth, eval, .. } = args;
        let n = positions.len();
        writeln!(out, "{n} positions to depth {depth}, {} evaluation", eval.name())?;
        writeln!(out, "{nodes} nodes, {:.2} million nodes/s", speed / 1e6)?;
    }
    Ok(Answer::Yes)
}

fn limits(position: &Position, depth: u32) -> Limits {
    let (depth, nodes) = match position.rules().players {
        Players::Two => (depth, None),
        Players::Three | Players::Four => (depth.div_ceil(2), Some(MANY_NODES)),
    };
    Limits { depth: Some(depth), nodes, ..Limits::default() }
}
