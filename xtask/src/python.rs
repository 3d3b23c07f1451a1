//! The Python package: tests in a virtual environment with pinned versions, wheel and source package.

use crate::test::FEATURES;
use crate::{cargo, exe, root, step, target, venv};
use anyhow::{Context, bail, ensure};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const REQUIREMENTS: &str = "crates/python/requirements.txt";

/// Games of the lockstep test, steps of the test for leaks, and calls of the fuzz test.
const AMOUNTS: [&str; 3] = ["AZULEJO_GAMES", "AZULEJO_LEAK_STEPS", "AZULEJO_FUZZ_CALLS"];

/// Builds the extension as tests are built, and runs the tests of the package.
pub(crate) fn check() -> anyhow::Result<()> {
    // The whole workspace, because its tests are built with the same features of the libraries.
    let targets = ["--lib", "--bin", "azulejo", "--example", "lockstep"];
    cargo(&[&["build", "--workspace", "--features", FEATURES][..], &targets].concat())?;
    test("debug", ["1000", "1000000", "20000"])
}

/// The tests with more games, steps and calls, of the extension as it is released.
pub(crate) fn long(games: &str) -> anyhow::Result<()> {
    let packages = ["--package=azulejo-python", "--package=azulejo-env", "--package=azulejo"];
    let targets = ["--lib", "--bin", "azulejo", "--example", "lockstep"];
    cargo(&[&["build", "--release"][..], &packages, &targets].concat())?;
    test("release", [games, "20000000", "500000"])
}

/// Runs the tests with what was built in a profile, and with these [`AMOUNTS`].
fn test(profile: &str, amounts: [&str; 3]) -> anyhow::Result<()> {
    let python = environment()?;
    let package = assemble(profile)?;
    let built = |name: &str| target().join(profile).join(name);
    let mut command = Command::new(python);
    command.args(["-m", "pytest", "--quiet", "--durations=5"]).current_dir(root());
    command.env("PYTHONPATH", package).env("PYTHONDONTWRITEBYTECODE", "1");
    // Small matrices are slower on several threads, above all on a busy machine.
    command.env("OPENBLAS_NUM_THREADS", "1");
    command.env("AZULEJO_LOCKSTEP", built("examples").join(exe("lockstep")));
    command.env("AZULEJO_PROGRAM", built(&exe("azulejo"))).envs(AMOUNTS.into_iter().zip(amounts));
    step("pytest crates/python", &mut command).map(drop)
}

/// The Python files and the extension of the last build, in a folder from which they can be imported.
fn assemble(profile: &str) -> anyhow::Result<PathBuf> {
    let folder = target().join("python");
    let _ = fs::remove_dir_all(&folder);
    copy(&root().join("crates/python/python"), &folder)?;
    let (library, extension) = if cfg!(windows) {
        ("azulejo_game.dll", "_core.pyd")
    } else if cfg!(target_os = "macos") {
        ("libazulejo_game.dylib", "_core.abi3.so")
    } else {
        ("libazulejo_game.so", "_core.abi3.so")
    };
    let library = target().join(profile).join(library);
    fs::copy(&library, folder.join("azulejo_game").join(extension))
        .with_context(|| library.display().to_string())?;
    Ok(folder)
}

fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from).with_context(|| from.display().to_string())? {
        let (from, to) = (
            entry.as_ref().map(fs::DirEntry::path),
            entry.as_ref().map(|e| to.join(e.file_name())),
        );
        let (Ok(from), Ok(to)) = (from, to) else { bail!("cannot read the Python files") };
        match from.is_dir() {
            true if from.ends_with("__pycache__") => {}
            true => copy(&from, &to)?,
            false => drop(fs::copy(&from, &to)?),
        }
    }
    Ok(())
}

/// A wheel for this machine or another one, and the source package, in `target/dist`. Both are
/// installed in an empty environment and tried, unless the wheel is for another machine.
pub(crate) fn dist(triple: Option<&str>) -> anyhow::Result<()> {
    let python = environment()?;
    let out = target().join("dist");
    let mut build = Command::new(&python);
    build.args(["-m", "maturin", "build", "--release", "--sdist", "--out"]).arg(&out);
    if let Some(triple) = triple {
        build.args(["--target", triple]);
    }
    step("maturin build", free(&mut build))?;
    if triple.is_some() {
        println!("xtask: the wheel is for another machine: it was not tried");
        return Ok(());
    }
    try_out(&python, &newest(&out, ".whl")?)?;
    try_out(&python, &newest(&out, ".tar.gz")?)
}

/// Installs a package in an empty environment, as a user would, and runs the benchmark with it.
fn try_out(python: &Path, package: &Path) -> anyhow::Result<()> {
    let place = target().join("python-try");
    step("python3 -m venv", Command::new(python).args(["-m", "venv", "--clear"]).arg(&place))?;
    let python = venv::python(&place);
    let mut install = Command::new(&python);
    install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]).arg(package);
    // What is built from the source package is kept for the next time.
    install.env("CARGO_TARGET_DIR", target().join("python-source"));
    step(&format!("pip install {}", package.display()), free(&mut install))?;
    let bench = ["-m", "azulejo_game.bench", "--seconds", "1"];
    step("python -m azulejo_game.bench", Command::new(&python).args(bench).current_dir(&place))?;
    println!("xtask: installed and tried: {}", package.display());
    Ok(())
}

/// Without the settings of this workspace about Python: maturin decides itself.
fn free(command: &mut Command) -> &mut Command {
    command
        .env_remove("PYO3_NO_PYTHON")
        .env_remove("PYO3_BUILD_EXTENSION_MODULE")
        .current_dir(root())
}

/// The newest file of this package with an ending.
fn newest(folder: &Path, ending: &str) -> anyhow::Result<PathBuf> {
    let files = fs::read_dir(folder)?.flatten().map(|entry| entry.path());
    let is_ours = |file: &PathBuf| {
        let name = file.file_name().map(|name| name.to_string_lossy().into_owned());
        name.is_some_and(|name| name.starts_with("azulejo_game-") && name.ends_with(ending))
    };
    let time = |file: &PathBuf| fs::metadata(file).and_then(|data| data.modified()).ok();
    let newest = files.filter(is_ours).max_by_key(time);
    newest.with_context(|| format!("maturin made no file azulejo_game-…{ending}"))
}

/// The Python of the environment with what the tests need.
fn environment() -> anyhow::Result<PathBuf> {
    let python = venv::environment("python-tests", "the Python tests", &root().join(REQUIREMENTS))?;
    let version = "import sys; sys.exit(sys.version_info < (3, 11))";
    let is_new_enough = Command::new(&python).args(["-c", version]).status()?.success();
    ensure!(is_new_enough, "the tests of the Python package need Python 3.11 or newer");
    Ok(python)
}
