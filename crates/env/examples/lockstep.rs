//! Random games as the rules play them, line by line, for other implementations to follow:
//! `lockstep GAMES`. A line `game RULES SEED` begins a game, and each other line is a move with the
//! rewards, the position after it (and after the deal that may follow), and the legal moves there.

use azulejo_notation::Dealer;
use azulejo_rules::{Phase, Position, Rules};
use azulejo_testkit::Rng;
use std::io::{BufWriter, Write, stdout};

const KINDS: [&str; 12] = [
    "2c",
    "3c",
    "4c",
    "2g",
    "3g",
    "4g",
    "2cj",
    "3cj",
    "4gj",
    "2c-duel",
    "3c-quick-guide",
    "2g-overview",
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let n_games: u64 = std::env::args().nth(1).unwrap_or_else(|| "12".to_owned()).parse()?;
    let mut out = BufWriter::new(stdout().lock());
    for seed in 0..n_games {
        let kind = KINDS[seed as usize % KINDS.len()];
        writeln!(out, "game {kind} {seed}")?;
        play(kind.parse()?, seed, &mut out)?;
    }
    Ok(())
}

fn play(rules: Rules, seed: u64, out: &mut impl Write) -> Result<(), Box<dyn std::error::Error>> {
    let mut rng = Rng::new(seed);
    let (first, mut dealer) = Dealer::new(&seed.to_string().parse()?, &rules);
    let mut position = Position::new(rules, first);
    position.deal(&dealer.deal(&position)?)?;
    while let Some(m) = position.pick_move(|n| rng.below(n)) {
        position.play(m)?;
        let rewards = rewards(&position);
        if position.phase() == Phase::Deal {
            position.deal(&dealer.deal(&position)?)?;
        }
        let legal: Vec<String> = position.legal_moves().iter().map(ToString::to_string).collect();
        writeln!(out, "{m}\t{}\t{position}\t{}", rewards.join(" "), legal.join(" "))?;
    }
    Ok(())
}

/// The reward `outcome` of each seat, written anew: sole winners get 1, the rest share -1.
fn rewards(position: &Position) -> Vec<String> {
    let n_seats = position.boards().len() as f64;
    let Some(outcome) = position.outcome() else { return vec!["0".to_owned(); n_seats as usize] };
    let n_winners = outcome.winners().count() as f64;
    let n_losers = n_seats - n_winners;
    let reward = |&rank: &u8| match rank {
        // Each loser pays one part of a whole to each winner, and there is one whole to win.
        1 => n_losers / n_winners / (n_seats - 1.0),
        _ => -1.0 / (n_seats - 1.0),
    };
    outcome.ranks.iter().map(|rank| reward(rank).to_string()).collect()
}
