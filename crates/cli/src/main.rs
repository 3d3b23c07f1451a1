//! The `azulejo` command. Each command is a module with its arguments, its help and its `run`;
//! this file picks one and turns its answer into an exit code.

mod apply;
mod arena;
mod bench;
mod bot;
mod db;
mod draw;
mod engine;
mod explain;
mod guide;
mod input;
mod json;
mod load;
mod moves;
mod new;
mod output;
mod perft;
mod play;
mod player;
mod random;
mod replay;
mod serve;
mod show;
mod verify;

use clap::{CommandFactory, Parser, Subcommand, ValueEnum};
use std::io::{ErrorKind, Write};
use std::process::ExitCode;

/// Play, study and serve the board game Azul.
///
/// Positions and moves are short texts: `3B2` takes the blue tiles of factory 3 to line 2. The
/// notation is described in docs/notation.md.
#[derive(Parser)]
#[command(version, max_term_width = 100, after_help = EXIT_CODES)]
struct Cli {
    /// When to use colors. NO_COLOR in the environment turns them off as well.
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, display_order = 900)]
    color: Color,
    #[command(subcommand)]
    command: Option<Command>,
}

const EXIT_CODES: &str = "Exit codes: 0 fine; 1 no (an illegal move, a difference found); 2 error.";

#[derive(Clone, Copy, ValueEnum)]
enum Color {
    Auto,
    Always,
    Never,
}

#[derive(Subcommand)]
enum Command {
    Serve(serve::Args),
    Play(play::Args),
    New(new::Args),
    Show(show::Args),
    Moves(moves::Args),
    Apply(apply::Args),
    Explain(explain::Args),
    Replay(replay::Args),
    Random(random::Args),
    Perft(perft::Args),
    Verify(verify::Args),
    Engine(engine::Args),
    Arena(arena::Args),
    #[command(hide = true)]
    Player(player::Args),
    Bench(bench::Args),
    Bot(bot::Args),
    Load(load::Args),
    Db(db::Args),
    Guide(guide::Args),
    Completions(Completions),
}

/// Print a completion script for a shell.
///
/// Example: azulejo completions bash > ~/.local/share/bash-completion/completions/azulejo
#[derive(clap::Args)]
struct Completions {
    /// The shell.
    shell: clap_complete::Shell,
}

/// What a command found.
enum Answer {
    /// All is well.
    Yes,
    /// The question was answered, and the answer is no.
    No,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    match cli.color {
        // Auto looks at NO_COLOR, CLICOLOR and whether there is a terminal.
        Color::Auto => anstream::ColorChoice::Auto,
        Color::Always => anstream::ColorChoice::AlwaysAnsi,
        Color::Never => anstream::ColorChoice::Never,
    }
    .write_global();
    let mut out = anstream::stdout().lock();
    let answer = run(cli.command, &mut out).and_then(|answer| Ok(out.flush().map(|()| answer)?));
    match answer {
        Ok(Answer::Yes) => ExitCode::SUCCESS,
        Ok(Answer::No) => ExitCode::from(1),
        // Whoever read our output has seen enough.
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&format!("{error:#}"));
            ExitCode::from(2)
        }
    }
}

/// Says on standard error what is wrong. The text may quote any input, so that control characters
/// are shown as `?`: they could do anything to a terminal. If nobody can hear it, the exit code
/// still tells.
fn complain(problem: &str) {
    let harmless = problem.replace(|c: char| c.is_control() && c != '\n', "?");
    let _ = writeln!(std::io::stderr(), "azulejo: {harmless}");
}

fn run(command: Option<Command>, out: &mut impl Write) -> anyhow::Result<Answer> {
    match command {
        None => serve::run(&serve::Args::default(), out),
        Some(Command::Serve(args)) => serve::run(&args, out),
        Some(Command::Play(args)) => play::run(&args, out),
        Some(Command::New(args)) => new::run(&args, out),
        Some(Command::Show(args)) => show::run(&args, out),
        Some(Command::Moves(args)) => moves::run(&args, out),
        Some(Command::Apply(args)) => apply::run(&args, out),
        Some(Command::Explain(args)) => explain::run(&args, out),
        Some(Command::Replay(args)) => replay::run(&args, out),
        Some(Command::Random(args)) => random::run(&args, out),
        Some(Command::Perft(args)) => perft::run(&args, out),
        Some(Command::Engine(args)) => engine::run(&args, out),
        Some(Command::Arena(args)) => arena::run(&args, out),
        Some(Command::Player(args)) => player::run(&args, out),
        Some(Command::Bench(args)) => bench::run(&args, out),
        Some(Command::Verify(args)) => verify::run(&args, out),
        Some(Command::Bot(args)) => bot::run(&args, out),
        Some(Command::Load(args)) => load::run(&args, out),
        Some(Command::Db(args)) => db::run(&args, out),
        Some(Command::Guide(args)) => guide::run(&args, out),
        Some(Command::Completions(Completions { shell })) => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "azulejo", &mut script);
            out.write_all(&script)?;
            Ok(Answer::Yes)
        }
    }
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.downcast_ref::<std::io::Error>().is_some_and(|e| e.kind() == ErrorKind::BrokenPipe)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_command_shows_an_example() {
        for command in Cli::command().get_subcommands_mut() {
            let help = command.render_long_help().to_string();
            assert!(help.contains("Example"), "{}: {help}", command.get_name());
        }
    }
}
