//! `azulejo random`: plays random games and writes their records.

use crate::input::{self, RulesArgs};
use crate::{Answer, input::shorten, output};
use anyhow::Context;
use azulejo_notation::{Chance, Dealer, Expect, Record, Seed, SeedError};
use azulejo_rules::{Phase, Rules};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

/// The number of rounds after which a game is stopped. Without the stall rule a game can go on
/// forever; with it, no random game comes near this.
const MAX_ROUNDS: u16 = 500;

/// Play random games and write their records.
///
/// Every legal move is equally likely, and the same seed gives the same games. A game that is not
/// over after 500 rounds, which only `stall_rounds=0` allows, is written unfinished and reported;
/// the exit code is then 1.
///
/// Example: azulejo random --games 100 --seed 7 --format interchange -o games.jsonl
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    rules: RulesArgs,
    /// Number of games.
    #[arg(short = 'n', long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    games: u64,
    /// Seed; game 12 of seed 7 has the seed 7-12.
    #[arg(short, long)]
    seed: Option<String>,
    /// Format of the records.
    #[arg(short, long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// File to write instead of standard output (`-`). It appears when it is complete.
    #[arg(short, long)]
    output: Option<PathBuf>,
    /// Short for --format json.
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum Format {
    /// Readable text.
    Text,
    /// One JSON object per line.
    Json,
    /// One JSON object per line in the interchange form, with all results to check against.
    Interchange,
}

pub(crate) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<Answer> {
    let rules = args.rules.rules()?;
    let seed = input::seed(args.seed.as_deref())?;
    // The last seed is the longest: check it now, not after a million games.
    move_seed(&game_seed(&seed, args.games)?)
        .with_context(|| format!("the seed `{}` is too long", shorten(seed.as_str())))?;
    let file = args.output.as_deref().filter(|path| *path != Path::new("-"));
    let mut n_unfinished = 0;
    let mut write = |has_progress: bool, out: &mut dyn Write| {
        n_unfinished = write_games(args, &rules, &seed, has_progress, out)?;
        Ok(())
    };
    match file {
        None => {
            // On a terminal the bar would mix with the records.
            let is_watched = std::io::stdout().is_terminal();
            write(!is_watched, out)?;
        }
        Some(path) => output::write(path, |file| write(true, file))
            .with_context(|| format!("cannot write {}", path.display()))?,
    }
    Ok(if n_unfinished == 0 { Answer::Yes } else { Answer::No })
}

/// Writes all games; returns the number of those that were stopped.
fn write_games(
    args: &Args,
    rules: &Rules,
    seed: &Seed,
    has_progress: bool,
    out: &mut dyn Write,
) -> anyhow::Result<u64> {
    // Only for long runs; indicatif hides it where there is no terminal.
    let takes_long = args.games >= 200;
    let progress = if has_progress && takes_long {
        ProgressBar::new(args.games)
    } else {
        ProgressBar::hidden()
    };
    let style = "{wide_bar} {human_pos}/{human_len} games, {eta} left";
    progress.set_style(ProgressStyle::with_template(style)?);
    let mut n_unfinished = 0;
    for i in 1..=args.games {
        let record = random_game(rules, &game_seed(seed, i)?)?;
        if record.final_position().ended_by().is_none() {
            n_unfinished += 1;
            progress.suspend(|| {
                crate::complain(&format!(
                    "game {i} is not over after {MAX_ROUNDS} rounds and stays unfinished; with \
                     stall_rounds=0 a game may never end"
                ));
            });
        }
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
    Ok(n_unfinished)
}

fn game_seed(seed: &Seed, i: u64) -> anyhow::Result<Seed> {
    format!("{seed}-{i}")
        .parse()
        .with_context(|| format!("the seed `{}` is too long", shorten(seed.as_str())))
}

/// The moves have a seed of their own, so that the deals follow from the game's seed alone.
fn move_seed(seed: &Seed) -> Result<Seed, SeedError> {
    format!("{seed}m").parse()
}

/// Plays a game to its end, or for [`MAX_ROUNDS`] rounds.
fn random_game(rules: &Rules, seed: &Seed) -> anyhow::Result<Record> {
    let (first, mut dealer) = Dealer::new(seed, rules);
    let mut chance = Chance::new(&move_seed(seed)?);
    let mut record = Record::new(*rules, first)?;
    record.set_seed(Some(seed.clone()));
    loop {
        let position = *record.final_position();
        match position.phase() {
            Phase::Over(_) => return Ok(record),
            Phase::Deal if position.round() > MAX_ROUNDS => return Ok(record),
            Phase::Deal => record.deal(&dealer.deal(&position)?)?,
            Phase::Draft | Phase::Tiling(_) => {
                let m =
                    position.pick_move(|n| chance.below(n)).context("there is no legal move")?;
                record.play(m)?;
            }
        }
    }
}
