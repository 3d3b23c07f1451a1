//! The whole check. Every step can fail; nothing is skipped.

use crate::{api, cargo, cargo_command, machine, publish, python, readme, step, wasm, web};
use std::time::Instant;

/// A step of the check.
type Step = (&'static str, fn() -> anyhow::Result<()>);

const STEPS: [Step; 11] = [
    ("format", || cargo(&["fmt", "--all", "--check"]).map(drop)),
    ("web app", web::check),
    ("lints", lints),
    // The browser plays with the module.
    ("WebAssembly", wasm::check),
    ("tests", tests),
    // The tests have built the program that the next steps use.
    ("browser", web::play_in_browser),
    ("API", || api::check(api::SECONDS)),
    ("Python", python::check),
    ("README", readme::check),
    ("documentation", documentation),
    ("packages", publish::dry_run),
];

pub(crate) fn run() -> anyhow::Result<()> {
    let start = Instant::now();
    let mut times = Vec::new();
    for (name, run) in STEPS {
        let start = Instant::now();
        run()?;
        times.push((name, start.elapsed().as_secs()));
    }
    for (name, seconds) in times {
        println!("xtask: {name:<14} {seconds:>5} s");
    }
    println!("xtask: all is well, in {} s", start.elapsed().as_secs());
    Ok(())
}

pub(crate) fn lints() -> anyhow::Result<()> {
    cargo(&["clippy", "--workspace", "--all-targets", "--", "--deny", "warnings"]).map(drop)
}

fn tests() -> anyhow::Result<()> {
    machine::need_postgres()?;
    let mut command = cargo_command(&["test", "--workspace"]);
    step("cargo test --workspace", command.env("AZULEJO_REQUIRE_POSTGRES", "1"))?;
    // No other crate turns the feature `serde` of the libraries on, so these need a build of their own.
    let mut args = vec!["test", "--test", "serde"];
    for library in ["azulejo-rules", "azulejo-notation", "azulejo-engine"] {
        args.extend(["--package", library]);
    }
    args.extend(["--features", "azulejo-engine/serde,azulejo-notation/serde"]);
    cargo(&args).map(drop)
}

fn documentation() -> anyhow::Result<()> {
    let mut command = cargo_command(&["doc", "--workspace", "--no-deps"]);
    step("cargo doc", command.env("RUSTDOCFLAGS", "--deny warnings")).map(drop)
}
