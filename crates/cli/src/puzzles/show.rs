//! `azulejo puzzles show`: draws a puzzle.

use super::set;
use crate::Answer;
use anyhow::Context;
use azulejo_draw as draw;
use azulejo_puzzles::{Certainty, Puzzle, Theme, daily};
use azulejo_rules::Move;
use azulejo_words::{self as words, Names};
use std::io::Write;
use std::path::PathBuf;
use std::time::SystemTime;

/// Show a puzzle: the daily one, or one by its id.
///
/// The daily puzzle is the same for everybody with the same set; a day begins at midnight UTC.
///
/// Example: azulejo puzzles show --solution
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The id [default: the daily puzzle].
    id: Option<String>,
    /// The folder of a set, or a file of puzzles [default: the set of this program].
    #[arg(long, value_name = "PATH")]
    set: Option<PathBuf>,
    /// Show the solution, too.
    #[arg(long)]
    solution: bool,
    /// Print JSON, with the solution.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<Answer> {
    let parts = args.set.as_deref().map_or_else(set::built_in, set::parts)?;
    let mut puzzles = set::puzzles(&parts)?;
    let at = match &args.id {
        Some(id) => puzzles
            .iter()
            .position(|(_, puzzle)| puzzle.id() == *id)
            .with_context(|| format!("no puzzle of {} has the id {id}", puzzles.len()))?,
        None => daily(today()?, puzzles.len()).context("the set is empty")?,
    };
    let (_, puzzle) = puzzles.swap_remove(at);
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&puzzle)?)?;
    } else {
        write_puzzle(&puzzle, args.solution, out)?;
    }
    Ok(Answer::Yes)
}

/// The number of days since 1970-01-01.
fn today() -> anyhow::Result<u64> {
    let time = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    Ok(time.context("the clock is before 1970")?.as_secs() / 86_400)
}

fn write_puzzle(puzzle: &Puzzle, has_solution: bool, out: &mut impl Write) -> anyhow::Result<()> {
    let width =
        terminal_size::terminal_size().map_or(80, |(width, _)| width.0).max(draw::MIN_WIDTH);
    let choice = anstream::AutoStream::choice(&std::io::stdout());
    let has_colors = choice != anstream::ColorChoice::Never;
    out.write_all(draw::picture(&puzzle.position, width.into(), has_colors).as_bytes())?;
    let (n, seat) = (puzzle.n_own_moves(), puzzle.seat().index() + 1);
    let moves = words::count(n as u64, "move");
    writeln!(
        out,
        "\nPuzzle {}, rating {}: seat {seat} finds {moves}.",
        puzzle.id(),
        puzzle.rating
    )?;
    if !has_solution {
        return Ok(());
    }
    let solution: Vec<String> = puzzle.solution.iter().map(Move::to_string).collect();
    let certainty = match puzzle.certainty {
        Certainty::Proved => "proved",
        Certainty::Solved => "solved to the end of the round",
    };
    let themes: Vec<&str> = puzzle.themes.iter().map(|theme| Theme::name(*theme)).collect();
    writeln!(
        out,
        "Solution: {} (better by {} points, {certainty}).",
        solution.join(" "),
        puzzle.margin
    )?;
    writeln!(
        out,
        "Themes: {}.",
        if themes.is_empty() { "none".to_owned() } else { themes.join(", ") }
    )?;
    for (position, m) in puzzle.replay() {
        let preview = position.preview(m)?;
        for line in words::preview(&preview, position.rules(), Names::Numbers) {
            writeln!(out, "  {line}")?;
        }
    }
    Ok(())
}
