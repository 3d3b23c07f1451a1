//! Records as long as they can be: whatever can be read as text can be read as JSON.

use azulejo_notation::{MAX_JSON, MAX_RECORD, Problem, Record};

const TAGS: &str = "[Azulejo \"1\"]\n[Rules \"2c-stall0\"]\n[First \"1\"]\n";

/// A game in which everything goes to the floor, round after round, up to the longest text that
/// is accepted: no byte more can be added. `round` writes a round with this number.
fn longest(round: impl Fn(usize) -> String) -> String {
    let mut text = TAGS.to_owned();
    for next in (1..).map(round) {
        if text.len() + next.len() + "*".len() > MAX_RECORD {
            break;
        }
        text += &next;
    }
    text += "*";
    let n_left = MAX_RECORD - text.len();
    text + &"\n".repeat(n_left)
}

/// Checks the longest record of such rounds, and gives the length of its JSON.
#[track_caller]
fn check(round: impl Fn(usize) -> String) -> usize {
    let text = longest(round);
    let record = Record::parse(&text).unwrap();
    let too_long = Problem::TooLong { what: "a record", most: MAX_RECORD, unit: "bytes" };
    assert_eq!(Record::parse(text + "\n").unwrap_err().problem, too_long);
    let json = record.to_json();
    assert!(json.len() <= MAX_JSON, "{} bytes", json.len());
    assert_eq!(Record::from_json(&json).as_ref(), Ok(&record));
    json.len()
}

#[test]
fn the_longest_text_has_json_that_can_be_read() {
    // As the printer writes it.
    let n_plain =
        check(|number| format!("round {number} BBBB-YYYY-RRRR-KKKK-WWWW\n1BF 2YF 3RF 4KF 5WF\n"));
    assert!(n_plain > MAX_RECORD, "JSON is longer: {n_plain} bytes");
    // Short comments everywhere, of nothing but what JSON has to escape, and no space that could
    // be left out.
    let n_dense = check(|number| {
        let moves = "1BF 2BF 3BF 4BF 5YF 0YF 0RF 0KF 0WF".replace(' ', "{\"}");
        format!("round {number} BYRK-BYRW-BYKW-BRKW-YRKW{{\"}}{moves}{{\"}}\n")
    });
    assert!(n_dense > 2 * MAX_RECORD, "the limit is not far away: {n_dense} bytes");
    // Long comments.
    let quotes = "\"".repeat(1000);
    let n_escaped = check(|number| {
        let moves = "1BF 2YF 3RF 4KF 5WF".replace(' ', &format!("{{{quotes}}}"));
        format!("round {number} BBBB-YYYY-RRRR-KKKK-WWWW{{{quotes}}}{moves}{{{quotes}}}\n")
    });
    assert!(n_escaped > 3 * MAX_RECORD / 2, "{n_escaped} bytes");
}

#[test]
fn json_has_a_limit_too() {
    let json = Record::parse(format!("{TAGS}*")).unwrap().to_json();
    let longest = json.clone() + &" ".repeat(MAX_JSON - json.len());
    assert!(Record::from_json(&longest).is_ok());
    let too_long = Problem::TooLong { what: "a record", most: MAX_JSON, unit: "bytes" };
    assert_eq!(Record::from_json(longest + " ").unwrap_err().problem, too_long);
}
