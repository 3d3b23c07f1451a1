//! Any bytes as the JSON of a record and as a game in the interchange form. What can be read is
//! written and read back, and agrees with its own results.

use super::records::{check_error, check_record};
use azulejo_notation::{Expect, Record, check};

pub(super) fn check_bytes(data: &[u8]) {
    let (salvaged, error) = Record::salvage_json(data);
    match Record::from_json(data) {
        Ok(record) => assert_eq!((salvaged.as_ref(), error), (Some(&record), None)),
        Err(fault) => {
            check_error(&fault, data);
            assert_eq!(error, Some(fault));
        }
    }
    if let Some(record) = &salvaged {
        check_record(record);
    }
    match Record::from_interchange(data) {
        Ok((record, expect)) => check_game(&record, expect),
        Err(fault) => check_error(&fault, data),
    }
}

fn check_game(record: &Record, expect: Option<Expect>) {
    check_record(record);
    let Some(expect) = expect else { return };
    for difference in check(record, &expect) {
        assert!(!difference.to_string().is_empty() && !difference.key.is_empty());
    }
    let json = record.to_interchange(Some(&expect)).expect("it has begun at a new game");
    let read = Record::from_interchange(&json).unwrap_or_else(|error| panic!("{error}\n{json}"));
    assert_eq!((&read.0, read.1), (record, Some(expect)), "{json}");
}
