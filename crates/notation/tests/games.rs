//! Games of an independently written engine: every score, wall, bonus and number of legal moves
//! comes out the same.

use azulejo_notation::{Expect, Record, check};
use std::fs;
use std::path::PathBuf;

/// The games of each file, with their places.
fn games() -> Vec<(String, String)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata/games");
    let mut files: Vec<PathBuf> = fs::read_dir(&folder)
        .expect("the folder of games")
        .map(|entry| entry.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "jsonl"))
        .collect();
    files.sort();
    let mut games = Vec::new();
    for file in files {
        let name = file.file_name().expect("a name").to_string_lossy().into_owned();
        let text = fs::read_to_string(&file).expect("a readable file");
        for (number, line) in (1..).zip(text.lines()) {
            games.push((format!("{name}:{number}"), line.to_owned()));
        }
    }
    games
}

fn read(place: &str, line: &str) -> (Record, Expect) {
    match Record::from_interchange(line) {
        Ok((record, Some(expect))) => (record, expect),
        Ok((_, None)) => panic!("{place}: no results"),
        Err(error) => panic!("{place}: {error}"),
    }
}

#[test]
fn all_games_come_out_the_same() {
    let games = games();
    assert_eq!(games.len(), 384);
    for (place, line) in &games {
        let (record, expect) = read(place, line);
        let keys = [
            expect.round_scores.is_some(),
            expect.bonuses.is_some(),
            expect.final_scores.is_some(),
            expect.completed_rows.is_some(),
            expect.walls.is_some(),
            expect.legal_counts.is_some(),
        ];
        assert_eq!(keys, [true; 6], "{place}");
        let differences = check(&record, &expect);
        assert!(differences.is_empty(), "{place}: {differences:?}");
        assert!(record.end().is_some(), "{place}");
        // Everything there is to expect has been expected.
        assert_eq!(Expect { ended_by: None, ..Expect::of(&record) }, expect, "{place}");
    }
}

#[test]
fn they_are_records_like_any_other() {
    for (place, line) in games() {
        let (record, expect) = read(&place, &line);
        assert_eq!(Record::parse(record.to_string()).as_ref(), Ok(&record), "{place}");
        assert_eq!(Record::from_json(record.to_json()).as_ref(), Ok(&record), "{place}");
        let again = record.to_interchange(Some(&expect)).expect("a game from its beginning");
        let read_again = Record::from_interchange(again);
        assert!(read_again == Ok((record, Some(expect))), "{place}");
    }
}

/// Every number of the results, one after the other.
fn each_number(expect: &mut Expect) -> Vec<&mut i64> {
    let Expect { round_scores, bonuses, final_scores, completed_rows, walls, legal_counts, .. } =
        expect;
    let mut numbers: Vec<&mut i64> = Vec::new();
    numbers.extend(round_scores.iter_mut().flatten().flatten());
    numbers.extend(bonuses.iter_mut().flatten());
    numbers.extend(final_scores.iter_mut().flatten());
    numbers.extend(completed_rows.iter_mut().flatten());
    numbers.extend(walls.iter_mut().flatten().flatten().flatten());
    numbers.extend(legal_counts.iter_mut().flatten().flatten());
    numbers
}

#[test]
fn any_wrong_number_is_found() {
    for (place, line) in games().iter().step_by(48) {
        let (record, mut expect) = read(place, line);
        let n_numbers = each_number(&mut expect).len();
        assert!(n_numbers > 100, "{place}");
        for i in 0..n_numbers {
            for change in [-1, 1] {
                let mut wrong = expect.clone();
                *each_number(&mut wrong)[i] += change;
                assert_eq!(check(&record, &wrong).len(), 1, "{place}: number {i}");
            }
        }
    }
}

#[test]
fn differences_are_sentences() {
    let (place, line) = &games()[0];
    let (record, expect) = read(place, line);
    let differs = |change: &dyn Fn(&mut Expect), expected: &[&str]| {
        let mut wrong = expect.clone();
        change(&mut wrong);
        let found: Vec<String> = check(&record, &wrong).iter().map(ToString::to_string).collect();
        assert_eq!(found, expected);
    };
    differs(
        &|e| e.round_scores.as_mut().unwrap()[2] = vec![1, 8],
        &["round 3: scores [0, 8], expected [1, 8]"],
    );
    differs(
        &|e| drop(e.round_scores.as_mut().unwrap().pop()),
        &["5 rounds were finished, expected 4"],
    );
    differs(&|e| e.bonuses = Some(vec![2, 10]), &["bonuses [2, 9], expected [2, 10]"]);
    differs(&|e| e.final_scores = Some(vec![2]), &["final scores [2, 46], expected [2]"]);
    differs(&|e| e.completed_rows = Some(vec![]), &["completed rows [1, 1], expected []"]);
    differs(
        &|e| e.legal_counts.as_mut().unwrap()[1][0] = 7,
        &["round 2, move 1: 54 legal moves, expected 7"],
    );
    differs(
        &|e| e.legal_counts.as_mut().unwrap()[1].truncate(11),
        &["round 2: 12 moves, expected 11"],
    );
    differs(&|e| e.legal_counts.as_mut().unwrap().push(vec![]), &["5 rounds, expected 6"]);
    differs(&|e| drop(e.walls.as_mut().unwrap().pop()), &["2 walls, expected 1"]);
    differs(&|e| drop(e.walls.as_mut().unwrap()[0].pop()), &["seat 1: 5 wall rows, expected 4"]);
    differs(
        &|e| e.ended_by = Some("stall".to_owned()),
        &["the game ended by row, expected the end by `stall`"],
    );
    differs(&|e| e.ended_by = Some("row".to_owned()), &[]);
}

#[test]
fn a_game_may_stop_early_unless_a_result_is_expected() {
    let (place, line) = &games()[0];
    let (record, expect) = read(place, line);
    let mut game: serde_json::Value = serde_json::from_str(line).unwrap();
    game["rounds"].as_array_mut().unwrap().pop();
    let (shorter, _) = Record::from_interchange(game.to_string()).unwrap();
    assert_eq!(shorter.rounds(), &record.rounds()[..4]);
    let found: Vec<&str> = check(&shorter, &expect).iter().map(|d| d.key).collect();
    for key in ["round_scores", "bonuses", "final", "walls", "legal_counts"] {
        assert!(found.contains(&key), "{key}");
    }
    let so_far = Expect {
        round_scores: Some(expect.round_scores.unwrap()[..4].to_vec()),
        ..Expect::default()
    };
    assert_eq!(check(&shorter, &so_far), []);
}
