//! `azulejo puzzles`: makes, verifies and shows puzzles.

mod make;
mod second;
mod set;
mod show;
mod verify;

use crate::Answer;
use std::io::Write;

/// Make, verify and show puzzles: positions with one best move.
///
/// `azulejo help puzzles` explains how they are written and what they claim.
///
/// Example: azulejo puzzles show
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    Show(show::Args),
    Verify(verify::Args),
    Make(make::Args),
}

pub(crate) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<Answer> {
    match &args.command {
        Command::Show(args) => show::run(args, out),
        Command::Verify(args) => verify::run(args, out),
        Command::Make(args) => make::run(args, out),
    }
}
