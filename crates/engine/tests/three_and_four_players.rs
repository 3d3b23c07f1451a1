//! Three and four players: small rounds are played as by a brute-force max^n search, and the reported
//! limits and flags are right.

use azulejo_engine::{Engine, Info, Limits, Options, Stop};
use azulejo_rules::{Phase, Position, Rules};
use azulejo_testkit::games::positions;
use std::collections::HashMap;

/// Positions before a draft with at most `max_piles` piles.
fn small_positions(rules: &str, n_games: u64, max_piles: u32) -> Vec<Position> {
    let rules: Rules = rules.parse().expect("rules");
    let games = (0..n_games).flat_map(|seed| positions(rules, seed));
    games
        .filter(|position| position.phase() == Phase::Draft && position.n_piles() <= max_piles)
        .collect()
}

fn search(engine: &mut Engine, position: &Position, limits: Limits) -> Vec<Info> {
    let mut lines: Vec<Info> = Vec::new();
    let answer = engine.search(position, &limits, &Stop::new(), &mut |info| {
        if info.multi_pv == 1 {
            lines.clear();
        }
        lines.push(info.clone());
    });
    assert_eq!(answer.expect("there is a legal move").best, lines[0].pv[0]);
    lines
}

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

/// The max^n value of a position by seat, from the final margins of a game that ends with this round.
/// `None` if some line continues, or if two moves with equal margins give the others different ones,
/// so that the max^n value is not unique.
fn margins(position: &Position, seen: &mut HashMap<u64, Option<Vec<i32>>>) -> Option<Vec<i32>> {
    if let Some(outcome) = position.outcome() {
        let margin = |i: usize| {
            let others = outcome.scores.iter().enumerate().filter(|&(other, _)| other != i);
            let best = others.map(|(_, &score)| i32::from(score)).max().unwrap_or(0);
            let won = i32::from(outcome.ranks[i] == 1);
            1000 * won + i32::from(outcome.scores[i]) - best
        };
        return Some((0..outcome.scores.len()).map(margin).collect());
    }
    if position.phase() != Phase::Draft {
        return None;
    }
    if let Some(known) = seen.get(&position.hash_key()) {
        return known.clone();
    }
    let seat = position.turn().index();
    let mut best: Option<Vec<i32>> = None;
    let mut found = Some(());
    for m in position.legal_moves() {
        let mut next = *position;
        next.play(m).expect("the move is on the list");
        let Some(values) = margins(&next, seen) else {
            found = None;
            break;
        };
        match &best {
            Some(best) if best[seat] > values[seat] || *best == values => {}
            Some(best) if best[seat] == values[seat] => {
                found = None;
                break;
            }
            _ => best = Some(values),
        }
    }
    let values = found.and(best);
    seen.insert(position.hash_key(), values.clone());
    values
}

#[test]
fn last_rounds_are_played_as_by_brute_force() {
    for threads in [1, 3] {
        last_rounds(threads);
    }
}

fn last_rounds(threads: usize) {
    let mut engine = Engine::new(Options { hash_mb: 8, threads, ..Options::default() });
    for (rules, max_piles) in [("3c", 5), ("4c", 5)] {
        let mut n_checked = 0;
        for position in small_positions(rules, 60, max_piles) {
            let mut seen = HashMap::new();
            let Some(best) = margins(&position, &mut seen) else { continue };
            n_checked += 1;
            let lines = search(&mut engine, &position, Limits::default());
            assert!(lines[0].exact, "{position}");
            let mut next = position;
            next.play(lines[0].pv[0]).expect("the move is legal");
            let seat = position.turn().index();
            let played = margins(&next, &mut seen).expect("the game ends with this round");
            assert_eq!(played[seat], best[seat], "{} in {position}", lines[0].pv[0]);
            assert_eq!(
                lines[0].forecast.difference[seat],
                (best[seat] % 1000) as f32,
                "{position}"
            );
        }
        assert!(n_checked > 20, "{rules}: {n_checked}");
    }
}

#[test]
fn node_limit_is_reproducible() {
    let options = Options { hash_mb: 8, multi_pv: 3, ..Options::default() };
    let (mut one, mut two) = (Engine::new(options.clone()), Engine::new(options));
    for position in small_positions("3c", 1, 40).iter().step_by(7) {
        let summary = |lines: Vec<Info>| -> Vec<_> {
            lines.into_iter().map(|info| (info.nodes, info.pv, info.forecast.win)).collect()
        };
        let first = summary(search(&mut one, position, nodes(5_000)));
        // The other engine has not searched the position before.
        two.new_game();
        assert_eq!(first, summary(search(&mut two, position, nodes(5_000))), "{position}");
        assert_eq!(first.len(), position.n_legal_moves().min(3) as usize);
    }
}

#[test]
fn threads_grow_one_tree() {
    let mut engine = Engine::new(Options { hash_mb: 8, threads: 3, ..Options::default() });
    for rules in ["3c", "4gj"] {
        for position in small_positions(rules, 1, 40).iter().step_by(9) {
            let line = search(&mut engine, position, nodes(20_000)).remove(0);
            assert!(line.nodes <= 20_000 && position.is_legal(line.pv[0]), "{position}");
            let sum: f32 = line.forecast.win.iter().sum();
            assert!((sum - 1.0).abs() < 1e-3, "{position}: {sum}");
        }
    }
}

#[test]
fn limits_are_kept() {
    let mut engine = Engine::new(Options { hash_mb: 1, ..Options::default() });
    let start = &small_positions("4c", 1, 100)[0];
    for limit in [1, 100, 3_000] {
        // A node is expanded with all its moves or not at all, so some of the limit may be left.
        let used = search(&mut engine, start, nodes(limit))[0].nodes;
        assert!((limit.saturating_sub(400)..=limit).contains(&used), "{used} for {limit}");
    }
    for depth in 1..=3 {
        let limits = Limits { depth: Some(depth), nodes: Some(200_000), ..Limits::default() };
        let info = &search(&mut engine, start, limits)[0];
        assert!(info.depth <= depth && !info.exact, "{info:?}");
    }
    // Without a limit it ends when its memory is full.
    let info = &search(&mut engine, start, Limits::default())[0];
    assert_eq!(info.hash_full, 1000);
}

#[test]
fn color_with_jokers_may_end_a_round() {
    let mut engine = Engine::new(Options { hash_mb: 1, ..Options::default() });
    let mut n_short = 0;
    for rules in ["3cj", "3gj", "4cj", "4gj"] {
        for position in small_positions(rules, 40, 3) {
            // A draft of a color and its jokers takes two piles at once.
            let lines = search(&mut engine, &position, nodes(2_000));
            n_short += usize::from(lines[0].depth < position.n_piles());
        }
    }
    assert!(n_short > 5, "{n_short}");
}
