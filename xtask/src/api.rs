//! The API against its OpenAPI document, by Schemathesis, from outside: `xtask/schemathesis/run.py`.

use crate::{program, root, step, target, venv};
use anyhow::Context;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// The longest time of the generated requests in the whole check.
pub(crate) const SECONDS: &str = "45";

/// Generated requests to the program that cargo built last.
pub(crate) fn check(seconds: &str) -> anyhow::Result<()> {
    let python = venv::environment(
        "schemathesis",
        "the tests of the API",
        &scripts().join("requirements.txt"),
    )?;
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
