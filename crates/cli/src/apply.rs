//! `azulejo apply`: plays moves.

use crate::input::{self, MoveOrDeal};
use crate::{Answer, json};
use azulejo_notation::Dealer;
use azulejo_rules::{IllegalMove, Phase};
use azulejo_words::{self as words, Names};
use serde_json::json;
use std::io::Write;

/// Play moves and print the resulting position.
///
/// Between rounds, give the next deal like a move (`BBYR-KKKK-BYRK-YWWW-RRKK`), or give --seed to
/// deal automatically. An illegal move or deal is explained on standard error, and no position is
/// printed; the exit code is then 1.
///
/// Example: azulejo apply "$(azulejo new --seed 5)" 1B2 --steps
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Position, or `-` to read it from standard input.
    position: String,
    /// Moves in order (3B2, 0KF, 2JB1j1, r2c3), with deals between rounds.
    #[arg(required = true)]
    moves: Vec<String>,
    /// Deal new rounds from this seed.
    #[arg(short, long)]
    seed: Option<String>,
    /// Describe every step before the position.
    #[arg(long)]
    steps: bool,
    /// Print JSON: the position and every step.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<Answer> {
    let mut position = input::position(&args.position)?;
    let mut dealer = match args.seed.as_deref() {
        Some(seed) => Some(Dealer::resume(&input::seed(Some(seed))?, &position)),
        None => None,
    };
    let mut steps = Vec::new();
    for (i, text) in args.moves.iter().enumerate() {
        let step = input::move_or_deal(text)?;
        if let (Some(dealer), Phase::Deal, MoveOrDeal::Move(_)) =
            (&mut dealer, position.phase(), &step)
        {
            let deal = dealer.deal(&position)?;
            position.deal_with(&deal, |step| steps.push(step))?;
        }
        let report = |step| steps.push(step);
        let (problem, mut illegal) = match step {
            MoveOrDeal::Deal(deal) => match position.deal_with(&deal, report) {
                Ok(()) => continue,
                Err(reason) => (
                    format!("move {}, the deal {deal}, is not possible: {reason}", i + 1),
                    json::illegal_deal(&deal, &reason),
                ),
            },
            MoveOrDeal::Move(m) => match position.play_with(m, report) {
                Ok(()) => continue,
                Err(reason) => {
                    let hint = match reason {
                        IllegalMove::DealDue => "; give a deal or --seed",
                        _ => "",
                    };
                    (
                        format!("move {} ({m}) is illegal: {reason}{hint}", i + 1),
                        json::illegal(m, &reason),
                    )
                }
            },
        };
        if args.json {
            illegal["number"] = json!(i + 1);
            writeln!(out, "{illegal}")?;
        }
        crate::complain(&problem);
        return Ok(Answer::No);
    }
    if args.json {
        let steps: Vec<_> = steps.iter().map(json::step).collect();
        writeln!(out, "{}", json!({ "steps": steps, "position": json::position(&position) }))?;
        return Ok(Answer::Yes);
    }
    if args.steps {
        for step in &steps {
            writeln!(out, "{}", words::step(step, position.rules(), Names::Numbers))?;
        }
    }
    writeln!(out, "{position}")?;
    Ok(Answer::Yes)
}
