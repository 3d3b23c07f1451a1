//! `azulejo help`: the help of a command, or a page of the documentation, which is part of the
//! program so that it needs no other file.

mod render;

use crate::{Answer, Cli};
use anyhow::bail;
use clap::CommandFactory;
use std::io::{IsTerminal, Write};
use std::process::{Command, Stdio};

/// Show the help of a command, or a page of the documentation.
///
/// Without a topic it prints the same as `azulejo --help`, which lists commands and pages. On a
/// terminal, long pages open in $PAGER (`less` by default).
///
/// Example: azulejo help rules
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A page, or a command like `new` or `bench search`.
    topic: Vec<String>,
}

/// A page of the documentation.
pub(crate) struct Page {
    pub(crate) name: &'static str,
    summary: &'static str,
    text: &'static str,
}

pub(crate) const PAGES: &[Page] = &[
    Page { name: "guide", summary: "Commands to try first", text: include_str!("help/guide.md") },
    Page {
        name: "rules",
        summary: "The rules of the game and its variants",
        text: include_str!("../../../docs/rules.md"),
    },
    Page {
        name: "notation",
        summary: "How positions, moves and records are written",
        text: include_str!("../../../docs/notation.md"),
    },
    Page {
        name: "protocol",
        summary: "How programs talk to an engine",
        text: include_str!("../../../docs/protocol.md"),
    },
    Page {
        name: "arena",
        summary: "Matches between engines and their statistics",
        text: include_str!("../../../docs/arena.md"),
    },
    Page {
        name: "review",
        summary: "How games are judged: losses, luck, accuracy, the ledger",
        text: include_str!("../../../docs/review.md"),
    },
    Page {
        name: "puzzles",
        summary: "Puzzles: how they are written, made and verified",
        text: include_str!("../../../docs/puzzles.md"),
    },
    Page {
        name: "terminal",
        summary: "How to play in the terminal",
        text: include_str!("../../../docs/terminal.md"),
    },
    Page {
        name: "server",
        summary: "How to run a server and write a client",
        text: include_str!("../../../docs/server.md"),
    },
    Page {
        name: "json",
        summary: "What the commands print with --json",
        text: include_str!("../../../docs/json.md"),
    },
];

/// The end of `azulejo --help`.
pub(crate) fn footer() -> String {
    let pages = PAGES.iter().map(|page| format!("  {:<11}  {}\n", page.name, page.summary));
    format!(
        "Pages (azulejo help PAGE):\n{}\n\
         Exit codes: 0 fine; 1 no (an illegal move, a difference found); 2 error.",
        pages.collect::<String>()
    )
}

pub(crate) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<Answer> {
    if let [name] = &args.topic[..]
        && let Some(page) = PAGES.iter().find(|page| page.name == name)
    {
        let (width, height) = terminal_size::terminal_size().map_or((80, 0), |(w, h)| (w.0, h.0));
        show(&render::page(page.text, usize::from(width).clamp(40, 100)), height, out)?;
        return Ok(Answer::Yes);
    }
    let mut command = Cli::command();
    // Tells each command the name of its parent, for the usage line.
    command.build();
    let mut command = &mut command;
    for name in &args.topic {
        command = match command.find_subcommand_mut(name) {
            Some(found) => found,
            None => {
                let pages: Vec<_> = PAGES.iter().map(|page| page.name).collect();
                let (topic, pages) = (args.topic.join(" "), pages.join(", "));
                bail!(
                    "there is no command or page `{}`; the pages are {pages}, and `azulejo help` \
                     lists the commands",
                    crate::input::shorten(&topic)
                )
            }
        };
    }
    write!(out, "{}", command.render_long_help().ansi())?;
    Ok(Answer::Yes)
}

/// Prints a text, through a pager if it is longer than the terminal is high.
fn show(text: &str, height: u16, out: &mut impl Write) -> anyhow::Result<()> {
    let stdout = std::io::stdout();
    let is_long = stdout.is_terminal() && text.lines().count() >= usize::from(height);
    if !is_long || !page_through(text)? {
        out.write_all(text.as_bytes())?;
    }
    Ok(())
}

/// Shows a text in the pager; `false` if there is none.
fn page_through(text: &str) -> anyhow::Result<bool> {
    let pager = std::env::var("PAGER").unwrap_or_else(|_| "less".to_owned());
    let mut words = pager.split_whitespace();
    let Some(program) = words.next() else { return Ok(false) };
    let mut command = Command::new(program);
    if std::env::var_os("LESS").is_none() {
        // Pass colors through, and leave the text on the terminal.
        command.env("LESS", "RX");
    }
    let Ok(mut pager) = command.args(words).stdin(Stdio::piped()).spawn() else { return Ok(false) };
    let has_colors =
        anstream::AutoStream::choice(&std::io::stdout()) != anstream::ColorChoice::Never;
    let plain = anstream::adapter::strip_str(text).to_string();
    if let Some(mut stdin) = pager.stdin.take() {
        // Writing fails if the reader quits before the end.
        let _ = stdin.write_all(if has_colors { text.as_bytes() } else { plain.as_bytes() });
    }
    pager.wait()?;
    Ok(true)
}
