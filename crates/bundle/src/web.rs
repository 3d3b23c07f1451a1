//! The web app: Vite bundles `web/`, with the module in `web/module` if there is one.

use crate::{root, run};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::SystemTime;

/// The sources of the web app; everything else in `web/` is for its tests.
pub(crate) const SOURCES: [&str; 9] = [
    "web/src",
    "web/public",
    "web/fonts.ts",
    "web/index.html",
    "web/package.json",
    "web/package-lock.json",
    "web/site.ts",
    "web/tsconfig.json",
    "web/vite.config.ts",
];

/// Builds the web app of a server into a folder.
///
/// # Errors
/// If Node.js is missing or the build fails.
pub fn build_web(out: &Path) -> Result<(), String> {
    vite(out, |_| {})
}

/// Builds the web app for a static host into a folder, to be served under a base path such as `/` or
/// `/azulejo/`. If the address is a whole one (`https://example.org/azulejo/`), search engines and link
/// previews are given it.
///
/// # Errors
/// If Node.js is missing or the build fails.
pub fn build_site(out: &Path, base: &str, address: &str) -> Result<(), String> {
    vite(out, |command| {
        command.args(["--mode", "site", "--base", base]);
        if address.contains("://") {
            command.env("AZULEJO_SITE", address);
        }
    })
}

fn vite(out: &Path, set: impl FnOnce(&mut Command)) -> Result<(), String> {
    let web = root().join("web");
    if !has_packages(&web) {
        let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
        run(Command::new(npm).args(["ci", "--no-audit", "--no-fund"]).current_dir(&web))?;
    }
    // Vite runs in another folder.
    let out = std::path::absolute(out).map_err(|error| format!("{}: {error}", out.display()))?;
    let mut command = Command::new("node");
    command
        .arg(web.join("node_modules/vite/bin/vite.js"))
        .args(["build", "--emptyOutDir", "--logLevel", "warn", "--outDir"])
        .arg(out)
        .current_dir(&web);
    set(&mut command);
    run(&mut command)
}

/// Whether the installed packages are newer than the lock file.
fn has_packages(web: &Path) -> bool {
    let time =
        |path: &str| -> Option<SystemTime> { fs::metadata(web.join(path)).ok()?.modified().ok() };
    matches!((time("node_modules/.package-lock.json"), time("package-lock.json")),
        (Some(installed), Some(wanted)) if installed >= wanted)
}
