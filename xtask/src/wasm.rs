//! The WebAssembly module: it is built, and gives the same answers as the native program.

use crate::test::FEATURES;
use crate::{cargo, exe, machine, root, step, target};
use anyhow::{Context, ensure};
use std::fs::{self, File};
use std::path::PathBuf;
use std::process::Command;

const TARGET: &str = "wasm32-unknown-unknown";

/// What the module must answer; written by [`check`].
pub(crate) fn golden() -> PathBuf {
    target().join("golden.jsonl")
}

/// The native engine, whose speed is compared with the module's; built by [`check`].
pub(crate) fn native() -> PathBuf {
    example("release", "speed")
}

fn example(profile: &str, name: &str) -> PathBuf {
    target().join(profile).join("examples").join(exe(name))
}

/// Adds the target of the module if it is missing.
pub(crate) fn need_target() -> anyhow::Result<()> {
    machine::need_rust_target(TARGET)
}

/// Builds the module into `web/module`, where the web app finds it.
pub(crate) fn build() -> anyhow::Result<()> {
    need_target()?;
    // The folder of the program's build script, which may have built the module already.
    bundle(&["module", &path(target().join("wasm"))?])
}

/// Builds the module and compares it with the native program, in Node.js.
pub(crate) fn check() -> anyhow::Result<()> {
    build()?;
    let file = File::create(golden()).with_context(|| golden().display().to_string())?;
    cargo(&["build", "--workspace", "--features", FEATURES, "--example", "golden"])?;
    let mut answers = Command::new(example("debug", "golden"));
    step("the answers of the native program", answers.stdout(file))?;
    let mut node = Command::new("node");
    node.arg("golden/node.mjs").arg(golden()).current_dir(root().join("web"));
    step("the answers of the module", &mut node)?;
    cargo(&["build", "--release", "--package", "azulejo-engine", "--example", "speed"]).map(drop)
}

/// Builds the web app for static hosts into `target/site`, under a path such as `/azulejo/`, or at a
/// whole address such as `https://example.org/azulejo/`, which a site map and link previews need.
pub(crate) fn site(address: &str) -> anyhow::Result<()> {
    let base = match address.split_once("://") {
        Some((_, rest)) => rest.find('/').map_or("/", |at| &rest[at..]),
        None => address,
    };
    ensure!(base.starts_with('/') && base.ends_with('/'), "a path begins and ends with `/`");
    build()?;
    let folder = target().join("site");
    bundle(&["site", &path(folder.clone())?, base, address])?;
    let mut n_bytes = 0;
    for file in fs::read_dir(folder.join("assets"))? {
        let file = file?;
        if file.path().extension().is_some_and(|ending| ending == "br") {
            n_bytes += file.metadata()?.len();
        }
    }
    println!("xtask: {}, to be served at {base}", folder.display());
    println!("xtask: all its code, drawings and the network: {} KB (Brotli)", n_bytes / 1000);
    Ok(())
}

fn bundle(args: &[&str]) -> anyhow::Result<()> {
    // With the features of the tests, which have compiled its libraries already.
    cargo(&["build", "--workspace", "--features", FEATURES, "--bin", "azulejo-bundle"])?;
    let program = target().join("debug").join(exe("azulejo-bundle"));
    let mut command = Command::new(program);
    // As cargo would set it: it inherits that of xtask.
    command.args(args).env("CARGO_MANIFEST_DIR", root().join("crates/bundle"));
    step(&format!("azulejo-bundle {}", args[0]), &mut command).map(drop)
}

fn path(path: PathBuf) -> anyhow::Result<String> {
    path.into_os_string().into_string().ok().context("the target folder's name is not UTF-8")
}
