//! `azulejo bench`: how fast things are, and how far the engine sees. Figures, not verdicts, but for
//! the tactics, which are solved or not.

mod luck;
mod parts;
mod positions;
mod reference;
mod rules;
mod search;
mod solve;
mod tactics;

use crate::Answer;
use azulejo_engine::EvalKind;
use std::io::Write;

/// Measure speed: of the engine, and of the rules.
///
/// Without a command this is `azulejo bench search`.
///
/// Example: azulejo bench --depth 3
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: Option<What>,
    #[command(flatten)]
    search: search::Args,
}

#[derive(clap::Subcommand)]
enum What {
    Search(search::Args),
    Solve(solve::Args),
    Tactics(tactics::Args),
    Rules(rules::Args),
}

pub(crate) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<Answer> {
    match &args.what {
        None => search::run(&args.search, out),
        Some(What::Search(args)) => search::run(args, out),
        Some(What::Solve(args)) => solve::run(args, out),
        Some(What::Tactics(args)) => tactics::run(args, out),
        Some(What::Rules(args)) => rules::run(args, out),
    }
}

/// Which evaluation the engine uses.
#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum Eval {
    /// The network trained from self-play.
    Learned,
    /// The hand-written one.
    Classic,
}

impl Eval {
    fn kind(self) -> EvalKind {
        match self {
            Eval::Learned => EvalKind::Learned,
            Eval::Classic => EvalKind::Classic,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Eval::Learned => "learned",
            Eval::Classic => "classic",
        }
    }
}
