//! The records of `testdata/records`, the examples of the notation's page, and a table of faults.

use azulejo_notation::{Action, Place, Problem, Record, RecordError, Records, Start, verify_deals};
use azulejo_rules::{DealError, IllegalMove, Move, Seat, Source};
use std::fs;
use std::path::PathBuf;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata/records")
}

fn text(name: &str) -> String {
    fs::read_to_string(folder().join(name)).expect("a file of testdata")
}

fn record(name: &str) -> Record {
    Record::parse(text(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn good_records_are_canonical() {
    for name in ["two-players.txt", "grey-jokers.txt", "from-position.txt", "endings.txt"] {
        let text = text(name);
        let pieces = Records::new(text.lines());
        let printed: Vec<String> =
            pieces.map(|piece| piece.parse().expect(name).to_string()).collect();
        assert_eq!(printed.join("\n"), text, "{name}");
    }
}

#[test]
fn a_whole_game() {
    let record = record("two-players.txt");
    assert_eq!(record.end().unwrap().to_string(), "row 41-63");
    assert_eq!(record.name(Seat::Two), Some("José \"o Mestre\" Silva"));
    assert_eq!(record.tags().len(), 2);
    assert_eq!(record.tag("Date"), Some("2026-11-15"));
    assert_eq!(record.rounds()[0].turns[4].comment.as_ref().unwrap().len(), 108);
    assert!(verify_deals(&record).is_ok());
    assert_eq!(record.n_moves(), 53);
    assert_eq!(record.replay().count(), 53 + 5);
}

#[test]
fn a_game_with_every_kind_of_move() {
    let record = record("grey-jokers.txt");
    let moves = || {
        record.replay().filter_map(|step| match step.action {
            Action::Move(m) => Some(m),
            Action::Deal(_) => None,
        })
    };
    assert_eq!(moves().filter(|m| matches!(m, Move::Place { .. })).count(), 29);
    let extra = |m: &Move| matches!(m, Move::Draft(draft) if draft.extra_jokers > 0);
    assert_eq!(moves().filter(extra).count(), 4);
    assert!(verify_deals(&record).is_ok());
}

#[test]
fn a_game_from_the_middle_of_a_round() {
    let record = record("from-position.txt");
    assert!(matches!(record.start(), Start::Position(position) if position.round() == 2));
    assert_eq!(record.rounds()[0].deal, None);
    assert_eq!(record.rounds()[0].turns.len(), 3);
    assert_eq!(record.final_position().round(), 3);
    assert_eq!(record.end(), None);
    // By hand, the bag can be what is left.
    let by_hand = text("from-position.txt").replace("B9Y14R9K17W11", "rest");
    assert_eq!(Record::parse(by_hand), Ok(record));
}

#[test]
fn damaged_records_say_where() {
    let expected = text("damaged/expected.txt");
    assert_eq!(
        expected.lines().count(),
        fs::read_dir(folder().join("damaged")).unwrap().count() - 1
    );
    for row in expected.lines() {
        let mut columns = row.splitn(2, ' ');
        let name = columns.next().unwrap();
        let (place, part) = columns.next().unwrap().trim_start().split_once(' ').unwrap();
        let bytes = fs::read(folder().join("damaged").join(name)).expect(name);
        let error = Record::parse(bytes).expect_err(name);
        let Place::At { line, column } = error.place else { panic!("{name}: {error}") };
        assert_eq!(format!("{line}:{column}"), place, "{name}: {error}");
        assert!(error.to_string().contains(part.trim_start()), "{name}: {error}");
    }
}

/// A short record to put faults into.
const SHORT: &str = r#"[Azulejo "1"]
[Rules "2c"]
[First "1"]
[Seat1 "Ana"]
[Date "2026-11-15"]

round 1 BBYR-KKKK-BYRK-YWWW-RRKK
1B2 2K4 4W3 {a quiet start} 0Y1
*
"#;

#[test]
fn faults_of_the_text_have_a_place() {
    assert_eq!(Record::parse(SHORT).unwrap().to_string(), SHORT);
    // What is replaced, by what, and where and what the fault is.
    let table: &[(&str, &str, usize, usize, &str)] = &[
        (SHORT, "", 1, 1, "a record begins with"),
        (SHORT, "\n\n  x", 3, 3, "a record begins with"),
        ("[Azulejo \"1\"]", "[azulejo \"1\"]", 1, 1, "a record begins with"),
        ("[Azulejo \"1\"]", " [Azulejo \"1\"]", 1, 2, "a record begins with"),
        ("[Azulejo \"1\"]\n", "", 1, 1, "a record begins with"),
        ("\"1\"]\n[Rules", "\"1.1\"]\n[Rules", 1, 11, "version `1.1`"),
        ("[Rules \"2c\"]\n", "", 4, 20, "the tag Rules is missing"),
        ("[First \"1\"]\n", "", 4, 20, "the tag First is missing"),
        ("2c", "5c", 2, 9, "not a rule set: `5c`"),
        ("2c", "2c-row999", 2, 9, "not a rule set: `row999`"),
        ("2c", "3c", 7, 9, "impossible deal: "),
        ("2c", "2c-first2", 3, 9, "seat 1 starts, but the rules name seat 2"),
        ("First \"1\"", "First \"3\"", 3, 9, "seat 3 is not in the game"),
        ("First \"1\"", "First \"12\"", 3, 9, "expected the seat"),
        ("First \"1\"", "First \"\"", 3, 9, "expected the seat"),
        ("First \"1\"", "First 1", 3, 8, "in quotes"),
        ("First \"1\"]", "First \"1\"", 3, 11, "expected `]`"),
        ("First \"1\"]", "First \"1]", 3, 8, "the quote is not closed"),
        ("[First \"1\"]", "[First\"1\"]", 3, 7, "a space and its text in quotes"),
        ("[First \"1\"]", "[ \"1\"]", 3, 2, "the name of a tag"),
        ("[First \"1\"]", "[First \"1\"] x", 3, 13, "a line of its own"),
        ("[First \"1\"]", "[First \"1\"] [A \"b\"]", 3, 13, "a line of its own"),
        ("[First \"1\"]", "[Position \"az1_2c\"]", 3, 18, "not a position: "),
        ("[First \"1\"]", "[Position \"az1_2x\"]", 3, 16, "not a position: "),
        ("[Seat1 \"Ana\"]", "[Seat3 \"Ana\"]", 4, 9, "seat 3 is not in the game"),
        ("[Seat1", "[First", 4, 9, "expected the seat"),
        ("[Seat1 \"Ana\"]", "[First \"1\"]", 4, 2, "the tag First appears twice"),
        ("[Seat1 \"Ana\"]", "[Azulejo \"1\"]", 4, 2, "the tag Azulejo appears twice"),
        ("[Seat1 \"Ana\"]", "[Date \"x\"]", 5, 2, "the tag Date appears twice"),
        ("[Seat1 \"Ana\"]", "[Seed \"a b\"]", 4, 8, "character 2 is not one of letters"),
        ("[Seat1 \"Ana\"]", "[Seed \"\"]", 4, 8, "at least one character"),
        ("Ana", "A\tna", 4, 9, "a name has a control character"),
        ("Ana", "A\\na", 4, 10, "after a backslash"),
        ("2026", "\u{1b}[31m", 5, 8, "a tag has a control character"),
        ("[Date", "[Date\u{e9}", 5, 6, "a space and its text in quotes"),
        ("round 1", "x", 7, 1, "expected a move, a comment"),
        ("round 1", "Round 1", 7, 1, "expected a move, a comment"),
        ("round 1", "rund 1", 7, 2, "not a move: expected"),
        ("round 1", "round 2", 7, 7, "round 1 comes next"),
        ("round 1", "round 01", 7, 7, "round 1 comes next"),
        ("round 1", "round {x} 1", 7, 8, "expected the number of the round"),
        ("1 BBYR", "1 {x} BBYR", 7, 10, "expected a deal"),
        ("BBYR-KKKK", "BBYR-KKXK", 7, 16, "not a deal: "),
        ("BBYR-KKKK", "BBYR--KKKK", 7, 14, "not a deal: "),
        ("BBYR-KKKK", "BBYR-KKK", 7, 9, "impossible deal: "),
        ("BBYR-KKKK", "BBYR-KKKJ", 7, 9, "impossible deal: "),
        ("1B2", "1W2", 8, 1, "illegal move 1W2: "),
        ("1B2", "r1c1", 8, 1, "illegal move r1c1: "),
        ("2K4", "1R4", 8, 5, "illegal move 1R4: "),
        ("2K4", "2k4", 8, 6, "not a move: expected"),
        ("2K4", "2K4!", 8, 8, "not a move: expected"),
        ("2K4", "2K4 \u{e9}", 8, 9, "expected a move, a comment"),
        ("2K4", "2K4 round 2 BBYR", 8, 9, "round 1 is still under way"),
        ("2K4", "2K4 [A \"b\"]", 8, 9, "tags come before the game"),
        ("2K4", "* 2K4", 8, 7, "text after the end"),
        ("2K4", "end row 0-0", 8, 5, "the game is not over"),
        ("{a quiet", "{a {quiet", 8, 16, "the comment that begins in line 8 is not closed"),
        ("{a quiet start}", "{a quiet start", 8, 13, "the comment is not closed"),
        ("{a quiet start}", "a quiet start}", 8, 13, "expected a move"),
        ("{a quiet start}", "{a} {b}", 8, 18, "there is already a comment"),
        ("{a quiet start}", "{\u{7f}}", 8, 14, "a comment has a control character"),
        ("*\n", "", 8, 32, "the end is missing: `*` closes"),
        ("*\n", "end", 9, 4, "expected why the game ended"),
        ("*\n", "end won 1-1", 9, 5, "one of row, no_tiles"),
        ("*\n", "end row", 9, 8, "expected the scores"),
        ("*\n", "end row x", 9, 9, "as in 41-38"),
        ("*\n", "end row 01-1", 9, 9, "as in 41-38"),
        ("*\n", "end row 1-99999", 9, 9, "as in 41-38"),
        ("*\n", "*\n*\n", 10, 1, "text after the end"),
        ("*\n", "*\n{x}\n", 10, 2, "text after the end"),
        ("*\n", "[Azulejo \"1\"]\n", 9, 1, "is the end of the record missing?"),
        ("start}", "\n[Azulejo ", 8, 13, "not closed before the next record"),
    ];
    for &(part, by, line, column, message) in table {
        assert_eq!(SHORT.matches(part).count(), 1, "{part}");
        let text = SHORT.replace(part, by);
        let error = Record::parse(&text).expect_err(by);
        assert_eq!(error.place, Place::At { line, column }, "{by}: {error}");
        assert!(error.to_string().contains(message), "{by}: {error}");
    }
}

#[test]
fn faults_of_the_game_come_with_their_reason() {
    let error = Record::parse(SHORT.replace("2K4", "1R4")).unwrap_err();
    let m = "1R4".parse().unwrap();
    let reason = IllegalMove::SourceEmpty(Source::Factory1);
    assert_eq!(error.problem, Problem::Move { m, reason });
    assert!(error.to_string().ends_with(&reason.to_string()), "{error}");
    let error = Record::parse(SHORT.replace("KKKK", "KKK")).unwrap_err();
    let reason = DealError::FactorySize { factory: Source::Factory2, found: 3, expected: 4 };
    assert_eq!(error.problem, Problem::Deal(reason));
    assert!(error.to_string().ends_with(&reason.to_string()), "{error}");
}

#[test]
fn what_is_too_long_is_refused() {
    let fails = |text: String, line: usize, column: usize, message: &str| {
        let error = Record::parse(text).expect_err(message);
        assert_eq!(error.place, Place::At { line, column }, "{message}: {error}");
        assert!(error.to_string().contains(message), "{error}");
    };
    let thousand = "é".repeat(1000);
    let long = "é".repeat(1001);
    assert!(Record::parse(SHORT.replace("Ana", &thousand)).is_ok());
    fails(SHORT.replace("Ana", &long), 4, 9, "a name has more than 1000 characters");
    assert!(Record::parse(SHORT.replace("2026-11-15", &thousand)).is_ok());
    fails(SHORT.replace("2026-11-15", &long), 5, 8, "a tag has more than 1000 characters");
    assert!(Record::parse(SHORT.replace("quiet", &thousand[..2 * 992])).is_ok());
    fails(SHORT.replace("quiet", &long), 8, 14, "a comment has more than 1000 characters");
    let many: String = (0..100).map(|n| format!("[T{n} \"\"]\n")).collect();
    fails(SHORT.replace("\n\n", &format!("\n{many}\n")), 105, 7, "more than 100 tags");
    let line = format!("{}\n", " ".repeat(64 * 1024 + 1));
    fails(SHORT.replace("*\n", &line), 9, 65_537, "a line has more than 65536 bytes");
    let lines = "   \n".repeat(256 * 1024);
    fails(SHORT.replace("*\n", &lines), 262_118, 2, "a record has more than 1048576 bytes");
}

#[test]
fn texts_that_are_a_little_different_are_read() {
    let expected = Record::parse(SHORT).unwrap();
    for (part, by) in [
        ("[Azulejo", "\u{feff}[Azulejo"),
        ("[Azulejo", "\n\n[Azulejo"),
        ("[Rules \"2c\"]\n[First \"1\"]", "  [First   \"1\"] \t\n\n[Rules \"2c\"]"),
        ("\n\n", "\n"),
        ("KKKK-BYRK-YWWW", "KKKK-KBYR-WYWW"),
        (" {a quiet start} ", "{ a  quiet\n\tstart }"),
        ("*\n", " {}\n*"),
    ] {
        assert_eq!(SHORT.matches(part).count(), 1, "{part}");
        assert_eq!(Record::parse(SHORT.replace(part, by)).as_ref(), Ok(&expected), "{by}");
    }
}

/// The example of the notation's page.
const JSON: &str = r#"{"azulejo":1,"rules":"2c","first":1,"seats":["Ana","Level 7"],"tags":{"Date":"2026-11-15"},"rounds":[{"deal":"BBYR-KKKK-BYRK-YWWW-RRKK","moves":["1B2","2K4","4W3","0Y1"],"comments":{"2":"a quiet start"}}],"end":null}"#;

#[test]
fn faults_of_the_json_have_a_place() {
    assert_eq!(Record::from_json(JSON).unwrap().to_json(), JSON);
    let table: &[(&str, &str, &str)] = &[
        (r#""azulejo":1"#, r#""azulejo":2"#, "azulejo: this is version 2"),
        (r#""azulejo":1,"#, "", "line 1, column 204: missing field `azulejo`"),
        (r#""rules":"2c","#, "", "line 1, column 203: missing field `rules`"),
        (r#""2c""#, r#""9c""#, "rules: not a rule set: `9c`"),
        (r#""first":1,"#, "", "first: the seat that starts is missing"),
        (r#""first":1"#, r#""first":3"#, "first: seat 3 is not in the game"),
        (r#""first":1"#, r#""first":0"#, "first: expected a seat"),
        (r#""first":1"#, r#""first":1,"first":1"#, "line 1, column 43: duplicate field `first`"),
        (r#""first":1"#, r#""first":1,"position":"az1""#, "first: a record that begins at"),
        (r#""first":1"#, r#""position":"az1""#, "position: not a position"),
        (r#""first":1"#, r#""first":1,"seed":"a b""#, "seed: character 2"),
        (r#""first":1"#, r#""first":1,"First":1"#, "line 1, column 43: unknown field `First`"),
        (r#","Level 7""#, "", "seats: 1 names for 2 seats"),
        ("Level 7", r"\u001b", "seats[1]: a name has a control character"),
        (r#""Date":"#, r#""Rules":"#, "tags.`Rules`: `Rules` cannot be the name of a tag"),
        (r#""Date":"#, r#""Date":"x","Date":"#, "duplicate key \"Date\""),
        (r#""rounds""#, r#""comment":"{","rounds""#, "comment: a comment cannot contain braces"),
        (r#""deal":"BBYR-KKKK-BYRK-YWWW-RRKK","#, "", "rounds[0]: the deal is missing"),
        ("BBYR-KKKK", "BBYR-KKXK", "rounds[0].deal: not a deal"),
        ("BBYR-KKKK", "BBYR-KKK", "rounds[0].deal: impossible deal: "),
        (
            r#""moves""#,
            r#""comment":"\u0007","moves""#,
            "rounds[0].comment: a comment has a control",
        ),
        ("2K4", "2K9", "rounds[0].moves[1]: not a move"),
        ("4W3", "5W3", "rounds[0].moves[2]: illegal move 5W3: "),
        (r#""4W3""#, "7", "line 1, column 158: invalid type: integer `7`, expected a string"),
        (r#"{"2":"#, r#"{"4":"#, "rounds[0].comments: there is no move `4` in this round"),
        (r#"{"2":"#, r#"{"02":"#, "rounds[0].comments: there is no move `02` in this round"),
        ("quiet", "}", "rounds[0].comments.2: a comment cannot contain braces"),
        (r#"}],"end""#, r#"},{"moves":[]}],"end""#, "rounds[1]: the deal is missing"),
        (
            r#"}],"end""#,
            r#"},{"deal":".","moves":[]}],"end""#,
            "rounds[1]: round 1 is still under way",
        ),
        (r#","end":null"#, "", "line 1, column 205: missing field `end`"),
        (r#""end":null"#, r#""end":{"by":"row","scores":[0,0]}"#, "end: the game is not over"),
        (r#""end":null"#, r#""end":{"by":"won","scores":[0,0]}"#, "end.by: expected one of row"),
        (r#""end":null}"#, r#""end":null"#, "EOF while parsing an object"),
        (r#""end":null}"#, r#""end":null}{}"#, "trailing characters"),
        (JSON, "", "line 1, column 1: EOF"),
        (JSON, "[]", "line 1, column"),
    ];
    for &(part, by, message) in table {
        assert_eq!(JSON.matches(part).count(), 1, "{part}");
        let error = Record::from_json(JSON.replace(part, by)).expect_err(by);
        assert!(error.to_string().contains(message), "{by}: {error}");
    }
    let wrong = record("two-players.txt").to_json();
    let by = wrong.replace(r#""by":"row""#, r#""by":"stall""#);
    assert!(Record::from_json(by).unwrap_err().to_string().starts_with("end.by: wrong result"));
    let scores = wrong.replace("[41,63]", "[41,64]");
    assert!(Record::from_json(scores).unwrap_err().to_string().starts_with("end.scores: wrong"));
    let none = wrong.replace(r#""end":{"by":"row","scores":[41,63]}"#, r#""end":null"#);
    assert!(
        Record::from_json(none).unwrap_err().to_string().starts_with("end: the end is missing")
    );
}

/// The example of the notation's page.
const INTERCHANGE: &str = r#"{"players":2,"first":0,"rounds":[{"factories":[[0,0,1,2],[3,3,3,3],[0,1,2,3],[1,4,4,4],[2,2,3,3]],"moves":[{"player":0,"source":0,"color":0,"line":1},{"player":1,"source":"center","color":1,"line":"floor"}]}]}"#;

#[test]
fn faults_of_the_interchange_form_have_a_place() {
    let read = |json: &str| -> Result<Record, RecordError> {
        Record::from_interchange(json).map(|(record, _)| record)
    };
    assert_eq!(read(INTERCHANGE).unwrap().to_interchange(None).unwrap(), INTERCHANGE);
    let table: &[(&str, &str, &str)] = &[
        (r#""players":2"#, r#""players":5"#, "players: expected 2, 3 or 4 players"),
        (r#""players":2"#, r#""players":3"#, "rounds[0].factories: impossible deal: "),
        (r#""first":0"#, r#""first":2"#, "first: seat 3 is not in the game"),
        (r#""first":0"#, r#""first":9"#, "first: there is no player 9"),
        (r#""first":0"#, r#""first":0,"wall":"gray""#, "unknown variant `gray`"),
        (r#""first":0"#, r#""first":0,"rules":{"row_bonus":"x"}"#, "rules.`row_bonus`: "),
        (
            r#""first":0"#,
            r#""first":0,"rules":{"wall":"grey"}"#,
            "rules.`wall`: this key belongs next to",
        ),
        (r#""first":0"#, r#""first":0,"rules":{"first_player":"seat:2"}"#, "the rules name seat 2"),
        (r#""first":0"#, r#""first":0,"expect":{"scores":[]}"#, "unknown field `scores`"),
        ("[3,3,3,3]", "[3,3,3,6]", "rounds[0].factories: there is no tile 6"),
        ("[3,3,3,3]", "[3,3,3]", "rounds[0].factories: impossible deal: "),
        (
            r#"[{"player":0"#,
            r#"[{"player":1"#,
            "moves[0]: player 1 moves when it is player 0's turn",
        ),
        (r#""source":0"#, r#""source":9"#, "rounds[0].moves[0]: expected a source"),
        (r#""source":0"#, r#""source":"bag""#, "rounds[0].moves[0]: expected a source"),
        (r#""source":0"#, r#""source":[]"#, "expected a number, \"center\" or \"floor\""),
        (r#""source":0,"#, "", "rounds[0].moves[0]: expected a source"),
        (r#""color":0"#, r#""color":6"#, "rounds[0].moves[0]: expected a color"),
        (r#""color":0"#, r#""color":5,"jokers":true"#, "rounds[0].moves[0]: expected a color"),
        (r#""color":0"#, r#""color":5"#, "rounds[0].moves[0]: illegal move 1J2: "),
        (r#""line":1"#, r#""line":5"#, "rounds[0].moves[0]: expected a line"),
        (
            r#""line":1"#,
            r#""line":1,"jokers_in_line":1"#,
            "rounds[0].moves[0]: illegal move 1B2j1: ",
        ),
        (r#""line":1"#, r#""line":1,"row":0"#, "a wall choice has only"),
        (r#""source":0,"color":0,"line":1"#, r#""row":0"#, "a wall choice has a row and a column"),
        (r#""source":0,"color":0,"line":1"#, r#""row":0,"column":0"#, "illegal move r1c1"),
        (
            r#"}]}]}"#,
            r#"}]},{"factories":[],"moves":[]}]}"#,
            "rounds[1]: round 1 is still under way",
        ),
    ];
    for &(part, by, message) in table {
        assert_eq!(INTERCHANGE.matches(part).count(), 1, "{part}");
        let error = read(&INTERCHANGE.replace(part, by)).expect_err(by);
        assert!(error.to_string().contains(message), "{by}: {error}");
    }
    for (part, by) in [
        (r#""first":0"#, r#""first":0,"wall":"colored","jokers":false,"rules":{}"#),
        (r#""line":1"#, r#""line":1,"jokers":false,"jokers_in_line":0"#),
    ] {
        assert_eq!(read(&INTERCHANGE.replace(part, by)), read(INTERCHANGE), "{by}");
    }
}
