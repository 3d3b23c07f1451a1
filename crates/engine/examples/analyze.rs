//! Drives the engine: prints the three best moves of a position with their forecasts.
//!
//! ```sh
//! cargo run --release -p azulejo-engine --example analyze [POSITION]
//! ```

use azulejo_engine::{Engine, Limits, Options, Stop};
use azulejo_rules::{Deal, Players, Position, Rules, Seat};
use std::time::Duration;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let position = match std::env::args().nth(1) {
        Some(text) => text.parse()?,
        None => first_position()?,
    };
    let mut engine = Engine::new(Options { multi_pv: 3, ..Options::default() });
    let limits = Limits { time: Some(Duration::from_millis(500)), ..Limits::default() };
    let seat = position.turn().index();
    let mut lines = Vec::new();
    engine.search(&position, &limits, &Stop::new(), &mut |info| {
        // Each iteration reports its lines from the best on.
        lines.truncate(info.multi_pv - 1);
        lines.push(info.clone());
    });
    for info in &lines {
        let moves: Vec<String> = info.pv.iter().map(ToString::to_string).collect();
        let (points, win) = (info.forecast.difference[seat], 100.0 * info.forecast.win[seat]);
        println!("depth {:2}  {points:+5.1} points  {win:3.0} %  {}", info.depth, moves.join(" "));
    }
    Ok(())
}

fn first_position() -> Result<Position, Box<dyn std::error::Error>> {
    let mut position = Position::new(Rules::official(Players::Two), Seat::One);
    position.deal(&"BBYR-KKKK-BYRK-YWWW-RRKK".parse::<Deal>()?)?;
    Ok(position)
}
