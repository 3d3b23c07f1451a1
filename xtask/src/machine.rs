//! What the tests find on a machine, and getting what is missing where that can be done.

use crate::step;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The first of these programs that is on the path, or is a path itself.
pub(crate) fn find_program(names: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    names.iter().find_map(|name| {
        // Joining an absolute path gives that path.
        folders.iter().map(|folder| folder.join(name)).find(|file| file.is_file())
    })
}

/// Whether packages of the system can be installed: Debian's or Ubuntu's, by the superuser.
pub(crate) fn can_install() -> bool {
    let is_root = Command::new("id").arg("-u").output().is_ok_and(|id| id.stdout == b"0\n");
    is_root && Path::new("/usr/bin/apt-get").exists()
}

/// Installs a package of the system; a fresh machine may have to fetch the list of packages first.
pub(crate) fn install(package: &str) -> anyhow::Result<()> {
    let apt = |args: &[&str]| {
        let mut command = Command::new("apt-get");
        command.args(args).env("DEBIAN_FRONTEND", "noninteractive");
        step(&format!("apt-get {}", args.join(" ")), &mut command)
    };
    let wanted = ["install", "--yes", "--no-install-recommends", package];
    apt(&wanted).or_else(|_| apt(&["update"]).and_then(|()| apt(&wanted)))
}
