//! `azulejo bench search`: fixed positions, a fixed depth, and how many nodes that takes. The number
//! is the engine's fingerprint: whatever changes the search changes it.

use super::{Eval, positions};
use crate::Answer;
use anyhow::{Context, ensure};
use azulejo_engine::{Engine, Limits, Options, Stop};
use azulejo_rules::{Players, Position};
use serde_json::json;
use std::io::Write;
use std::time::{Duration, Instant};

/// The depth of the fingerprint: less than a second in all.
const DEPTH: u32 = 11;

/// The search for more than two players does not count in plies: it ends with these nodes.
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
    /// How often to search all positions. The fastest search of each counts: what other programs take
    /// away from it is not the engine's speed.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    passes: u32,
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

/// What a number of searches took.
#[derive(Clone, Copy, Default)]
struct Effort {
    positions: u32,
    nodes: u64,
    time: Duration,
}

impl Effort {
    fn add(&mut self, more: Effort) {
        self.positions += more.positions;
        self.nodes += more.nodes;
        self.time += more.time;
    }

    fn per_second(&self) -> f64 {
        self.nodes as f64 / self.time.as_secs_f64()
    }
}

pub(crate) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<Answer> {
    let positions = positions::bench()?;
    let mut engine = Engine::new(Options { eval: args.eval.kind(), ..Options::default() });
    let mut efforts = search_all(&mut engine, &positions, args.depth)?;
    for _ in 1..args.passes {
        let again = search_all(&mut engine, &positions, args.depth)?;
        for (effort, again) in efforts.iter_mut().zip(again) {
            ensure!(effort.nodes == again.nodes, "the engine searched other nodes than before");
            effort.time = effort.time.min(again.time);
        }
    }
    let mut all = Effort::default();
    // In the order of the file, which keeps games of a kind together.
    let mut by_rules: Vec<(String, Effort)> = Vec::new();
    for (position, effort) in positions.iter().zip(efforts) {
        all.add(effort);
        let rules = position.rules().to_string();
        match by_rules.last_mut() {
            Some((last, sum)) if *last == rules => sum.add(effort),
            _ => by_rules.push((rules, effort)),
        }
        if args.each {
            writeln!(out, "{:>9}  {position}", effort.nodes)?;
        }
    }
    let Args { depth, eval, .. } = args;
    if args.json {
        let by_rules = by_rules.iter().map(|(rules, effort)| {
            json!({
                "rules": rules,
                "positions": effort.positions,
                "nodes": effort.nodes,
                "nodes_per_second": effort.per_second(),
            })
        });
        let report = json!({
            "nodes": all.nodes,
            "positions": all.positions,
            "depth": depth,
            "eval": eval.name(),
            "passes": args.passes,
            "seconds": all.time.as_secs_f64(),
            "nodes_per_second": all.per_second(),
            "by_rules": by_rules.collect::<Vec<_>>(),
        });
        writeln!(out, "{report}")?;
    } else {
        writeln!(
            out,
            "{} positions to depth {depth}, {} evaluation, each the fastest of {}",
            all.positions,
            eval.name(),
            args.passes
        )?;
        for (rules, effort) in &by_rules {
            let Effort { positions, nodes, .. } = effort;
            let speed = effort.per_second() / 1e6;
            writeln!(
                out,
                "  {rules:<4} {positions:>3} {nodes:>9} nodes, {speed:.2} million nodes/s"
            )?;
        }
        writeln!(out, "{} nodes, {:.2} million nodes/s", all.nodes, all.per_second() / 1e6)?;
    }
    Ok(Answer::Yes)
}

fn search_all(
    engine: &mut Engine,
    positions: &[Position],
    depth: u32,
) -> anyhow::Result<Vec<Effort>> {
    let effort = |position| {
        // Every position counts the same, whatever came before it.
        engine.new_game();
        let start = Instant::now();
        let answer = engine.search(position, &limits(position, depth), &Stop::new(), &mut |_| {});
        let time = start.elapsed();
        let nodes = answer.context("there is nothing to search")?.info.nodes;
        Ok(Effort { positions: 1, nodes, time })
    };
    positions.iter().map(effort).collect()
}

fn limits(position: &Position, depth: u32) -> Limits {
    let nodes = (position.rules().players != Players::Two).then_some(MANY_NODES);
    Limits { depth: Some(depth), nodes, ..Limits::default() }
}
