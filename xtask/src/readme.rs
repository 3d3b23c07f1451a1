//! Runs what README.md tells people to run. A `console` block holds commands after `$ ` and what
//! they print; a line `…` in it stands for any lines. An `sh` block holds commands only.

use crate::{cargo, root, target};
use anyhow::{Context, bail, ensure};
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

/// A command of the README and what it should print.
#[derive(Debug, PartialEq)]
struct Example {
    line: usize,
    command: String,
    /// `None` if the README does not show it.
    output: Option<Vec<String>>,
}

pub(crate) fn check() -> anyhow::Result<()> {
    println!("xtask: the commands of README.md");
    cargo(&["build", "--release"])?;
    let readme = std::fs::read_to_string(root().join("README.md")).context("README.md")?;
    let examples = examples(&readme);
    ensure!(
        !examples.is_empty(),
        "README.md has no commands: is its form still the one read here?"
    );
    let folder = target().join("readme");
    std::fs::create_dir_all(&folder)?;
    for example in &examples {
        // This very check; running it again would not end.
        if example.command.starts_with("cargo xtask test") {
            continue;
        }
        // It serves until it is stopped.
        if example.command == "cargo run --release" {
            serve()?;
            continue;
        }
        run(example).with_context(|| format!("README.md:{}: {}", example.line, example.command))?;
        println!("xtask: README.md:{}: {}", example.line, example.command);
    }
    Ok(())
}

/// Runs what people run first, and waits until it says where to play.
fn serve() -> anyhow::Result<()> {
    let folder = target().join("readme");
    let mut server = Command::new(target().join("release").join("azulejo"))
        .env("AZULEJO_LISTEN", "127.0.0.1:0")
        .env("XDG_DATA_HOME", folder)
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot start the server")?;
    let mut line = String::new();
    let stdout = server.stdout.take().context("the server has no output")?;
    let read = BufReader::new(stdout).read_line(&mut line);
    server.kill()?;
    server.wait()?;
    read?;
    ensure!(line.contains("http://127.0.0.1:"), "the server said: {line}");
    println!("xtask: README.md: cargo run --release");
    Ok(())
}

fn examples(readme: &str) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    let mut block = None;
    for (i, text) in readme.lines().enumerate() {
        let line = i + 1;
        if let Some(language) = text.strip_prefix("```") {
            block = if block.is_some() { None } else { Some(language) };
            continue;
        }
        match (block, text.strip_prefix("$ ")) {
            (Some("console"), Some(command)) => {
                examples.push(Example {
                    line,
                    command: command.to_owned(),
                    output: Some(Vec::new()),
                });
            }
            (Some("console"), None) => {
                let output = examples.last_mut().and_then(|example| example.output.as_mut());
                output.expect("a console block begins with a command").push(text.to_owned());
            }
            (Some("sh"), _) => {
                let command = text.split("  #").next().unwrap_or(text).trim();
                if !command.is_empty() && !command.starts_with('#') {
                    examples.push(Example { line, command: command.to_owned(), output: None });
                }
            }
            _ => {}
        }
    }
    examples
}

fn run(example: &Example) -> anyhow::Result<()> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let bin = target().join("release");
    let paths = std::iter::once(bin).chain(std::env::split_paths(&path));
    let mut command = Command::new("sh");
    command.args(["-euc", &example.command]).env("PATH", std::env::join_paths(paths)?);
    // What they write stays out of the repository; what they read may be in it.
    let is_cargo = example.command.starts_with("cargo ");
    let folder = if is_cargo { root() } else { target().join("readme") };
    let output = command.current_dir(folder).env("NO_COLOR", "1").output()?;
    if !output.status.success() {
        bail!("{}\n{}", output.status, String::from_utf8_lossy(&output.stderr));
    }
    let Some(expected) = &example.output else { return Ok(()) };
    let printed = String::from_utf8(output.stdout)?;
    let printed: Vec<_> = printed.lines().map(str::trim_end).collect();
    if !matches(&printed, expected) {
        bail!("it printed\n{}\ninstead of\n{}", printed.join("\n"), expected.join("\n"));
    }
    Ok(())
}

/// Compares lines; `…` stands for any number of them.
fn matches(printed: &[&str], expected: &[String]) -> bool {
    match expected.split_first() {
        None => printed.is_empty(),
        Some((dots, rest)) if dots == "…" => {
            (0..=printed.len()).any(|skipped| matches(&printed[skipped..], rest))
        }
        Some((line, rest)) => printed
            .split_first()
            .is_some_and(|(first, others)| first == line && matches(others, rest)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_found_with_their_output() {
        let readme =
            "text\n```console\n$ a b\nout\n…\n$ c\n```\n```sh\nd e  # why\n# nothing\n```\n$ no\n";
        let example = |line, command: &str, output: Option<&[&str]>| Example {
            line,
            command: command.to_owned(),
            output: output.map(|lines| lines.iter().map(|&line| line.to_owned()).collect()),
        };
        assert_eq!(
            examples(readme),
            [
                example(3, "a b", Some(&["out", "…"])),
                example(6, "c", Some(&[])),
                example(9, "d e", None)
            ]
        );
    }

    #[test]
    fn dots_stand_for_any_lines() {
        let check = |printed: &[&str], expected: &[&str], is_match: bool| {
            let expected: Vec<_> = expected.iter().map(|&line| line.to_owned()).collect();
            assert_eq!(matches(printed, &expected), is_match, "{printed:?} {expected:?}");
        };
        check(&["a", "b"], &["a", "b"], true);
        check(&["a", "b"], &["a"], false);
        check(&["a", "b", "c"], &["a", "…"], true);
        check(&["a", "b", "c"], &["…", "c"], true);
        check(&["a", "b", "c"], &["…", "b"], false);
        check(&["a"], &["…", "a", "…"], true);
    }
}
