//! `azulejo moves`: all legal moves with what each would do.

use crate::{Answer, input, json, words};
use azulejo_rules::Event;
use serde_json::json;
use std::io::Write;

/// List the legal moves of a position, with what each would do.
///
/// The number at the end of a line is the change in the mover's score if the round ended now.
///
/// Example: azulejo moves "$(azulejo new --seed 5)"
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The position, or `-` to read it from standard input.
    position: String,
    /// Print only how many there are.
    #[arg(long)]
    count: bool,
    /// Print only the moves, one to a line.
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
            writeln!(out, "{}", json!({ "n_legal_moves": moves.len() }))?
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
        _ if moves.is_empty() => writeln!(out, "No moves. {}.", words::phase(&position))?,
        _ => {
            for m in moves {
                let preview = position.preview(m)?;
                let what = short(&preview.event);
                let line = preview.line().map(|line| format!(", line scores {}", line.points));
                let line = line.filter(|_| preview.completes_line).unwrap_or_default();
                writeln!(out, "{:<7} {what}{line}  {:+}", m.to_string(), preview.change())?;
            }
        }
    }
    Ok(Answer::Yes)
}

/// An event in a few words, for a list.
fn short(event: &Event) -> String {
    match *event {
        Event::Drafted { into_line, to_floor, to_lid, takes_marker, .. } => {
            let mut parts = Vec::new();
            if !into_line.is_empty() {
                parts.push(format!("{} into the line", words::tiles(into_line)));
            }
            if !to_floor.is_empty() {
                parts.push(format!("{} to the floor", words::tiles(to_floor)));
            }
            if !to_lid.is_empty() {
                parts.push(format!("{} to the lid", words::tiles(to_lid)));
            }
            if takes_marker {
                parts.push("marker".to_owned());
            }
            parts.join(", ")
        }
        _ => words::event(event),
    }
}
