//! The web app: Vite bundles `web/`, with the module in `web/module` if there is one.

use crate::{root, run};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::SystemTime;

/// The sources of the web app; everything else in `web/` is for its tests.
pub(crate) const SOURCES: [&str; 7] = [
    "web/src",
    "web/public",
    "web/index.html",
    "web/package.json",
    "web/package-lock.json",
    "web/tsconfig.json",
    "web/vite.config.ts",
];

/// Builds the web app into a folder, to be served under a base path such as `/` or `/azulejo/`.
///
/// # Errors
/// If Node.js is missing or the build fails.
pub fn build_web(out: &Path, base: &str) -> Result<(), String> {
    let web = root().join("web");
    if !has_packages(&web) {
        let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
        run(Command::new(npm).args(["ci", "--no-audit", "--no-fund"]).current_dir(&web))?;
    }
    let vite = web.join("node_modules/vite/bin/vite.js");
    run(Command::new("node")
        .arg(vite)
        .args(["build", "--emptyOutDir", "--logLevel", "warn", "--base", base, "--outDir"])
        .arg(out)
        .current_dir(&web))
}

/// Whether the installed packages are newer than the lock file.
fn has_packages(web: &Path) -> bool {
    let time =
        |path: &str| -> Option<SystemTime> { fs::metadata(web.join(path)).ok()?.modified().ok() };
    matches!((time("node_modules/.package-lock.json"), time("package-lock.json")),
        (Some(installed), Some(wanted)) if installed >= wanted)
}
