//! The API against its OpenAPI document, by Schemathesis, from outside: `xtask/schemathesis/run.py`.

use crate::{machine, program, root, step, target};
use anyhow::{Context, bail};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// The longest time of the generated requests in the whole check.
pub(crate) const SECONDS: &str = "45";

/// Generated requests to the program that cargo built last.
pub(crate) fn check(seconds: &str) -> anyhow::Result<()> {
    let python = python()?;
    let folder = target().join("schemathesis-games");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder)?;
    let server = Server::start(&folder.join("games.db"))?;
    let mut command = Command::new(python);
    command.arg(scripts().join("run.py")).args([&server.url, seconds]).current_dir(&folder);
    step("schemathesis", &mut command).map(drop)
}

fn scripts() -> PathBuf {
    root().join("xtask/schemathesis")
}

/// A server on a free port, until it is dropped.
struct Server {
    child: Child,
    url: String,
}

impl Server {
    fn start(database: &Path) -> anyhow::Result<Server> {
        let program = program("debug");
        let mut child = Command::new(&program)
            .args(["serve", "--listen", "127.0.0.1:0", "--limits", "no", "--engine-ms", "20"])
            .arg("--database")
            .arg(database)
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {}", program.display()))?;
        let mut line = String::new();
        let stdout = child.stdout.take().context("the server has an output")?;
        BufReader::new(stdout).read_line(&mut line)?;
        let url = line.split_whitespace().last().unwrap_or_default();
        let url = url.trim_end_matches('/').to_owned();
        Ok(Server { child, url })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The Python of an environment with the versions of `requirements.txt`, which is made if it is
/// missing or has others.
fn python() -> anyhow::Result<PathBuf> {
    let environment = target().join("schemathesis");
    let python = environment.join("bin/python");
    let wanted = fs::read_to_string(scripts().join("requirements.txt"))?;
    let stamp = environment.join("installed.txt");
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(python);
    }
    if machine::is_forbidden() {
        bail!("Schemathesis is missing, and --no-install forbids to install it from PyPI");
    }
    println!(
        "xtask: installing Schemathesis into {} (--no-install forbids this)",
        environment.display()
    );
    let venv = || {
        let mut command = Command::new("python3");
        step("python3 -m venv", command.args(["-m", "venv", "--clear"]).arg(&environment))
    };
    if venv().is_err() {
        if !machine::can_install() {
            bail!("the check of the API needs Python 3.10 or newer with the module venv");
        }
        machine::install("python3-venv")?;
        venv()?;
    }
    let mut pip = Command::new(&python);
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"]);
    step("pip install", pip.arg(scripts().join("requirements.txt")))?;
    fs::write(stamp, wanted)?;
    Ok(python)
}
