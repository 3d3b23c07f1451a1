//! Snapshots of screens as text files. A file holds scenes; each is a script, a line of dashes, and the
//! screen:
//!
//! - `# TEXT` describes the scene.
//! - `game RULES SEED SEATS` begins a game, `position POSITION SEATS` one from a position, `replay FILE`
//!   replays a record of `testdata`, and `start SEATS` is the start screen.
//! - `size 80 24`, `look 256 ascii`, `speed 5`, `clock 10+5` come before it.
//! - `keys 4 k Down Enter`, `click X Y`, `hover X Y`, `wait MS`, `resize W H` are its inputs.
//! - `games NAME NAME` are the saved games, records of `testdata`.
//! - `found MOVE MOVE …` is a line of play that the engine reports, `done` the end of its search.
//! - `styles` shows the colors too: below the screen every style has a letter.
//!
//! AZULEJO_BLESS=1 rewrites the files with the current screens; read the diff before you commit it.

mod script;

use script::Script;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

const RULE: &str = "----";
const END: &str = "====";

#[test]
fn tables() {
    check("tables.txt");
}

#[test]
fn choosing() {
    check("choosing.txt");
}

#[test]
fn tiling_and_the_end() {
    check("tiling.txt");
}

#[test]
fn other_pages() {
    check("pages.txt");
}

#[test]
fn looks() {
    check("looks.txt");
}

#[test]
fn no_file_is_forgotten() {
    let mut names: Vec<_> = fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".txt"))
        .collect();
    names.sort();
    assert_eq!(names, ["choosing.txt", "looks.txt", "pages.txt", "tables.txt", "tiling.txt"]);
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/screens")
}

#[track_caller]
fn check(name: &str) {
    let path = folder().join(name);
    let written = fs::read_to_string(&path).unwrap();
    let seen = redraw(&written);
    if std::env::var_os("AZULEJO_BLESS").is_some() {
        fs::write(&path, seen).unwrap();
        return;
    }
    for (i, (is, was)) in seen.lines().zip(written.lines()).enumerate() {
        assert_eq!(is, was, "tests/screens/{name}, line {}", i + 1);
    }
    assert_eq!(seen.lines().count(), written.lines().count(), "{name} ends differently");
}

/// The same file with the current screens.
fn redraw(file: &str) -> String {
    let mut text = String::new();
    for scene in file.split(&format!("{END}\n")).filter(|scene| !scene.trim().is_empty()) {
        let lines: Vec<&str> = scene.lines().take_while(|line| *line != RULE).collect();
        let mut script = Script::default();
        for line in &lines {
            let _ = writeln!(text, "{line}");
            script.run(line);
        }
        let _ = writeln!(text, "{RULE}");
        for line in script.seen() {
            let _ = writeln!(text, "{line}");
        }
        let _ = writeln!(text, "{END}");
    }
    text
}
