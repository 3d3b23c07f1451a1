//! Limits of a search: extreme values, the stop switch, several threads, and positions without a legal
//! move. The timeouts are generous because the machine may be busy; only a search that does not end
//! must fail.

use azulejo_engine::{Answer, Clock, Engine, Limits, Options, Stop};
use azulejo_rules::{Phase, Players, Position, Rules, Seat};
use azulejo_testkit::Rng;
use azulejo_testkit::games::positions;
use std::time::{Duration, Instant};

const TIMEOUT: Duration = Duration::from_secs(5);

fn options(threads: usize) -> Options {
    Options { threads, hash_mb: 1, ..Options::default() }
}

/// The first position of a game.
fn first_position(players: Players) -> Position {
    positions(Rules::official(players), 1)[0]
}

/// A position with four piles left.
fn late_position() -> Position {
    let positions = positions(Rules::official(Players::Two), 1);
    *positions.iter().find(|position| position.n_piles() == 4).expect("every round gets there")
}

#[track_caller]
fn check_answer(position: &Position, answer: Option<Answer>) {
    let answer = answer.expect("there is a legal move");
    assert!(position.legal_moves().contains(&answer.best), "{} in {position}", answer.best);
    assert_eq!(answer.info.pv.first(), Some(&answer.best), "{position}");
    let seats = position.rules().players().count();
    let forecast = &answer.info.forecast;
    assert_eq!((forecast.win.len(), forecast.difference.len()), (seats, seats), "{position}");
    let sum: f32 = forecast.win.iter().sum();
    assert!((sum - 1.0).abs() < 1e-3, "{forecast:?} in {position}");
    assert!(forecast.difference.iter().all(|points| points.is_finite()), "{forecast:?}");
}

#[test]
fn tiny_limits_end_a_search_at_once() {
    let none = Limits::default();
    let clock = |left, increment| Limits { clock: Some(Clock { left, increment }), ..none };
    let (zero, most) = (Duration::ZERO, Duration::MAX);
    for players in Players::ALL {
        let position = first_position(players);
        for limits in [
            Limits { time: Some(zero), ..none },
            Limits { time: Some(Duration::from_nanos(1)), ..none },
            Limits { nodes: Some(0), ..none },
            Limits { nodes: Some(1), ..none },
            Limits { depth: Some(0), ..none },
            Limits { depth: Some(1), ..none },
            Limits { nodes: Some(1), time: Some(most), depth: Some(u32::MAX), ..none },
            clock(zero, zero),
            clock(Duration::from_millis(1), zero),
            Limits { nodes: Some(1), ..clock(most, most) },
            Limits { nodes: Some(1), ..clock(zero, most) },
            Limits { depth: Some(1), ..clock(most, zero) },
        ] {
            for threads in [1, 3] {
                let mut engine = Engine::new(options(threads));
                let start = Instant::now();
                let answer = engine.search(&position, &limits, &Stop::new(), &mut |_| {});
                check_answer(&position, answer);
                assert!(start.elapsed() < TIMEOUT, "{limits:?} took {:?}", start.elapsed());
            }
        }
    }
}

#[test]
fn huge_limits_let_a_round_be_solved() {
    // The round is solved before any of these limits.
    let position = late_position();
    let none = Limits::default();
    for limits in [
        none,
        Limits { nodes: Some(u64::MAX), ..none },
        Limits { nodes: Some(1 << 63), ..none },
        Limits { time: Some(Duration::MAX), ..none },
        Limits { depth: Some(u32::MAX), ..none },
    ] {
        let answer = Engine::new(options(1)).search(&position, &limits, &Stop::new(), &mut |_| {});
        assert!(answer.as_ref().is_some_and(|answer| answer.info.exact), "{limits:?}");
        check_answer(&position, answer);
    }
}

#[test]
fn node_limit_is_kept() {
    let position = first_position(Players::Two);
    let mut engine = Engine::new(options(1));
    for nodes in [1, 2, 10, 1_000, 1_024, 1_025, 5_000] {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let answer = engine.search(&position, &limits, &Stop::new(), &mut |_| {});
        let used = answer.expect("there is a legal move").info.nodes;
        assert!(used <= nodes, "{used} nodes of {nodes}");
    }
}

#[test]
fn stop_ends_a_search() {
    for players in Players::ALL {
        for threads in [1, 4] {
            let position = first_position(players);
            let mut engine = Engine::new(options(threads));
            let stop = Stop::new();
            let start = Instant::now();
            let answer = std::thread::scope(|scope| {
                scope.spawn(|| {
                    std::thread::sleep(Duration::from_millis(30));
                    stop.stop();
                });
                engine.search(&position, &Limits::default(), &stop, &mut |_| {})
            });
            check_answer(&position, answer);
            assert!(start.elapsed() < TIMEOUT, "{:?}", start.elapsed());
            // It stays stopped.
            check_answer(
                &position,
                engine.search(&position, &Limits::default(), &stop, &mut |_| {}),
            );
        }
    }
}

#[test]
fn stop_ends_a_search_of_wall_choices() {
    let mut engine = Engine::new(options(1));
    let mut most_nodes = 0;
    for seed in 0..5 {
        for position in positions("4gj".parse().expect("a kind of game"), seed) {
            if !matches!(position.phase(), Phase::Tiling(_)) {
                continue;
            }
            let stop = Stop::new();
            let answer = engine.search(&position, &Limits::default(), &stop, &mut |_| {});
            most_nodes = most_nodes.max(answer.map_or(0, |answer| answer.info.nodes));
            stop.stop();
            let answer = engine.search(&position, &Limits::default(), &stop, &mut |_| {});
            let nodes = answer.as_ref().map_or(0, |answer| answer.info.nodes);
            assert_eq!(nodes, u64::from(position.n_legal_moves()), "{position}");
            check_answer(&position, answer);
        }
    }
    assert!(most_nodes > 500, "all choices were small: {most_nodes} nodes");
}

#[test]
fn several_threads_end_in_time() {
    let time = Duration::from_millis(30);
    let limits = Limits { time: Some(time), ..Limits::default() };
    for players in Players::ALL {
        let game = positions(Rules::official(players), 3);
        for threads in [2, 8] {
            let mut engine = Engine::new(options(threads));
            for position in game.iter().step_by(15) {
                let start = Instant::now();
                check_answer(position, engine.search(position, &limits, &Stop::new(), &mut |_| {}));
                assert!(start.elapsed() < TIMEOUT, "{:?}", start.elapsed());
            }
        }
    }
}

#[test]
fn several_threads_solve_what_one_solves() {
    let position = late_position();
    let forecasts = [1, 2, 5].map(|threads| {
        let limits = Limits::default();
        let answer =
            Engine::new(options(threads)).search(&position, &limits, &Stop::new(), &mut |_| {});
        let info = answer.expect("there is a legal move").info;
        assert!(info.exact, "{threads} threads");
        info.forecast
    });
    assert!(forecasts.iter().all(|forecast| *forecast == forecasts[0]), "{forecasts:?}");
}

#[test]
fn no_answer_between_rounds_and_after_the_end() {
    let mut rng = Rng::new(2);
    for players in Players::ALL {
        let mut engine = Engine::new(options(2));
        let mut position = Position::new(Rules::official(players), Seat::One);
        let mut n_none = 0;
        loop {
            let is_over = matches!(position.phase(), Phase::Over(_));
            if is_over || position.phase() == Phase::Deal {
                let mut n_infos = 0;
                let limits = Limits::default();
                let answer = engine.search(&position, &limits, &Stop::new(), &mut |_| n_infos += 1);
                assert_eq!((answer, n_infos), (None, 0), "{position}");
                n_none += 1;
                if is_over {
                    break;
                }
                let deal = position.draw_deal(|n| rng.below(n));
                position.deal(&deal).expect("the deal was drawn from this bag");
            }
            let m = position.pick_move(|n| rng.below(n)).expect("a round has moves");
            position.play(m).expect("the move is on the list");
        }
        assert!(n_none > 1);
    }
}
