//! A whole game between two people on one device: commands in, events out, and the record at the end.
//!
//! ```sh
//! cargo run -p azulejo-table --example hot_seat
//! ```

use azulejo_notation::Seed;
use azulejo_rules::{Players, Rules};
use azulejo_table::view::{GameView, Presence};
use azulejo_table::{
    ClockSpec, Command, Decision, Event, Game, LoggedEvent, SeatKind, SeedBy, Settings, Status,
    seed_hash,
};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let seed: Seed = "2026".parse()?;
    let here = |name: &str| SeatKind::Person { person: "device".to_owned(), name: name.to_owned() };
    let settings = Settings {
        rules: Rules::official(Players::Two).to_string(),
        seats: vec![here("Ana"), here("Bob")],
        clock: ClockSpec::None,
        listed: false,
        takebacks: true,
        hints: true,
        seed_hash: seed_hash(&seed),
        seed_by: SeedBy::Server,
        position: None,
        rematch_of: None,
        daily: None,
        creator: "device".to_owned(),
    };
    let mut log = vec![LoggedEvent { number: 1, at_ms: 0, event: Event::Created }];
    let mut game = Game::new("example".into(), settings.into(), seed)?;
    game.apply(&log[0])?;
    while game.status() == Status::Playing {
        let now_ms = i64::try_from(log.len())? * 1_000;
        let view = GameView::new(&game, Some("device"), &Presence::default(), now_ms);
        // The move with the best score at the end of the round, by its preview.
        let best = view.moves.iter().max_by_key(|m| m.change).ok_or("no legal move")?;
        let command = Command::Move { m: best.m.clone(), id: None, after: None, seat: None };
        if let Decision::Log(event) = game.decide(Some("device"), &command, now_ms)? {
            let logged = LoggedEvent { number: game.number + 1, at_ms: now_ms, event };
            game.apply(&logged)?;
            log.push(logged);
        }
    }
    // The log alone rebuilds the game, on another machine or after a restart.
    let mut again = game.restart();
    log.iter().try_for_each(|logged| again.apply(logged))?;
    assert_eq!(again.position, game.position);
    println!("{}", game.record());
    println!("{:?}", game.result());
    Ok(())
}
