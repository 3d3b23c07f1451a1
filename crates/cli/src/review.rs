//! `azulejo review`: what each move of a game lost, the luck of each deal, and a ledger for each player.

mod annotate;
mod report;
mod totals;

use crate::replay::games::{self, FoundGame, ReadError};
use crate::{Answer, interrupt, output};
use anyhow::{Context, bail};
use azulejo_engine::Stop;
use azulejo_notation::Record;
use azulejo_review::{Budget, Review, Reviewer, Settings};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::Write;
use std::path::PathBuf;
use totals::Totals;

/// Review games: what each move lost, what was better and why, and how much was luck.
///
/// Reads what `azulejo replay` reads. For each player it prints the accuracy, a ledger that adds up from
/// the first deal to the result, and the mistakes with the better moves (`azulejo help review` explains
/// the numbers). Several games end with totals for each player. The same games, budget and version give
/// the same review.
///
/// Ctrl-C stops and prints what is done; the exit code is then 1. It is 2 if a record is damaged.
///
/// Example: azulejo random --seed 7 | azulejo review - --budget quick
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Files, or `-` for standard input.
    #[arg(required = true)]
    files: Vec<String>,
    /// How much to compute: quick, normal (seconds) or thorough (minutes).
    #[arg(short, long, default_value_t = Budget::NORMAL)]
    budget: Budget,
    /// Write the games with comments: evaluations, marks and better moves.
    #[arg(short, long, value_name = "FILE")]
    annotate: Option<PathBuf>,
    /// Print JSON, one object for each game.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<Answer> {
    let (found, n_faulty) = find(&args.files)?;
    let stop = interrupt::stop_when_interrupted();
    let mut totals = Totals::default();
    let (mut annotated, mut n_done) = (Vec::new(), 0);
    for (place, record) in &found {
        if stop.is_stopped() {
            break;
        }
        let Some(review) = review(record, args.budget, &stop, place)? else { break };
        if args.json {
            let review = serde_json::to_value(&review)?;
            writeln!(out, "{}", serde_json::json!({ "place": place, "review": review }))?;
        } else {
            if n_done > 0 {
                writeln!(out)?;
            }
            out.write_all(report::full(place, record, &review).as_bytes())?;
        }
        out.flush()?;
        totals.add(&review);
        n_done += usize::from(review.is_complete());
        annotated.push(annotate::annotate(record, &review));
    }
    if !args.json && n_done > 1 {
        write!(out, "\n{}", totals.table())?;
    }
    if let Some(path) = &args.annotate {
        output::write(path, |file| {
            let texts: Vec<String> = annotated.iter().map(ToString::to_string).collect();
            Ok(file.write_all(texts.join("\n").as_bytes())?)
        })
        .with_context(|| format!("cannot write {}", path.display()))?;
    }
    if n_done < found.len() {
        crate::complain(&format!("stopped after {n_done} of {} games", found.len()));
        return Ok(Answer::No);
    }
    if n_faulty > 0 {
        bail!("{n_faulty} of {} games cannot be reviewed", found.len() + n_faulty);
    }
    Ok(Answer::Yes)
}

/// All games of the files that can be reviewed, with their places, and the number of others, which are
/// reported.
fn find(files: &[String]) -> anyhow::Result<(Vec<(String, Record)>, usize)> {
    let (mut found, mut n_faulty) = (Vec::new(), 0);
    for file in files {
        let read = games::read(file, false, &mut |game: FoundGame| {
            match (game.record, game.error) {
                (Some(record), None) if record.n_moves() > 0 => found.push((game.place, record)),
                (_, error) => {
                    let why = error.map_or("no move to review".to_owned(), |e| e.to_string());
                    crate::complain(&format!("{}: {why}", game.place));
                    n_faulty += 1;
                }
            }
            Ok(())
        });
        match read {
            Ok(()) => {}
            Err(ReadError::Input(error) | ReadError::Output(error)) => return Err(error),
        }
    }
    match (found.len(), n_faulty) {
        (0, 0) => bail!("no game in {}", games::name(&files.join(", "))),
        (0, 1) => bail!("the game cannot be reviewed"),
        (0, n) => bail!("none of the {n} games can be reviewed"),
        _ => Ok((found, n_faulty)),
    }
}

/// The review of a record, or of the part that was done before a stop; `None` if that is nothing.
fn review(
    record: &Record,
    budget: Budget,
    stop: &Stop,
    place: &str,
) -> anyhow::Result<Option<Review>> {
    let mut reviewer = Reviewer::new(record, Settings { budget, ..Settings::default() })?;
    // On standard error, and hidden where that is no terminal.
    let progress = ProgressBar::new(reviewer.n_steps() as u64);
    let style = "{wide_bar} {pos}/{len}, {eta} left  {msg}";
    progress.set_style(ProgressStyle::with_template(style)?);
    progress.set_message(azulejo_words::clip(place, 30));
    while reviewer.step(stop) {
        progress.set_position(reviewer.n_done() as u64);
    }
    progress.finish_and_clear();
    Ok((!reviewer.decisions().is_empty()).then(|| reviewer.review()))
}
