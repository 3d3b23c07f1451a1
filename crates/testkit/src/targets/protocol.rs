//! Any bytes as a line to an engine and as a line from one: a message is printed on one line and read
//! back, and an error has a column.

use crate::laws::check_position;
use azulejo_notation::protocol::{FromEngine, LineError, ToEngine, play_all};
use std::fmt::{Debug, Display};

pub(super) fn check_bytes(data: &[u8]) {
    let to_engine = ToEngine::parse(data);
    check(&to_engine, data, |line| ToEngine::parse(line));
    check(&FromEngine::parse(data), data, |line| FromEngine::parse(line));
    if let Ok(Some(ToEngine::Position { start, moves })) = to_engine {
        match play_all(&start, &moves) {
            Ok(position) => check_position(&position),
            Err(error) => assert_eq!(moves.get(error.number - 1), Some(&error.action), "{error}"),
        }
    }
}

fn check<T: Display + Debug + PartialEq>(
    read: &Result<Option<T>, LineError>,
    data: &[u8],
    parse: impl Fn(&str) -> Result<Option<T>, LineError>,
) {
    match read {
        Ok(None) => {}
        Ok(Some(message)) => {
            let line = message.to_string();
            assert!(!line.chars().any(char::is_control), "{line:?}");
            assert_eq!(&parse(&line), read, "{line}");
            // A line end is not part of the message.
            assert_eq!(&parse(&format!("{line}\r\n")), read, "{line}");
        }
        Err(error) => {
            let sentence = error.to_string();
            assert!(!sentence.chars().any(char::is_control), "{sentence:?}");
            let n_letters = String::from_utf8_lossy(data).chars().count();
            assert!((1..=n_letters + 1).contains(&error.column), "{sentence}");
        }
    }
}
