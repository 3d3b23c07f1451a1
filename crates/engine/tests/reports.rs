//! The reports of a search: the score of a line is the value at its end, lines are sorted by their
//! scores, and the same line to the same depth has the same score in a longer search.

mod common {
    pub(crate) mod kinds;
    #[allow(dead_code, reason = "shared with other tests")]
    pub(crate) mod value;
}

use azulejo_engine::network::{LOG_ODDS, Network, POINT};
use azulejo_engine::{Engine, Info, Limits, Options, Stop};
use azulejo_rules::{Players, Position, Rules};
use azulejo_testkit::games::positions;
use common::kinds;
use common::value;

/// Values are whole numbers in the search; in points they are off by less than this.
const ROUNDING: f32 = 0.02;

/// The lines of the last completed iteration, and the best line of the answer.
fn search(engine: &mut Engine, position: &Position, nodes: u64) -> (Vec<Info>, Info) {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let mut lines = Vec::new();
    let answer = engine.search(position, &limits, &Stop::new(), &mut |info| {
        if info.multi_pv == 1 {
            lines.clear();
        }
        lines.push(info.clone());
    });
    (lines, answer.expect("there is a legal move").info)
}

/// Positions from all parts of games of a kind.
fn sample(rules: Rules, n: usize) -> impl Iterator<Item = Position> {
    (0..)
        .flat_map(move |seed| positions(rules, seed).into_iter().skip(seed as usize % 7).step_by(7))
        .take(n)
}

#[test]
fn lines_are_sorted_by_their_scores() {
    let options = Options { hash_mb: 1, multi_pv: 4, ..Options::default() };
    let mut engine = Engine::new(options);
    let mut n_lines = 0;
    for rules in kinds::all() {
        for (i, position) in sample(rules, 84).enumerate() {
            let (lines, _) = search(&mut engine, &position, [100, 1_000, 4_000][i % 3]);
            let seat = position.turn();
            let values: Vec<f32> = lines.iter().map(|line| line.forecast.value(seat)).collect();
            let is_sorted = values.is_sorted_by(|a, b| *a >= b - ROUNDING);
            assert!(is_sorted, "{values:?} in {position}");
            let ranks: Vec<usize> = lines.iter().map(|line| line.multi_pv).collect();
            assert!(ranks.iter().copied().eq(1..=ranks.len()), "{ranks:?} in {position}");
            n_lines += lines.len();
        }
    }
    assert!(n_lines > 3_000, "{n_lines}");
}

#[test]
fn score_is_the_value_at_the_end_of_the_line() {
    let network = Network::built_in();
    let options = Options { hash_mb: 1, multi_pv: 2, ..Options::default() };
    let mut engine = Engine::new(options);
    let mut n_checked = [0; 2];
    for rules in kinds::all().filter(|rules| rules.players() == Players::Two) {
        for (i, position) in sample(rules, 120).enumerate() {
            if !kinds::bag_is_enough(&position) {
                continue;
            }
            let (mut lines, best) = search(&mut engine, &position, [30, 300, 3_000, 30_000][i % 4]);
            lines.push(best);
            for line in lines {
                let mut end = position;
                for &m in &line.pv {
                    end.play(m).expect("the line is legal");
                }
                let (difference, win) = match end.outcome() {
                    Some(outcome) => {
                        let difference =
                            f32::from(outcome.scores[0]) - f32::from(outcome.scores[1]);
                        let win = match outcome.ranks[..] {
                            [1, 1] => 0.5,
                            [1, _] => 1.0,
                            _ => 0.0,
                        };
                        (difference, win)
                    }
                    None => {
                        let seat = Players::Two.seats()[0];
                        let estimate = value::estimate(&end, &network, seat);
                        let odds = -estimate.log_odds as f32 / LOG_ODDS as f32;
                        (estimate.difference as f32 / POINT as f32, 1.0 / (1.0 + odds.exp()))
                    }
                };
                let forecast = &line.forecast;
                let is_same = (forecast.difference[0] - difference).abs() < ROUNDING
                    && (forecast.win[0] - win).abs() < 0.003;
                assert!(is_same, "{difference} and {win} at the end, not {line:?}, in {position}");
                n_checked[usize::from(end.n_legal_moves() > 0)] += 1;
            }
        }
    }
    assert!(n_checked.iter().all(|&n| n > 200), "{n_checked:?}");
}

#[test]
fn same_line_has_the_same_score_in_a_longer_search() {
    let mut engine = Engine::new(Options { hash_mb: 1, ..Options::default() });
    let (mut n_same, mut n_longer) = (0, 0);
    for position in sample(Rules::official(Players::Two), 60) {
        let mut last: Option<Info> = None;
        for nodes in (0..24).map(|step| 200 * (step + 1)) {
            let (_, info) = search(&mut engine, &position, nodes);
            if let Some(last) = last.filter(|last| last.pv == info.pv) {
                n_same += 1;
                assert_eq!(last.forecast, info.forecast, "{:?} in {position}", info.pv);
            }
            n_longer += usize::from(info.pv.len() as u32 > info.depth);
            last = Some(info);
        }
    }
    assert!(n_same > 500, "{n_same}");
    // The line goes to the horizon, not beyond it.
    assert_eq!(n_longer, 0);
}

#[test]
fn more_players_report_a_mean_that_settles() {
    let mut engine = Engine::new(Options { hash_mb: 8, ..Options::default() });
    for rules in ["3c", "4c", "4gj"] {
        let rules: Rules = rules.parse().expect("rules");
        let (mut n, mut sum, mut most) = (0.0, 0.0, 0.0_f32);
        for position in sample(rules, 20) {
            let seat = position.turn();
            let mut last: Option<Info> = None;
            for nodes in [20_000, 22_000, 24_000] {
                let (_, info) = search(&mut engine, &position, nodes);
                if let Some(last) = last.filter(|last| last.pv[0] == info.pv[0]) {
                    let change = (info.forecast.value(seat) - last.forecast.value(seat)).abs();
                    (n, sum, most) = (n + 1.0, sum + change, most.max(change));
                }
                last = Some(info);
            }
        }
        println!(
            "{rules}: a tenth more nodes change the value by {} on average, {most} at most",
            sum / n
        );
        assert!(n > 20.0 && sum / n < 0.5 && most < 6.0, "{rules}: {n}, {sum}, {most}");
    }
}
