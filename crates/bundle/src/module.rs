//! The WebAssembly module: a nested cargo compiles `crates/wasm`, wasm-bindgen makes the JavaScript side,
//! and both go to `web/module` with the weights of the evaluation, where the web app finds them.

use crate::{root, run};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fmt, fs};
use wasm_bindgen_cli_support::Bindgen;

/// The target of the module.
const TARGET: &str = "wasm32-unknown-unknown";

/// What the module is made of: the sources of `crates/wasm` and of all our crates in it, as their manifests
/// say. (Not whole crates: a change of a test is none of the module.)
pub(crate) fn sources() -> Vec<String> {
    let mut sources =
        ["Cargo.lock", "Cargo.toml", "crates/engine/network"].map(str::to_owned).to_vec();
    let mut crates = vec!["wasm".to_owned()];
    let mut n_read = 0;
    while let Some(folder) = crates.get(n_read).map(|name| format!("crates/{name}")) {
        n_read += 1;
        let manifest = fs::read_to_string(root().join(&folder).join("Cargo.toml"));
        for name in our_dependencies(&manifest.unwrap_or_default()) {
            if crates.iter().all(|known| known != name) {
                crates.push(name.to_owned());
            }
        }
        sources.extend(["Cargo.toml", "src"].map(|part| format!("{folder}/{part}")));
    }
    sources
}

/// The names after `azulejo-`, which are those of folders.
fn our_dependencies(manifest: &str) -> impl Iterator<Item = &str> {
    let section = manifest.split("\n[").find_map(|section| section.strip_prefix("dependencies]"));
    let lines = section.unwrap_or_default().lines();
    lines.filter_map(|line| line.strip_prefix("azulejo-")?.split(['.', ' ']).next())
}

/// Why there is no module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModuleError {
    /// The Rust target is not installed.
    NoTarget {
        /// The folder in which the toolchain keeps the libraries of its targets.
        libraries: PathBuf,
    },
    /// The build failed.
    Failed(String),
}

impl fmt::Display for ModuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ModuleError::NoTarget { .. } => write!(
                f,
                "the Rust target {TARGET} is missing; run `rustup target add {TARGET}` and build again"
            ),
            ModuleError::Failed(problem) => f.write_str(problem),
        }
    }
}

impl std::error::Error for ModuleError {}

/// Builds the module into `web/module`. The nested cargo has a target folder of its own: in that of the
/// cargo that waits for this build it would wait in turn. If there is no module, the folder is removed,
/// so that the web app does not contain an old one.
///
/// # Errors
/// If the target is missing or the build fails.
pub fn build_module(target_folder: &Path) -> Result<(), ModuleError> {
    let folder = root().join("web/module");
    let built =
        check_target().and_then(|()| build(target_folder, &folder).map_err(ModuleError::Failed));
    if built.is_err() {
        let _ = fs::remove_dir_all(&folder);
    }
    built
}

/// Whether the standard library for the target is there, whoever manages the toolchain.
fn check_target() -> Result<(), ModuleError> {
    // The compiler of the outer build.
    let rustc = env::var_os("RUSTC").unwrap_or("rustc".into());
    let output = Command::new(rustc)
        .args(["--print", "target-libdir", "--target", TARGET])
        .output()
        .map_err(|error| ModuleError::Failed(format!("cannot start rustc: {error}")))?;
    let folder = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
    if output.status.success() && folder.is_dir() {
        return Ok(());
    }
    // `lib/rustlib/TARGET/lib`
    let libraries = folder.ancestors().nth(2).unwrap_or(&folder).to_owned();
    Err(ModuleError::NoTarget { libraries })
}

fn build(target_folder: &Path, folder: &Path) -> Result<(), String> {
    let cargo = env::var_os("CARGO").unwrap_or("cargo".into());
    let mut command = Command::new(cargo);
    command
        .current_dir(root())
        .args(["build", "--locked", "--profile", "module", "--package", "azulejo-wasm"])
        .args(["--target", TARGET, "--target-dir"])
        .arg(target_folder)
        // Every browser of the last years has SIMD, and the evaluation is made of it.
        .env("CARGO_ENCODED_RUSTFLAGS", "-Ctarget-feature=+simd128");
    // The outer cargo's settings are for the outer build: linters, coverage, other targets.
    for name in ["RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER", "RUSTFLAGS", "CARGO_BUILD_TARGET"] {
        command.env_remove(name);
    }
    run(&mut command)?;
    let wasm = target_folder.join(TARGET).join("module/azulejo_wasm.wasm");
    let made = target_folder.join("bindgen");
    let fail = |error: &dyn fmt::Display| format!("{}: {error}", made.display());
    let _ = fs::remove_dir_all(&made);
    Bindgen::new()
        .input_path(wasm)
        .out_name("azulejo")
        .typescript(true)
        .remove_producers_section(true)
        .remove_name_section(true)
        // The web app says where the module is.
        .omit_default_module_path(true)
        .web(true)
        .and_then(|bindgen| bindgen.generate(&made))
        .map_err(|error| format!("wasm-bindgen: {error:#}"))?;
    let network = root().join("crates/engine/network/azulejo.net");
    fs::copy(network, made.join("azulejo.net")).map_err(|error| fail(&error))?;
    fs::create_dir_all(folder).map_err(|error| fail(&error))?;
    for name in ["azulejo.js", "azulejo.d.ts", "azulejo_bg.wasm", "azulejo.net"] {
        replace(&made.join(name), &folder.join(name)).map_err(|error| fail(&error))?;
    }
    Ok(())
}

/// Copies a file unless it is there already: an unchanged one does not disturb a development server.
fn replace(from: &Path, to: &Path) -> std::io::Result<()> {
    let new = fs::read(from)?;
    if fs::read(to).is_ok_and(|old| old == new) {
        return Ok(());
    }
    let part = to.with_extension("part");
    fs::write(&part, new)?;
    fs::rename(part, to)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_those_of_all_crates_in_the_module() {
        let sources = sources();
        for part in ["wasm/src", "rules/Cargo.toml", "table/src", "review/src", "engine/network"] {
            assert!(sources.contains(&format!("crates/{part}")), "{part}: {sources:?}");
        }
        assert!(sources.iter().all(|source| !source.contains("testkit")), "{sources:?}");
        for source in sources {
            assert!(root().join(&source).exists(), "{source}");
        }
    }
}
