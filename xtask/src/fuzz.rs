//! Coverage-guided fuzzing with libFuzzer, which needs a nightly toolchain. The tests replay the
//! committed corpus with the stable one.

use crate::{root, step};
use anyhow::ensure;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A fuzz target and how it is best run.
#[derive(Clone, Copy)]
struct Target {
    name: &'static str,
    /// Longer inputs add no coverage.
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
    // Every byte is a choice there: tracing comparisons costs time and finds nothing.
    Target { name: "play", max_length: 512, dictionary: None, flags: &["--no-trace-compares"] },
];

/// Fuzzes every target for a number of seconds.
pub(crate) fn run(seconds: &str) -> anyhow::Result<()> {
    let cargo_fuzz = cargo_fuzz()?;
    for target in TARGETS {
        // New inputs go into a folder of their own, not into the committed corpus.
        let found = root().join("target").join("fuzz-corpus").join(target.name);
        std::fs::create_dir_all(&found)?;
        let mut command = fuzz_command(&cargo_fuzz, "run", target);
        command.args([found, corpus(target.name)]);
        command.args(["--", "-verbosity=0"]);
        command.arg(format!("-max_total_time={seconds}"));
        command.arg(format!("-max_len={}", target.max_length));
        if let Some(dictionary) = target.dictionary {
            let file = format!("fuzz/dictionaries/{dictionary}.dict");
            command.arg(format!("-dict={}", root().join(file).display()));
        }
        step(&format!("fuzz {} for {seconds} s", target.name), &mut command)?;
    }
    Ok(())
}

/// Leaves the inputs in the corpus that add coverage, and removes the others. Inputs found by
/// earlier runs count.
pub(crate) fn minimize() -> anyhow::Result<()> {
    let cargo_fuzz = cargo_fuzz()?;
    for target in TARGETS {
        let corpus = corpus(target.name);
        let all = root().join("target").join("fuzz-corpus").join(target.name);
        std::fs::create_dir_all(&all)?;
        for input in std::fs::read_dir(&corpus)? {
            let input = input?;
            std::fs::rename(input.path(), all.join(input.file_name()))?;
        }
        let mut command = fuzz_command(&cargo_fuzz, "run", target);
        command.args([&corpus, &all]).args(["--", "-set_cover_merge=1", "-verbosity=0"]);
        // Edges alone: how often one was taken makes nearly every input look new.
        command.arg("-use_counters=0");
        step(&format!("minimize {}", target.name), &mut command)?;
        let left = std::fs::read_dir(&corpus)?.count();
        println!("xtask: {} inputs of {} add coverage", left, target.name);
    }
    Ok(())
}

fn corpus(name: &str) -> PathBuf {
    root().join("fuzz").join("corpus").join(name)
}

fn fuzz_command(cargo_fuzz: &Path, verb: &str, target: Target) -> Command {
    let mut command = Command::new(cargo_fuzz);
    command
        .env("RUSTUP_TOOLCHAIN", "nightly")
        .current_dir(root())
        // There is no unsafe code for a sanitizer to watch.
        .args(["fuzz", verb, "--sanitizer", "none", "--fuzz-dir", "fuzz"])
        .args(target.flags)
        .arg(target.name);
    command
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
    ensure!(has_nightly(), "fuzzing needs a nightly toolchain: rustup toolchain install nightly");
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
        // It only starts other programs: an unoptimized build takes half the time.
        install
            .args(["install", "--locked", "--quiet", "--debug", "cargo-fuzz"])
            .args(["--version", "0.13.2", "--root"])
            .arg(&folder);
        step("install cargo-fuzz", &mut install)?;
    }
    Ok(program)
}
