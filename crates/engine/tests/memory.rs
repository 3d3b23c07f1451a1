//! Memory stays bounded: many games in one engine use no more memory than a few.
#![cfg(target_os = "linux")]

use azulejo_engine::{Engine, Limits, Options, Stop};
use azulejo_rules::{Players, Position, Rules, WallKind};
use azulejo_testkit::games::play_game;

/// Games after the warm-up; the environment variable AZULEJO_MEMORY_GAMES overrides it.
const GAMES: u64 = 300;
const WARM_UP: u64 = 20;

/// Growth that the allocator may cause.
const SLACK_KB: u64 = 1024;

/// The anonymous resident memory of this process; mapped code is not counted.
fn resident_kb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("this is Linux");
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"));
    let number = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
    number.expect("the status of a process names its resident memory")
}

#[test]
fn memory_stays_bounded_over_many_games() {
    let n_games = std::env::var("AZULEJO_MEMORY_GAMES").ok();
    let n_games = n_games.map_or(GAMES, |n| n.parse().expect("a number of games"));
    // A small table is soon full and cannot hide growth.
    let mut engine = Engine::new(Options { hash_mb: 1, ..Options::default() });
    let limits = Limits { nodes: Some(20), ..Limits::default() };
    let variants = [
        Rules::official(Players::Two),
        Rules::official(Players::Two).with_wall(WallKind::Grey).with_jokers(true),
        Rules::official(Players::Four),
    ];
    let mut play = |seed: u64| {
        engine.new_game();
        let search = |position: &Position| {
            engine.search(position, &limits, &Stop::new(), &mut |_| {}).map(|answer| answer.best)
        };
        play_game(variants[seed as usize % 3], seed, 10, search, |_, _| {});
    };
    (0..WARM_UP).for_each(&mut play);
    let before = resident_kb();
    (WARM_UP..WARM_UP + n_games).for_each(&mut play);
    let after = resident_kb();
    println!("{before} kB after {WARM_UP} games, {after} kB after {n_games} more");
    assert!(after <= before + SLACK_KB, "grown from {before} kB to {after} kB");
}
