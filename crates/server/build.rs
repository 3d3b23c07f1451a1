//! Builds the web app, so that one `cargo build` makes the whole program. Without Node.js the program
//! is built without the web app, with a warning. `AZULEJO_WEB=skip` in the environment leaves it out
//! on purpose.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;
use std::{env, fs};

/// The sources of the web app; everything else in `web/` is for its tests.
const SOURCES: [&str; 7] = [
    "src",
    "public",
    "index.html",
    "package.json",
    "package-lock.json",
    "tsconfig.json",
    "vite.config.ts",
];

fn main() {
    println!("cargo::rerun-if-env-changed=AZULEJO_WEB");
    let web = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web");
    for source in SOURCES {
        println!("cargo::rerun-if-changed={}", web.join(source).display());
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it")).join("web");
    fs::create_dir_all(&out).expect("the output folder can be written");
    if env::var("AZULEJO_WEB").is_ok_and(|value| value == "skip") {
        return;
    }
    if let Err(problem) = build(&web, &out) {
        // A partial build would be worse than none.
        let _ = fs::remove_dir_all(&out);
        fs::create_dir_all(&out).expect("the output folder can be written");
        println!("cargo::warning=the web app is left out: {problem}");
        println!(
            "cargo::warning=everything else works; to build the web app, install Node.js 20 or newer with npm, then run `cargo clean --package azulejo-server` and build again"
        );
    }
}

fn build(web: &Path, out: &Path) -> Result<(), String> {
    if !has_packages(web) {
        run(web, Command::new(npm()).args(["ci", "--no-audit", "--no-fund"]))?;
    }
    let vite = web.join("node_modules/vite/bin/vite.js");
    run(
        web,
        Command::new("node")
            .arg(vite)
            .args(["build", "--emptyOutDir", "--logLevel", "warn", "--outDir"])
            .arg(out),
    )
}

/// Whether the installed packages are newer than the lock file.
fn has_packages(web: &Path) -> bool {
    let time =
        |path: &str| -> Option<SystemTime> { fs::metadata(web.join(path)).ok()?.modified().ok() };
    matches!((time("node_modules/.package-lock.json"), time("package-lock.json")),
        (Some(installed), Some(wanted)) if installed >= wanted)
}

fn npm() -> &'static str {
    if cfg!(windows) { "npm.cmd" } else { "npm" }
}

fn run(web: &Path, command: &mut Command) -> Result<(), String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command
        .current_dir(web)
        .output()
        .map_err(|error| format!("cannot start {name}: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    // Cargo shows warnings line by line.
    let said = [output.stderr, output.stdout].concat();
    let said = String::from_utf8_lossy(&said);
    let last: Vec<&str> = said.lines().filter(|line| !line.trim().is_empty()).collect();
    let from = last.len().saturating_sub(12);
    Err(format!("{name} failed: {}", last[from..].join(" | ")))
}
