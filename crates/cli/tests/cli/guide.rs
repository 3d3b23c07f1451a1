//! Help texts, the guide and the pages: every command they show runs.

use crate::run::{Folder, azulejo, repository, sh};
use std::collections::BTreeSet;
use std::process::{Command, Stdio};

const COMMANDS: [&str; 18] = [
    "play",
    "new",
    "show",
    "moves",
    "apply",
    "explain",
    "replay",
    "random",
    "perft",
    "arena",
    "bench",
    "bench search",
    "bench solve",
    "bench tactics",
    "bench rules",
    "verify",
    "completions",
    "help",
];

fn help(command: &str, option: &str) -> String {
    let args: Vec<_> = command.split_whitespace().chain([option]).collect();
    azulejo(&args).fine()
}

#[test]
fn the_guide_is_short_enough() {
    let guide = azulejo(&["help", "guide"]).fine();
    assert!(guide.starts_with("Azulejo, for the board game Azul"));
    for line in guide.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
}

#[test]
fn every_command_of_the_guide_runs() {
    let guide = azulejo(&["help", "guide"]).fine();
    let position = azulejo(&["new", "--seed", "5"]).fine();
    let here = Folder::new();
    let mut n_commands = 0;
    for line in guide.lines().filter_map(|line| line.strip_prefix("    azulejo ")) {
        // The comment is to the right of the command.
        let command = line.split("  #").next().unwrap().replace("POSITION", position.trim());
        let run = sh(&format!("azulejo {command}"), &here);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{command}");
        assert!(!run.stdout.is_empty() || command.contains('>'), "{command}");
        n_commands += 1;
    }
    assert_eq!(n_commands, 11, "{guide}");
}

#[test]
fn every_example_runs() {
    // A set: some commands share a slow example.
    let mut examples = BTreeSet::new();
    for command in COMMANDS {
        let help = help(command, "--help");
        let found: Vec<_> = help.lines().filter_map(|l| l.strip_prefix("Example: ")).collect();
        assert_eq!(found.len(), 1, "{command}: {help}");
        examples.insert(found[0].to_owned());
    }
    let here = Folder::new();
    sh("mkdir -p ~/.local/share/bash-completion/completions", &here).fine();
    for example in &examples {
        let run = sh(example, &here);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{example}");
        let writes = example.contains(" > ") || example.contains(" -o ");
        assert_eq!(run.stdout.is_empty(), writes, "{example}");
    }
    assert_eq!(here.names(), [".local", "games.jsonl"]);
    assert_eq!(sh("azulejo replay -q games.jsonl", &here).fine(), "100 games, 100 fine\n");
}

#[test]
fn help_is_there_for_every_command() {
    let all = azulejo(&["--help"]).fine();
    assert!(
        all.contains("Exit codes: 0 fine; 1 no (an illegal move, a difference found); 2 error.")
    );
    assert_eq!(azulejo(&["help"]).fine(), all);
    for command in COMMANDS {
        let name = command.split(' ').next().unwrap();
        assert!(all.lines().any(|line| line.trim_start().starts_with(name)), "{name}");
        for option in ["-h", "--help"] {
            let help = help(command, option);
            assert!(help.contains("Usage: azulejo "), "{help}");
            for line in help.lines() {
                assert!(line.chars().count() <= 100, "{line}");
            }
        }
        // Every command that answers a question does so in JSON too.
        let has_json = help(command, "--help").contains("--json");
        assert_eq!(has_json, !["completions", "help", "play"].contains(&command), "{command}");
    }
    let version = azulejo(&["--version"]).fine();
    assert_eq!(version, format!("azulejo {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn every_page_is_in_the_program() {
    let all = azulejo(&["--help"]).fine();
    let docs = ["rules", "notation", "protocol", "arena", "terminal", "server", "json"];
    for page in docs {
        assert!(all.lines().any(|line| line.trim_start().starts_with(page)), "{page}");
        let markdown = std::fs::read_to_string(repository().join(format!("docs/{page}.md")));
        let markdown = markdown.expect("the page is there");
        let title = markdown.lines().next().expect("a title").trim_start_matches("# ");
        let text = azulejo(&["help", page]).fine();
        assert!(text.starts_with(&format!("{title}\n")), "{text}");
        assert!(text.lines().count() > 50, "{text}");
    }
    // The help names no file that a user without the repository does not have.
    for command in COMMANDS {
        assert!(!help(command, "--help").contains("docs/"), "{command}");
    }
}

#[test]
fn help_is_the_help_of_a_command() {
    for topic in ["new", "bench", "bench search"] {
        let args: Vec<_> = ["help"].into_iter().chain(topic.split(' ')).collect();
        assert_eq!(azulejo(&args).fine(), help(topic, "--help"), "{topic}");
    }
    let unknown = azulejo(&["help", "chess"]).fails(2);
    assert!(unknown.contains("there is no command or page `chess`; the pages are guide, rules"));
}

#[test]
fn completions_are_scripts_of_their_shell() {
    let here = Folder::new();
    for shell in ["bash", "zsh", "fish"] {
        let script = azulejo(&["completions", shell]).fine();
        for word in ["azulejo", "explain", "undealt"] {
            assert!(script.contains(word), "{shell} does not complete {word}");
        }
        let file = here.write(shell, &script);
        let is_here = Command::new(shell).arg("--version").stdout(Stdio::null()).status().is_ok();
        if is_here {
            sh(&format!("{shell} -n {file}"), &here).fine();
        }
    }
}
