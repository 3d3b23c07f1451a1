//! Plays a random game and prints every move and the result.
//!
//! `cargo run -p azulejo-rules --example random_game [RULES [SEED]]`, as in `3gj 7`.

use azulejo_rules::{Phase, Position, Rules, Seat, Step};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let rules: Rules = args.next().as_deref().unwrap_or("2c").parse()?;
    let mut state: u64 = args.next().as_deref().unwrap_or("1").parse()?;
    // Any generator will do: the rules take random numbers as arguments.
    let mut below = |n: u32| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (((state >> 33) * u64::from(n)) >> 31) as u32
    };

    let mut position = Position::new(rules, rules.first_player().unwrap_or(Seat::One));
    while position.ended_by().is_none() {
        if position.phase() == Phase::Deal {
            let deal = position.draw_deal(&mut below);
            position.deal(&deal)?;
            println!("round {}: {deal}", position.round());
            continue;
        }
        let moves = position.legal_moves();
        let m = moves[below(moves.len() as u32) as usize];
        println!("  seat {} plays {m}, one of {} moves", position.turn(), moves.len());
        position.play_with(m, |step| {
            if let Step::Placed { seat, row, column, points, .. } = step {
                println!("    seat {seat} tiles row {row}, column {column}: {points} points");
            }
        })?;
    }

    let outcome = position.outcome().expect("the game is over");
    println!("The game ended because {}.", outcome.by.describe());
    for (seat, score) in Seat::ALL.into_iter().zip(&outcome.scores) {
        println!("seat {seat}: {score} points");
    }
    Ok(())
}
