//! Expected results of a game from another program, and the differences to ours.

use crate::problem::quoted;
use crate::record::Record;
use crate::replay::Action;
use azulejo_rules::{Bonuses, Column, Position, Row, Step};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The expected results of a game; `None` is not checked. Lists of players are by seat. The numbers
/// are wide, because they are foreign input.
///
/// ```
/// use azulejo_notation::{Expect, Record, check};
/// use azulejo_rules::{Rules, Seat};
///
/// let mut record = Record::new("2c".parse::<Rules>()?, Seat::One)?;
/// record.deal(&"BBYR-KKKK-BYRK-YWWW-RRKK".parse()?)?;
/// record.play("1B2".parse()?)?;
/// let mut expect = Expect::of(&record);
/// assert_eq!(check(&record, &expect), []);
/// expect.legal_counts = Some(vec![vec![71]]);
/// let differences = check(&record, &expect);
/// assert_eq!(differences[0].to_string(), "round 1, move 1: 72 legal moves, expected 71");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expect {
    /// The scores after each round, before bonuses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round_scores: Option<Vec<Vec<i64>>>,
    /// The bonuses at the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bonuses: Option<Vec<i64>>,
    /// The final scores.
    #[serde(default, rename = "final", skip_serializing_if = "Option::is_none")]
    pub final_scores: Option<Vec<i64>>,
    /// The number of full wall rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub completed_rows: Option<Vec<i64>>,
    /// The walls row by row: 1 for a tile, 0 for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub walls: Option<Vec<Vec<Vec<i64>>>>,
    /// The number of legal moves before each move, by round.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub legal_counts: Option<Vec<Vec<i64>>>,
    /// Why the game ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_by: Option<String>,
}

/// A result that differs from the expected one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Difference {
    /// The key of the expectation, as in `round_scores`.
    pub key: &'static str,
    /// What was found and what was expected.
    pub sentence: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence)
    }
}

impl Expect {
    /// The results of a record: all of them, but no final ones while the game is under way.
    #[must_use]
    pub fn of(record: &Record) -> Expect {
        let mut round_scores = Vec::new();
        let mut legal_counts = vec![Vec::new(); record.rounds().len()];
        for step in record.replay() {
            if let Action::Move(_) = step.action {
                legal_counts[step.round_idx].push(i64::from(step.before.n_legal_moves()));
            }
            if step.report.iter().any(|step| matches!(step, Step::RoundEnded { .. })) {
                round_scores.push(scores_before_bonuses(&step.after));
            }
        }
        let position = record.final_position();
        let outcome = position.outcome();
        let boards = position.boards();
        let wall = |board: &azulejo_rules::Board| {
            let space = |row, column| i64::from(board.wall().tile(row, column).is_some());
            let row = |row| Column::ALL.map(|column| space(row, column)).to_vec();
            Row::ALL.map(row).to_vec()
        };
        Expect {
            round_scores: Some(round_scores),
            bonuses: outcome.as_ref().map(|outcome| {
                outcome.bonuses.iter().map(|bonuses| i64::from(bonuses.total())).collect()
            }),
            final_scores: outcome
                .as_ref()
                .map(|outcome| outcome.scores.iter().map(|&score| i64::from(score)).collect()),
            completed_rows: Some(
                boards.iter().map(|board| i64::from(board.wall().full_rows())).collect(),
            ),
            walls: Some(boards.iter().map(wall).collect()),
            legal_counts: Some(legal_counts),
            ended_by: outcome.map(|outcome| outcome.by.name().to_owned()),
        }
    }
}

fn scores_before_bonuses(position: &Position) -> Vec<i64> {
    let bonuses = |board| match position.ended_by() {
        Some(_) => i64::from(Bonuses::of(board, position.rules()).total()),
        None => 0,
    };
    position.boards().iter().map(|board| i64::from(board.score()) - bonuses(board)).collect()
}

/// Compares a game with what was expected of it, and lists every difference.
#[must_use]
pub fn check(record: &Record, expect: &Expect) -> Vec<Difference> {
    let found = Expect::of(record);
    let mut differences = Differences(Vec::new());
    differences.round_scores(found.round_scores.as_deref(), expect.round_scores.as_deref());
    differences.result("bonuses", "bonuses", found.bonuses, expect.bonuses.as_ref());
    differences.result("final", "final scores", found.final_scores, expect.final_scores.as_ref());
    differences.result(
        "completed_rows",
        "completed rows",
        found.completed_rows,
        expect.completed_rows.as_ref(),
    );
    differences.walls(found.walls.as_deref(), expect.walls.as_deref());
    differences.legal_counts(found.legal_counts.as_deref(), expect.legal_counts.as_deref());
    differences.ended_by(found.ended_by.as_deref(), expect.ended_by.as_deref());
    differences.0
}

struct Differences(Vec<Difference>);

impl Differences {
    fn push(&mut self, key: &'static str, sentence: String) {
        self.0.push(Difference { key, sentence });
    }

    fn result(
        &mut self,
        key: &'static str,
        what: &str,
        found: Option<Vec<i64>>,
        expected: Option<&Vec<i64>>,
    ) {
        match (found, expected) {
            (_, None) => {}
            (Some(found), Some(expected)) if found == *expected => {}
            (Some(found), Some(expected)) => {
                self.push(key, format!("{what} {found:?}, expected {expected:?}"));
            }
            (None, Some(expected)) => {
                self.push(key, format!("the game is not over, expected {what} {expected:?}"));
            }
        }
    }

    fn round_scores(&mut self, found: Option<&[Vec<i64>]>, expected: Option<&[Vec<i64>]>) {
        let (Some(found), Some(expected)) = (found, expected) else { return };
        for (number, (found, expected)) in (1..).zip(found.iter().zip(expected)) {
            if found != expected {
                let sentence = format!("round {number}: scores {found:?}, expected {expected:?}");
                self.push("round_scores", sentence);
            }
        }
        let (n_found, n_expected) = (found.len(), expected.len());
        if n_found != n_expected {
            let sentence = format!("{n_found} rounds were finished, expected {n_expected}");
            self.push("round_scores", sentence);
        }
    }

    fn walls(&mut self, found: Option<&[Vec<Vec<i64>>]>, expected: Option<&[Vec<Vec<i64>>]>) {
        let (Some(found), Some(expected)) = (found, expected) else { return };
        for (seat, (found, expected)) in (1..).zip(found.iter().zip(expected)) {
            for (number, (found, expected)) in (1..).zip(found.iter().zip(expected)) {
                if found != expected {
                    let sentence =
                        format!("seat {seat}: wall row {number} {found:?}, expected {expected:?}");
                    self.push("walls", sentence);
                }
            }
            if found.len() != expected.len() {
                let sentence = format!("seat {seat}: 5 wall rows, expected {}", expected.len());
                self.push("walls", sentence);
            }
        }
        if found.len() != expected.len() {
            let sentence = format!("{} walls, expected {}", found.len(), expected.len());
            self.push("walls", sentence);
        }
    }

    fn legal_counts(&mut self, found: Option<&[Vec<i64>]>, expected: Option<&[Vec<i64>]>) {
        const KEY: &str = "legal_counts";
        let (Some(found), Some(expected)) = (found, expected) else { return };
        for (round, (found, expected)) in (1..).zip(found.iter().zip(expected)) {
            for (number, (found, expected)) in (1..).zip(found.iter().zip(expected)) {
                if found != expected {
                    let place = format!("round {round}, move {number}");
                    self.push(KEY, format!("{place}: {found} legal moves, expected {expected}"));
                }
            }
            if found.len() != expected.len() {
                let (n_found, n_expected) = (found.len(), expected.len());
                self.push(KEY, format!("round {round}: {n_found} moves, expected {n_expected}"));
            }
        }
        if found.len() != expected.len() {
            self.push(KEY, format!("{} rounds, expected {}", found.len(), expected.len()));
        }
    }

    fn ended_by(&mut self, found: Option<&str>, expected: Option<&str>) {
        let Some(expected) = expected.filter(|_| found != expected) else { return };
        let found = match found {
            Some(found) => format!("the game ended by {found}"),
            None => "the game is not over".to_owned(),
        };
        self.push("ended_by", format!("{found}, expected the end by {}", quoted(expected)));
    }
}
