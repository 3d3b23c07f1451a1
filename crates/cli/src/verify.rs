//! `azulejo verify`: checks that deals were fair (commit and reveal of the seed).

use crate::replay::games::{self, ReadError};
use crate::{Answer, json};
use anyhow::bail;
use azulejo_notation::{Record, SeedMismatch, verify_deals};
use serde_json::json;
use std::io::Write;

/// Check that the deals of recorded games follow from their published seeds.
///
/// A server publishes the hash of a game's seed before the first deal, and the seed when the game is
/// over. The record holds both. This command checks that the seed has that hash, and that the first
/// player and every deal follow from the seed.
///
/// Exits with 1 if they do not, with 2 if a record cannot be read or has no seed.
///
/// Example: azulejo random --games 3 --seed 5 | azulejo verify -
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Files with records, or `-` for standard input.
    #[arg(required = true)]
    files: Vec<String>,
    /// Print JSON, one object for each game.
    #[arg(long)]
    json: bool,
}

/// The result of a check.
enum Verdict {
    /// The seed has the published hash, and the deals follow from it.
    Kept,
    /// The deals follow from the seed; no hash was published.
    NoPromise,
    /// The seed does not have the published hash.
    OtherSeed,
    /// The deals do not follow from the seed.
    OtherDeals(SeedMismatch),
    /// The record has no seed.
    NoSeed,
}

pub(crate) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<Answer> {
    let (mut n_games, mut n_bad, mut n_open) = (0, 0, 0);
    for file in &args.files {
        let read = games::read(file, false, &mut |game| {
            n_games += 1;
            let Some(record) = &game.record else {
                let error = game.error.as_ref().map_or(String::new(), ToString::to_string);
                bail!("{}: {error}", game.place);
            };
            let verdict = verdict(record);
            match verdict {
                Verdict::OtherSeed | Verdict::OtherDeals(_) => n_bad += 1,
                Verdict::NoSeed => n_open += 1,
                Verdict::Kept | Verdict::NoPromise => {}
            }
            if args.json {
                writeln!(out, "{}", to_json(&game.place, record, &verdict))?;
            } else {
                writeln!(out, "{}: {}", game.place, sentence(&verdict))?;
            }
            Ok(())
        });
        match read {
            Ok(()) => {}
            Err(ReadError::Input(error) | ReadError::Output(error)) => return Err(error),
        }
    }
    match (n_games, n_open, n_bad) {
        (0, ..) => bail!("no game in {}", games::name(&args.files.join(", "))),
        (_, 1.., _) => bail!("{n_open} of {n_games} games name no seed"),
        (_, 0, 0) => Ok(Answer::Yes),
        _ => Ok(Answer::No),
    }
}

fn verdict(record: &Record) -> Verdict {
    let Some(seed) = record.seed() else { return Verdict::NoSeed };
    let promise = record.tag("SeedHash");
    if promise.is_some_and(|hash| hash != azulejo_table::seed_hash(seed)) {
        return Verdict::OtherSeed;
    }
    match verify_deals(record) {
        Err(mismatch) => Verdict::OtherDeals(mismatch),
        Ok(_) if promise.is_some() => Verdict::Kept,
        Ok(_) => Verdict::NoPromise,
    }
}

fn sentence(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Kept => {
            "fair: the seed has the published hash, and every deal follows from it".to_owned()
        }
        Verdict::NoPromise => {
            "every deal follows from the seed (no hash was published before the game)".to_owned()
        }
        Verdict::OtherSeed => "not fair: the seed does not have the published hash".to_owned(),
        Verdict::OtherDeals(mismatch) => format!("not fair: {mismatch}"),
        Verdict::NoSeed => "cannot be checked: the record has no seed".to_owned(),
    }
}

fn to_json(place: &str, record: &Record, verdict: &Verdict) -> serde_json::Value {
    let (code, problem) = match verdict {
        Verdict::Kept => ("kept", None),
        Verdict::NoPromise => ("no_promise", None),
        Verdict::OtherSeed => ("other_seed", Some(sentence(verdict))),
        Verdict::OtherDeals(_) => ("other_deals", Some(sentence(verdict))),
        Verdict::NoSeed => ("no_seed", Some(sentence(verdict))),
    };
    json!({
        "place": place,
        "verdict": code,
        "seed": record.seed().map(ToString::to_string),
        "seed_hash": record.tag("SeedHash"),
        "problem": problem,
        "rules": json::rules(record.rules())["text"],
    })
}
