//! Invalid positions. They are in `testdata/faults.txt`, whose head explains how they are written:
//! texts that cannot be read, and setups with the complete list of their faults.

use azulejo_rules::{Fault, ParsePositionError, ParseSetupError, Position, Row, Seat, Setup, Tile};
use azulejo_testkit::data;
use std::collections::BTreeSet;

const FILE: &str = "testdata/faults.txt";
const FAULTS: &str = include_str!("../../../testdata/faults.txt");

/// Makes the list of all faults and a match over them, which no longer compiles when there is a
/// fault that is not in the list.
macro_rules! all_faults {
    ($($name:ident)+) => {
        const ALL_FAULTS: &[&str] = &[$(stringify!($name)),+];

        fn name(fault: &Fault) -> &'static str {
            match fault { $(Fault::$name { .. } => stringify!($name)),+ }
        }
    };
}

all_faults! {
    BoardCount FactoryCount NoSuchSeat FactoryTooFull NoRound MoreDryRoundsThanRounds MarkerPlaces
    TileCount ScoreTooHigh FloorTooFull LineTooLong LineMixed LineBarred LineBesideFullRow WrongSpace TwiceInRow
    TwiceInColumn NothingToDraft TilesOnTable MarkerStillHeld TurnIsNotStarter NoDryRound
    LineNotTiled FloorNotCleared FullRow NoWallChoice ScoreBelowBonuses GameShouldBeOver WrongEnd
}

/// What is said about a text.
enum Claim {
    Unreadable { column: Option<usize>, words: String },
    Wrong { changes: Vec<(String, String)>, faults: BTreeSet<String> },
    Valid,
}

struct Entry {
    line: usize,
    text: String,
    claim: Claim,
}

/// Reads the entries of a file.
///
/// # Errors
/// The first statement that makes no sense.
fn read(file: &str) -> Result<Vec<Entry>, String> {
    let at = |line: usize, problem: &str| format!("{FILE}:{line}: {problem}");
    let lines = data::read(file).map_err(|(line, problem)| at(line, &problem))?;
    let mut entries: Vec<Entry> = Vec::new();
    for line in &lines {
        let (word, rest) = line.statement();
        let claim = match word {
            "text" => Some(Claim::Unreadable { column: Some(0), words: String::new() }),
            "setup" => Some(Claim::Wrong { changes: Vec::new(), faults: BTreeSet::new() }),
            "valid" => Some(Claim::Valid),
            _ => None,
        };
        if let Some(claim) = claim {
            // The text begins after one blank, so that it can begin with others.
            let text = line.text.get(word.len() + 1..).unwrap_or_default().to_owned();
            entries.push(Entry { line: line.number, text, claim });
            continue;
        }
        let claim = entries.last_mut().map(|entry| &mut entry.claim);
        match (word, claim) {
            ("column", Some(Claim::Unreadable { column, words })) => {
                let (number, message) = rest.split_once(' ').unwrap_or((rest, ""));
                *column = match (number, number.parse()) {
                    ("any", _) => None,
                    (_, Ok(column)) => Some(column),
                    _ => return Err(at(line.number, "expected a column")),
                };
                message.clone_into(words);
            }
            ("turn" | "first" | "line", Some(Claim::Wrong { changes, .. })) => {
                changes.push((word.to_owned(), rest.to_owned()));
            }
            ("fault", Some(Claim::Wrong { faults, .. })) => {
                if !faults.insert(rest.to_owned()) {
                    return Err(at(line.number, "this fault is listed twice"));
                }
            }
            _ => return Err(at(line.number, "this statement does not belong here")),
        }
    }
    Ok(entries)
}

impl Entry {
    fn check(&self) -> Result<(), String> {
        match &self.claim {
            Claim::Unreadable { column, words } => self.check_unreadable(*column, words),
            Claim::Wrong { changes, faults } => self.check_wrong(changes, faults),
            Claim::Valid => {
                let position = self.text.parse::<Position>().map_err(|error| error.to_string())?;
                let again = position.to_string().parse();
                if again == Ok(position) { Ok(()) } else { Err(format!("read back: {again:?}")) }
            }
        }
    }

    fn check_unreadable(&self, column: Option<usize>, words: &str) -> Result<(), String> {
        let error = match self.text.parse::<Setup>() {
            Ok(setup) => return Err(format!("expected no setup, found {setup}")),
            Err(error) => error,
        };
        let ParseSetupError { column: found, problem } = &error;
        let column = column.unwrap_or(*found);
        if *found != column || !problem.contains(words) {
            return Err(format!(
                "expected column {column}: {words}; found column {found}: {problem}"
            ));
        }
        let as_position = self.text.parse::<Position>();
        if as_position != Err(ParsePositionError::Syntax(error)) {
            return Err(format!("as a position: {as_position:?}"));
        }
        Ok(())
    }

    fn check_wrong(
        &self,
        changes: &[(String, String)],
        expected: &BTreeSet<String>,
    ) -> Result<(), String> {
        let mut setup: Setup = self.text.parse().map_err(|error| format!("{error}"))?;
        for (what, how) in changes {
            change(&mut setup, what, how).ok_or(format!("`{what} {how}` makes no sense"))?;
        }
        let error = match setup.validate() {
            Ok(position) => return Err(format!("expected faults, found {position}")),
            Err(error) => error,
        };
        let found: BTreeSet<_> =
            error.faults().iter().map(|fault| format!("{} {fault}", name(fault))).collect();
        if found.len() != error.faults().len() {
            return Err(format!("a fault is reported twice: {error:?}"));
        }
        if found != *expected {
            let only = |a: &BTreeSet<String>, b: &BTreeSet<String>| {
                a.difference(b).cloned().collect::<Vec<_>>().join("; ")
            };
            let (missing, extra) = (only(expected, &found), only(&found, expected));
            return Err(format!("expected and not found: {missing}; found: {extra}"));
        }
        if !changes.is_empty() {
            return Ok(());
        }
        // The text alone says it all: it prints and reads back, and a position reports the same.
        if setup.to_string().parse().as_ref() != Ok(&setup) {
            return Err(format!("{setup} does not read back"));
        }
        let as_position = self.text.parse::<Position>();
        if as_position != Err(ParsePositionError::Invalid(error)) {
            return Err(format!("as a position: {as_position:?}"));
        }
        Ok(())
    }
}

/// Changes a setup into one that no text describes.
fn change(setup: &mut Setup, what: &str, how: &str) -> Option<()> {
    let mut words = how.split(' ');
    let mut letter = || words.next()?.chars().next();
    let seat = Seat::from_letter(letter()?)?;
    match what {
        "turn" => setup.turn = seat,
        _ => {
            let row = Row::from_letter(letter()?)?;
            let tiles = words.next()?.chars().map(Tile::from_letter);
            let board = setup.boards.get_mut(seat.index())?;
            board.lines[row.index()] = tiles.collect::<Option<Vec<_>>>()?.into_iter().collect();
        }
    }
    Some(())
}

fn entries() -> Vec<Entry> {
    read(FAULTS).unwrap_or_else(|problem| panic!("{problem}"))
}

#[test]
fn every_entry_is_refused_for_its_faults() {
    let failures = entries().into_iter().filter_map(|entry| {
        let problem = data::caught(|| entry.check()).err()?;
        let shown: String = entry.text.chars().take(200).collect();
        Some(format!("{FILE}:{}: {shown}: {problem}", entry.line))
    });
    let failures: Vec<_> = failures.collect();
    assert!(failures.is_empty(), "\n{}\n", failures.join("\n"));
}

#[test]
fn every_fault_occurs() {
    let entries = entries();
    let listed: BTreeSet<_> = entries
        .iter()
        .filter_map(|entry| match &entry.claim {
            Claim::Wrong { faults, .. } => Some(faults),
            _ => None,
        })
        .flatten()
        .filter_map(|fault| fault.split(' ').next())
        .collect();
    let missing: Vec<_> = ALL_FAULTS.iter().filter(|name| !listed.contains(**name)).collect();
    assert!(missing.is_empty(), "{FILE} has no example of {missing:?}");
}

/// Whatever is done to a text, the reader answers: no panic, and what it accepts reads back.
#[test]
fn damaged_texts_are_read_or_refused() {
    const LETTERS: &str = "019BJW.-_~rxé";
    let valid = entries().into_iter().filter(|entry| matches!(entry.claim, Claim::Valid));
    for Entry { line, text, .. } in valid {
        let places: Vec<_> = text.char_indices().map(|(at, _)| at).collect();
        for &at in &places {
            let (before, after) = text.split_at(at);
            let rest = &after[after.chars().next().map_or(0, char::len_utf8)..];
            let replaced = LETTERS.chars().map(|letter| format!("{before}{letter}{rest}"));
            let inserted = LETTERS.chars().map(|letter| format!("{before}{letter}{after}"));
            let shorter = [before.to_owned(), format!("{before}{rest}"), after.to_owned()];
            for damaged in replaced.chain(inserted).chain(shorter) {
                if let Ok(position) = damaged.parse::<Position>() {
                    let again = position.to_string().parse();
                    assert_eq!(again, Ok(position), "{FILE}:{line}: {damaged}");
                }
            }
        }
    }
}

#[test]
fn a_wrong_claim_fails() {
    let check = |file: &str, problem: &str| {
        let entries = read(file).unwrap_or_else(|problem| panic!("{problem}"));
        let found = entries[0].check().expect_err(file);
        assert!(found.contains(problem), "{file}: {found}");
    };
    let valid = "az1_2c_n_1s1_.-.-.-.-._1_rest_._\
        0~.-..-...-....-.....~.....-.....-.....-.....-.....~._\
        0~.-..-...-....-.....~.....-.....-.....-.....-.....~.";
    check("text az2\ncolumn 2 version", "found column 1");
    check("text az2\ncolumn 1 rules", "found column 1: a position must start with `az1`");
    check("text az2", "expected column 0");
    check(&format!("text {valid}\ncolumn 1"), "expected no setup");
    check(&format!("setup {valid}\n"), "expected faults");
    check(&format!("setup {valid}\nturn 2\n"), "found: TurnIsNotStarter");
    check(&format!("setup {valid}\nturn 2\nfault NoRound x"), "expected and not found: NoRound x");
    check(&format!("setup {valid}\nturn 7\n"), "makes no sense");
    check("valid az1", "the text ends before the rules");
    assert!(read("column 1").is_err());
    assert!(read("text a\nfault NoRound").is_err());
    assert!(read("setup a\nfault NoRound\nfault NoRound").is_err());
}
