//! The archive of a release for one target: the program with the web app inside, the licenses and
//! the documentation, with its SHA-256 checksum. It is unpacked and tried before anybody gets it.

use crate::{cargo, readme, root, step, target};
use anyhow::{Context, ensure};
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Files that go with the program.
const FILES: [&str; 5] =
    ["README.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT", "docs/README.md"];

pub(crate) fn run(triple: Option<&str>) -> anyhow::Result<()> {
    let host = host()?;
    let triple = triple.unwrap_or(&host);
    let mut build = vec!["build", "--release", "--package", "azulejo"];
    let mut folder = target();
    // For this machine the build is the same as without a target, and may be there already.
    if triple != host {
        build.extend(["--target", triple]);
        folder.push(triple);
    }
    cargo(&build)?;
    let built = folder.join("release");

    let version = env!("CARGO_PKG_VERSION");
    let name = format!("azulejo-{version}-{triple}");
    let dist = target().join("dist");
    let folder = dist.join(&name);
    // A folder of an earlier run may hold files that are no longer part of a release.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let suffix = if triple.contains("windows") { ".exe" } else { "" };
    let program = format!("azulejo{suffix}");
    let built = built.join(&program);
    fs::copy(&built, folder.join(&program)).with_context(|| built.display().to_string())?;
    for file in FILES {
        let to = folder.join(file);
        fs::create_dir_all(to.parent().context("a file is in a folder")?)?;
        fs::copy(root().join(file), to).with_context(|| file.to_owned())?;
    }

    let archive = format!("{name}.{}", if suffix.is_empty() { "tar.gz" } else { "zip" });
    // `-a` takes the format from the name; the tar of Windows writes zip files, too.
    step(&archive, Command::new("tar").args(["-acf", &archive, &name]).current_dir(&dist))?;
    let sum = Sha256::digest(fs::read(dist.join(&archive))?);
    let sum = sum.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    });
    fs::write(dist.join(format!("{archive}.sha256")), format!("{sum}  {archive}\n"))?;
    let n_bytes = fs::metadata(folder.join(&program))?.len();
    println!("xtask: {archive}: the program has {:.1} MB", n_bytes as f64 / 1e6);

    if triple == host {
        try_out(&dist, &archive, &name, &program)?;
    } else {
        println!("xtask: {archive} is for another machine: it was not tried");
    }
    Ok(())
}

/// Unpacks the archive in an empty folder, runs the program and opens its first page.
fn try_out(dist: &Path, archive: &str, name: &str, program: &str) -> anyhow::Result<()> {
    let folder = dist.join("try");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder)?;
    let archive = dist.join(archive);
    let mut unpack = Command::new("tar");
    step("unpack", unpack.arg("-xf").arg(archive).current_dir(&folder))?;
    let program = folder.join(name).join(program);
    let version = Command::new(&program).arg("--version").output()?;
    let version = String::from_utf8(version.stdout)?;
    ensure!(version.contains(env!("CARGO_PKG_VERSION")), "--version printed {version:?}");
    let page = readme::first_page(Command::new(&program).env("AZULEJO_DATA", folder.join("data")))?;
    ensure!(page.contains("<script"), "the program was built without the web app");
    fs::remove_dir_all(&folder)?;
    println!("xtask: unpacked and tried: {}", version.trim());
    Ok(())
}

/// The target triple of this machine.
fn host() -> anyhow::Result<String> {
    let version = String::from_utf8(Command::new("rustc").arg("-vV").output()?.stdout)?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).context("rustc -vV names no host")
}
