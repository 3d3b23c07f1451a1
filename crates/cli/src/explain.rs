//! `azulejo explain`: the effect of a move, or why it is illegal.

use crate::{Answer, input, json};
use azulejo_words::{self as words, Names};
use std::io::Write;

/// Explain the effect of a move, or why it is illegal.
///
/// Prints what the move takes and places, what a full line will score, and how the projected score
/// of the round changes. Exits with 1 if the move is illegal.
///
/// Example: azulejo explain "$(azulejo new --seed 5)" 1B2
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Position, or `-` to read it from standard input.
    position: String,
    /// Move, like 3B2.
    #[arg(value_name = "MOVE")]
    m: String,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<Answer> {
    let position = input::position(&args.position)?;
    let m = input::single_move(&args.m)?;
    match position.preview(m) {
        Ok(preview) => {
            if args.json {
                writeln!(out, "{}", json::preview(m, &preview))?;
            } else {
                for line in words::preview(&preview, position.rules(), Names::Numbers) {
                    writeln!(out, "{line}")?;
                }
            }
            Ok(Answer::Yes)
        }
        Err(reason) => {
            if args.json {
                writeln!(out, "{}", json::illegal(m, &reason))?;
            } else {
                writeln!(out, "{m} is illegal: {reason}.")?;
            }
            Ok(Answer::No)
        }
    }
}
