//! The project's chores. `cargo xtask check` is run before every commit, `cargo xtask test` is the
//! whole check on a developer's machine and in CI alike, `cargo xtask long` collects evidence that
//! takes too long for every run.

mod api;
mod check;
mod dist;
mod fuzz;
mod long;
mod machine;
mod pictures;
mod publish;
mod python;
mod readme;
mod test;
mod venv;
mod wasm;
mod web;

use anyhow::{Context, bail};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

/// One chore: how it is called, what it does, and the code that does it.
struct Task {
    usage: &'static str,
    help: &'static str,
    /// Runs with the arguments after the name; `None` if they make no sense.
    run: fn(&[&str]) -> Option<anyhow::Result<()>>,
}

const TASKS: [Task; 14] = [
    Task {
        usage: "check",
        help: "before every commit: format, lints, and the tests of the packages you changed",
        run: |args| args.is_empty().then(check::run),
    },
    Task {
        usage: "test [--no-install]",
        help: "everything: lints, tests, browser, documentation, README, packages",
        run: |args| args.is_empty().then(test::run),
    },
    Task {
        usage: "long [NAME [AMOUNT]]",
        help: "one long run of evidence; without a name, the list of them",
        run: |args| match args {
            [] => Some(long::list()),
            [name] => Some(long::run(name, None)),
            [name, amount] => Some(long::run(name, Some(amount))),
            _ => None,
        },
    },
    Task {
        usage: "fuzz [SECONDS | minimize]",
        help: "fuzz every target (600 s each); needs a nightly toolchain",
        run: |args| match args {
            [] => Some(fuzz::run("600")),
            ["minimize"] => Some(fuzz::minimize()),
            [seconds] => Some(fuzz::run(seconds)),
            _ => None,
        },
    },
    Task {
        usage: "readme",
        help: "run the commands of README.md and compare what they print",
        run: |args| args.is_empty().then(|| build_program().and_then(|()| readme::check())),
    },
    Task {
        usage: "web [--browser]",
        help: "the web app: types, tests, build; with --browser also whole games in Chromium",
        run: |args| match args {
            [] => Some(web::check().and_then(|()| web::build())),
            ["--browser"] => Some(
                web::check()
                    .and_then(|()| wasm::check())
                    .and_then(|()| build_program())
                    .and_then(|()| web::play_in_browser()),
            ),
            _ => None,
        },
    },
    Task {
        usage: "module",
        help: "the WebAssembly module of the web app, in web/module",
        run: |args| args.is_empty().then(wasm::build),
    },
    Task {
        usage: "site [--base PATH]",
        help: "the web app for static hosts, in target/site; PATH may be a whole address",
        run: |args| match args {
            [] => Some(wasm::site("/")),
            ["--base", address] => Some(wasm::site(address)),
            _ => None,
        },
    },
    Task {
        usage: "api [SECONDS]",
        help: "generated requests to a server, whose answers must fit the OpenAPI document",
        run: |args| match args {
            [] => Some(build_program().and_then(|()| api::check(api::SECONDS))),
            [seconds] => Some(build_program().and_then(|()| api::check(seconds))),
            _ => None,
        },
    },
    Task {
        usage: "python [dist [--target TRIPLE]]",
        help: "the Python package: its tests; with dist, wheel and source package in target/dist",
        run: |args| match args {
            [] => Some(python::check()),
            ["dist"] => Some(python::dist(None)),
            ["dist", "--target", triple] => Some(python::dist(Some(triple))),
            _ => None,
        },
    },
    Task {
        usage: "screenshots [matrix]",
        help: "pictures of every main page of the web app, or of the table at all sizes, in web/screenshots",
        run: |args| match args {
            [] => Some(web::take_pictures("screenshots")),
            ["matrix"] => Some(web::take_pictures("matrix")),
            _ => None,
        },
    },
    Task {
        usage: "pictures",
        help: "draw the terminal pictures of the documentation again",
        run: |args| args.is_empty().then(pictures::make),
    },
    Task {
        usage: "publish",
        help: "package the libraries as for a release and build the packages, without uploading",
        run: |args| args.is_empty().then(publish::dry_run),
    },
    Task {
        usage: "dist [--target TRIPLE]",
        help: "the release archive with its checksum, unpacked and tried, in target/dist",
        run: |args| match args {
            [] => Some(dist::run(None)),
            ["--target", triple] => Some(dist::run(Some(triple))),
            _ => None,
        },
    },
];

fn main() -> ExitCode {
    // A script's background job starts with interrupts ignored, and its children inherit that. With
    // a handler of our own they are not ignored, so that tests can send them.
    let _ = ctrlc::set_handler(|| std::process::exit(130));
    let args: Vec<String> = std::env::args().skip(1).collect();
    let mut args: Vec<&str> = args.iter().map(String::as_str).collect();
    if let Some(i) = args.iter().position(|arg| *arg == "--no-install") {
        machine::forbid_installing();
        args.remove(i);
    }
    let task = args.split_first().and_then(|(name, rest)| {
        let is_named = |task: &&Task| task.usage.split(' ').next() == Some(name);
        TASKS.iter().find(is_named).and_then(|task| (task.run)(rest))
    });
    match task {
        Some(Ok(())) => ExitCode::SUCCESS,
        Some(Err(error)) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
        None => {
            eprint!("{}", help());
            ExitCode::from(2)
        }
    }
}

fn help() -> String {
    let width = TASKS.iter().map(|task| task.usage.len()).max().unwrap_or(0);
    let line = |task: &Task| format!("cargo xtask {:width$}  {}\n", task.usage, task.help);
    let tasks: String = TASKS.iter().map(line).collect();
    format!(
        "{tasks}\n--no-install forbids every task to install system packages, Rust targets or a browser.\n"
    )
}

/// Builds the program as tests do.
fn build_program() -> anyhow::Result<()> {
    cargo(&["build", "--package", "azulejo"]).map(drop)
}

/// The program of the last build in a profile's folder (`debug` or `release`).
fn program(profile: &str) -> PathBuf {
    target().join(profile).join(exe("azulejo"))
}

/// The file name of a program.
fn exe(name: &str) -> String {
    format!("{name}{}", std::env::consts::EXE_SUFFIX)
}

fn cargo(args: &[&str]) -> anyhow::Result<Duration> {
    step(&format!("cargo {}", args.join(" ")), &mut cargo_command(args))
}

fn cargo_command(args: &[&str]) -> Command {
    let mut command = Command::new("cargo");
    command.args(args).current_dir(root());
    // A clean checkout gains nothing from the files of incremental compilation.
    if std::env::var_os("CI").is_some() {
        command.env("CARGO_INCREMENTAL", "0");
    }
    command
}

/// Runs a command, prints its name and how long it took, and fails with it.
fn step(name: &str, command: &mut Command) -> anyhow::Result<Duration> {
    println!("xtask: {name}");
    let start = Instant::now();
    let status = command.status().with_context(|| format!("cannot start {name}"))?;
    if !status.success() {
        bail!("{name} failed ({status})");
    }
    let time = start.elapsed();
    println!("xtask: {name}: {} s", time.as_secs());
    Ok(time)
}

/// Cargo's target folder.
fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| root().join("target"), |dir| root().join(dir))
}

/// The top folder of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is in a folder").to_owned()
}
