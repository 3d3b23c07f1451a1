//! `azulejo replay`: replays records and checks them.

pub(crate) mod games;
mod report;

use crate::Answer;
use anyhow::bail;
use azulejo_words as words;
use games::{FoundGame, ReadError};
use std::io::Write;

/// Replay records and check them: scores by round, bonuses, ranking.
///
/// Reads text records, JSON records and games of other programs (see `azulejo help notation`), many to
/// a file. Checks every deal, move and result, and the `expect` object of interchange games. A
/// single game is shown in full, several with a line each.
///
/// Exits with 1 if something differs from what is expected, with 2 if a record is damaged or a file
/// cannot be read.
///
/// Example: azulejo random --games 3 | azulejo replay -
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Files, or `-` for standard input.
    #[arg(required = true)]
    files: Vec<String>,
    /// Show every game in full.
    #[arg(long, conflicts_with = "quiet")]
    full: bool,
    /// Show only errors and totals.
    #[arg(short, long)]
    quiet: bool,
    /// Replay the good part of a damaged record and say where it ends (exit code 1; 2 if there is no
    /// good part).
    #[arg(long)]
    salvage: bool,
    /// Print JSON, one object for each game.
    #[arg(long)]
    json: bool,
}

#[derive(Default)]
struct Tally {
    n_games: u64,
    n_damaged: u64,
    n_different: u64,
    n_salvaged: u64,
    n_salvageable: u64,
}

pub(crate) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<Answer> {
    let mut tally = Tally::default();
    // A single game is shown in full, so the first waits until a second appears.
    let mut first: Option<FoundGame> = None;
    let mut n_unread = 0;
    for file in &args.files {
        let read = games::read(file, args.salvage, &mut |game| {
            tally.count(&game);
            match (tally.n_games, first.take()) {
                (1, _) => first = Some(game),
                (_, Some(before)) => {
                    show(args, &before, false, out)?;
                    show(args, &game, false, out)?;
                }
                _ => show(args, &game, false, out)?,
            }
            Ok(())
        });
        // A file that cannot be read does not stop the others; an output that fails does.
        match read {
            Ok(()) => {}
            Err(ReadError::Input(error)) if args.files.len() == 1 => return Err(error),
            Err(ReadError::Input(error)) => {
                crate::complain(&format!("{error:#}"));
                n_unread += 1;
            }
            Err(ReadError::Output(error)) => return Err(error),
        }
    }
    if let Some(only) = first {
        show(args, &only, true, out)?;
    }
    if !args.json && (tally.n_games > 1 || args.quiet && tally.n_games > 0) {
        writeln!(out, "{}", tally.summary())?;
    }
    let hint = if tally.n_salvageable > 0 { " (--salvage replays the good part)" } else { "" };
    match (tally.n_damaged, tally.n_games) {
        (0, 0) if n_unread == 0 => bail!("no game in {}", games::name(&args.files.join(", "))),
        (0, _) if n_unread > 0 => {
            bail!("{n_unread} of {} files could not be read", args.files.len())
        }
        (0, _) => {}
        (1, 1) => bail!("the game is damaged{hint}"),
        (n_damaged, n_games) => bail!("{n_damaged} of {n_games} games damaged{hint}"),
    }
    Ok(if tally.n_different + tally.n_salvaged > 0 { Answer::No } else { Answer::Yes })
}

fn show(args: &Args, game: &FoundGame, is_only: bool, out: &mut impl Write) -> anyhow::Result<()> {
    if args.json {
        writeln!(out, "{}", report::json(game))?;
    } else if args.full || (is_only && !args.quiet) {
        out.write_all(report::full(game).as_bytes())?;
    } else if !args.quiet || game.is_wrong() {
        writeln!(out, "{}", report::line(game))?;
    }
    Ok(())
}

impl Tally {
    fn count(&mut self, game: &FoundGame) {
        self.n_games += 1;
        // Without --salvage there is no record when there is an error.
        self.n_damaged += u64::from(game.record.is_none());
        self.n_salvageable += u64::from(game.has_good_part && game.record.is_none());
        self.n_salvaged += u64::from(game.record.is_some() && game.error.is_some());
        self.n_different += u64::from(!game.differences.is_empty());
    }

    fn summary(&self) -> String {
        let n_fine = self.n_games - self.n_damaged - self.n_salvaged - self.n_different;
        let mut parts = vec![words::count(self.n_games, "game"), format!("{n_fine} fine")];
        for (n, what) in [
            (self.n_different, "with differences"),
            (self.n_salvaged, "salvaged"),
            (self.n_damaged, "damaged"),
        ] {
            if n > 0 {
                parts.push(format!("{n} {what}"));
            }
        }
        parts.join(", ")
    }
}
