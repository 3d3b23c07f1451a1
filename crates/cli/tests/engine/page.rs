//! Checks `docs/protocol.md`: replays its conversations and compares its tables.
//!
//! Moves and numbers of the page depend on version and machine, so only the keys of an `info` are
//! compared. `…` stands for any text.

use crate::talk::{DEALT, OVER, Talk};
use azulejo_notation::protocol::{FromEngine, OptionKind};
use std::path::Path;
use std::process::Command;

fn page() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/protocol.md");
    std::fs::read_to_string(path).expect("the page is there")
}

/// The blocks of the page in some language.
fn blocks(page: &str, language: &str) -> Vec<String> {
    let mut lines = page.lines();
    let mut blocks = Vec::new();
    while let Some(line) = lines.next() {
        if let Some(found) = line.strip_prefix("```") {
            let block: Vec<_> = lines.by_ref().take_while(|line| *line != "```").collect();
            if found == language {
                blocks.push(block.join("\n"));
            }
        }
    }
    blocks
}

/// Whether a line is an info of a search, of which only the keys are compared.
fn is_info(line: &str) -> bool {
    line.starts_with("info ") && !line.starts_with("info string")
}

/// The words of an info that are neither numbers nor moves.
fn keys(line: &str) -> Vec<&str> {
    let line = line.split(" pv ").next().unwrap_or(line);
    line.split(' ').filter(|word| word.chars().all(char::is_alphabetic)).collect()
}

fn matches(expected: &str, found: &str) -> bool {
    if let Some((start, end)) = expected.split_once('…') {
        return found.starts_with(start) && found.ends_with(end);
    }
    let is_move = |line: &str| line.starts_with("bestmove ") && line != "bestmove none";
    expected == found || is_move(expected) && is_move(found)
}

/// Replays a conversation and compares the answers.
fn replay(conversation: &str) {
    let mut talk = Talk::new();
    // The infos of the running search, which may come at any moment.
    let mut infos: Vec<String> = Vec::new();
    for line in conversation.lines() {
        if let Some(said) = line.strip_prefix("> ") {
            talk.say(said);
            continue;
        }
        let expected = line.strip_prefix("< ").unwrap_or_else(|| panic!("who says {line}?"));
        if is_info(expected) {
            while infos.is_empty() {
                infos.push(talk.hear().expect("the output has not ended"));
            }
            assert!(infos.iter().all(|info| is_info(info)), "{infos:?} instead of {expected}");
            // `exact` and `proved` are there only if the search got that far.
            let is_flag = |key: &&str| ["exact", "proved"].contains(key);
            let keys_of = |line| keys(line).into_iter().filter(|key| !is_flag(key));
            assert!(keys_of(&infos[0]).eq(keys_of(expected)), "{infos:?} instead of {expected}");
            continue;
        }
        let found = loop {
            match talk.hear().expect("the output has not ended") {
                info if is_info(&info) => infos.push(info),
                other => break other,
            }
        };
        assert!(matches(expected, &found), "{found}\ninstead of\n{expected}");
        if found.starts_with("bestmove") {
            infos.clear();
        }
    }
    assert!(conversation.ends_with("> quit"));
    assert_eq!(talk.end(), (vec![], String::new()));
}

#[test]
fn the_conversations_are_as_shown() {
    let page = page();
    let blocks = blocks(&page, "text");
    let conversations: Vec<_> = blocks.iter().filter(|block| block.starts_with("> ")).collect();
    assert_eq!(conversations.len(), 2);
    for conversation in conversations {
        replay(conversation);
    }
}

#[test]
fn the_options_are_as_described() {
    let page = page();
    let (_, section) = page.split_once("## The options of Azulejo").expect("a section");
    let (section, _) = section.split_once("\n## ").expect("another section");
    let rows: Vec<Vec<_>> = section
        .lines()
        .filter(|line| line.starts_with("| `"))
        .map(|line| line.split('|').map(|cell| cell.trim().replace('`', "")).collect())
        .collect();
    let mut described = rows.iter();
    let help = engine_help().split_whitespace().collect::<Vec<_>>().join(" ");
    let mut talk = Talk::new();
    talk.say("azi");
    loop {
        let option = match talk.message() {
            FromEngine::Option(option) => option,
            FromEngine::AziOk => break,
            _ => continue,
        };
        let (kind, default, values) = match &option.kind {
            OptionKind::Spin { default, min, max: u64::MAX } => {
                ("spin", default.to_string(), format!("{min}–2⁶⁴−1"))
            }
            OptionKind::Spin { default, min, max } => {
                ("spin", default.to_string(), format!("{min}–{max}"))
            }
            OptionKind::Combo { default, choices } => {
                ("combo", default.clone(), choices.join(", "))
            }
            OptionKind::String { default } => ("string", default.clone(), "a path".to_owned()),
            other => panic!("{other:?}"),
        };
        let row = described.next().unwrap_or_else(|| panic!("{option} is not described"));
        assert_eq!(row[1..5], [&option.name, kind, &default, &values], "{option}");
        assert!(help.contains(&row[5]), "{option}: {} is not in\n{help}", row[5]);
    }
    assert_eq!(described.next(), None);
}

#[test]
fn the_example_of_the_help_runs() {
    let help = engine_help();
    let example = help.lines().find_map(|line| line.strip_prefix("Example: ")).expect("an example");
    let run = shell(example).output().expect("there is a shell");
    assert!(run.status.success() && run.stdout.ends_with(b"aziok\n"), "{example}");
}

fn engine_help() -> String {
    let help = Command::new(env!("CARGO_BIN_EXE_azulejo")).args(["engine", "--help"]).output();
    String::from_utf8(help.expect("the program starts").stdout).expect("UTF-8")
}

/// A line of shell with the program on its path.
fn shell(script: &str) -> Command {
    let program = Path::new(env!("CARGO_BIN_EXE_azulejo")).parent().expect("a folder");
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = Command::new("sh");
    command.args(["-c", script]).env("PATH", format!("{}:{path}", program.display()));
    command
}

#[test]
fn the_position_of_the_page_is_valid() {
    let page = page();
    let blocks = blocks(&page, "text");
    let line = blocks.iter().find(|block| block.starts_with("position ")).expect("an example");
    let mut talk = Talk::new();
    talk.say(line);
    assert_eq!(talk.remarks(), [""; 0]);
    talk.say("go depth 2");
    assert!(talk.search().best.is_some());
}

/// The engine of the page, a shell script, plays.
#[test]
fn the_smallest_engine_plays() {
    let page = page();
    let [script] = &blocks(&page, "sh")[..] else { panic!("one script") };
    let mut talk = Talk::with(shell(script));
    talk.say("azi");
    assert_eq!(talk.message(), FromEngine::IdName("First".to_owned()));
    assert_eq!(talk.message(), FromEngine::AziOk);
    let rows = [
        (format!("position {DEALT}"), "bestmove 1B1"),
        (format!("position {DEALT} moves 1B1 2K2"), "bestmove 3B"),
        (format!("position {OVER}"), "bestmove none"),
    ];
    for (position, answer) in rows {
        for line in [&position, "isready", "go nodes 100"] {
            talk.say(line);
        }
        assert_eq!(talk.message(), FromEngine::ReadyOk);
        let found = talk.message().to_string();
        assert!(found.starts_with(answer), "{found}");
    }
    talk.say("quit");
    assert_eq!(talk.end(), (vec![], String::new()));
}
