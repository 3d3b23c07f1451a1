//! Invalid input: the engine reports what is wrong and continues with the next line.

use crate::talk::{DEALT, Talk};
use azulejo_notation::protocol::{FromEngine, MAX_MESSAGE};
use std::fs::File;
use std::io::Read;
use std::process::{Child, Command, Stdio};

#[test]
fn mistakes_are_reported_and_ignored() {
    let rows: [(&[u8], &str); 16] = [
        (b"go nodes many", "`go`, column 10: expected a whole number after `nodes`, found `many`"),
        (b"go movetime -1", "`go`, column 13: expected a whole number after `movetime`"),
        (b"go depth 1 depth 2", "`go`, column 12: `depth` is given twice"),
        (b"position", "`position`, column 9: expected a position, found nothing"),
        (
            b"position az2_2c",
            "`position`, column 10: not a position at character 1: a position must start with `az1`",
        ),
        (b"position az1_2c_d1_1s1_BBYR-.-.-.-._._rest_._.", "`position`, column "),
        (b"setoption Hash 3", "`setoption`, column 11: expected `name`"),
        (b"setoption name Hash value lots", "`setoption`: Hash takes a number from 1 to 65536"),
        (b"setoption name Hash", "`setoption`: Hash takes a number from 1 to 65536, not ``"),
        (
            b"setoption name \x1b[2J",
            "`setoption`: there is no option `[2J`; the options are Threads,",
        ),
        (b"\xff\xfe", "column 1: the text is not UTF-8 here"),
        (b"go \xff", "`go`, column 4: the text is not UTF-8 here"),
        (b"position x moves \xc3\x28", "`position`, column 18: the text is not UTF-8 here"),
        (b"go\0nodes\0x", "`go`, column 10: expected a whole number after `nodes`, found `x`"),
        (b"go nodes \r", "`go`, column 9: expected a whole number after `nodes`, found nothing"),
        (&[b'x'; MAX_MESSAGE + 1], "column 1048577: a line has at most 1048576 bytes"),
    ];
    let mut talk = Talk::new();
    for (line, words) in rows {
        talk.send(&[line, b"\n"].concat());
        let remarks = talk.remarks();
        let [remark] = &remarks[..] else { panic!("{words}: {remarks:?}") };
        let start = format!("info string error: {words}");
        assert!(remark.starts_with(&start), "{remark}");
        // It is safe to show on a terminal.
        assert!(!remark.chars().any(char::is_control) && remark.len() < 1000, "{remark:?}");
    }
    talk.best_move(&DEALT.parse().expect("a position"), "go nodes 100");
}

#[test]
fn what_is_unknown_is_ignored() {
    let mut talk = Talk::new();
    for line in ["", " ", "\t", "\r", "\0", "hello", "uci", "AZI", "ponderhit", "bestmove 3B2", "é"]
    {
        talk.say(line);
    }
    talk.send(&[b'\n'; 1000]);
    talk.send(&[b"y ".repeat(MAX_MESSAGE / 2), b"\n".to_vec()].concat());
    assert_eq!(talk.remarks(), [""; 0]);
}

#[test]
fn a_refused_position_clears_the_last_one() {
    let bad = [
        format!("position {DEALT} moves 1B2 1B2"),
        format!("position {DEALT} moves 9B2"),
        format!("position {DEALT} moves 1B2 BBYR-KKKK-BYRK-YWWW-RRKK"),
        format!("position {DEALT} moves 1B"),
        format!("position {DEALT} 1B2"),
        format!("position {DEALT}x"),
        "position \u{fffd}".to_owned(),
    ];
    let mut talk = Talk::new();
    for line in bad {
        // The valid position before it must not be searched instead.
        talk.say(&format!("position {DEALT}"));
        talk.say(&line);
        assert!(
            matches!(talk.message(), FromEngine::InfoString(text) if text.starts_with("error: `position`"))
        );
        for go in ["go nodes 100", "go infinite"] {
            talk.say(go);
            let search = talk.search();
            assert_eq!(search.best, None, "{line}");
            assert_eq!(
                search.remarks,
                ["error: `go`: there is no position; send `position` first"],
                "{line}"
            );
        }
        talk.say("stop");
        assert_eq!(talk.remarks(), [""; 0], "{line}");
    }
    talk.best_move(&DEALT.parse().expect("a position"), "go nodes 100");
}

#[test]
fn every_go_has_one_answer() {
    let mut talk = Talk::new();
    talk.say(&format!("position {DEALT}"));
    talk.say("go infinite");
    for _ in 0..3 {
        talk.say("go nodes 100");
    }
    talk.say("go nodes many");
    talk.say("stop");
    talk.say("stop");
    talk.say("quit");
    let (lines, complaint) = talk.end();
    assert_eq!(complaint, "");
    let count = |words: &str| lines.iter().filter(|line| line.starts_with(words)).count();
    assert_eq!(count("bestmove "), 1, "{lines:?}");
    assert_eq!(count("info string error: `go`: a search is running"), 3, "{lines:?}");
    assert_eq!(count("info string error: `go`, column 10"), 1, "{lines:?}");
}

/// Runs the engine with this input and output: its exit code and standard error.
fn engine(input: Stdio, output: Stdio) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_azulejo"));
    let command = command.arg("engine").stdin(input).stdout(output).stderr(Stdio::piped());
    let output = command.spawn().and_then(Child::wait_with_output);
    let output = output.expect("the program starts");
    (output.status.code(), String::from_utf8(output.stderr).expect("UTF-8"))
}

#[test]
fn a_closed_output_ends_it_silently() {
    // Closed before the first line, and during a search.
    for line in ["azi", &format!("position {DEALT}\ngo infinite")] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        let (input, mut to_engine) = std::io::pipe().expect("a pipe");
        std::io::Write::write_all(&mut to_engine, format!("{line}\n").as_bytes()).expect("a pipe");
        drop(reader);
        // The input stays open: only the closed output ends the engine.
        assert_eq!(engine(input.into(), writer.into()), (Some(0), String::new()), "{line}");
        drop(to_engine);
    }
}

#[test]
fn what_cannot_be_read_or_written_is_an_error() {
    let folder = File::open("/").expect("there is a root");
    let (code, complaint) = engine(folder.into(), Stdio::null());
    assert_eq!(code, Some(2), "{complaint}");
    assert!(complaint.starts_with("azulejo: standard input: "), "{complaint}");
    // A device on which every write fails, if the system has it.
    if let Ok(full) = File::options().write(true).open("/dev/full") {
        let (input, mut to_engine) = std::io::pipe().expect("a pipe");
        std::io::Write::write_all(&mut to_engine, b"azi\n").expect("a pipe");
        let (code, complaint) = engine(input.into(), full.into());
        assert_eq!(code, Some(2), "{complaint}");
    }
}

#[test]
fn noise_is_survived() {
    let mut noise = vec![0; 300_000];
    let mut random = fastrand::Rng::with_seed(7);
    random.fill(&mut noise);
    let words = [
        "go",
        "nodes",
        "1",
        "depth",
        "stop",
        "position",
        DEALT,
        "moves",
        "1B2",
        "2K4",
        "setoption",
        "name",
        "Hash",
        "value",
        "isready",
        "\n",
        "\n",
        "\n",
        "\n",
        "\r\n",
        "infinite",
        "newgame",
    ];
    let text: Vec<_> = (0..20_000).map(|_| words[random.usize(..words.len())]).collect();
    let (input, mut to_engine) = std::io::pipe().expect("a pipe");
    let (mut from_engine, output) = std::io::pipe().expect("a pipe");
    let text = text.join(" ");
    let writer = std::thread::spawn(move || {
        let parts = [&noise[..], b"\n", text.as_bytes(), b"\n", &noise[..]];
        parts.iter().try_for_each(|part| std::io::Write::write_all(&mut to_engine, part))
    });
    let reader = std::thread::spawn(move || {
        let mut said = String::new();
        from_engine.read_to_string(&mut said).map(|_| said)
    });
    let ended = engine(input.into(), output.into());
    assert_eq!(ended, (Some(0), String::new()));
    writer.join().expect("no panic").expect("everything was read");
    let said = reader.join().expect("no panic").expect("UTF-8");
    for line in said.lines() {
        assert!(matches!(FromEngine::parse(line), Ok(Some(_))), "{line}");
    }
    assert!(said.lines().any(|line| line.starts_with("bestmove ")));
}
