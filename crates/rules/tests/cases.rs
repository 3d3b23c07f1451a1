//! The test cases of the rules. They are scripts in `testdata/cases.txt`, whose head explains the
//! language. This file runs them and tests that the runner itself notices errors.

mod common {
    pub(crate) mod compare;
    pub(crate) mod expect;
    pub(crate) mod table;
}

use azulejo_testkit::data;
use common::table::Table;

const FILE: &str = "testdata/cases.txt";
const CASES: &str = include_str!("../../../testdata/cases.txt");

/// The rules number their cases from T01 to this one.
const LAST_CASE: usize = 50;

#[test]
fn every_case_holds() {
    let report = run(CASES);
    assert!(report.failures.is_empty(), "\n{}\n", report.failures.join("\n"));
}

#[test]
fn no_case_of_the_rules_is_missing() {
    let lines = data::read(CASES).unwrap_or_default();
    let titles = lines.iter().map(data::Line::statement).filter(|(word, _)| *word == "case");
    let ids: Vec<_> = titles.filter_map(|(_, title)| title.split_whitespace().next()).collect();
    let numbers = (1..=LAST_CASE).map(|n| format!("T{n:02}"));
    let missing: Vec<_> = numbers.filter(|id| !ids.contains(&id.as_str())).collect();
    assert!(missing.is_empty(), "{FILE} lacks {}", missing.join(" "));
}

/// The result of running a file of cases.
#[derive(Default)]
struct Report {
    ids: Vec<String>,
    failures: Vec<String>,
}

/// The case that is being run.
struct Case {
    id: String,
    line: usize,
    table: Table,
    n_checks: usize,
    has_failed: bool,
}

/// Runs all cases of a file. After a failure the rest of its case is skipped, because it would only
/// fail again; the other cases are run.
fn run(file: &str) -> Report {
    let mut report = Report::default();
    let lines = match data::read(file) {
        Ok(lines) => lines,
        Err((line, problem)) => {
            report.failures.push(format!("{FILE}:{line}: {problem}"));
            return report;
        }
    };
    let mut current: Option<Case> = None;
    for line in &lines {
        let (word, rest) = line.statement();
        if word == "case" {
            report.close(current.take());
            current = Some(report.open(rest, line.number));
            continue;
        }
        match &mut current {
            None => report.failures.push(format!("{FILE}:{}: outside a case", line.number)),
            Some(case) if case.has_failed => {}
            Some(case) => {
                if let Err(problem) = data::caught(|| case.carry_out(word, rest)) {
                    case.has_failed = true;
                    let place = format!("{FILE}:{}: case {}", line.number, case.id);
                    report.failures.push(format!("{place}: {}: {problem}", line.text));
                }
            }
        }
    }
    report.close(current);
    report
}

impl Report {
    fn open(&mut self, title: &str, line: usize) -> Case {
        let id = title.split_whitespace().next().unwrap_or_default().to_owned();
        if id.is_empty() || self.ids.contains(&id) {
            self.failures.push(format!("{FILE}:{line}: case {id}: this id is missing or taken"));
        }
        Case { id, line, table: Table::default(), n_checks: 0, has_failed: false }
    }

    fn close(&mut self, case: Option<Case>) {
        let Some(case) = case else { return };
        if case.n_checks == 0 && !case.has_failed {
            let (line, id) = (case.line, &case.id);
            self.failures.push(format!("{FILE}:{line}: case {id}: nothing is checked"));
        }
        self.ids.push(case.id);
    }
}

impl Case {
    fn carry_out(&mut self, word: &str, rest: &str) -> Result<(), String> {
        if let Some(result) = self.table.act(word, rest) {
            return result;
        }
        self.n_checks += 1;
        self.table.expect(word, rest).unwrap_or_else(|| Err("there is no such statement".into()))
    }
}

/// A two-player round that ends when seat 2 puts the last tile on line 5. Seat 1 then has points, a
/// full line, an unfinished one, and the marker with two tiles on the floor.
const ROUND: &str = "case A\n\
    position az1_2c_d2_2s1_W-.-.-.-._._rest_._9~Y-..-R..-....-.....~.....-.....-.....-.....-.....~1KK_\
    0~.-..-...-....-.....~.....-.....-.....-.....-.....~.\n";
/// The move that ends it.
const ROUND_END: &str = "play 1W5\n";
/// The same, followed by the next deal.
const NEXT_ROUND: &str = "play 1W5\ndeal BBBB-YYYR-RRRR-KKKK-WWWW\n";

#[test]
fn a_statement_that_does_not_hold_fails() {
    let check = |script: &str, statement: &str, problem: &str| {
        let file = format!("{ROUND}{script}{statement}\n");
        let line = file.lines().count();
        let expected = format!("{FILE}:{line}: case A: {statement}: {problem}");
        assert_eq!(run(&file).failures, [expected]);
    };
    check("", "phase d1", "expected d1, found d2");
    check("", "round 2s2", "expected 2s2, found 2s1");
    check("", "starter 2", "expected 2, found 1");
    check("", "marker center", "expected center, found 1");
    check("", "factory 1 K", "expected K, found W");
    check("", "factory-sizes 1-0-0-0-1", "expected 1-0-0-0-1, found 1-0-0-0-0");
    check("", "center 1", "expected 1, found .");
    check("", "bag 96", "expected 96, found 95");
    check("", "lid K", "expected K, found .");
    check("", "line 1 3 RR.", "expected RR, found R");
    check("", "line 1 3 R", "line 3 has 3 spaces, not those of `R`");
    check("", "line 3 3 R..", "seat 3 is not in the game");
    check("", "floor 1 KK", "expected KK, found 1KK");
    check("", "scores 9 1", "expected 9 1, found 9 0");
    check("", "legal 7", "expected 7, found 6");
    check("", "legal 1W1 1WF", "expected 1W1 1WF, found 1W1 1W2 1W3 1W4 1W5 1WF");
    check("", "picks 1W 0W", "expected 0W 1W, found 1W");
    check("", "moves 1W 1 2 F", "expected 1 2 F, found 1 2 3 4 5 F");
    check("", "illegal 1WF", "expected 1WF to be refused, but it was played");
    check(
        "",
        "illegal 1B1 is full",
        "expected the reason \"is full\", found \"there is no blue tile on factory 1\"",
    );
    check("", "unreadable 1WF 1", "expected no move, found 1WF");
    check("", "unreadable 1XF 1", "expected 1, found 2");
    check("", "ended row", "expected row, found not yet");
    check("", "winners 1", "the game is not over");
    check("", "loss 1 4", "the floor has not been paid for");
    check("", "poured 4", "the last statement was not a deal");
    check("", "play 1B1", "1B1: the move is refused: there is no blue tile on factory 1");
    check("", "printed B r1c2", "expected B, found Y");
    check("", "dance 1", "there is no such statement");
    check(ROUND_END, "placed 1 r1c2 Y +2", "expected r1c2 Y +2, found r1c2 Y +1");
    check(ROUND_END, "placed 2 r1c2 Y +1", "expected r1c2 Y +1, found nothing");
    check(ROUND_END, "spilled 1 1 Y", "that line did not fall");
    check(ROUND_END, "loss 1 3", "expected 3, found 4");
    check(ROUND_END, "loss 1 4 KK", "expected KK, found 1KK");
    check(ROUND_END, "loss 1 4 1KK -> 5", "score: expected 5, found 6");
    check(ROUND_END, "lid-gains KKW", "expected KKW, found KK");
    check(
        ROUND_END,
        "wall 1 .Y...-.....-.....-.....-....B",
        "expected .Y...-.....-.....-.....-....B, found .Y...-.....-.....-.....-.....",
    );
    check(
        ROUND_END,
        "no-deal BBBB-YYYR-RRRR-KKKK-WWWW",
        "expected BBBB-YYYR-RRRR-KKKK-WWWW to be refused, but it was dealt",
    );
    check(
        ROUND_END,
        "deal BBBB-YYYR-RRRR-KKKK",
        "the deal is refused: factories in the deal: 4 instead of 5",
    );
    check(NEXT_ROUND, "poured 4", "expected 4, found nothing");
    check(NEXT_ROUND, "deals-drawn 1", "expected a position that waits for a deal");
}

#[test]
fn a_wrong_file_fails() {
    let check = |file: &str, problem: &str| {
        assert_eq!(run(file).failures, [format!("{FILE}:{problem}")]);
    };
    check("case A\n", "1: case A: nothing is checked");
    check("case A\n\nnew 2c 1\n", "1: case A: nothing is checked");
    check("printed B r1c1\n", "1: outside a case");
    check("case A\nscores 0 0\n", "2: case A: scores 0 0: there is no position yet");
    check(
        "case A\nprinted B r1c1\ncase A\nprinted B r1c1\n",
        "3: case A: this id is missing or taken",
    );
    check("case A\nnew $rules 1\n", "2: $rules has not been defined");
    check("case A\nnew 2c 3\n", "2: case A: new 2c 3: the seat is not in the game");
}
