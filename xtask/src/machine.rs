//! What the tests need of a machine, and installing what is missing: packages of Debian and Ubuntu,
//! as root, targets of rustup, and a browser. `--no-install` forbids all of it.

use crate::step;
use anyhow::bail;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

static IS_FORBIDDEN: AtomicBool = AtomicBool::new(false);

/// From now on nothing is installed.
pub(crate) fn forbid_installing() {
    IS_FORBIDDEN.store(true, Ordering::Relaxed);
}

/// Whether `--no-install` was given.
pub(crate) fn is_forbidden() -> bool {
    IS_FORBIDDEN.load(Ordering::Relaxed)
}

/// The first of these programs that is on the path, or is an existing path itself.
pub(crate) fn find_program(names: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    names.iter().find_map(|name| {
        // Joining an absolute path gives that path.
        folders.iter().map(|folder| folder.join(name)).find(|file| file.is_file())
    })
}

/// Installs PostgreSQL if it is missing and can be installed: the tests start servers of their own
/// from it, and fail without one.
pub(crate) fn need_postgres() -> anyhow::Result<()> {
    let is_here = Path::new("/usr/lib/postgresql").exists()
        || Command::new("initdb").arg("--version").output().is_ok();
    if is_here || !can_install() { Ok(()) } else { install("postgresql") }
}

/// Installs a program by its package if it is missing.
pub(crate) fn need_program(program: &str, package: &str) -> anyhow::Result<()> {
    let at = format!("/usr/sbin/{program}");
    if find_program(&[program, &at]).is_some() {
        return Ok(());
    }
    if !can_install() {
        bail!("`{program}` is missing: install it");
    }
    install(package)
}

/// Adds a target to the Rust toolchain if it is missing.
pub(crate) fn need_rust_target(target: &str) -> anyhow::Result<()> {
    let sysroot = Command::new("rustc").args(["--print", "sysroot"]).output()?.stdout;
    let sysroot = PathBuf::from(String::from_utf8(sysroot)?.trim());
    if sysroot.join("lib/rustlib").join(target).exists() {
        return Ok(());
    }
    let command = format!("rustup target add {target}");
    if is_forbidden() {
        bail!("the Rust target {target} is missing, and --no-install forbids `{command}`");
    }
    println!("xtask: installing the Rust target {target} with `{command}`");
    step(&command, Command::new("rustup").args(["target", "add", target])).map(drop)
}

/// Whether packages of the system can be installed: on Debian or Ubuntu, as root, if not forbidden.
pub(crate) fn can_install() -> bool {
    let is_root = || Command::new("id").arg("-u").output().is_ok_and(|id| id.stdout == b"0\n");
    !is_forbidden() && Path::new("/usr/bin/apt-get").exists() && is_root()
}

/// Installs a package of the system; a fresh machine may have to fetch the list of packages first.
pub(crate) fn install(package: &str) -> anyhow::Result<()> {
    println!("xtask: installing the system package `{package}` (--no-install forbids this)");
    let apt = |args: &[&str]| {
        let mut command = Command::new("apt-get");
        command.args(args).env("DEBIAN_FRONTEND", "noninteractive");
        step(&format!("apt-get {}", args.join(" ")), &mut command).map(drop)
    };
    let wanted = ["install", "--yes", "--no-install-recommends", package];
    apt(&wanted).or_else(|_| apt(&["update"]).and_then(|()| apt(&wanted)))
}
