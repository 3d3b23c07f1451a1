//! `azulejo bench search`: searches fixed positions to a fixed depth and counts nodes. The node
//! count is the fingerprint of the search: any change of the search changes it.

use super::{eval_parser, positions};
use crate::Answer;
use anyhow::{Context, ensure};
use azulejo_engine::{Engine, EvalKind, Limits, Options, Stop};
use azulejo_rules::{Players, Position};
use serde_json::json;
use std::io::Write;
use std::time::{Duration, Instant};

/// The depth of the fingerprint. All positions together take less than a second.
const DEPTH: u32 = 11;

/// The node limit for three and four players, whose tree search has no depth limit.
const MANY_NODES: u64 = 50_000;

/// Search fixed positions to a fixed depth and count the nodes.
///
/// The node count is the fingerprint of the search: it is the same on every machine and changes
/// when the search or the evaluation changes. The expected value is in testdata/bench.txt of the
/// source code. Uses one thread and default options.
///
/// Example: azulejo bench search --eval classic --depth 3
#[derive(clap::Args)]
// Its options are also those of `azulejo bench` itself, which has a group of that name already.
#[group(skip)]
pub(crate) struct Args {
    /// Search depth in plies. Each depth has its own fingerprint.
    #[arg(long, default_value_t = DEPTH, value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: u32,
    /// Number of passes over all positions. The fastest search of each position counts, so that
    /// other programs on the machine matter less.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    passes: u32,
    /// The evaluation.
    #[arg(long, value_parser = eval_parser(), default_value = EvalKind::Learned.name())]
    eval: EvalKind,
    /// Also print the nodes of each position.
    #[arg(long, conflicts_with = "json")]
    each: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Totals over searches.
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
    let mut engine = Engine::new(Options { eval: args.eval, ..Options::default() });
    let mut efforts = search_all(&mut engine, &positions, args.depth)?;
    for _ in 1..args.passes {
        let again = search_all(&mut engine, &positions, args.depth)?;
        for (effort, again) in efforts.iter_mut().zip(again) {
            ensure!(effort.nodes == again.nodes, "the node count differs between passes");
            effort.time = effort.time.min(again.time);
        }
    }
    let mut all = Effort::default();
    // The file groups positions by variant, and so does the report.
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
    let nodes = (position.rules().players() != Players::Two).then_some(MANY_NODES);
    Limits { depth: Some(depth), nodes, ..Limits::default() }
}
