//! The libraries as packages, as a release would publish them.

use crate::cargo;
use anyhow::Context;
use std::path::PathBuf;
use std::{env, fs};

/// Packs every library and builds what was packed, so that nothing outside a package is needed.
/// Members with `publish = false` are left out: the program comes as a release.
pub(crate) fn dry_run() -> anyhow::Result<()> {
    forget_unpacked()?;
    cargo(&["publish", "--workspace", "--dry-run", "--allow-dirty"]).map(drop)
}

/// Removes the packages that an earlier run unpacked. Cargo keeps them by name and version and would build
/// this run's packages with them. Only registries without a host are local.
fn forget_unpacked() -> anyhow::Result<()> {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home
        .or_else(|| Some(env::home_dir()?.join(".cargo")))
        .context("there is no home folder")?;
    let Ok(registries) = fs::read_dir(home.join("registry/src")) else { return Ok(()) };
    for registry in registries {
        let registry = registry?;
        if registry.file_name().to_string_lossy().starts_with('-') {
            fs::remove_dir_all(registry.path())?;
        }
    }
    Ok(())
}
