//! The WebAssembly module: it is built, and gives the same answers as the native program.

use crate::{cargo, cargo_command, machine, root, step, target};
use anyhow::{Context, ensure};
use std::fs::{self, File};
use std::path::PathBuf;
use std::process::Command;

const TARGET: &str = "wasm32-unknown-unknown";

/// What the module must answer, and how fast the native program is; written by [`check`].
pub(crate) fn golden() -> PathBuf {
    target().join("golden.jsonl")
}

/// Builds the module into `web/module`, where the web app finds it.
pub(crate) fn build() -> anyhow::Result<()> {
    machine::need_rust_target(TARGET)?;
    // The folder of the server's build script, which may have built the module already.
    bundle(&["module", &path(target().join("wasm"))?])
}

/// Builds the module and compares it with the native program, in Node.js.
pub(crate) fn check() -> anyhow::Result<()> {
    build()?;
    let file = File::create(golden()).with_context(|| golden().display().to_string())?;
    // The release build: its speed is compared, too.
    let args = ["run", "--release", "--package", "azulejo-wasm", "--example", "golden"];
    step("the answers of the native program", cargo_command(&args).stdout(file))?;
    let mut node = Command::new("node");
    node.arg("golden/node.mjs").arg(golden()).current_dir(root().join("web"));
    step("the answers of the module", &mut node).map(drop)
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
    let run = ["run", "--quiet", "--package", "azulejo-bundle", "--"];
    cargo(&[&run, args].concat()).map(drop)
}

fn path(path: PathBuf) -> anyhow::Result<String> {
    path.into_os_string().into_string().ok().context("the target folder's name is not UTF-8")
}
