//! Repairs truncated JSON, so that the part before the break can be read.
//!
//! A file may end in the middle of a line, for example after a power failure. The JSON is cut back to
//! the last complete element, and all open lists and objects are closed.

use crate::problem::Place;

/// What the JSON of a record can have been before a fault: cut there and closed again, first with
/// the end that was already there, then as a game under way.
pub(crate) fn repairs(json: &[u8], fault: &Place) -> Vec<Vec<u8>> {
    let Place::At { line, column } = *fault else { return Vec::new() };
    let lines = json.split_inclusive(|&byte| byte == b'\n');
    let line_start = lines.take(line - 1).map(<[u8]>::len).sum();
    let Some((cut, closers)) = last_complete(json, line_start, column) else { return Vec::new() };
    let mut repaired = json[..cut].to_vec();
    let Some((_, inner)) = closers.split_first() else { return vec![repaired] };
    repaired.extend(inner.iter().rev());
    [&b"}"[..], b",\"end\":null}"].map(|end| [&repaired, end].concat()).to_vec()
}

/// The end of the last complete element of a list, or of a complete list or object, and what
/// closes everything that is open there, the outermost first.
fn last_complete(json: &[u8], line_start: usize, column: usize) -> Option<(usize, Vec<u8>)> {
    let mut found = None;
    let mut open = Vec::new();
    let (mut is_string, mut is_escaped) = (false, false);
    let mut n_chars = 0;
    for (at, &byte) in json.iter().enumerate() {
        // Columns count characters, and in UTF-8 only the first byte of one is not 10xxxxxx.
        n_chars += usize::from(at >= line_start && byte & 0b1100_0000 != 0b1000_0000);
        if n_chars > column {
            break;
        }
        let mut is_complete = false;
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_string => is_escaped = true,
            b'"' => {
                is_string = !is_string;
                // In an object it could be a key.
                is_complete = !is_string && open.last() == Some(&b']');
            }
            _ if is_string => {}
            b'[' => open.push(b']'),
            b'{' => open.push(b'}'),
            b']' | b'}' if open.last() != Some(&byte) => break,
            b']' | b'}' => {
                open.pop();
                is_complete = true;
            }
            _ => {}
        }
        if is_complete {
            found = Some((at + 1, open.len()));
            if open.is_empty() {
                break;
            }
        }
    }
    // What was open there still is: closing any of it would have been found.
    let (cut, depth) = found?;
    open.truncate(depth);
    Some((cut, open))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_open_is_closed() {
        let check = |json: &str, expected: Option<&str>| {
            let fault = Place::At { line: 1, column: json.chars().count() };
            let repairs = repairs(json.as_bytes(), &fault);
            let last = repairs.last().map(|json| String::from_utf8_lossy(json));
            assert_eq!(last.as_deref(), expected);
        };
        check("", None);
        check(r#"{"azulejo":1,"rules":"2c""#, None);
        check(r#"{"a":1,"rounds":["#, None);
        let moves = r#"{"rounds":[{"moves":["1B2"]}],"end":null}"#;
        check(r#"{"rounds":[{"moves":["1B2","2K"#, Some(moves));
        check(r#"{"rounds":[{"moves":["1B2"],"co"#, Some(moves));
        check(r#"{"rounds":[{"moves":["1B2"]}],"end":{"by"#, Some(moves));
        check(r#"{"x":["é\"]"],"end":nu"#, Some(r#"{"x":["é\"]"],"end":null}"#));
        check(r#"]{"x":["a""#, None);
        check(r#"{"rounds":[]} x"#, Some(r#"{"rounds":[]}"#));
        check(r#"{"rounds":["1B2"]], "x":["a""#, Some(r#"{"rounds":["1B2"],"end":null}"#));
    }

    #[test]
    fn an_end_that_is_there_stays() {
        let json = br#"{"rounds":[],"end":{"by":"row","scores":[1]"#;
        let repairs = repairs(json, &Place::At { line: 1, column: json.len() });
        assert_eq!(repairs[0], br#"{"rounds":[],"end":{"by":"row","scores":[1]}}"#);
    }
}
