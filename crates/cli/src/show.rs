//! `azulejo show`: draws a position.

use crate::{Answer, input, json};
use azulejo_draw as draw;
use std::io::Write;

/// Draw a position: factories, center, and all boards side by side.
///
/// A board has the lines on the left (`>` when full) and the wall on the right; free spaces of the
/// colored wall show their color in lower case. `12 -> 15` is the score, and what it would be if the
/// round ended now. Boards that do not fit side by side are drawn smaller or below each other.
///
/// Example: azulejo new --seed 5 | azulejo show -
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Position, or `-` to read it from standard input.
    position: String,
    /// Width in columns [default: that of the terminal, or 80].
    #[arg(long, value_parser = clap::value_parser!(u16).range(i64::from(draw::MIN_WIDTH)..))]
    width: Option<u16>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<Answer> {
    let position = input::position(&args.position)?;
    if args.json {
        writeln!(out, "{}", json::position(&position))?;
    } else {
        let width = args.width.or_else(|| terminal_size::terminal_size().map(|(width, _)| width.0));
        let width = width.unwrap_or(80).max(draw::MIN_WIDTH);
        let choice = anstream::AutoStream::choice(&std::io::stdout());
        let has_colors = choice != anstream::ColorChoice::Never;
        out.write_all(draw::picture(&position, width.into(), has_colors).as_bytes())?;
    }
    Ok(Answer::Yes)
}
