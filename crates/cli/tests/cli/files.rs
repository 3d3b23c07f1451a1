//! Files, pipes and large input.

use crate::run::{Folder, azulejo, azulejo_reading, feed, program, sh, shell};
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The limit of every wait; far more than anything here takes on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(30);

fn wait(child: &mut Child) -> Option<i32> {
    let start = Instant::now();
    while start.elapsed() < TIMEOUT {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code();
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let _ = child.kill();
    panic!("the program does not end");
}

#[test]
fn a_closed_pipe_ends_the_program_silently() {
    let position = azulejo(&["new", "--seed", "5"]).fine();
    let here = Folder::new();
    let many = here.file("many.txt");
    azulejo(&["random", "--games", "2000", "--seed", "1", "-o", &many]).fine();
    for args in [
        vec!["random", "--games", "1000000"],
        vec!["random", "--games", "1000000", "--format", "interchange"],
        vec!["replay", &many, "--full"],
        vec!["moves", position.trim()],
        vec!["show", position.trim()],
        vec!["bench", "rules", "--games", "1"],
        vec!["completions", "bash"],
    ] {
        let mut child = program(&args).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert!(!line.is_empty(), "{args:?}");
        // The pipe is closed now.
        assert_eq!(wait(&mut child), Some(0), "{args:?}");
        let said = std::io::read_to_string(child.stderr.take().unwrap()).unwrap();
        assert_eq!(said, "", "{args:?}");
    }
    let start = Instant::now();
    let head = sh("azulejo random --games 100000 | head -1", &here).fine();
    assert_eq!(head, "[Azulejo \"1\"]\n");
    assert!(start.elapsed() < TIMEOUT);
}

#[test]
fn a_written_file_is_what_would_be_printed() {
    let here = Folder::new();
    let path = here.file("games.txt");
    let printed = azulejo(&["random", "--seed", "7", "--games", "20"]).fine();
    for _ in 0..2 {
        let said = azulejo(&["random", "--seed", "7", "--games", "20", "--output", &path]).fine();
        assert_eq!(said, "");
        assert_eq!(fs::read_to_string(&path).unwrap(), printed);
        assert_eq!(here.names(), ["games.txt"]);
    }
    assert_eq!(azulejo(&["random", "--seed", "7", "--games", "20", "-o", "-"]).fine(), printed);
}

#[test]
fn a_link_stays_a_link() {
    let here = Folder::new();
    here.write("real.txt", "old");
    symlink("real.txt", here.path().join("link.txt")).unwrap();
    azulejo(&["random", "--seed", "7", "-o", &here.file("link.txt")]).fine();
    assert!(here.path().join("link.txt").is_symlink());
    assert_eq!(sh("azulejo replay -q real.txt", &here).fine(), "1 game, 1 fine\n");
}

/// Waits until a partial file appears beside the one file of a folder.
fn wait_for_partial(here: &Folder) {
    let start = Instant::now();
    while here.names().len() < 2 && start.elapsed() < TIMEOUT {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(here.names().len(), 2, "the games are written to another file first");
}

/// Many games, written to a file that already exists.
const ENDLESS: &str = "azulejo random --games 1000000000 -o games.txt";

#[test]
fn a_file_appears_only_when_it_is_complete() {
    let here = Folder::new();
    let path = here.write("games.txt", "the old file");
    let mut child = shell(&format!("exec {ENDLESS}"), &here).spawn().unwrap();
    wait_for_partial(&here);
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "the old file");
}

/// Sends a signal to a program that we have started.
fn signal(name: &str, child: &Child) {
    let line = format!("kill -{name} {}", child.id());
    assert!(Command::new("sh").arg("-c").arg(line).status().unwrap().success());
}

#[test]
fn an_interrupted_program_leaves_no_partial_file() {
    let signals = ["INT", "TERM", "HUP"];
    let is_ignored = |name: &str| sh(&format!("kill -{name} $$"), &Folder::new()).code == Some(0);
    if signals.into_iter().any(is_ignored) {
        // The tests run under `nohup`: ignored signals stay ignored.
        return;
    }
    for name in signals {
        let here = Folder::new();
        let path = here.write("games.txt", "the old file");
        let mut child = shell(&format!("exec {ENDLESS}"), &here).spawn().unwrap();
        wait_for_partial(&here);
        signal(name, &child);
        assert_eq!(wait(&mut child), Some(130), "{name}");
        assert_eq!(here.names(), ["games.txt"], "{name}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "the old file");
        let said = std::io::read_to_string(child.stderr.take().unwrap()).unwrap();
        assert_eq!(said, "", "{name}");
    }
}

#[test]
fn an_ignored_signal_stays_ignored() {
    let here = Folder::new();
    here.write("games.txt", "the old file");
    // Like `nohup`.
    let mut child = shell(&format!("trap '' HUP; exec {ENDLESS}"), &here).spawn().unwrap();
    wait_for_partial(&here);
    signal("HUP", &child);
    // A program that a signal ends does so within milliseconds.
    std::thread::sleep(Duration::from_millis(200));
    let status = child.try_wait().unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(status, None, "the program goes on");
}

#[test]
fn a_file_that_cannot_be_written_is_an_error() {
    let here = Folder::new();
    here.write("file", "something");
    fs::create_dir(here.path().join("locked")).unwrap();
    for path in ["missing/games.txt", "file/games.txt", "locked"] {
        let said = azulejo(&["random", "-o", &here.file(path)]).fails(2);
        assert!(said.starts_with("azulejo: cannot write "), "{said}");
        assert!(said.contains(path) && !said.contains("partial"), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
    let locked = here.path().join("locked");
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o555)).unwrap();
    // Root may write everywhere.
    if File::create(locked.join("probe")).is_err() {
        azulejo(&["random", "-o", &here.file("locked/games.txt")]).fails(2);
        assert_eq!(fs::read_dir(&locked).unwrap().count(), 0);
    }
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(here.names(), ["file", "locked"]);
    assert_eq!(fs::read_to_string(here.file("file")).unwrap(), "something");
}

#[test]
fn devices_and_pipes_are_written_and_not_replaced() {
    let here = Folder::new();
    sh("mkfifo pipe", &here).fine();
    let path = here.file("pipe");
    let mut reader = Command::new("cat").arg(&path).stdout(Stdio::piped()).spawn().unwrap();
    let run = azulejo(&["random", "--seed", "7", "-o", &path]);
    let is_right = run.code == Some(0) && fs::metadata(&path).unwrap().file_type().is_fifo();
    if !is_right {
        // Opening it would block forever.
        reader.kill().unwrap();
    }
    let read = reader.wait_with_output().unwrap();
    assert!(is_right, "{}", run.stderr);
    assert_eq!(read.stdout, azulejo(&["random", "--seed", "7"]).fine().as_bytes());
    assert_eq!(here.names(), ["pipe"]);

    // Only after that is it safe to try a device of the system.
    let full = Path::new("/dev/full");
    if !full.exists() {
        return;
    }
    let said = azulejo(&["random", "--seed", "7", "--output", "/dev/full"]).fails(2);
    assert!(said.starts_with("azulejo: cannot write /dev/full: "), "{said}");
    assert!(fs::metadata(full).unwrap().file_type().is_char_device());
}

#[test]
fn a_full_disk_is_an_error_and_never_a_panic() {
    let Ok(full) = File::options().write(true).open("/dev/full") else { return };
    let position = azulejo(&["new", "--seed", "5"]).fine();
    for args in [
        vec!["new"],
        vec!["random", "--games", "300"],
        vec!["show", position.trim()],
        vec!["moves", position.trim(), "--json"],
        vec!["completions", "fish"],
    ] {
        let output = program(&args).stdout(full.try_clone().unwrap()).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.starts_with("azulejo: ") && said.contains("os error"), "{args:?}: {said}");
    }
    // Standard error is full as well.
    let output = program(&["show", "nonsense"]).stderr(full).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}

/// Runs a command on large input with at most 64 MB of memory beside its code.
fn run_in_64_mb(command: &str, input: &[u8]) -> crate::run::Run {
    let here = Folder::new();
    // Where the system cannot limit memory, only the time is checked.
    let line = format!("ulimit -d 65536 2>/dev/null; exec {command}");
    feed(shell(&line, &here), input)
}

#[test]
fn too_large_input_is_an_error() {
    let letters = vec![b'x'; 10_000_000];
    let lines = b"round 1\n".repeat(1_250_000);
    let mut rng = azulejo_testkit::Rng::new(1);
    let noise: Vec<u8> = (0..10_000_000).map(|_| rng.below(256) as u8).collect();
    for garbage in [&letters, &lines, &noise] {
        for command in ["show -", "moves -", "perft - 1", "replay -", "replay - --salvage"] {
            let run = run_in_64_mb(&format!("azulejo {command}"), garbage);
            let said = run.fails(2);
            assert!(said.starts_with("azulejo: ") && said.len() < 1000, "{command}: {said}");
        }
    }
}

#[test]
fn a_very_long_line_does_not_hide_the_games_around_it() {
    let game = azulejo(&["random", "--seed", "7", "--format", "interchange"]).fine();
    let record = azulejo(&["random", "--seed", "7", "--json"]).fine();
    let long = [b"{\"players\":\"".as_slice(), &vec![b'x'; 50_000_000], b"\"}\n"].concat();
    let said = "azulejo: 1 of 3 games damaged\n";
    for input in
        [[game.as_bytes(), &long, record.as_bytes()], [&long, game.as_bytes(), record.as_bytes()]]
    {
        let run = run_in_64_mb("azulejo replay -", &input.concat());
        assert!(run.stdout.ends_with("3 games, 2 fine, 1 damaged\n"), "{}", run.stdout);
        assert!(run.stdout.contains("more than 3145728 bytes"), "{}", run.stdout);
        assert!(run.stdout.len() < 1000);
        assert_eq!(run.fails(2), said);
    }
}

#[test]
fn json_is_read_up_to_its_own_limit() {
    let round = r#"{"deal":"BBBB-YYYY-RRRR-KKKK-WWWW","moves":["1BF","2YF","3RF","4KF","5WF"]}"#;
    let rounds = vec![round; 15_000].join(",");
    let start = r#"{"azulejo":1,"rules":"2c-stall0","first":1,"rounds":["#;
    // On one line, and on several.
    for space in ["", "\n  "] {
        let record = format!(r#"{start}{space}{rounds}{space}],"end":null}}"#);
        assert!(record.len() > 1_100_000);
        let run = run_in_64_mb("azulejo replay -q -", record.as_bytes());
        assert_eq!(run.fine(), "1 game, 1 fine\n");
    }
}

#[test]
fn hostile_json_takes_little_memory() {
    let n_most = azulejo_notation::MAX_JSON;
    for (start, part, end) in [
        (r#"{"players":["#, "0,", "0]}"),
        (r#"{"players":["#, "{},", "0]}"),
        (r#"{"azulejo":1,"rules":"2c","first":1,"rounds":[{"moves":["#, r#""","#, r#"""]}]}"#),
        (r#"{"azulejo":1,"rules":"2c","first":1,"rounds":["#, r#"{"moves":[]},"#, "0]}"),
        (r#"{"players":2,"first":0,"rounds":[{"moves":["#, r#"{"player":0},"#, "0]}]}"),
        (r#"{"players":2,"first":0,"rounds":[{"factories":["#, "[],", "0]}]}"),
    ] {
        let n_parts = (n_most - start.len() - end.len()) / part.len();
        let json = format!("{start}{}{end}", part.repeat(n_parts));
        let run = run_in_64_mb("azulejo replay -", json.as_bytes());
        assert!(!run.stdout.contains("more than"), "{start}: {}", run.stdout);
        assert!(run.stdout.starts_with("standard input, line 1: damaged: "), "{}", run.stdout);
        assert!(run.fails(2).starts_with("azulejo: the game is damaged"), "{start}");
    }
}

#[test]
fn binary_input_is_an_error() {
    let here = Folder::new();
    let path = here.write("bytes", b"[Azulejo \"1\"]\n[Seat1 \"\xff\"]\n");
    let run = azulejo(&["replay", &path]);
    assert!(run.stdout.contains("line 2, column 9: the text is not UTF-8 here"), "{}", run.stdout);
    run.fails(2);
    let said = azulejo_reading(&["show", "-"], b"\xff\xfe").fails(2);
    assert!(said.contains("standard input is not UTF-8 text"), "{said}");
}

#[test]
fn nothing_is_printed_before_an_error_is_found() {
    let position = azulejo(&["new", "--seed", "5"]).fine();
    let output = program(&["apply", position.trim(), "1B2", "--steps", "zz"])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
}

/// Without the stall rule this game would never end, and its record would use up the memory.
#[test]
fn an_endless_random_game_is_stopped() {
    let endless = ["random", "-p4", "-wgrey", "--rule", "stall_rounds=0", "-n148", "-sst"];
    let run = azulejo(&endless);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.starts_with("azulejo: game 148 is not over after 500 rounds"));
    assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
    let replayed = azulejo_reading(&["replay", "-q", "-"], run.stdout.as_bytes()).fine();
    assert_eq!(replayed, "148 games, 148 fine\n");
}
