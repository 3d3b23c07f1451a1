//! The project's chores. `cargo xtask test` is the whole check, on a developer's machine and in
//! CI alike; the other commands are parts of it or longer versions of its parts.

mod fuzz;
mod machine;
mod pictures;
mod readme;
mod server;
mod web;

use anyhow::{Context, bail};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

const HELP: &str = "\
cargo xtask test             everything: format, lints, tests, games in a browser, documentation, README, a short fuzz run
cargo xtask readme           run the commands of README.md and compare what they print
cargo xtask pictures         make the pictures of the documentation anew
cargo xtask kills [TIMES]    kill servers in the middle of games so often (100), over both databases
cargo xtask web              the screen for browsers: types, tests, build
cargo xtask web --browser    the same, and whole games in a real Chromium
cargo xtask screenshots      pictures of every main screen, in web/screenshots
cargo xtask laws [GAMES]     the laws of the rules over many random games (100000) in release mode
cargo xtask fuzz [SECONDS]   fuzz every target for so long (600); needs a nightly toolchain
";

fn main() -> ExitCode {
    // Whoever starts this in the background of a script has interrupts ignored, also for what is
    // started from here; with a handler of our own they are not, and tests can send them.
    let _ = ctrlc::set_handler(|| std::process::exit(130));
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match args.as_slice() {
        ["test"] => test(),
        ["readme"] => readme::check(),
        ["pictures"] => pictures::make(),
        ["kills"] => server::kills("100"),
        ["kills", times] => server::kills(times),
        ["web"] => web::check().and_then(|()| web::build()),
        ["web", "--browser"] => web::check()
            .and_then(|()| cargo(&["build", "--package", "azulejo"]))
            .and_then(|()| web::play()),
        ["screenshots"] => web::screenshots(),
        ["laws"] => laws("100000"),
        ["laws", games] => laws(games),
        ["fuzz"] => fuzz::run("600"),
        ["fuzz", seconds] => fuzz::run(seconds),
        _ => {
            eprint!("{HELP}");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn test() -> anyhow::Result<()> {
    let start = Instant::now();
    cargo(&["fmt", "--all", "--check"])?;
    web::check()?;
    cargo(&["clippy", "--workspace", "--all-targets", "--", "--deny", "warnings"])?;
    server::need_postgres()?;
    step(
        "cargo test --workspace",
        cargo_command(&["test", "--workspace"]).env("AZULEJO_REQUIRE_POSTGRES", "1"),
    )?;
    // The tests of the program have just built it.
    web::play()?;
    step(
        "cargo doc",
        cargo_command(&["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "--deny warnings"),
    )?;
    readme::check()?;
    fuzz::run_if_possible("10")?;
    println!("xtask: all is well, in {} s", start.elapsed().as_secs());
    Ok(())
}

fn laws(games: &str) -> anyhow::Result<()> {
    let tests = [
        "test",
        "--release",
        "--package",
        "azulejo-rules",
        "--test",
        "laws",
        "--test",
        "reference",
    ];
    let mut command = cargo_command(&tests);
    command.env("AZULEJO_LAW_GAMES", games).env("AZULEJO_REFERENCE_GAMES", games);
    step("cargo test (laws)", &mut command)
}

fn cargo(args: &[&str]) -> anyhow::Result<()> {
    step(&format!("cargo {}", args.join(" ")), &mut cargo_command(args))
}

fn cargo_command(args: &[&str]) -> Command {
    let mut command = Command::new("cargo");
    command.args(args).current_dir(root());
    command
}

/// Runs a command, says which and how long it took, and fails with it.
fn step(name: &str, command: &mut Command) -> anyhow::Result<()> {
    println!("xtask: {name}");
    let start = Instant::now();
    let status = command.status().with_context(|| format!("cannot start {name}"))?;
    if !status.success() {
        bail!("{name} failed ({status})");
    }
    println!("xtask: {name}: {} s", start.elapsed().as_secs());
    Ok(())
}

/// Where cargo puts what it builds.
fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| root().join("target"), |dir| root().join(dir))
}

/// The top of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is in a folder").to_owned()
}
