//! The test positions built into the program: one per line, `#` for comments.

use anyhow::Context;
use azulejo_rules::{Move, Position};

const BENCH: &str = include_str!("../../../../testdata/bench-positions.txt");
const SOLVE: &str = include_str!("../../../../testdata/solve-positions.txt");
const TACTICS: &str = include_str!("../../../../testdata/tactics.txt");

/// A round as it was played.
pub(crate) struct Round {
    pub(crate) start: Position,
    pub(crate) moves: Vec<Move>,
}

/// A position with a single best move.
pub(crate) struct Tactic {
    pub(crate) position: Position,
    pub(crate) best: Move,
}

/// The positions whose search is the engine's fingerprint.
pub(crate) fn bench() -> anyhow::Result<Vec<Position>> {
    read("bench-positions.txt", BENCH, |line| Ok(line.parse()?))
}

/// The rounds to solve.
pub(crate) fn rounds() -> anyhow::Result<Vec<Round>> {
    read("solve-positions.txt", SOLVE, |line| {
        let (start, moves) = line.split_once(" moves ").context("no moves")?;
        let moves = moves.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
        Ok(Round { start: start.parse()?, moves })
    })
}

/// The tactical positions.
pub(crate) fn tactics() -> anyhow::Result<Vec<Tactic>> {
    read("tactics.txt", TACTICS, |line| {
        let mut words = line.split_whitespace();
        let mut word = || words.next().context("a word is missing");
        Ok(Tactic { position: word()?.parse()?, best: word()?.parse()? })
    })
}

fn read<T>(
    name: &str,
    file: &str,
    entry: impl Fn(&str) -> anyhow::Result<T>,
) -> anyhow::Result<Vec<T>> {
    let lines = (1..).zip(file.lines());
    let lines = lines.map(|(n, line)| (n, line.split('#').next().unwrap_or_default().trim()));
    let entries = lines.filter(|(_, line)| !line.is_empty());
    entries.map(|(n, line)| entry(line).with_context(|| format!("{name}, line {n}"))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use azulejo_rules::Phase;
    use std::collections::HashSet;

    #[test]
    fn the_bench_covers_every_variant() {
        let positions = bench().unwrap();
        let rules: HashSet<_> = positions.iter().map(|p| p.rules().to_string()).collect();
        for variant in ["2c", "3c", "4c", "2g", "2cj", "2gj"] {
            assert!(rules.contains(variant), "{variant}");
        }
        let rounds: HashSet<_> = positions.iter().map(Position::round).collect();
        assert!((1..=5).all(|round| rounds.contains(&round)), "{rounds:?}");
        assert!(positions.iter().all(|position| position.phase() == Phase::Draft));
        let different: HashSet<_> = positions.iter().map(Position::hash_key).collect();
        assert_eq!((positions.len(), different.len()), (40, 40));
    }

    #[test]
    fn every_round_is_complete() {
        let rounds = rounds().unwrap();
        assert_eq!(rounds.len(), 60);
        for Round { start, moves } in &rounds {
            assert!(start.factories().all(|(_, tiles)| tiles.total() == 4), "{start}");
            let mut position = *start;
            for &m in moves {
                assert_eq!(position.phase(), Phase::Draft, "{start}");
                position.play(m).unwrap();
            }
            assert_ne!(position.phase(), Phase::Draft, "{start}");
        }
    }

    #[test]
    fn errors_name_the_line() {
        let error = read("x.txt", "# one\n\nnonsense # two\n", |line| {
            line.parse::<Position>().map_err(anyhow::Error::from)
        });
        assert!(error.unwrap_err().to_string().contains("x.txt, line 3"));
    }
}
