//! The laws of records: whatever can be read is printed and read back, in every form, and faults
//! have a place.

use azulejo_notation::{Expect, Place, Record, RecordError, Records, Start, check, verify_deals};

/// Checks that the place of an error is in the text, or just after one of its lines.
pub(super) fn check_error(error: &RecordError, text: &[u8]) {
    let sentence = error.to_string();
    assert!(!sentence.chars().any(char::is_control), "{sentence:?}");
    match &error.place {
        Place::Path(path) => assert!(!path.is_empty(), "{sentence}"),
        &Place::At { line, column } => {
            let line = text.split(|&byte| byte == b'\n').nth(line - 1);
            let width = line.map(|line| String::from_utf8_lossy(line).chars().count());
            let is_inside = column >= 1 && width.is_some_and(|width| column <= width + 1);
            assert!(is_inside, "{sentence} is not in the text");
        }
    }
}

/// Everything that holds of a record, wherever it comes from.
pub(super) fn check_record(record: &Record) {
    let text = record.to_string();
    let read = Record::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(read, *record, "{text}");
    assert_eq!(read.to_string(), text);

    let json = record.to_json();
    assert!(!json.contains('\n'), "{json}");
    let read = Record::from_json(&json).unwrap_or_else(|error| panic!("{error}\n{json}"));
    assert_eq!(read, *record, "{json}");
    assert_eq!(read.to_json(), json);

    let three = format!("{text}\n{text}{text}");
    let pieces = Records::new(three.lines()).map(|piece| piece.parse());
    assert!(pieces.eq([Ok(record.clone()), Ok(record.clone()), Ok(record.clone())]), "{text}");

    let mut position = record.first_position();
    for step in record.replay() {
        assert_eq!(step.before, position, "{text}");
        position = step.after;
    }
    assert_eq!(position, *record.final_position(), "{text}");
    assert_eq!(record.end().is_some(), position.ended_by().is_some(), "{text}");
    // The deals of a fuzzed record need not follow from its seed; the check must not panic.
    if let Err(mismatch) = verify_deals(record) {
        assert!(!mismatch.to_string().is_empty());
    }
    check_interchange(record);
}

fn check_interchange(record: &Record) {
    let expect = Expect::of(record);
    assert_eq!(check(record, &expect), [], "{record}");
    let Some(json) = record.to_interchange(Some(&expect)) else {
        assert!(matches!(record.start(), Start::Position(_)), "{record}");
        return;
    };
    let (read, read_expect) =
        Record::from_interchange(&json).unwrap_or_else(|error| panic!("{error}\n{json}"));
    assert_eq!(read_expect, Some(expect), "{json}");
    assert_eq!(read.start(), record.start(), "{json}");
    assert_eq!(read.final_position(), record.final_position(), "{json}");
    let actions = |record: &Record| record.replay().map(|step| step.action).collect::<Vec<_>>();
    assert_eq!(actions(&read), actions(record), "{json}");
}
