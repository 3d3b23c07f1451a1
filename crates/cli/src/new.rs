//! `azulejo new`: a new game.

use crate::input::{self, RulesArgs};
use crate::{Answer, json};
use azulejo_notation::{Day, Dealer};
use azulejo_rules::Position;
use serde_json::json;
use std::io::Write;

/// Deal a new game and print its position.
///
/// The seed determines the first player and all deals. Without --seed a random one is used, which
/// --json shows.
///
/// Example: azulejo new --players 3 --wall grey --jokers --seed 5
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    rules: RulesArgs,
    /// Seed of the game: 1 to 64 letters, digits, `-`, `_` or `.`.
    #[arg(short, long)]
    seed: Option<String>,
    /// The daily deal of a date like 2026-11-18 (UTC), the same as in the browser.
    #[arg(long, value_name = "DATE", conflicts_with_all = ["seed", "players", "wall", "jokers", "preset", "rule"])]
    daily: Option<Day>,
    /// Stop before the first deal.
    #[arg(long)]
    undealt: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<Answer> {
    let rules = args.rules.rules()?;
    let seed = match args.daily {
        Some(day) => day.seed(),
        None => input::seed(args.seed.as_deref())?,
    };
    let (first, mut dealer) = Dealer::new(&seed, &rules);
    let mut position = Position::new(rules, first);
    if !args.undealt {
        position.deal(&dealer.deal(&position)?)?;
    }
    if args.json {
        let mut value = json::position(&position);
        value["seed"] = json!(seed.as_str());
        writeln!(out, "{value}")?;
    } else {
        writeln!(out, "{position}")?;
    }
    Ok(Answer::Yes)
}
