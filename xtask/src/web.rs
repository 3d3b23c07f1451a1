//! The screen for browsers: its types, its tests, and the tests in a real browser.

use crate::{root, step};
use anyhow::bail;
use std::process::Command;

/// Checks and builds `web/`; with a browser on the machine also plays in it.
pub(crate) fn check(with_browser: bool) -> anyhow::Result<()> {
    let web = root().join("web");
    let npm = |args: &[&str]| {
        let mut command = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
        command.args(args).current_dir(&web);
        command
    };
    if Command::new("node").arg("--version").output().is_err() {
        bail!("the screen for browsers needs Node.js 20 or newer, with npm");
    }
    step("npm ci", &mut npm(&["ci", "--no-audit", "--no-fund"]))?;
    step("npm run check", &mut npm(&["run", "check"]))?;
    step("npm test", &mut npm(&["test"]))?;
    step("npm run build", &mut npm(&["run", "build"]))?;
    if with_browser {
        crate::cargo(&["build", "--package", "azulejo"])?;
        step("npm run e2e", &mut npm(&["run", "e2e"]))?;
    }
    Ok(())
}

/// Pictures of every main screen, in `web/screenshots`.
pub(crate) fn screenshots() -> anyhow::Result<()> {
    crate::cargo(&["build", "--package", "azulejo"])?;
    let mut command = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    step(
        "npm run screenshots",
        command.args(["run", "screenshots"]).current_dir(root().join("web")),
    )
}
