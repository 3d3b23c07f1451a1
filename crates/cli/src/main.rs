//! The `azulejo` program. Each command is a module with its arguments, its help and its `run`; this
//! file dispatches to it and turns its answer into an exit code.

mod admin;
mod analyze;
mod apply;
mod arena;
mod bench;
mod bot;
mod db;
mod engine;
mod explain;
mod help;
mod input;
mod interrupt;
mod json;
mod load;
mod moves;
mod new;
mod output;
mod perft;
mod play;
mod player;
mod puzzles;
mod random;
mod replay;
mod review;
mod serve;
mod show;
mod verify;
mod web;

use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use std::io::{ErrorKind, Write};
use std::process::ExitCode;

/// Play, study and serve the board game Azul.
///
/// Without a command it runs `azulejo serve`: open the address that it prints to play in a browser.
/// Positions and moves are short texts: `3B2` takes the blue tiles of factory 3 to line 2.
#[derive(Parser)]
#[command(version, max_term_width = 100, after_help = help::footer(), disable_help_subcommand = true)]
struct Cli {
    /// When to use colors. Setting NO_COLOR in the environment also turns them off.
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, display_order = 900)]
    color: Color,
    #[command(subcommand)]
    command: Option<Command>,
}

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
    Review(review::Args),
    Analyze(analyze::Args),
    Puzzles(puzzles::Args),
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
    Admin(admin::Args),
    Completions(Completions),
    Help(help::Args),
}

/// Print a completion script for a shell.
///
/// Put it where your shell looks for completions.
///
/// Example: azulejo completions bash > ~/.local/share/bash-completion/completions/azulejo
#[derive(clap::Args)]
struct Completions {
    /// The shell.
    shell: clap_complete::Shell,
}

/// The answer of a command, which becomes its exit code.
enum Answer {
    /// Exit code 0.
    Yes,
    /// Exit code 1: the command worked, and its answer is no.
    No,
}

fn main() -> ExitCode {
    let matches = matches();
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    match cli.color {
        // Auto checks NO_COLOR, CLICOLOR and whether the output is a terminal.
        Color::Auto => anstream::ColorChoice::Auto,
        Color::Always => anstream::ColorChoice::AlwaysAnsi,
        Color::Never => anstream::ColorChoice::Never,
    }
    .write_global();
    let mut out = anstream::stdout().lock();
    let answer =
        run(cli.command, &matches, &mut out).and_then(|answer| Ok(out.flush().map(|()| answer)?));
    match answer {
        Ok(Answer::Yes) => ExitCode::SUCCESS,
        Ok(Answer::No) => ExitCode::from(1),
        // The reader of our output, like `head`, has read enough.
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&format!("{error:#}"));
            ExitCode::from(2)
        }
    }
}

/// The parsed arguments; without a command those of `azulejo serve`.
fn matches() -> ArgMatches {
    let matches = Cli::command().get_matches();
    if matches.subcommand().is_some() {
        return matches;
    }
    Cli::command().get_matches_from(std::env::args_os().chain(["serve".into()]))
}

/// Prints an error on standard error. The text may quote any input, so control characters, which
/// could do anything to a terminal, are shown as `?`. If standard error is closed, the exit code
/// still reports the error.
fn complain(problem: &str) {
    let harmless = problem.replace(|c: char| c.is_control() && c != '\n', "?");
    let _ = writeln!(std::io::stderr(), "azulejo: {harmless}");
}

fn run(
    command: Option<Command>,
    matches: &ArgMatches,
    out: &mut impl Write,
) -> anyhow::Result<Answer> {
    match command.expect("`matches` adds a command where there is none") {
        Command::Serve(args) => serve::run(&args, matches, out),
        Command::Play(args) => play::run(&args, out),
        Command::New(args) => new::run(&args, out),
        Command::Show(args) => show::run(&args, out),
        Command::Moves(args) => moves::run(&args, out),
        Command::Apply(args) => apply::run(&args, out),
        Command::Explain(args) => explain::run(&args, out),
        Command::Replay(args) => replay::run(&args, out),
        Command::Review(args) => review::run(&args, out),
        Command::Analyze(args) => analyze::run(&args, out),
        Command::Puzzles(args) => puzzles::run(&args, out),
        Command::Random(args) => random::run(&args, out),
        Command::Perft(args) => perft::run(&args, out),
        Command::Engine(args) => engine::run(&args, out),
        Command::Arena(args) => arena::run(&args, out),
        Command::Player(args) => player::run(&args, out),
        Command::Bench(args) => bench::run(&args, out),
        Command::Verify(args) => verify::run(&args, out),
        Command::Bot(args) => bot::run(&args, out),
        Command::Load(args) => load::run(&args, out),
        Command::Db(args) => db::run(&args, out),
        Command::Admin(args) => admin::run(&args, out),
        Command::Help(args) => help::run(&args, out),
        Command::Completions(Completions { shell }) => {
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
    /// The claim of README.md and docs/json.md.
    #[test]
    fn every_command_that_answers_a_question_has_json() {
        fn check(command: &clap::Command) {
            let mut commands = command.get_subcommands().filter(|command| !command.is_hide_set());
            if let Some(first) = commands.next() {
                return [first].into_iter().chain(commands).for_each(check);
            }
            let has_json = command.get_arguments().any(|arg| arg.get_id() == "json");
            let has_none = ["serve", "play", "engine", "completions", "help"];
            let name = command.get_name();
            assert_eq!(has_json, !has_none.contains(&name), "{name}");
        }
        check(&Cli::command());
    }
}
