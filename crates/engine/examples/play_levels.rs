//! Plays a whole game between two levels of the engine and prints the moves and the result.
//!
//! ```sh
//! cargo run --release -p azulejo-engine --example play_levels -- 7 Novice
//! ```

use azulejo_engine::{Engine, Level, Limits, Options, Stop};
use azulejo_rules::{Phase, Players, Position, Rules, Seat};
use std::time::Duration;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let mut level = |default: &str| args.next().unwrap_or(default.to_owned()).parse::<Level>();
    let levels = [level("5")?, level("3")?];
    let mut engines = levels.map(|level| Engine::new(Options { level, ..Options::default() }));
    let limits = Limits { time: Some(Duration::from_millis(100)), ..Limits::default() };
    let mut position = Position::new(Rules::official(Players::Two), Seat::One);
    // Chance is an argument of the rules: any source of random numbers will do.
    let mut state = 1_u64;
    while position.outcome().is_none() {
        if position.phase() == Phase::Deal {
            let deal = position.draw_deal(|n| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (state >> 33) as u32 % n
            });
            position.deal(&deal)?;
            println!("round {}: {deal}", position.round());
            continue;
        }
        let seat = position.turn();
        let engine = &mut engines[seat.index()];
        let answer = engine.search(&position, &limits, &Stop::new(), &mut |_| {});
        let m = answer.ok_or("the position has no legal move")?.best;
        println!("  {}: {m}", levels[seat.index()]);
        position.play(m)?;
    }
    for (level, board) in levels.iter().zip(position.boards()) {
        println!("{level}: {} points", board.score());
    }
    Ok(())
}
