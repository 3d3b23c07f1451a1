//! `azulejo moves`: the legal moves and their effects.

use crate::{Answer, input, json};
use azulejo_words::{self as words, Names};
use serde_json::json;
use std::io::Write;

/// List the legal moves of a position and their effects.
///
/// The score column shows how the move changes the mover's score if the round ended right after it.
///
/// Example: azulejo moves "$(azulejo new --seed 5)"
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Position, or `-` to read it from standard input.
    position: String,
    /// Print only the number of moves.
    #[arg(long)]
    count: bool,
    /// Print only the moves, one per line.
    #[arg(long, conflicts_with = "count")]
    plain: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<Answer> {
    let position = input::position(&args.position)?;
    let moves = position.legal_moves();
    match args {
        Args { json: true, count: true, .. } => {
            writeln!(out, "{}", json!({ "n_legal_moves": moves.len() }))?;
        }
        Args { json: true, plain: true, .. } => {
            let texts: Vec<_> = moves.iter().map(ToString::to_string).collect();
            writeln!(out, "{}", json!(texts))?;
        }
        Args { json: true, .. } => {
            let previews = moves.iter().map(|&m| Ok(json::preview(m, &position.preview(m)?)));
            writeln!(out, "{}", json!(previews.collect::<anyhow::Result<Vec<_>>>()?))?;
        }
        Args { count: true, .. } => writeln!(out, "{}", moves.len())?,
        Args { plain: true, .. } => {
            for m in &moves {
                writeln!(out, "{m}")?;
            }
        }
        _ if moves.is_empty() => {
            writeln!(out, "No moves. {}.", words::phase(&position, Names::Numbers))?;
        }
        _ => {
            writeln!(out, "Move    Score  What happens")?;
            for m in moves {
                let preview = position.preview(m)?;
                let change = words::change(preview.change());
                let what = words::brief(&preview);
                writeln!(out, "{m:<7} {change:>5}  {what}")?;
            }
        }
    }
    Ok(Answer::Yes)
}
