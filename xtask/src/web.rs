//! The web app: its types, its tests, and the tests in a real browser.

use crate::{build_program, machine, program, root, step, wasm};
use anyhow::{Context, bail};
use std::path::PathBuf;
use std::process::Command;
use std::time::SystemTime;

/// Types and unit tests.
pub(crate) fn check() -> anyhow::Result<()> {
    packages()?;
    step("npm run check", &mut npm(&["run", "check"]))?;
    step("npm test", &mut npm(&["test"])).map(drop)
}

/// The files that a server hands out, in `web/dist`.
pub(crate) fn build() -> anyhow::Result<()> {
    step("npm run build", &mut npm(&["run", "build"])).map(drop)
}

/// Whole games in a real browser, through the program that cargo built last.
pub(crate) fn play_in_browser() -> anyhow::Result<()> {
    in_browser("e2e")
}

/// Pictures in `web/screenshots`: of every main page (`screenshots`), or of the table at all sizes (`matrix`).
pub(crate) fn take_pictures(script: &str) -> anyhow::Result<()> {
    packages()?;
    build_program()?;
    in_browser(script)
}

fn in_browser(script: &str) -> anyhow::Result<()> {
    let browser = browser()?;
    let mut command = npm(&["run", script]);
    command.env("CHROMIUM", browser).env("AZULEJO_BIN", program("debug"));
    command.env("AZULEJO_GOLDEN", wasm::golden()).env("AZULEJO_NATIVE", wasm::native());
    step(&format!("npm run {script}"), &mut command).map(drop)
}

fn npm(args: &[&str]) -> Command {
    let mut command = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    command.args(args).current_dir(root().join("web"));
    command
}

/// Installs the packages of `web/package-lock.json` if it has changed since they were installed.
pub(crate) fn packages() -> anyhow::Result<()> {
    let need = "the web app needs Node.js 20 or newer, with npm";
    let version = Command::new("node").arg("--version").output().context(need)?.stdout;
    let version = String::from_utf8_lossy(&version);
    let major = version.trim().trim_start_matches('v').split('.').next().unwrap_or_default();
    if major.parse().is_ok_and(|major: u32| major < 20) {
        bail!("{need}; this is {version}");
    }
    let time = |path: &str| -> Option<SystemTime> {
        root().join("web").join(path).metadata().ok()?.modified().ok()
    };
    match (time("node_modules/.package-lock.json"), time("package-lock.json")) {
        (Some(installed), Some(wanted)) if installed >= wanted => Ok(()),
        _ => step("npm ci", &mut npm(&["ci", "--no-audit", "--no-fund"])).map(drop),
    }
}

/// A Chromium: the one named in the environment, one on the machine, or one installed now.
fn browser() -> anyhow::Result<PathBuf> {
    if let Some(named) = std::env::var_os("CHROMIUM") {
        return Ok(named.into());
    }
    let here = || {
        machine::find_program(&[
            "chromium",
            "chromium-browser",
            "google-chrome",
            "google-chrome-stable",
            "/Applications/Chromium.app/Contents/MacOS/Chromium",
            "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
            "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
        ])
    };
    if let Some(found) = here().or_else(downloaded) {
        return Ok(found);
    }
    let remedy = "install one, or name it in the variable CHROMIUM";
    if machine::is_forbidden() {
        bail!("there is no Chromium, and --no-install forbids installing one: {remedy}");
    }
    if machine::can_install()
        && machine::install("chromium").is_ok()
        && let Some(found) = here()
    {
        return Ok(found);
    }
    let with = if machine::can_install() { "--with-deps" } else { "--no-shell" };
    step(
        "playwright-core install",
        &mut npm(&["exec", "playwright-core", "install", with, "chromium"]),
    )
    .ok()
    .and_then(|_| downloaded())
    .with_context(|| format!("there is no Chromium, and none could be installed: {remedy}"))
}

/// The Chromium that Playwright has downloaded, if there is one.
fn downloaded() -> Option<PathBuf> {
    let ask = "console.log(require('playwright-core').chromium.executablePath())";
    let said =
        Command::new("node").args(["-e", ask]).current_dir(root().join("web")).output().ok()?;
    let path = PathBuf::from(String::from_utf8(said.stdout).ok()?.trim());
    path.is_file().then_some(path)
}
