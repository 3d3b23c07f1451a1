//! `azulejo bench`: benchmarks of the rules and the search, and test positions for the engine.

mod parts;
mod positions;
mod reference;
mod rng;
mod rules;
mod search;
mod solve;
mod tactics;

use crate::Answer;
use azulejo_engine::EvalKind;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::io::Write;

/// Measure the speed of the rules and the search, and solve test positions.
///
/// Without a command it runs `azulejo bench search`.
///
/// Example: azulejo bench --depth 3
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    benchmark: Option<Benchmark>,
    #[command(flatten)]
    search: search::Args,
}

#[derive(clap::Subcommand)]
enum Benchmark {
    Search(search::Args),
    Solve(solve::Args),
    Tactics(tactics::Args),
    Rules(rules::Args),
}

pub(crate) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<Answer> {
    match &args.benchmark {
        None => search::run(&args.search, out),
        Some(Benchmark::Search(args)) => search::run(args, out),
        Some(Benchmark::Solve(args)) => solve::run(args, out),
        Some(Benchmark::Tactics(args)) => tactics::run(args, out),
        Some(Benchmark::Rules(args)) => rules::run(args, out),
    }
}

/// Reads the values of `--eval`.
fn eval_parser() -> impl TypedValueParser<Value = EvalKind> {
    PossibleValuesParser::new(EvalKind::ALL.map(EvalKind::name)).try_map(|name| name.parse())
}
