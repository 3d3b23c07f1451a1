//! Snapshot tests: runs the commands of `tests/snapshots` and compares their output.
//!
//! The form of a file:
//!
//! - `$ COMMAND` is run by the shell, with the program on its path. Its output follows.
//! - `! TEXT` is a line of standard error, `[exit 1]` an exit code that is not 0.
//! - `let NAME = TEXT` makes `$NAME` stand for TEXT in the commands below it.
//! - `# TEXT` is a comment. Blank lines at the end of an output do not matter.
//!
//! Commands run in an empty folder with links to `records` and `games` of `testdata`. With
//! AZULEJO_BLESS=1 in the environment the files are rewritten with the current output; read the
//! difference before you commit it.

use crate::run::{Folder, repository, sh};
use std::fmt::Write;
use std::fs;
use std::path::Path;

#[test]
fn pictures() {
    check("show.txt");
}

#[test]
fn playing() {
    check("play.txt");
}

#[test]
fn replaying() {
    check("replay.txt");
}

#[test]
fn mistakes() {
    check("mistakes.txt");
}

#[test]
fn playing_line_by_line() {
    check("plain.txt");
}

#[test]
fn every_snapshot_file_has_a_test() {
    let mut names: Vec<_> = fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["mistakes.txt", "plain.txt", "play.txt", "replay.txt", "show.txt"]);
}

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots")
}

#[track_caller]
fn check(name: &str) {
    let path = folder().join(name);
    let written = fs::read_to_string(&path).unwrap();
    let printed = rerun(&written);
    if std::env::var_os("AZULEJO_BLESS").is_some() {
        fs::write(&path, printed).unwrap();
        return;
    }
    if let Some((i, (is, was))) =
        printed.lines().zip(written.lines()).enumerate().find(|(_, (is, was))| is != was)
    {
        let line = i + 1;
        panic!(
            "tests/snapshots/{name}, line {line}:\n  it says {was}\n  and is  {is}\n\n{printed}"
        );
    }
    assert_eq!(printed.lines().count(), written.lines().count(), "{name} ends differently");
}

/// The file with the current output of its commands.
fn rerun(file: &str) -> String {
    let here = Folder::new();
    for name in ["records", "games"] {
        let target = repository().join("testdata").join(name);
        std::os::unix::fs::symlink(target, here.path().join(name)).unwrap();
    }
    let mut lets = String::new();
    let mut text = String::new();
    let mut lines = file.lines().peekable();
    while let Some(line) = lines.next() {
        let _ = writeln!(text, "{line}");
        if let Some((name, value)) = line.strip_prefix("let ").and_then(|l| l.split_once(" = ")) {
            let _ = writeln!(lets, "{name}='{value}'");
        }
        let Some(command) = line.strip_prefix("$ ") else { continue };
        // Drops the old output, but keeps blank lines at its end.
        let mut n_blank = 0;
        while let Some(old) = lines.next_if(|line| !is_statement(line)) {
            n_blank = if old.is_empty() { n_blank + 1 } else { 0 };
        }
        text += &output(&format!("{lets}{command}"), &here);
        text += &"\n".repeat(n_blank);
    }
    text
}

fn is_statement(line: &str) -> bool {
    ["$ ", "# ", "let "].iter().any(|start| line.starts_with(start))
}

fn output(command: &str, here: &Folder) -> String {
    let run = sh(command, here);
    let mut text = run.stdout.trim_end_matches('\n').to_owned();
    if !text.is_empty() {
        text.push('\n');
    }
    for line in run.stderr.lines() {
        let _ = writeln!(text, "{}", format!("! {line}").trim_end());
    }
    if run.code != Some(0) {
        let code = run.code.map_or("by a signal".to_owned(), |code| code.to_string());
        let _ = writeln!(text, "[exit {code}]");
    }
    text
}
