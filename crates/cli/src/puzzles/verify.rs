//! `azulejo puzzles verify`: checks the claims of puzzles with a second solver.

use super::{second, set};
use crate::{Answer, interrupt};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;

/// Check the claims of puzzles with a second, plain solver.
///
/// For each move of a solution it shows that no other reaches as many points, up to the margin, whatever
/// the others play, and that the first is not the greedy move. Exits with 1 if a claim does not hold.
///
/// Example: azulejo puzzles verify web/public/puzzles --every 50
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The folder of a set, or a file of puzzles [default: the set of this program].
    set: Option<PathBuf>,
    /// Check only every n-th puzzle.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    /// Print JSON, one object for each puzzle.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<Answer> {
    let parts = args.set.as_deref().map_or_else(set::built_in, set::parts)?;
    let puzzles = set::puzzles(&parts)?;
    let chosen: Vec<_> = puzzles.iter().step_by(args.every as usize).collect();
    let stop = interrupt::stop_when_interrupted();
    let progress = ProgressBar::new(chosen.len() as u64);
    progress.set_style(ProgressStyle::with_template("{wide_bar} {pos}/{len}, {eta} left")?);
    let (mut n_checked, mut n_wrong) = (0, 0);
    for (place, puzzle) in &chosen {
        if stop.is_stopped() {
            break;
        }
        let fault = second::check(puzzle).err();
        n_checked += 1;
        n_wrong += usize::from(fault.is_some());
        if args.json {
            let verdict = json!({ "place": place, "id": puzzle.id(), "fault": fault });
            writeln!(out, "{verdict}")?;
        } else if let Some(fault) = fault {
            writeln!(out, "{place}: {}: {fault}", puzzle.id())?;
        }
        progress.inc(1);
    }
    progress.finish_and_clear();
    if !args.json {
        writeln!(out, "{n_checked} puzzles checked, {n_wrong} wrong")?;
    }
    let is_complete = n_checked == chosen.len();
    if !is_complete {
        crate::complain(&format!("stopped after {n_checked} of {} puzzles", chosen.len()));
    }
    Ok(if n_wrong == 0 && is_complete { Answer::Yes } else { Answer::No })
}
