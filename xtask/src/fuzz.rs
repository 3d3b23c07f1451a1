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

/// Fuzzes every target for so many seconds.
pub(crate) fn run(seconds: &str) -> anyhow::Result<()> {
    ensure!(has_nightly(), "fuzzing needs a nightly toolchain: rustup toolchain install nightly");
    let cargo_fuzz = cargo_fuzz()?;
    let targets =
        std::fs::read_dir(root().join("fuzz").join("fuzz_targets")).context("fuzz/fuzz_targets")?;
    let mut names = Vec::new();
    for target in targets {
        let path = target?.path();
        names.extend(path.file_stem().and_then(|name| name.to_str()).map(str::to_owned));
    }
    names.sort();
    ensure!(!names.is_empty(), "there are no fuzz targets");
    for name in names {
        // What a run finds goes into a folder of its own, not into the committed corpus.
        let found = root().join("target").join("fuzz-corpus").join(&name);
        std::fs::create_dir_all(&found)?;
        let committed = root().join("fuzz").join("corpus").join(&name);
        let mut command = Command::new(&cargo_fuzz);
        command
            // cargo-fuzz builds with whatever toolchain it is told.
            .env("RUSTUP_TOOLCHAIN", "nightly")
            .current_dir(root())
            .args(["fuzz", "run", "--fuzz-dir", "fuzz", &name])
            .args([found, committed])
            .args(["--", "-verbosity=0", &format!("-max_total_time={seconds}")]);
        let dictionary = root().join("fuzz").join("dictionaries").join(format!("{name}.dict"));
        if dictionary.exists() {
            command.arg(format!("-dict={}", dictionary.display()));
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
        install
            .args(["install", "--locked", "--quiet", "cargo-fuzz", "--version", "0.13.2", "--root"])
            .arg(&folder);
        step("install cargo-fuzz", &mut install)?;
    }
    Ok(program)
}
