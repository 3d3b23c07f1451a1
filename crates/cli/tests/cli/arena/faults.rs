//! Matches in which one engine, the script `engine.sh`, commits a fault. The other one must win, the
//! reason must be reported, and no process may be left.

use super::{arena, records};
use crate::run::{Folder, sh, shell};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// The `--engine` words for the script.
fn scripted(fault: &str, words: &str, here: &Folder) -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/arena/engine.sh");
    let (script, folder) = (script.display(), here.path().display());
    format!("--engine \"cmd='sh {script} {fault} {folder}' name=Bad {words}\"")
}

/// Plays two games in which the script commits the fault, and checks result, records and processes.
#[track_caller]
fn check(fault: &str, words: &str, code: &str, reason: &str) {
    let here = Folder::new();
    let bad = scripted(fault, words, &here);
    let args = format!("{bad} --engine cmd=random --games 2 -c 2 --seed 5 --records games.txt");
    let result = arena(&args, &here);
    let engine = &result["engines"][0];
    assert_eq!(result["ended_by"], "complete");
    let mut faults = json!({"start": 0, "crash": 0, "time": 0, "no_answer": 0, "illegal_move": 0});
    faults[code] = json!(2);
    assert_eq!(engine["faults"], faults, "{fault}: {engine}");
    let first = engine["first_fault"].as_str().unwrap();
    assert!(first.contains(reason), "{fault}: {first}");
    assert_eq!(result["engines"][1]["first_fault"], Value::Null);
    assert_eq!(
        (&result["head_to_head"]["losses"], &result["head_to_head"]["margin"]),
        (&json!(2), &Value::Null)
    );
    for record in records(&here.file("games.txt")) {
        let seat = record.names().iter().position(|name| name.as_deref() == Some("Bad")).unwrap();
        let (bad, good) = (seat + 1, 2 - seat);
        assert_eq!(record.tag("Forfeit"), Some(format!("{bad} {code}").as_str()));
        assert_eq!(record.tag("Winners"), Some(good.to_string().as_str()));
        let tag = record.tag("Reason").unwrap();
        assert!(tag.starts_with(&format!("seat {bad} ")) && tag.contains(reason), "{tag}");
        assert_eq!(record.end(), None, "the game was not played to its end");
        assert!(record.n_moves() >= 4);
    }
    assert_nothing_is_left(&here);
}

#[test]
fn crashes() {
    check("crash", "nodes=1", "crash", "the process ended with exit status: 3");
    check("complains", "nodes=1", "crash", "exit status: 4: out of tiles");
    check("closes", "nodes=1", "crash", "the process closed its output");
}

#[test]
fn illegal_moves() {
    check("illegal", "nodes=1", "illegal_move", "illegal move 9B1: ");
    check("unreadable", "nodes=1", "illegal_move", "unreadable move: ");
    check("none", "nodes=1", "illegal_move", "`bestmove none`");
}

#[test]
fn lost_on_time() {
    check("slow", "movetime=1 margin=200", "time", "ms instead of 201 ms");
    check("slow", "clock=100 inc=100 margin=100", "time", "lost on time");
}

#[test]
fn no_answer() {
    check("hangs", "movetime=1 margin=400", "no_answer", "no answer after 0.9 s");
}

#[test]
fn endless_output() {
    check("babbles", "movetime=1 margin=400", "no_answer", "no answer after 0.9 s");
}

#[test]
fn lines_outside_the_protocol_are_ignored() {
    let here = Folder::new();
    let bad = scripted("garbage", "nodes=1", &here);
    let result = arena(&format!("{bad} --engine cmd=random --games 2 -c 2 --seed 5"), &here);
    assert_eq!(result["engines"][0]["first_fault"], Value::Null);
    assert!(result["engines"][0]["score"].is_number());
}

#[test]
fn an_engine_that_cannot_restart_loses() {
    let here = Folder::new();
    let bad = scripted("once", "nodes=1", &here);
    let result = arena(&format!("{bad} --engine cmd=random --games 4 --seed 5"), &here);
    let faults = &result["engines"][0]["faults"];
    assert_eq!((&faults["crash"], &faults["start"]), (&json!(1), &json!(3)), "{faults}");
    assert_eq!(result["head_to_head"]["losses"], 4);
}

#[test]
fn with_three_players_the_others_share_the_victory() {
    let here = Folder::new();
    let bad = scripted("illegal", "nodes=1", &here);
    let args = format!("{bad} --engine cmd=random -p3 --games 3 -c 3 --seed 5");
    let result = arena(&args, &here);
    let [bad, good] = result["engines"].as_array().unwrap().as_slice() else { panic!("{result}") };
    assert_eq!((&bad["share"]["mean"], &bad["rank"]["mean"]), (&json!(0.0), &json!(3.0)));
    assert_eq!((&good["share"]["mean"], &good["rank"]["mean"]), (&json!(1.0), &json!(1.5)));
    assert_eq!((&bad["faults"]["illegal_move"], &bad["score"]), (&json!(3), &Value::Null));
}

#[test]
fn an_engine_that_never_worked_ends_the_match() {
    let here = Folder::new();
    let check = |engine: &str, expected: &str| {
        let args = format!("{engine} --engine cmd=random --timeout 1 --records none.txt");
        let error = sh(&format!("azulejo arena {args}"), &here).fails(2);
        assert!(error.contains(expected), "{engine}: {error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    };
    check("-e cmd=./missing", "engine missing did not start: cannot run `./missing`: ");
    check("-e 'cmd=random dir=./missing'", "engine random did not start: cannot run ");
    check(
        &scripted("refuses", "", &here),
        "engine Bad did not start: crashed: the process ended with exit status: 7: no network file",
    );
    check(&scripted("mute", "", &here), "engine Bad did not start: no `aziok` after 1.0 s");
    let offers = "engine Bad has no option `Sped`; it has Speed";
    check(&scripted("well", "option.Sped=1", &here), offers);
    let range = "`speed` does not take `4` (option name Speed type spin default 1 min 1 max 3)";
    check(&scripted("well", "option.speed=4", &here), range);
    assert_eq!(here.names(), [""; 0], "a match that did not begin leaves no file");
    assert_nothing_is_left(&here);
}

#[test]
fn an_interrupt_ends_a_hanging_engine_too() {
    let here = Folder::new();
    let bad = scripted("hangs", "nodes=1", &here);
    let line = format!("exec azulejo arena --json {bad} --engine cmd=random --games 2 --seed 5");
    let child = shell(&line, &here).spawn().unwrap();
    // The script reports when it hangs.
    let until = Instant::now() + Duration::from_secs(60);
    while !here.path().join("hangs").exists() {
        assert!(Instant::now() < until, "the script does not get to its third move");
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(Command::new("kill").arg(child.id().to_string()).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert!(Instant::now() < until);
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(1), b"".as_slice()));
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&result["ended_by"], &result["games"]), (&json!("stopped"), &json!(0)));
    assert_nothing_is_left(&here);
}

/// Checks that no process with this home folder is left. Only Linux shows the environment of
/// processes.
#[track_caller]
fn assert_nothing_is_left(here: &Folder) {
    let home = format!("HOME={}", here.path().display());
    let is_ours = |process: &Path| {
        let environment = std::fs::read(process.join("environ")).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|entry| entry == home.as_bytes())
    };
    let left = || -> Vec<_> {
        let Ok(processes) = std::fs::read_dir("/proc") else { return Vec::new() };
        let processes = processes.filter_map(Result::ok).map(|entry| entry.path());
        processes.filter(|process| is_ours(process)).collect()
    };
    // A killed process may take a moment to disappear.
    let until = Instant::now() + Duration::from_secs(5);
    while !left().is_empty() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(left(), Vec::<std::path::PathBuf>::new());
}
