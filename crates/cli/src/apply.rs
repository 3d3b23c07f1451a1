//! `azulejo apply`: plays moves.

use crate::input::{self, Step};
use crate::{Answer, json, words};
use anyhow::Context;
use azulejo_notation::Dealer;
use azulejo_rules::Phase;
use serde_json::json;
use std::io::Write;

/// Play moves and print the position they lead to.
///
/// Between rounds the next deal can be given like a move (`BBYR-KKKK-BYRK-YWWW-RRKK`), or --seed
/// deals by itself. An illegal move is explained on standard error, and nothing is printed.
///
/// Example: azulejo apply "$(azulejo new --seed 5)" 1B2 --steps
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The position, or `-` to read it from standard input.
    position: String,
    /// The moves in order: 3B2, 0KF, 2JB1j1, r2c3.
    #[arg(required = true)]
    moves: Vec<String>,
    /// Deal new rounds from this seed.
    #[arg(short, long)]
    seed: Option<String>,
    /// Tell every step in words before the position.
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
    let mut events = Vec::new();
    for (i, text) in args.moves.iter().enumerate() {
        let step = input::step(text)?;
        if let (Some(dealer), Phase::Deal, Step::Play(_)) = (&mut dealer, position.phase(), &step) {
            let deal = dealer.deal(&position)?;
            position.deal_with(&deal, |event| events.push(event))?;
        }
        match step {
            Step::Deal(deal) => {
                position
                    .deal_with(&deal, |event| events.push(event))
                    .with_context(|| format!("deal {}", input::shorten(text)))?;
            }
            Step::Play(m) => {
                if let Err(reason) = position.play_with(m, |event| events.push(event)) {
                    let hint = if reason == azulejo_rules::IllegalMove::DealDue {
                        "; give a deal, or --seed"
                    } else {
                        ""
                    };
                    if args.json {
                        writeln!(out, "{}", json::illegal(m, &reason))?;
                    }
                    eprintln!("azulejo: move {} ({m}) is illegal: {reason}{hint}", i + 1);
                    return Ok(Answer::No);
                }
            }
        }
    }
    if args.json {
        let steps: Vec<_> = events.iter().map(json::event).collect();
        writeln!(out, "{}", json!({ "steps": steps, "position": json::position(&position) }))?;
        return Ok(Answer::Yes);
    }
    if args.steps {
        for event in &events {
            writeln!(out, "{}", words::event(event))?;
        }
    }
    writeln!(out, "{position}")?;
    Ok(Answer::Yes)
}
