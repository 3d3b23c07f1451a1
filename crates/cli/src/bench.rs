//! `azulejo bench`: how fast things are. Figures, not verdicts: nothing here can fail.

mod luck;
mod parts;
mod reference;
mod rules;

use crate::Answer;
use std::io::Write;

/// Measure speed.
///
/// Example: azulejo bench rules --official
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    Rules(rules::Args),
}

pub(crate) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<Answer> {
    match &args.what {
        What::Rules(args) => rules::run(args, out),
    }
}
