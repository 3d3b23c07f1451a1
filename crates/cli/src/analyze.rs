//! `azulejo analyze`: the best lines of a position, with words.

use crate::{Answer, input, interrupt};
use azulejo_engine::{DealValue, Engine, Info, Limits, Options};
use azulejo_notation::{Chance, Seed};
use azulejo_rules::{Phase, Position, Seat};
use azulejo_words::{self as words, Names};
use serde_json::{Value, json};
use std::io::Write;

/// Show the best moves of a position and why they are good.
///
/// Searches the position and prints the best lines with the expected difference in points and the win
/// chance. Between rounds it samples deals instead. The same position, nodes and version give the same
/// answer. Exits with 1 if the game is over.
///
/// Example: azulejo analyze "$(azulejo new --seed 5)" --lines 2
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Position, or `-` to read it from standard input.
    position: String,
    /// Number of lines.
    #[arg(short, long, default_value_t = 3,
          value_parser = clap::value_parser!(u8).range(1..=Options::MAX_MULTI_PV as i64))]
    lines: u8,
    /// Nodes to search; between rounds, for each deal.
    #[arg(short, long, default_value_t = 2_000_000,
          value_parser = clap::value_parser!(u64).range(100..=100_000_000_000))]
    nodes: u64,
    /// Deals to sample between rounds.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(2..=100_000))]
    deals: u32,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<Answer> {
    let position = input::position(&args.position)?;
    if let Some(outcome) = position.outcome() {
        if args.json {
            writeln!(out, "{}", json!({ "lines": [], "before_deal": null }))?;
        } else {
            let winners = words::winners(&outcome, Names::Numbers);
            writeln!(out, "{}. {winners}.", words::phase(&position, Names::Numbers))?;
        }
        return Ok(Answer::No);
    }
    let multi_pv = usize::from(args.lines);
    let mut engine = Engine::new(Options { multi_pv, ..Options::default() });
    if position.phase() == Phase::Deal {
        before_deal(args, &mut engine, &position, out)?;
    } else {
        best_lines(args, &mut engine, &position, out)?;
    }
    Ok(Answer::Yes)
}

fn best_lines(
    args: &Args,
    engine: &mut Engine,
    position: &Position,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let limits = Limits { nodes: Some(args.nodes), ..Limits::default() };
    let mut lines: Vec<Info> = Vec::new();
    let stop = interrupt::stop_when_interrupted();
    let answer = engine.search(position, &limits, &stop, &mut |info| {
        lines.truncate(info.multi_pv - 1);
        lines.push(info.clone());
    });
    if lines.is_empty() {
        // The limit was reached before the first depth was complete.
        lines.extend(answer.map(|answer| answer.info));
    }
    if args.json {
        let lines: Vec<Value> = lines.iter().map(line_json).collect();
        writeln!(out, "{}", json!({ "lines": lines, "before_deal": null }))?;
        return Ok(());
    }
    writeln!(out, "{}.", words::phase(position, Names::Numbers))?;
    for (i, info) in lines.iter().enumerate() {
        let forecast = words::forecast(info, position.turn());
        writeln!(out, "{:>2}. {forecast}: {}", i + 1, words::line(info, 8))?;
    }
    writeln!(out)?;
    for sentence in words::hint(&lines, position, Names::Numbers) {
        writeln!(out, "{sentence}")?;
    }
    Ok(())
}

fn before_deal(
    args: &Args,
    engine: &mut Engine,
    position: &Position,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let seed: Seed = "analyze".parse()?;
    let mut chance = Chance::new(&seed);
    // Twenty searches take as long as one of a position within a round.
    let nodes = Some((args.nodes / u64::from(args.deals)).max(1_000));
    let limits = Limits { nodes, ..Limits::default() };
    let stop = interrupt::stop_when_interrupted();
    let value = engine.deal_value(position, args.deals, &limits, &stop, |n| chance.below(n));
    let Some(DealValue { mean, error, n_deals }) = value else {
        anyhow::bail!("stopped before the first deal was searched");
    };
    if args.json {
        let numbers = json!({
            "n_deals": n_deals,
            "win": mean.win, "win_error": error.win,
            "difference": mean.difference, "difference_error": error.difference,
        });
        writeln!(out, "{}", json!({ "lines": [], "before_deal": numbers }))?;
        return Ok(());
    }
    writeln!(out, "{}.", words::phase(position, Names::Numbers))?;
    writeln!(out, "Over {n_deals} sampled deals, as the engine sees the rounds after them:")?;
    for (i, (win, points)) in mean.win.iter().zip(&mean.difference).enumerate() {
        let seat = Seat::ALL[i];
        let (win_error, points_error) = (100.0 * error.win[i], error.difference[i]);
        writeln!(
            out,
            "  Seat {seat}: {:.1} ± {win_error:.1} % to win, {points:+.1} ± {points_error:.1} points",
            100.0 * win
        )?;
    }
    Ok(())
}

fn line_json(info: &Info) -> Value {
    let moves: Vec<String> = info.pv.iter().map(ToString::to_string).collect();
    json!({
        "line": moves,
        "win": info.forecast.win,
        "difference": info.forecast.difference,
        "depth": info.depth,
        "nodes": info.nodes,
        "exact": info.exact,
        "proved": info.proved,
    })
}
