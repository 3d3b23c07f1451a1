//! Reproducibility: one thread, a node limit and a seed give the same answer in another engine, after
//! other games and searches, for every variant and number of players.

mod common {
    pub(crate) mod kinds;
}

use azulejo_engine::{Answer, Engine, EvalKind, Info, Level, Limits, Options, Stop};
use azulejo_rules::{Players, Position, Rules};
use azulejo_testkit::games::positions;
use common::kinds;
use std::time::Duration;

/// A transposition table small enough to be filled.
const OPTIONS: Options = Options {
    threads: 1,
    hash_mb: 1,
    eval: EvalKind::Learned,
    multi_pv: 1,
    level: Level::MAX,
    seed: 0,
};

/// Everything that a search reports except the time.
fn reports(engine: &mut Engine, position: &Position, nodes: u64) -> (Vec<Info>, Answer) {
    let timeless = |info: &Info| Info { time: Duration::ZERO, ..info.clone() };
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let mut infos = Vec::new();
    let answer =
        engine.search(position, &limits, &Stop::new(), &mut |info| infos.push(timeless(info)));
    let answer = answer.expect("there is a legal move");
    let info = timeless(&answer.info);
    (infos, Answer { info, ..answer })
}

/// Some positions from all parts of a game.
fn sample(rules: Rules, seed: u64) -> Vec<Position> {
    positions(rules, seed).into_iter().step_by(9).collect()
}

#[test]
fn same_search_gives_the_same_answer() {
    for rules in kinds::all() {
        let mut engine = Engine::new(OPTIONS);
        for position in sample(rules, 5) {
            let first = reports(&mut Engine::new(OPTIONS), &position, 1_500);
            assert_eq!(first.1.best, first.1.info.pv[0], "{position}");
            assert!(position.legal_moves().contains(&first.1.best), "{position}");
            assert!(first.1.info.nodes <= 1_500, "{} in {position}", first.1.info.nodes);
            // In an engine that has searched before.
            assert_eq!(reports(&mut engine, &position, 1_500), first, "again: {position}");
            engine.new_game();
            assert_eq!(reports(&mut engine, &position, 1_500), first, "new game: {position}");
        }
    }
}

#[test]
fn full_table_makes_no_difference() {
    // The smallest table.
    let options = Options { hash_mb: 0, ..OPTIONS };
    let positions = sample(Rules::official(Players::Two), 11);
    let mut engine = Engine::new(options.clone());
    for position in &positions {
        reports(&mut engine, position, 20_000);
    }
    for position in &positions {
        let first = reports(&mut Engine::new(options.clone()), position, 5_000);
        assert_eq!(reports(&mut engine, position, 5_000), first, "{position}");
    }
}

#[test]
fn every_evaluation_and_multi_pv_is_reproducible() {
    for options in [
        Options { eval: EvalKind::Classic, ..OPTIONS },
        Options { multi_pv: 3, ..OPTIONS },
        Options { multi_pv: Options::MAX_MULTI_PV, ..OPTIONS },
    ] {
        let mut engine = Engine::new(options.clone());
        for position in sample(Rules::official(Players::Two), 6) {
            let first = reports(&mut Engine::new(options.clone()), &position, 3_000);
            assert_eq!(reports(&mut engine, &position, 3_000), first, "{options:?} {position}");
        }
    }
}

#[test]
fn levels_depend_on_their_seed() {
    let positions = sample(Rules::official(Players::Two), 7);
    let mut n_different = 0;
    for level in Level::all() {
        let play = |seed: u64| -> Vec<_> {
            let mut engine = Engine::new(Options { level, seed, ..OPTIONS });
            positions.iter().map(|position| reports(&mut engine, position, 500).1.best).collect()
        };
        let (once, again, other) = (play(1), play(1), play(2));
        assert_eq!(once, again, "level {level}");
        n_different += usize::from(once != other);
        for (position, m) in positions.iter().zip(&once) {
            assert!(position.legal_moves().contains(m), "level {level}: {m} in {position}");
        }
    }
    assert!(n_different > 0, "no level depends on the seed");
}
