//! Puzzles through the public interface: text, attempts, refutations, and faults in lines.

use azulejo_puzzles::{Attempt, Certainty, MAX_LINE, Puzzle, Reply, daily, make, refute, samples};
use azulejo_rules::Move;

#[test]
fn samples_are_printed_as_they_are_read() {
    for puzzle in samples() {
        let line = puzzle.to_string();
        assert!(line.len() <= MAX_LINE);
        assert_eq!(line.parse::<Puzzle>().as_ref(), Ok(&puzzle));
    }
}

#[test]
fn faulty_lines_are_refused() {
    let line = samples().next().expect("a sample").to_string();
    let check = |from: &str, to: &str, expected: &str| {
        assert!(line.contains(from), "{line}");
        let error = line.replacen(from, to, 1).parse::<Puzzle>().expect_err(to);
        assert_eq!(error.to_string(), expected);
    };
    check("g5jub4", "g5jub5", "the id of this position is g5jub4");
    check("proved", "guessed", "`guessed` is not `proved` or `solved`");
    check("+35", "35", "`35` is not a number");
    check("+35", "+035", "`+035` is not a number");
    check("overflow", "trap", "`trap` is not a list of themes");
    check("0YF", "1YF", "the solution: 1YF cannot be played");
    check("0YF", "0YF,0BF", "the solution does not end with a move of the solver");
    check("0YF", "0Y", "`0Y` is not a list of moves");
    check(
        " +35",
        "",
        "a puzzle has 7 words: id, certainty, margin, rating, themes, solution, position",
    );
    let long = format!("{line}{}", ".".repeat(MAX_LINE));
    let expected = format!("a puzzle has at most 250 bytes, not {}", long.len());
    assert_eq!(long.parse::<Puzzle>().expect_err("long").to_string(), expected);
    let error = line.replace("YYRR", "YYRRB").parse::<Puzzle>().expect_err("five tiles");
    assert!(error.to_string().starts_with("the position: "), "{error}");
}

#[test]
fn solutions_solve_and_other_moves_are_refuted() {
    for puzzle in samples() {
        let mut attempt = Attempt::new(&puzzle);
        let mut n_own = 0;
        loop {
            let position = *attempt.position();
            let best = attempt.best().expect("not solved yet");
            let mut n_wrong = 0;
            for m in position.legal_moves() {
                match attempt.clone().play(m).expect("a legal move") {
                    Reply::Wrong if n_wrong == 0 => {
                        let refutation = refute(&position, m, puzzle.certainty).expect("few nodes");
                        assert!(refutation.loss >= puzzle.margin, "{puzzle}: {m} {refutation:?}");
                        let mut end = position;
                        end.play(m).expect("a legal move");
                        refutation.line.iter().for_each(|&m| end.play(m).expect("a legal line"));
                        assert!(end.outcome().is_some(), "{puzzle}: {m} {refutation:?}");
                        n_wrong += 1;
                    }
                    Reply::Wrong => n_wrong += 1,
                    Reply::Right { .. } | Reply::Solved => {
                        assert!(does_the_same(&attempt, m, best));
                    }
                }
            }
            assert!(n_wrong > 0, "{puzzle}");
            n_own += 1;
            match attempt.play(best).expect("a legal move") {
                Reply::Right { .. } => assert_eq!(attempt.position().turn(), puzzle.seat()),
                Reply::Solved => break,
                Reply::Wrong => panic!("{puzzle}: {best} is wrong"),
            }
        }
        assert_eq!(n_own, puzzle.n_own_moves());
        assert_eq!(attempt.best(), None);
    }
}

fn does_the_same(attempt: &Attempt, a: Move, b: Move) -> bool {
    let [a, b] = [a, b].map(|m| {
        let mut after = *attempt.position();
        after.play(m).expect("a legal move");
        after.hash_key()
    });
    a == b
}

/// The maker finds puzzles before the last round, too, and every other move loses the margin.
#[test]
fn solved_puzzles_are_found() {
    let seed = "first".parse().expect("a seed");
    let solved = (0..24).find_map(|game| {
        let puzzles = make(&seed, game).expect("a short seed");
        puzzles.into_iter().find(|puzzle| puzzle.certainty == Certainty::Solved)
    });
    let puzzle = solved.expect("one of 24 games has a solved puzzle");
    let best = puzzle.position.legal_moves().into_iter().filter(|&m| {
        let refutation = refute(&puzzle.position, m, Certainty::Solved).expect("few nodes");
        refutation.loss < puzzle.margin
    });
    let attempt = Attempt::new(&puzzle);
    for m in best {
        assert!(does_the_same(&attempt, m, puzzle.solution[0]), "{puzzle}: {m}");
    }
}

#[test]
fn every_puzzle_has_its_day() {
    let mut days: Vec<usize> = (20_000..21_500).filter_map(|day| daily(day, 1_500)).collect();
    days.sort_unstable();
    assert!(days.into_iter().eq(0..1_500));
}
