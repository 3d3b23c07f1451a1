//! Late positions of all twelve kinds of game against brute force with the rules alone: what the engine
//! calls exact is the max^n value of the rest of the round, and what it calls proved is the result.
//!
//! `cargo xtask long exact` checks ten thousand positions.

mod common {
    pub(crate) mod kinds;
    #[allow(dead_code, reason = "shared with other tests")]
    pub(crate) mod value;
}

use azulejo_engine::network::{Network, POINT};
use azulejo_engine::{Engine, Info, Limits, Options, Stop};
use azulejo_rules::{Board, Outcome, Phase, Players, Position, Rules};
use azulejo_testkit::games::positions;
use common::kinds;
use common::value;
use std::collections::HashMap;

/// The number of positions, over all kinds.
fn n_positions() -> usize {
    let text = std::env::var("AZULEJO_EXACT_POSITIONS");
    text.map_or(360, |text| text.parse().expect("AZULEJO_EXACT_POSITIONS is a number"))
}

/// Brute force gives up after this many positions.
const MAX_NODES: usize = 10_000;

/// What a seat can expect.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Prospect {
    /// As the engine weighs difference and win.
    value: i32,
    /// The difference in points.
    points: f32,
}

/// The prospects by seat, and whether the game ends with this round on every line.
#[derive(Clone, Debug)]
struct Solution {
    prospects: Vec<Prospect>,
    is_always_over: bool,
}

#[derive(Default)]
struct BruteForce {
    seen: HashMap<u64, Option<Solution>>,
}

impl BruteForce {
    /// The max^n solution of a round. `None` if it is not unique, because two moves are as good for
    /// their seat and not for the others, or if there are too many positions.
    fn solve(&mut self, position: &Position) -> Option<Solution> {
        if let Some(known) = self.seen.get(&position.hash_key()) {
            return known.clone();
        }
        if self.seen.len() >= MAX_NODES {
            return None;
        }
        let is_leaf = position.n_legal_moves() == 0;
        let solution = if is_leaf { Some(leaf(position)) } else { self.solve_moves(position) };
        self.seen.insert(position.hash_key(), solution.clone());
        solution
    }

    fn solve_moves(&mut self, position: &Position) -> Option<Solution> {
        let seat = position.turn().index();
        let mut all = Vec::new();
        for m in position.legal_moves() {
            let mut next = *position;
            next.play(m).expect("the move is on the list");
            all.push(self.solve(&next)?);
        }
        let is_always_over = all.iter().all(|solution| solution.is_always_over);
        let best = all.iter().max_by_key(|solution| solution.prospects[seat].value)?.clone();
        let is_zero_sum = position.rules().players() == Players::Two;
        let is_unique = all.iter().all(|other| {
            let less = best.prospects[seat].value - other.prospects[seat].value;
            less > value::TOLERANCE || other.prospects == best.prospects
        });
        (is_zero_sum || is_unique).then_some(Solution { is_always_over, ..best })
    }
}

/// The prospects after the round: the result, or the network's estimate.
fn leaf(position: &Position) -> Solution {
    let seats = position.rules().players().seats().iter();
    let is_always_over = position.ended_by().is_some();
    let prospects = seats.map(|&seat| {
        if is_always_over {
            let standing = |board: &Board| (i32::from(board.score()), board.wall().full_rows());
            let own = standing(position.board(seat));
            let others = position.rules().players().seats().iter().filter(|&&other| other != seat);
            let best = others.map(|&other| standing(position.board(other))).max().expect("others");
            let points = own.0 - best.0;
            let win = own.cmp(&best) as i32;
            return Prospect { value: 5_000 * win + 200 * points, points: points as f32 };
        }
        let estimate = value::estimate(position, &Network::built_in(), seat);
        let points = estimate.difference as f32 / POINT as f32;
        Prospect { value: value::of_estimate(estimate), points }
    });
    Solution { prospects: prospects.collect(), is_always_over }
}

/// Counts of what was compared in one kind of game.
#[derive(Debug, Default)]
struct Compared {
    n: usize,
    exact: usize,
    proved: usize,
}

fn search(engine: &mut Engine, position: &Position) -> Info {
    let answer = engine.search(position, &Limits::default(), &Stop::new(), &mut |_| {});
    answer.expect("there is a legal move").info
}

/// The position at the end of a line.
fn end_of(position: &Position, info: &Info) -> Position {
    let mut end = *position;
    for &m in &info.pv {
        end.play(m).unwrap_or_else(|error| panic!("{m} in {:?}: {error} in {position}", info.pv));
    }
    end
}

fn check_outcome(info: &Info, outcome: &Outcome, position: &Position) {
    for (i, &rank) in outcome.ranks.iter().enumerate() {
        let others = outcome.scores.iter().enumerate().filter(|&(other, _)| other != i);
        let best = others.map(|(_, &score)| i32::from(score)).max().expect("others");
        let difference = i32::from(outcome.scores[i]) - best;
        assert_eq!(info.forecast.difference[i], difference as f32, "seat {} in {position}", i + 1);
        let win = if rank == 1 { 1.0 / outcome.winners().count() as f32 } else { 0.0 };
        assert!((info.forecast.win[i] - win).abs() < 1e-6, "seat {} in {position}", i + 1);
    }
}

/// Compares the engine with brute force. Returns `false` if brute force gives up.
fn compare(engine: &mut Engine, position: &Position, compared: &mut Compared) -> bool {
    let Some(solution) = BruteForce::default().solve(position) else { return false };
    let info = search(engine, position);
    compared.n += 1;
    compared.exact += usize::from(info.exact);
    compared.proved += usize::from(info.proved);
    assert!(info.exact || !info.proved, "{position}");
    let rules = position.rules();
    if !rules.has_wall_choices() {
        assert!(info.exact, "a small round is solved: {position}");
        assert!(info.proved || !solution.is_always_over, "the game ends: {position}");
    }
    let end = end_of(position, &info);
    // Drafts to the end of the round, and wall choices in every kind of game.
    assert!(end.n_legal_moves() == 0, "{:?} stops early in {position}", info.pv);
    if let Some(outcome) = end.outcome() {
        check_outcome(&info, &outcome, position);
    }
    assert!(end.ended_by().is_some() || !info.proved, "{position}");
    if info.exact && (info.proved || solution.is_always_over || kinds::bag_is_enough(position)) {
        let seat = position.turn();
        let Prospect { value, points } = solution.prospects[seat.index()];
        if rules.players() == Players::Two {
            let found = 200.0 * info.forecast.value(seat);
            let off = (found - value as f32).abs();
            assert!(off <= value::TOLERANCE as f32, "{found} for {value} in {position}");
        } else {
            let found = info.forecast.difference[seat.index()];
            assert!((found - points).abs() < 0.02, "{found} for {points} in {position}");
        }
    }
    true
}

/// Whether a position is small enough for brute force.
fn is_late(position: &Position) -> bool {
    let max_piles = match (position.rules().players(), position.rules().jokers) {
        (Players::Two, false) => 4,
        _ => 3,
    };
    matches!(position.phase(), Phase::Tiling(_))
        || position.phase() == Phase::Draft && position.n_piles() <= max_piles
}

#[test]
fn late_positions_agree_with_brute_force() {
    let each = n_positions().div_ceil(12);
    for rules in kinds::all() {
        let compared = compare_kind(rules, each);
        println!("{rules}: {compared:?}");
        assert_eq!(compared.n, each, "{rules}");
        assert!(compared.proved >= each / 50, "{rules}: {compared:?}");
        let share_exact = compared.exact as f64 / each as f64;
        assert!(share_exact > 0.1, "{rules}: {compared:?}");
    }
}

fn compare_kind(rules: Rules, n: usize) -> Compared {
    let mut engine = Engine::new(Options { hash_mb: 1, ..Options::default() });
    let mut compared = Compared::default();
    for seed in 0.. {
        // Every third, so that more games are seen.
        let late = positions(rules, seed).into_iter().filter(is_late).skip(seed as usize % 3);
        for position in late.step_by(3) {
            if compared.n == n {
                return compared;
            }
            compare(&mut engine, &position, &mut compared);
        }
    }
    compared
}
