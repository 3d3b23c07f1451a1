//! How the levels err: like beginners, not by clockwork, and never by throwing tiles away for nothing.

mod common {
    pub(crate) mod kinds;
}

use azulejo_engine::{Engine, Level, Limits, Options, Stop};
use azulejo_rules::{Destination, Move, Position};
use azulejo_testkit::games::positions;
use common::kinds;
use std::collections::BTreeSet;

fn engine(number: u8, seed: u64) -> Engine {
    let level = Level::new(number).expect("there are ten levels");
    Engine::new(Options { level, seed, hash_mb: 1, ..Options::default() })
}

fn choose(engine: &mut Engine, position: &Position) -> Move {
    let answer = engine.search(position, &Limits::default(), &Stop::new(), &mut |_| {});
    answer.expect("there is a legal move").best
}

fn is_to_floor(m: &Move) -> bool {
    matches!(m, Move::Draft(draft) if draft.to == Destination::Floor)
}

#[test]
fn weakest_levels_throw_tiles_away_only_when_they_must() {
    let mut n_forced = 0;
    for rules in kinds::all() {
        for position in positions(rules, 3) {
            let must = position.legal_moves().iter().all(is_to_floor);
            n_forced += usize::from(must);
            for level in 1..=3 {
                let m = choose(&mut engine(level, 5), &position);
                assert_eq!(is_to_floor(&m), must, "level {level}, {m}: {position}");
            }
        }
    }
    assert!(n_forced > 10, "{n_forced} positions without a choice");
}

#[test]
fn misjudging_level_drops_tiles_only_on_purpose() {
    for position in positions("2c".parse().expect("rules"), 3) {
        let best = choose(&mut engine(4, 0), &position);
        let full = Engine::new(Options { hash_mb: 1, ..Options::default() }).search(
            &position,
            &Limits { depth: Some(1), ..Limits::default() },
            &Stop::new(),
            &mut |_| {},
        );
        let full = full.expect("there is a legal move").best;
        assert!(!is_to_floor(&best) || best == full, "{best} instead of {full}: {position}");
    }
}

/// The same position with other seeds: weak levels make other mistakes, and the same seed repeats a
/// move, whatever the engine has played before.
#[test]
fn mistakes_depend_on_the_seed_alone() {
    let start = positions("2c".parse().expect("rules"), 3)[0];
    for level in 1..=2 {
        let moves: BTreeSet<String> =
            (0..30).map(|seed| choose(&mut engine(level, seed), &start).to_string()).collect();
        assert!(moves.len() >= 4, "level {level} plays only {moves:?}");
    }
    let all = positions("3gj".parse().expect("rules"), 4);
    for level in (1..=7).filter_map(Level::new) {
        let mut used = engine(level.number(), 9);
        for position in all.iter().step_by(7) {
            let first = choose(&mut engine(level.number(), 9), position);
            assert_eq!(choose(&mut used, position), first, "level {level}: {position}");
        }
    }
}

#[test]
fn threads_do_not_change_a_level() {
    let options = |threads| {
        let level = Level::new(7).expect("there are ten levels");
        Options { level, threads, hash_mb: 1, ..Options::default() }
    };
    for position in positions("2c".parse().expect("rules"), 3).iter().step_by(5) {
        let one = choose(&mut Engine::new(options(1)), position);
        assert_eq!(choose(&mut Engine::new(options(4)), position), one, "{position}");
    }
}
