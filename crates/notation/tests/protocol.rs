//! The protocol's grammar: the table in `testdata/protocol.txt`, and messages of every kind that
//! are printed and read back.

use azulejo_notation::protocol::{
    FromEngine, Go, Info, LineError, LineProblem, MAX_MESSAGE, OptionKind, OptionSpec, Score,
    ToEngine, play_all,
};
use azulejo_notation::{Action, Chance};
use azulejo_rules::{Move, Position, Rules, Seat};
use azulejo_testkit::data;
use azulejo_testkit::records::{RULES, random_record, seed};

/// What a line is read as, printed again.
fn read(direction: &str, line: &str) -> Result<Option<String>, LineError> {
    match direction {
        "to" => ToEngine::parse(line).map(|message| message.map(|message| message.to_string())),
        _ => FromEngine::parse(line).map(|message| message.map(|message| message.to_string())),
    }
}

fn check(direction: &str, line: &str, verdict: &str, text: &str) -> Result<(), String> {
    let found = read(direction, line);
    let expected = match verdict {
        "same" => Ok(Some(line.to_owned())),
        "prints" => Ok(Some(text.to_owned())),
        "ignored" => Ok(None),
        "error" => {
            let (column, words) = text.split_once(' ').ok_or("error COLUMN WORDS")?;
            let error = found.err().ok_or("there is no error")?;
            let message = error.to_string();
            if error.column.to_string() != column || !message.contains(words) {
                return Err(message);
            }
            // It is said which message is at fault, in a line that a terminal can show.
            let name = line.split_whitespace().next();
            let is_plain = !message.chars().any(char::is_control) && message.len() < 1000;
            return if error.message == name && is_plain { Ok(()) } else { Err(message) };
        }
        other => return Err(format!("`{other}` is not a verdict")),
    };
    if found != expected {
        return Err(format!("{found:?} instead of {expected:?}"));
    }
    // What is printed is read as the same.
    match expected {
        Ok(Some(printed)) if read(direction, &printed) != Ok(Some(printed.clone())) => {
            Err(format!("{printed} is not read back"))
        }
        _ => Ok(()),
    }
}

#[test]
fn the_table_holds() {
    let lines = data::read(include_str!("../../../testdata/protocol.txt"))
        .unwrap_or_else(|(number, problem)| panic!("line {number}: {problem}"));
    let mut failures = Vec::new();
    assert!(lines.len() > 200 && lines.len().is_multiple_of(2), "{} lines", lines.len());
    for pair in lines.chunks(2) {
        let [line, verdict] = pair else { panic!("an odd line") };
        let ((direction, text), (word, rest)) = (line.statement(), verdict.statement());
        assert!(["to", "from"].contains(&direction), "line {}: {direction}", line.number);
        if let Err(problem) = check(direction, text, word, rest) {
            failures.push(format!("line {}: {problem}", verdict.number));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn bytes_that_are_not_text_are_reported() {
    let rows: [(&[u8], usize, Option<&'static str>); 4] = [
        (b"\xff", 1, None),
        (b"go nodes \xff", 10, Some("go")),
        (b" position \xc3\xa9\xc3", 12, Some("position")),
        (b"stop\xff", 5, None),
    ];
    for (line, column, message) in rows {
        let expected = LineError { message, column, problem: LineProblem::NotUtf8 };
        assert_eq!(ToEngine::parse(line), Err(expected));
    }
}

#[test]
fn lines_have_a_limit() {
    let mut line = b"isready ".to_vec();
    line.resize(MAX_MESSAGE, b'x');
    line.extend(b"\r\n");
    assert_eq!(ToEngine::parse(&line), Ok(Some(ToEngine::IsReady)));
    line.insert(MAX_MESSAGE, b'x');
    let column = MAX_MESSAGE + 1;
    let expected = LineError { message: Some("isready"), column, problem: LineProblem::TooLong };
    assert_eq!(ToEngine::parse(&line), Err(expected.clone()));
    assert!(expected.to_string().ends_with("a line has at most 1048576 bytes"));
}

#[test]
fn go_is_read_into_its_fields() {
    let line = "go depth 4 nodes 3 movetime 5 clock 2 inc 1 infinite";
    let expected = Go {
        movetime_ms: Some(5),
        nodes: Some(3),
        depth: Some(4),
        clock_ms: Some(2),
        increment_ms: Some(1),
        infinite: true,
    };
    assert_eq!(ToEngine::parse(line), Ok(Some(ToEngine::Go(expected))));
    let short = [
        ("go movetime 7", Go::movetime(7)),
        ("go nodes 7", Go::nodes(7)),
        ("go depth 7", Go::depth(7)),
        ("go clock 7 inc 8", Go::clock(7, 8)),
        ("go infinite", Go::infinite()),
        ("go", Go::default()),
    ];
    for (line, go) in short {
        assert_eq!(go.to_string(), line);
        assert_eq!(ToEngine::parse(line), Ok(Some(ToEngine::Go(go))));
    }
}

#[test]
fn a_whole_game_can_be_sent() {
    for (rules_idx, rules) in RULES.iter().enumerate() {
        for n in 0..4 {
            let name = format!("protocol-{rules_idx}-{n}");
            let record = random_record(rules, &name);
            let moves: Vec<Action> = record.replay().map(|step| step.action).collect();
            let start = Box::new(record.first_position());
            let line = ToEngine::Position { start, moves }.to_string();
            assert!(line.len() <= MAX_MESSAGE, "{name}");
            let Ok(Some(ToEngine::Position { start, moves })) = ToEngine::parse(&line) else {
                panic!("{name}: {line}");
            };
            assert_eq!(play_all(&start, &moves), Ok(*record.final_position()), "{name}");
            assert_eq!(ToEngine::Position { start, moves }.to_string(), line, "{name}");
        }
    }
}

#[test]
fn what_cannot_be_played_is_named() {
    let dealt = "BBYR-KKKK-BYRK-YWWW-RRKK";
    let check = |moves: &str, expected: &str| {
        let start = Position::new("2c".parse::<Rules>().expect("rules"), Seat::One);
        let moves: Vec<Action> =
            moves.split_whitespace().map(|text| text.parse().expect("an action")).collect();
        assert_eq!(play_all(&start, &moves).unwrap_err().to_string(), expected);
    };
    check("1B2", "number 1 of the moves, 1B2, is illegal: the next round has not been dealt yet");
    check(
        &format!("{dealt} 1B2 1Y2"),
        "number 3 of the moves, 1Y2, is illegal: factory 1 is empty",
    );
    check(
        &format!("{dealt} {dealt}"),
        "number 2 of the moves, BBYR-KKKK-BYRK-YWWW-RRKK, is not possible: \
         no deal is due: the round is under way, or the game is over",
    );
}

/// Text that a careless printer would stumble over, and how it is read back.
const TEXTS: [(&str, &str); 6] = [
    ("", ""),
    ("Azulejo 1.0", "Azulejo 1.0"),
    ("two  spaces", "two  spaces"),
    (" a\nbestmove 3B2\r\n", "a bestmove 3B2"),
    ("tab\tand\u{1b}[31m", "tab and [31m"),
    ("é 壁", "é 壁"),
];

#[test]
fn free_text_stays_on_its_line() {
    for (text, expected) in TEXTS {
        for make in [FromEngine::IdName, FromEngine::IdAuthor, FromEngine::InfoString] {
            let line = make(text.to_owned()).to_string();
            assert_eq!(FromEngine::parse(&line), Ok(Some(make(expected.to_owned()))), "{line}");
        }
        let option = |text: &str| ToEngine::SetOption { name: "x".into(), value: text.into() };
        let line = option(text).to_string();
        assert_eq!(ToEngine::parse(&line), Ok(Some(option(expected))), "{line}");
        let kind = |text: &str| OptionKind::String { default: text.into() };
        let option =
            |text: &str| FromEngine::Option(OptionSpec { name: "x".into(), kind: kind(text) });
        let line = option(text).to_string();
        assert_eq!(FromEngine::parse(&line), Ok(Some(option(expected))), "{line}");
    }
}

/// Any information, complete or not.
fn random_info(chance: &mut Chance) -> Info {
    let number = |chance: &mut Chance| {
        let bits = chance.below(64);
        let number = u64::from(chance.below(u32::MAX)) << 32 | u64::from(chance.below(u32::MAX));
        (chance.below(3) > 0).then_some(number >> bits)
    };
    let seats = |chance: &mut Chance, n: usize, size: f32| -> Vec<f32> {
        let any = |chance: &mut Chance| (chance.below(1 << 24) as f32 / 8_388_608.0 - 1.0) * size;
        (0..n).map(|_| any(chance)).collect()
    };
    let n_seats = 2 + chance.below(3) as usize;
    let (n_diff, n_win) =
        [(n_seats, n_seats), (n_seats, 0), (0, n_seats)][chance.below(3) as usize];
    let score = Score::new(&seats(chance, n_diff, 12_000.0), &seats(chance, n_win, 1.2));
    let moves: [Move; 3] = ["3B2", "0JKFj9", "r1c5"].map(|text| text.parse().expect("a move"));
    Info {
        depth: number(chance).map(|n| n as u32),
        multi_pv: number(chance).map(|n| n as u32),
        score: (chance.below(3) > 0).then_some(score),
        exact: chance.below(2) == 0,
        proved: chance.below(2) == 0,
        nodes: number(chance),
        nps: number(chance),
        time_ms: number(chance),
        hashfull: number(chance).map(|n| n as u32),
        pv: (0..chance.below(4)).map(|_| moves[chance.below(3) as usize]).collect(),
    }
}

#[test]
fn information_reads_back() {
    let mut chance = Chance::new(&seed("protocol-info"));
    for _ in 0..5000 {
        let message = FromEngine::Info(random_info(&mut chance));
        let line = message.to_string();
        assert_eq!(FromEngine::parse(&line), Ok(Some(message)), "{line}");
    }
}

#[test]
fn scores_make_sense() {
    let score = Score::new(&[f32::NAN, f32::INFINITY, -1e30, -0.001], &[2.0, -1.0, f32::NAN, 0.5]);
    assert_eq!(score.diff(), [0.0, 9999.0, -9999.0, 0.0]);
    assert_eq!(score.win(), [1.0, 0.0, 0.0, 0.5]);
    assert_eq!(
        score.to_string(),
        "score diff 0.00 9999.00 -9999.00 0.00 win 1.000 0.000 0.000 0.500"
    );
}

#[test]
fn options_know_their_values() {
    let spin = OptionKind::Spin { default: 2, min: 1, max: 3 };
    let choices = ["learned", "classic"].map(str::to_owned).to_vec();
    let combo = OptionKind::Combo { default: "learned".to_owned(), choices };
    let rows: [(OptionKind, &[&str], &[&str], &str); 5] = [
        (spin, &["1", "3", "03"], &["0", "4", "", "-1", "x"], "a number from 1 to 3"),
        (combo, &["learned"], &["", "Learned", "best"], "one of `learned`, `classic`"),
        (OptionKind::Check { default: true }, &["true"], &["yes", ""], "`true` or `false`"),
        (OptionKind::String { default: String::new() }, &["", "x y"], &[], "any text"),
        (OptionKind::Button, &[""], &["x"], "no value"),
    ];
    for (kind, good, bad, words) in rows {
        assert!(good.iter().all(|value| kind.accepts(value)), "{kind:?}");
        assert!(!bad.iter().any(|value| kind.accepts(value)), "{kind:?}");
        assert_eq!(kind.describe(), words);
    }
}
