//! Reading `testdata/tactics.txt`.

use azulejo_rules::{Move, Position};
use azulejo_testkit::result::GameResult;

/// A position with its best move and results.
pub(crate) struct Tactic {
    pub(crate) position: Position,
    pub(crate) best: Move,
    /// The result with the best move and with the second best.
    pub(crate) result: GameResult,
    pub(crate) second: GameResult,
    /// The number of drafts to the end of the game along a best line.
    pub(crate) plies: usize,
}

/// All of them.
pub(crate) fn all() -> Vec<Tactic> {
    let file = include_str!("../../../../testdata/tactics.txt");
    let lines = file.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    lines.filter(|line| !line.is_empty()).map(tactic).collect()
}

fn tactic(line: &str) -> Tactic {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [position, best, result, by, second, second_by, plies] = words[..] else {
        panic!("a tactic has seven words: {line}");
    };
    Tactic {
        position: position.parse().expect("a position"),
        best: best.parse().expect("a move"),
        result: format!("{result} {by}").parse().expect("a result"),
        second: format!("{second} {second_by}").parse().expect("a result"),
        plies: plies.parse().expect("a number"),
    }
}
