//! `azulejo random`: plays random games and writes their records.

use crate::input::{self, RulesArgs};
use crate::{Answer, input::shorten, output};
use anyhow::Context;
use azulejo_notation::{Chance, Dealer, Expect, Record, Seed, SeedError};
use azulejo_rules::{Phase, Rules};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

/// Play random games and write their records.
///
/// Every legal move is equally likely. With the same seed the games are the same.
///
/// Example: azulejo random --games 100 --seed 7 --format interchange -o games.jsonl
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    rules: RulesArgs,
    /// How many games.
    #[arg(short = 'n', long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    games: u64,
    /// The seed; game 12 of seed 7 has the seed 7-12.
    #[arg(short, long)]
    seed: Option<String>,
    /// The form of the records.
    #[arg(short, long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Write to this file instead of standard output (`-`). It appears when it is complete.
    #[arg(short, long)]
    output: Option<PathBuf>,
    /// The same as --format json.
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum Format {
    /// Readable text.
    Text,
    /// One JSON object to a line.
    Json,
    /// One JSON object to a line for other programs, with all results to check.
    Interchange,
}

pub(crate) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<Answer> {
    let rules = args.rules.rules()?;
    let seed = input::seed(args.seed.as_deref())?;
    // The last seed is the longest: no use to find out after a million games.
    move_seed(&game_seed(&seed, args.games)?)
        .with_context(|| format!("the seed `{}` is too long", shorten(seed.as_str())))?;
    let file = args.output.as_deref().filter(|path| *path != Path::new("-"));
    match file {
        None => {
            // A bar between the lines of a terminal would only be in the way.
            let is_watched = std::io::stdout().is_terminal();
            write_games(args, &rules, &seed, !is_watched, out)?;
        }
        Some(path) => output::write(path, |file| write_games(args, &rules, &seed, true, file))
            .with_context(|| format!("cannot write {}", path.display()))?,
    }
    Ok(Answer::Yes)
}

fn write_games(
    args: &Args,
    rules: &Rules,
    seed: &Seed,
    has_progress: bool,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    // Shown only where there is a terminal to show it on, and only for what takes a while.
    let takes_long = args.games >= 200;
    let progress = if has_progress && takes_long {
        ProgressBar::new(args.games)
    } else {
        ProgressBar::hidden()
    };
    let style = "{wide_bar} {human_pos}/{human_len} games, {eta} left";
    progress.set_style(ProgressStyle::with_template(style)?);
    for i in 1..=args.games {
        let record = random_game(rules, &game_seed(seed, i)?)?;
        match args.format {
            Format::Text if !args.json => {
                let gap = if i == 1 { "" } else { "\n" };
                write!(out, "{gap}{record}")?;
            }
            Format::Interchange => {
                let line = record.to_interchange(Some(&Expect::of(&record)));
                writeln!(out, "{}", line.context("the game has no interchange form")?)?;
            }
            _ => writeln!(out, "{}", record.to_json())?,
        }
        progress.inc(1);
    }
    progress.finish_and_clear();
    Ok(())
}

fn game_seed(seed: &Seed, i: u64) -> anyhow::Result<Seed> {
    format!("{seed}-{i}")
        .parse()
        .with_context(|| format!("the seed `{}` is too long", shorten(seed.as_str())))
}

/// Numbers of their own for the moves, so that the deals follow from the seed alone.
fn move_seed(seed: &Seed) -> Result<Seed, SeedError> {
    format!("{seed}m").parse()
}

fn random_game(rules: &Rules, seed: &Seed) -> anyhow::Result<Record> {
    let (first, mut dealer) = Dealer::new(seed, rules);
    let mut chance = Chance::new(&move_seed(seed)?);
    let mut record = Record::new(*rules, first)?;
    record.set_seed(Some(seed.clone()));
    loop {
        let position = *record.final_position();
        match position.phase() {
            Phase::Over(_) => return Ok(record),
            Phase::Deal => record.deal(&dealer.deal(&position)?)?,
            Phase::Draft | Phase::Tiling(_) => {
                let m =
                    position.pick_move(|n| chance.below(n)).context("there is always a move")?;
                record.play(m)?;
            }
        }
    }
}
