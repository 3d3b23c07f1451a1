//! The engine against brute force: a round that it reports as exact is solved, and its move is a best
//! one.
//!
//! Rounds that end the game are compared with the result by the rules alone. Other rounds end with an
//! estimate, which is computed again here: for the network feature by feature, for the hand-written
//! evaluation by asking the engine for the last draft of a round.

mod common {
    #[allow(dead_code, reason = "shared with other tests")]
    pub(crate) mod kinds;
    pub(crate) mod value;
}

use azulejo_engine::network::Network;
use azulejo_engine::{Answer, Engine, EvalKind, Limits, Options, Stop};
use azulejo_rules::{Phase, Players, Position, Rules};
use azulejo_testkit::brute::{Brute, plain_value};
use azulejo_testkit::games::positions;
use azulejo_testkit::result::{self, GameResult};
use common::value::{self, random_network};
use std::sync::Arc;

/// Enough for brute force on every position here.
const MAX_NODES: u64 = 1_000_000;
/// Positions with more piles than this would take too long.
const MAX_PILES: u32 = 6;

/// An evaluation to search with.
#[derive(Clone, Debug)]
enum Eval {
    Network(Arc<Network>),
    Classic,
}

impl Eval {
    /// The built-in network, one with random weights, which orders moves badly, and the hand-written
    /// evaluation.
    fn all() -> [Eval; 3] {
        let random = Arc::new(random_network(7));
        [Eval::Network(Network::built_in()), Eval::Network(random), Eval::Classic]
    }

    fn engine(&self) -> Engine {
        let options = Options { hash_mb: 1, ..Options::default() };
        match self {
            Eval::Network(network) => {
                let mut engine = Engine::new(options);
                engine.set_network(Arc::clone(network));
                engine
            }
            Eval::Classic => Engine::new(Options { eval: EvalKind::Classic, ..options }),
        }
    }
}

/// Official two-player positions before a draft, with at most `max_piles` piles.
fn small_positions(n_games: u64, max_piles: u32) -> Vec<Position> {
    let games = (0..n_games).flat_map(|seed| positions(Rules::official(Players::Two), seed));
    games.filter(|position| position.n_piles() <= max_piles).collect()
}

/// Those in which the game is certain to end with the round, because a full line will fill a row.
fn last_rounds(positions: Vec<Position>) -> Vec<Position> {
    let is_last = |position: &Position| {
        Players::Two.seats().iter().any(|&seat| {
            let mut has_full_row = false;
            for board in position.tilings(seat) {
                has_full_row = board.wall().has_full_row();
            }
            has_full_row
        })
    };
    positions.into_iter().filter(is_last).collect()
}

/// The answer of a search with a node limit, which does not depend on earlier searches.
fn search(engine: &mut Engine, position: &Position, nodes: u64) -> Answer {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let answer = engine.search(position, &limits, &Stop::new(), &mut |_| {});
    answer.expect("there is a legal move")
}

/// The leaf of a round that ends the game.
fn game_result(position: &Position) -> Option<i32> {
    assert_ne!(position.phase(), Phase::Deal, "the game ends with this round");
    result::value(position)
}

#[test]
fn brute_force_is_minimax() {
    let positions = last_rounds(small_positions(20, 4));
    assert!(positions.len() > 20, "{}", positions.len());
    for position in &positions {
        let moves = Brute::new(MAX_NODES, game_result).each_move(position).unwrap();
        let best = moves.iter().map(|&(_, value)| value).max().unwrap();
        assert_eq!(best, plain_value(position, &mut game_result), "{position}");
    }
}

#[test]
fn last_rounds_are_played_to_the_best_result() {
    let positions = last_rounds(small_positions(30, MAX_PILES));
    assert!(positions.len() > 60, "{}", positions.len());
    for eval in Eval::all() {
        let mut engine = eval.engine();
        for position in &positions {
            let answer = search(&mut engine, position, u64::MAX);
            assert!(answer.info.exact, "{position}");
            let mut brute = Brute::new(MAX_NODES, game_result);
            let moves = brute.each_move(position).unwrap();
            let best = moves.iter().map(|&(_, value)| value).max().unwrap();
            let played = brute.value_after(position, answer.best).unwrap();
            assert_eq!(played, best, "{} in {position}", answer.best);
            // The game ends with the round, so the forecast is certain.
            let seat = position.turn().index();
            let expected = GameResult::of(best);
            let win = answer.info.forecast.win[seat];
            assert_eq!(win, expected.share(), "win probability in {position}");
            let difference = answer.info.forecast.difference[seat];
            assert_eq!(difference, expected.difference as f32, "the difference in {position}");
        }
    }
}

#[test]
fn multi_pv_lines_are_the_best_in_order() {
    let positions = last_rounds(small_positions(20, MAX_PILES));
    let options = Options { hash_mb: 1, multi_pv: 3, ..Options::default() };
    let mut engine = Engine::new(options);
    for position in positions.iter().step_by(2) {
        let mut lines = Vec::new();
        let limits = Limits { nodes: Some(u64::MAX), ..Limits::default() };
        engine.search(position, &limits, &Stop::new(), &mut |info| {
            if info.multi_pv == 1 {
                lines.clear();
            }
            lines.push(info.clone());
        });
        let mut brute = Brute::new(MAX_NODES, game_result);
        let mut values: Vec<i32> =
            brute.each_move(position).unwrap().iter().map(|&(_, value)| value).collect();
        values.sort_unstable_by_key(|value| -value);
        assert_eq!(lines.len(), values.len().min(3), "{position}");
        for (line, value) in lines.iter().zip(values) {
            assert!(line.exact, "{position}");
            let m = line.pv[0];
            assert_eq!(brute.value_after(position, m), Some(value), "{m} in {position}");
        }
    }
}

#[test]
fn rounds_are_played_to_the_best_estimate() {
    let positions: Vec<Position> = small_positions(12, MAX_PILES);
    assert!(positions.len() > 200, "{}", positions.len());
    for eval in Eval::all() {
        let (mut engine, mut evaluator) = (eval.engine(), eval.engine());
        for position in positions.iter().step_by(2) {
            let answer = search(&mut engine, position, u64::MAX);
            assert!(answer.info.exact, "{position}");
            let mut brute = Brute::new(MAX_NODES, |position: &Position| match &eval {
                _ if position.ended_by().is_some() => {
                    Some(value::of_result(GameResult::of(result::value(position)?)))
                }
                Eval::Network(network) if position.phase() == Phase::Deal => {
                    Some(value::of_network(position, network))
                }
                // Before the last draft of the round the forecast of the engine is the leaf value.
                Eval::Classic if position.n_piles() == 1 => {
                    let forecast = search(&mut evaluator, position, u64::MAX).info.forecast;
                    let seat = position.turn().index();
                    Some(value::of_forecast(forecast.win[seat], forecast.difference[seat]))
                }
                _ => None,
            });
            let moves = brute.each_move(position).unwrap();
            let best = moves.iter().map(|&(_, value)| value).max().unwrap();
            let played = brute.value_after(position, answer.best).unwrap();
            let is_best = played >= best - value::TOLERANCE;
            assert!(is_best, "{} has value {played}, not {best}, in {position}", answer.best);
        }
    }
}

#[test]
fn exact_answers_are_right_at_every_node_limit() {
    let positions = last_rounds(small_positions(20, MAX_PILES));
    let mut n_exact = 0;
    for eval in Eval::all() {
        let mut engine = eval.engine();
        for position in positions.iter().step_by(3) {
            let mut brute = Brute::new(MAX_NODES, game_result);
            let moves = brute.each_move(position).unwrap();
            let best = moves.iter().map(|&(_, value)| value).max().unwrap();
            for nodes in (0..12).map(|power| 1 << power).chain([3, 7, 15, 50, 150, 400]) {
                let answer = search(&mut engine, position, nodes);
                if answer.info.exact {
                    n_exact += 1;
                    let played = brute.value_after(position, answer.best).unwrap();
                    let m = answer.best;
                    assert_eq!(played, best, "{m} after {nodes} nodes in {position}");
                }
            }
        }
    }
    assert!(n_exact > 100, "{n_exact}");
}
