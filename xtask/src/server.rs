//! What the tests of the server need, and their longer versions.

use crate::{cargo_command, machine, step};
use std::path::Path;
use std::process::Command;

/// Installs PostgreSQL where that can be done: the tests start a server of their own from it, and
/// fail without one.
pub(crate) fn need_postgres() -> anyhow::Result<()> {
    let is_here = Path::new("/usr/lib/postgresql").exists()
        || Command::new("initdb").arg("--version").output().is_ok();
    if is_here || !machine::can_install() {
        return Ok(());
    }
    machine::install("postgresql")
}

/// Kills servers in the middle of games, again and again.
pub(crate) fn kills(times: &str) -> anyhow::Result<()> {
    need_postgres()?;
    let tests = ["test", "--package", "azulejo", "--test", "serve", "killed", "--", "--nocapture"];
    let mut command = cargo_command(&tests);
    command.env("AZULEJO_KILLS", times).env("AZULEJO_REQUIRE_POSTGRES", "1");
    step("cargo test (kills)", &mut command)
}
