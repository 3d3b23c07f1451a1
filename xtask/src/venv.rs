//! Virtual environments of Python for tests, below `target`, with pinned versions.

use crate::{machine, step, target};
use anyhow::bail;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The Python of an environment with the versions of a requirements file, which is made if it is
/// missing or has others.
pub(crate) fn environment(name: &str, what: &str, requirements: &Path) -> anyhow::Result<PathBuf> {
    let environment = target().join(name);
    let python = python(&environment);
    let wanted = fs::read_to_string(requirements)?;
    let stamp = environment.join("installed.txt");
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(python);
    }
    if machine::is_forbidden() {
        bail!("{what}: packages from PyPI are missing, and --no-install forbids to install them");
    }
    println!(
        "xtask: installing what {what} need from PyPI into {} (--no-install forbids this)",
        environment.display()
    );
    let venv = || {
        let mut command = Command::new("python3");
        step("python3 -m venv", command.args(["-m", "venv", "--clear"]).arg(&environment))
    };
    if venv().is_err() {
        if !machine::can_install() {
            bail!("{what} need Python with the module venv: install it");
        }
        machine::install("python3-venv")?;
        venv()?;
    }
    let mut pip = Command::new(&python);
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"]);
    step("pip install", pip.arg(requirements))?;
    fs::write(stamp, wanted)?;
    Ok(python)
}

/// The program in an environment.
pub(crate) fn python(environment: &Path) -> PathBuf {
    environment.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" })
}
