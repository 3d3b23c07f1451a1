//! `azulejo explain`: what a move would do, or why it is illegal.

use crate::{Answer, input, json};
use azulejo_words::{self as words, Names};
use std::io::Write;

/// Tell what a move would do, or why it is illegal.
///
/// Example: azulejo explain "$(azulejo new --seed 5)" 1B2
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The position, or `-` to read it from standard input.
    position: String,
    /// The move.
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
