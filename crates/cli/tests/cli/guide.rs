//! What the program says about itself is true: every command it shows can be run.

use crate::run::{Folder, azulejo, sh};
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
    "guide",
    "completions",
];

fn help(command: &str, option: &str) -> String {
    let args: Vec<_> = command.split_whitespace().chain([option]).collect();
    azulejo(&args).fine()
}

#[test]
fn the_guide_is_short_enough() {
    let guide = azulejo(&["guide"]).fine();
    assert!(guide.starts_with("Azulejo, for the board game Azul"));
    for line in guide.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
}

#[test]
fn every_command_of_the_guide_runs() {
    let guide = azulejo(&["guide"]).fine();
    let position = azulejo(&["new", "--seed", "5"]).fine();
    let here = Folder::new();
    let mut n_commands = 0;
    for line in guide.lines().filter_map(|line| line.strip_prefix("  azulejo ")) {
        // The words about a command stand to the right of it.
        let command = line.split("  ").next().unwrap().replace("POSITION", position.trim());
        let run = sh(&format!("azulejo {command}"), &here);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{command}");
        assert!(!run.stdout.is_empty() || command.contains('>'), "{command}");
        n_commands += 1;
    }
    assert_eq!(n_commands, 11, "{guide}");
}

#[test]
fn every_example_runs() {
    // The same example may stand in two places and is slow enough to be run once.
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
        // What a program reads is promised for all that answer something.
        let has_json = help(command, "--help").contains("--json");
        assert_eq!(has_json, !["completions", "guide", "play"].contains(&command), "{command}");
    }
    let version = azulejo(&["--version"]).fine();
    assert_eq!(version, format!("azulejo {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn completions_are_scripts_of_their_shell() {
    let here = Folder::new();
    for shell in ["bash", "zsh", "fish"] {
        let script = azulejo(&["completions", shell]).fine();
        for word in ["azulejo", "explain", "undealt"] {
            assert!(script.contains(word), "{shell} knows nothing of {word}");
        }
        let file = here.write(shell, &script);
        let is_here = Command::new(shell).arg("--version").stdout(Stdio::null()).status().is_ok();
        if is_here {
            sh(&format!("{shell} -n {file}"), &here).fine();
        }
    }
}
