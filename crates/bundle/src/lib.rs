#![doc = include_str!("../README.md")]

mod module;
mod web;

pub use module::{ModuleError, build_module};
pub use web::{build_site, build_web};

use std::path::PathBuf;
use std::process::Command;

/// The top folder of the repository: that of the package which cargo runs or builds now. (Not where this
/// one was compiled, because a checkout may be moved or copied with its `target`.)
#[must_use]
pub fn root() -> PathBuf {
    let package = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    package.unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into()).join("../..")
}

/// Everything that the module and the web app are made of.
pub fn sources() -> impl Iterator<Item = PathBuf> {
    let web = web::SOURCES.map(str::to_owned);
    module::sources().into_iter().chain(web).map(|source| root().join(source))
}

/// Runs a command. The error has the last lines that it printed, on one line: cargo shows the warnings
/// of build scripts line by line.
fn run(command: &mut Command) -> Result<(), String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| format!("cannot start {name}: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = [output.stderr, output.stdout].concat();
    let said = String::from_utf8_lossy(&said);
    let last: Vec<&str> = said.lines().filter(|line| !line.trim().is_empty()).collect();
    let from = last.len().saturating_sub(12);
    Err(format!("{name} failed: {}", last[from..].join(" | ")))
}
