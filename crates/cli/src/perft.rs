//! `azulejo perft`: counts move sequences, as chess programs do to test move generation.

use crate::{Answer, input, json};
use azulejo_notation::Dealer;
use azulejo_rules::{Deal, Phase, Position, perft};
use azulejo_words as words;
use serde_json::json;
use std::io::Write;
use std::time::Instant;

/// Count all move sequences of a given length, to test and time move generation.
///
/// New rounds are dealt from the seed, always the same way for the same position. A sequence that
/// ends the game counts as one.
///
/// Example: azulejo perft "$(azulejo new --seed 5)" 3
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Position, or `-` to read it from standard input.
    position: String,
    /// Length of the sequences, in moves.
    #[arg(value_parser = clap::value_parser!(u32).range(..=20))]
    depth: u32,
    /// Show the count below each first move.
    #[arg(long)]
    divide: bool,
    /// Seed of the deals.
    #[arg(short, long, default_value = "perft")]
    seed: String,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<Answer> {
    let position = input::position(&args.position)?;
    let seed = input::seed(Some(&args.seed))?;
    let mut deal = |position: &Position| -> Deal {
        let dealt = Dealer::resume(&seed, position).deal(position);
        dealt.expect("perft asks for deals only between rounds")
    };
    let start = Instant::now();
    let mut below = Vec::new();
    if args.divide && args.depth > 0 {
        let mut dealt = position;
        if dealt.phase() == Phase::Deal {
            dealt.deal(&deal(&position))?;
        }
        for m in dealt.legal_moves() {
            let mut next = dealt;
            next.play(m)?;
            below.push((m, perft(&next, args.depth - 1, &mut deal)));
        }
    }
    let total = if below.is_empty() {
        perft(&position, args.depth, &mut deal)
    } else {
        below.iter().map(|(_, n)| n).sum()
    };
    let seconds = start.elapsed().as_secs_f64();
    if args.json {
        let below = args.divide.then(|| {
            let rows = below.iter();
            rows.map(|(m, n)| json!({ "move": m.to_string(), "n_sequences": n }))
                .collect::<Vec<_>>()
        });
        let value = json!({
            "depth": args.depth,
            "n_sequences": total,
            "seconds": seconds,
            "below": below,
            "ended_by": json::ended_by(position.ended_by()),
        });
        writeln!(out, "{value}")?;
        return Ok(Answer::Yes);
    }
    for (m, n) in below {
        writeln!(out, "{m:<7} {n}")?;
    }
    let speed = total as f64 / seconds.max(1e-9) / 1e6;
    writeln!(
        out,
        "{} of {} in {seconds:.3} s ({speed:.1} million/s)",
        words::count(total, "sequence"),
        words::count(args.depth, "move")
    )?;
    Ok(Answer::Yes)
}
