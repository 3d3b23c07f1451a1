//! Runs the commands of README.md on the program that the tests have built. A `console` block holds commands after `$ ` and what
//! they print; a line `…` in it stands for any lines. An `sh` block holds commands only.

use crate::{program, root, target};
use anyhow::{Context, bail, ensure};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
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

/// What `cargo run --release` starts: the program without arguments.
fn serve() -> anyhow::Result<()> {
    let folder = target().join("readme");
    first_page(Command::new(program("debug")).env("AZULEJO_DATA", folder))?;
    println!("xtask: README.md: cargo run --release");
    Ok(())
}

/// Starts a server, opens the address that it prints, and gives the page that is there.
pub(crate) fn first_page(server: &mut Command) -> anyhow::Result<String> {
    let server = server.env("AZULEJO_LISTEN", "127.0.0.1:0").stdout(Stdio::piped());
    let mut server = server.spawn().context("cannot start the server")?;
    let page = server.stdout.take().context("the server has no output").and_then(|stdout| {
        let mut line = String::new();
        BufReader::new(stdout).read_line(&mut line)?;
        let (_, address) =
            line.split_once("http://").with_context(|| format!("it printed {line:?}"))?;
        let address = address.split(['/', ' ', '\n']).next().unwrap_or_default();
        let mut stream = TcpStream::connect(address).context(address.to_owned())?;
        write!(stream, "GET / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")?;
        let mut page = String::new();
        stream.read_to_string(&mut page)?;
        Ok(page)
    });
    server.kill()?;
    server.wait()?;
    let page = page?;
    ensure!(page.starts_with("HTTP/1.1 200 ") && page.contains("<html"), "the page is {page}");
    Ok(page)
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
    let bin = target().join("debug");
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
