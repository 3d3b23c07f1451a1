//! What is printed is read back, as text, as JSON and in the interchange form, in games of every
//! kind.

use azulejo_notation::{Action, Expect, Record, Records, Start, check, verify_deals};
use azulejo_testkit::records::{RULES, random_record};

/// Calls `test` with random games of every rule set.
fn for_random_games(n_each: u32, test: impl Fn(&Record, &str)) {
    for rules in RULES {
        for n in 0..n_each {
            let place = format!("{rules}, seed {n}");
            test(&random_record(rules, &n.to_string()), &place);
        }
    }
}

#[test]
fn text_to_json_and_back() {
    for_random_games(20, |record, place| {
        let text = record.to_string();
        let read = Record::parse(&text).unwrap_or_else(|e| panic!("{place}: {e}\n{text}"));
        assert_eq!(read, *record, "{place}");
        let json = read.to_json();
        assert!(!json.contains('\n'), "{place}");
        let read = Record::from_json(&json).unwrap_or_else(|e| panic!("{place}: {e}\n{json}"));
        assert_eq!(read, *record, "{place}");
        assert_eq!(read.to_string(), text, "{place}");
        assert_eq!(read.to_json(), json, "{place}");
    });
}

#[test]
fn lines_have_at_most_80_columns_unless_a_word_is_longer() {
    for_random_games(20, |record, place| {
        let text = record.to_string();
        let game = text.split_once("\n\n").expect("an empty line after the tags").1;
        for line in game.lines() {
            let is_short = line.chars().count() <= 80;
            // The one exception keeps a line of a comment from looking like a record.
            assert!(is_short || line.contains(" [Azulejo"), "{place}: {line}");
        }
        assert!(text.ends_with('\n') && !text.ends_with("\n\n"), "{place}");
    });
}

#[test]
fn many_records_in_one_text() {
    let records: Vec<Record> = RULES.iter().map(|rules| random_record(rules, "many")).collect();
    let text: String = records.iter().map(|record| format!("{record}\n")).collect();
    let read: Vec<Record> =
        Records::new(text.lines()).map(|piece| piece.parse().unwrap()).collect();
    assert_eq!(read, records);
    let crlf = text.replace('\n', "\r\n");
    let lines = crlf.split('\n');
    let read: Vec<Record> = Records::new(lines).map(|piece| piece.parse().unwrap()).collect();
    assert_eq!(read, records);
}

#[test]
fn white_space_between_words_does_not_matter() {
    for_random_games(3, |record, place| {
        let text = record.to_string();
        let (tags, game) = text.split_once("\n\n").expect("an empty line after the tags");
        let words: Vec<&str> = game.split_whitespace().collect();
        if words.contains(&"[Azulejo") {
            return;
        }
        for space in [" ", "\n", "\r\n", " \t \n\n"] {
            let other = format!("\n{tags}\n{}{space}", words.join(space));
            assert_eq!(Record::parse(&other).as_ref(), Ok(record), "{place}: {other}");
        }
    });
}

#[test]
fn interchange_and_back() {
    for_random_games(5, |record, place| {
        let expect = Expect::of(record);
        let Some(json) = record.to_interchange(Some(&expect)) else {
            assert!(matches!(record.start(), Start::Position(_)), "{place}");
            return;
        };
        let (read, read_expect) =
            Record::from_interchange(&json).unwrap_or_else(|e| panic!("{place}: {e}\n{json}"));
        assert_eq!(read_expect.as_ref(), Some(&expect), "{place}");
        assert_eq!(check(&read, &expect), [], "{place}");
        assert_eq!(read.final_position(), record.final_position(), "{place}");
        assert_eq!(read.to_interchange(Some(&expect)), Some(json), "{place}");
        let moves = |record: &Record| record.replay().map(|step| step.action).collect::<Vec<_>>();
        assert_eq!(moves(&read), moves(record), "{place}");
    });
}

#[test]
fn replaying_gives_every_position() {
    for_random_games(5, |record, place| {
        let mut position = record.first_position();
        let mut n_moves = 0;
        for step in record.replay() {
            assert_eq!(step.before, position, "{place}");
            assert!(!step.report.is_empty(), "{place}");
            n_moves += usize::from(matches!(step.action, Action::Move(_)));
            position = step.after;
        }
        assert_eq!(position, *record.final_position(), "{place}");
        assert_eq!(n_moves, record.n_moves(), "{place}");
        assert_eq!(record.end().is_some(), position.ended_by().is_some(), "{place}");
    });
}

#[test]
fn deals_follow_from_the_seed() {
    for_random_games(5, |record, place| {
        if matches!(record.start(), Start::New { .. }) {
            assert!(verify_deals(record).is_ok(), "{place}");
        }
    });
}
