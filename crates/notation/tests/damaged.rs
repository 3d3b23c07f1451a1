//! Records damaged in every place: reading never panics. It gives an error with a place inside
//! the text, or another good record.

use azulejo_notation::{Place, Record, RecordError, Round};
use azulejo_testkit::records::{RULES, random_record};

/// Whether the place of an error is in the text, or just after one of its lines.
fn is_inside(error: &RecordError, text: &[u8]) -> bool {
    match &error.place {
        Place::Path(path) => !path.is_empty(),
        &Place::At { line, column } => {
            let line = text.split(|&byte| byte == b'\n').nth(line - 1);
            let width = line.map(|line| String::from_utf8_lossy(line).chars().count());
            column >= 1 && width.is_some_and(|width| column <= width + 1)
        }
    }
}

/// Checks what reading a text or JSON that may be wrong has given.
fn check_salvaged(
    (record, error): (Option<Record>, Option<RecordError>),
    input: &[u8],
    place: &str,
) {
    match &error {
        Some(error) => assert!(is_inside(error, input), "{place}: {error}"),
        None => assert!(record.is_some(), "{place}: neither a record nor an error"),
    }
    // The result obeys the laws of every record.
    let Some(record) = record else { return };
    if error.is_none() || input.len().is_multiple_of(8) {
        assert_eq!(Record::parse(record.to_string()).as_ref(), Ok(&record), "{place}");
        assert_eq!(Record::from_json(record.to_json()), Ok(record), "{place}");
    }
}

fn check_text(text: &[u8], place: &str) {
    check_salvaged(Record::salvage(text), text, place);
}

fn check_json(json: &[u8], place: &str) {
    check_salvaged(Record::salvage_json(json), json, place);
}

/// Some games, with comments and tags in them.
fn samples() -> Vec<Record> {
    ["2c", "2gj", "4cj", "3c-overview-first2"]
        .iter()
        .flat_map(|rules| (0..2).map(move |n| random_record(rules, &n.to_string())))
        .collect()
}

#[test]
fn text_cut_anywhere() {
    for record in samples() {
        let text = record.to_string();
        for end in 0..text.len() {
            check_text(&text.as_bytes()[..end], &format!("{end} bytes of\n{text}"));
        }
    }
}

/// All deals and moves of a record.
fn actions(record: &Record) -> Vec<String> {
    let deals_and_moves = |round: &Round| {
        let deal = round.deal.map(|deal| deal.to_string());
        let moves = round.turns.iter().map(|turn| turn.m.to_string());
        deal.into_iter().chain(moves).collect::<Vec<_>>()
    };
    record.rounds().iter().flat_map(deals_and_moves).collect()
}

#[test]
fn what_is_salvaged_is_the_beginning() {
    for record in samples().iter().step_by(2) {
        let whole = actions(record);
        // From cut to cut it never gets shorter, and in the end everything comes back.
        let check = |input: &[u8], salvage: &dyn Fn(&[u8]) -> Option<Record>| {
            let mut most = 0;
            for end in 0..input.len() {
                let part = salvage(&input[..end]).map(|record| actions(&record));
                let part = part.unwrap_or_default();
                assert!(whole.starts_with(&part) && part.len() >= most, "{end} bytes");
                most = part.len();
            }
            assert_eq!(most, whole.len());
        };
        check(record.to_string().as_bytes(), &|text| Record::salvage(text).0);
        check(record.to_json().as_bytes(), &|json| Record::salvage_json(json).0);
    }
}

#[test]
fn text_with_a_character_changed_or_left_out() {
    let strange = ['0', 'B', 'r', ' ', '\n', '{', '}', '"', '\\', '[', '*', '\u{0}', '壁'];
    for record in samples().iter().step_by(4) {
        let text: Vec<char> = record.to_string().chars().collect();
        for at in 0..text.len() {
            let [before, after] = [&text[..at], &text[at + 1..]].map(String::from_iter);
            check_text(format!("{before}{after}").as_bytes(), &format!("without character {at}"));
            let c = strange[at % strange.len()];
            let changed = format!("{before}{c}{after}");
            check_text(changed.as_bytes(), &format!("character {at} is {c:?}"));
        }
    }
}

#[test]
fn text_with_a_bit_changed() {
    let mut text = random_record("2gj", "bits").to_string().into_bytes();
    for at in 0..text.len() {
        for bit in [0, 3, 5, 7] {
            text[at] ^= 1 << bit;
            check_text(&text, &format!("bit {bit} of byte {at}"));
            text[at] ^= 1 << bit;
        }
    }
}

#[test]
fn json_cut_or_changed_anywhere() {
    for record in samples().iter().step_by(4) {
        let json = record.to_json().into_bytes();
        for at in 0..json.len() {
            check_json(&json[..at], &format!("{at} bytes"));
            let without = [&json[..at], &json[at + 1..]].concat();
            check_json(&without, &format!("without byte {at}"));
            let mut changed = json.clone();
            changed[at] ^= 1 << (at % 8);
            check_json(&changed, &format!("byte {at} changed"));
        }
    }
}

#[test]
fn interchange_cut_or_changed_anywhere() {
    let game = random_record("2cj", "4");
    let json = game.to_interchange(None).expect("a game from its beginning").into_bytes();
    for at in 0..json.len() {
        let without = [&json[..at], &json[at + 1..]].concat();
        let mut changed = json.clone();
        changed[at] ^= 1 << (at % 8);
        for json in [&json[..at], &without, &changed] {
            if let Err(error) = Record::from_interchange(json) {
                assert!(is_inside(&error, json), "byte {at}: {error}");
            }
        }
    }
}

/// The random games are worth something only if they have all there is.
#[test]
fn the_random_games_have_everything() {
    let mut seen = std::collections::BTreeSet::new();
    for rules in RULES {
        for n in 0..20 {
            let record = random_record(rules, &n.to_string());
            let text = record.to_string();
            let has = |part: &str| text.contains(part);
            for part in ["end row", "*\n", "[Position", "[First", "j1", " r1c", "{"] {
                if has(part) {
                    seen.insert(part);
                }
            }
            for (phase, name) in [("_d", "draft"), ("_w", "tiling"), ("_n_", "deal")] {
                if text.lines().any(|line| line.starts_with("[Position") && line.contains(phase)) {
                    seen.insert(name);
                }
            }
            if !record.rounds().is_empty() && record.rounds()[0].deal.is_none() {
                seen.insert("no deal");
            }
        }
    }
    assert_eq!(seen.len(), 11, "{seen:?}");
}
