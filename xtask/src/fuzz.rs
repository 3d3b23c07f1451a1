//! Runs the fuzz targets. They need a nightly toolchain, which a newcomer may not have; `cargo
//! xtask test` then says so and goes on.

use crate::{root, step};
use anyhow::{Context, ensure};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// A short run where it can be had.
pub(crate) fn run_if_possible(seconds: &str) -> anyhow::Result<()> {
    if has_nightly() {
        return run(seconds);
    }
    println!(
        "xtask: NOT RUN: fuzzing (there is no nightly toolchain: rustup toolchain install nightly)"
    );
    Ok(())
}

/// A fuzz target and how it is best run.
struct Target {
    name: &'static str,
    /// Longer input teaches nothing new.
    max_length: u32,
    dictionary: Option<&'static str>,
    flags: &'static [&'static str],
}

const TARGETS: [Target; 6] = [
    Target { name: "position", max_length: 1000, dictionary: Some("notation"), flags: &[] },
    Target { name: "moves", max_length: 120, dictionary: Some("notation"), flags: &[] },
    Target { name: "record", max_length: 4096, dictionary: Some("record"), flags: &[] },
    Target { name: "json", max_length: 4096, dictionary: Some("json"), flags: &[] },
    Target { name: "protocol", max_length: 2048, dictionary: Some("protocol"), flags: &[] },
    // Every byte is a choice there: watching comparisons costs time and finds nothing.
    Target { name: "play", max_length: 512, dictionary: None, flags: &["--no-trace-compares"] },
];

/// Fuzzes every target for so many seconds.
pub(crate) fn run(seconds: &str) -> anyhow::Result<()> {
    ensure!(has_nightly(), "fuzzing needs a nightly toolchain: rustup toolchain install nightly");
    let fuzz = root().join("fuzz");
    let n_files =
        std::fs::read_dir(fuzz.join("fuzz_targets")).context("fuzz/fuzz_targets")?.count();
    ensure!(
        n_files == TARGETS.len(),
        "{n_files} fuzz targets, {} of them known here",
        TARGETS.len()
    );
    let cargo_fuzz = cargo_fuzz()?;
    for Target { name, max_length, dictionary, flags } in TARGETS {
        // What a run finds goes into a folder of its own, not into the committed corpus.
        let found = root().join("target").join("fuzz-corpus").join(name);
        std::fs::create_dir_all(&found)?;
        let mut command = Command::new(&cargo_fuzz);
        command
            // cargo-fuzz builds with whatever toolchain it is told.
            .env("RUSTUP_TOOLCHAIN", "nightly")
            .current_dir(root())
            // There is no unsafe code to watch with a sanitizer.
            .args(["fuzz", "run", "--sanitizer", "none", "--fuzz-dir", "fuzz"])
            .args(flags)
            .arg(name)
            .args([found, fuzz.join("corpus").join(name)])
            .args(["--", "-verbosity=0"])
            .arg(format!("-max_total_time={seconds}"))
            .arg(format!("-max_len={max_length}"));
        if let Some(dictionary) = dictionary {
            let file = fuzz.join("dictionaries").join(format!("{dictionary}.dict"));
            command.arg(format!("-dict={}", file.display()));
        }
        step(&format!("fuzz {name} for {seconds} s"), &mut command)?;
    }
    Ok(())
}

fn has_nightly() -> bool {
    let version = Command::new("cargo")
        .args(["+nightly", "--version"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    version.is_ok_and(|status| status.success())
}

/// The cargo-fuzz program, installed below target/ if this machine has none.
fn cargo_fuzz() -> anyhow::Result<PathBuf> {
    let runs = Command::new("cargo-fuzz")
        .args(["fuzz", "--version"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    if runs.is_ok_and(|status| status.success()) {
        return Ok("cargo-fuzz".into());
    }
    let folder = root().join("target").join("tools");
    let program = folder.join("bin").join("cargo-fuzz");
    if !program.exists() {
        let mut install = Command::new("cargo");
        // It only starts other programs, so it need not be optimized, which takes longer to build.
        install
            .args(["install", "--locked", "--quiet", "--debug", "cargo-fuzz"])
            .args(["--version", "0.13.2", "--root"])
            .arg(&folder);
        step("install cargo-fuzz", &mut install)?;
    }
    Ok(program)
}
