//! The quick check before a commit: format, lints of the workspace, and the tests of the packages
//! with changes. `cargo xtask test` tests the packages that depend on them.

use crate::{cargo, root, test, web};
use anyhow::{Context, ensure};
use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

pub(crate) fn run() -> anyhow::Result<()> {
    let changed = changed_files()?;
    cargo(&["fmt", "--all", "--check"])?;
    if changed.iter().any(|file| file.starts_with("web/")) {
        web::check()?;
    }
    if !changed.iter().any(|file| is_rust(file)) {
        return Ok(());
    }
    test::lints()?;
    let packages = changed.iter().filter_map(|file| package_of(file)).collect::<BTreeSet<_>>();
    if packages.is_empty() {
        return Ok(());
    }
    let mut args = vec!["test", "--lib", "--bins"];
    args.extend(packages.iter().flat_map(|package| ["--package", package.as_str()]));
    cargo(&args).map(drop)
}

/// The files that differ from the last commit; if none does, those of the last commit.
fn changed_files() -> anyhow::Result<Vec<String>> {
    let git = |args: &[&str]| -> anyhow::Result<Vec<String>> {
        let output = Command::new("git").args(args).current_dir(root()).output()?;
        ensure!(output.status.success(), "git {} failed", args.join(" "));
        let text = String::from_utf8(output.stdout).context("git prints UTF-8")?;
        Ok(text.lines().map(str::to_owned).collect())
    };
    let mut files = git(&["diff", "--name-only", "HEAD"])?;
    files.extend(git(&["ls-files", "--others", "--exclude-standard"])?);
    if files.is_empty() {
        return git(&["diff-tree", "--no-commit-id", "--name-only", "-r", "HEAD"]);
    }
    Ok(files)
}

fn is_rust(file: &str) -> bool {
    file.ends_with(".rs") || file.ends_with("Cargo.toml") || file == "Cargo.lock"
}

/// The package that a file belongs to.
fn package_of(file: &str) -> Option<String> {
    let mut folders = file.split('/');
    let folder = match folders.next()? {
        "crates" => format!("crates/{}", folders.next()?),
        "xtask" => "xtask".to_owned(),
        _ => return None,
    };
    let manifest = fs::read_to_string(root().join(folder).join("Cargo.toml")).ok()?;
    let name = manifest.lines().find_map(|line| line.strip_prefix("name = "))?;
    Some(name.trim_matches('"').to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_belong_to_packages() {
        assert_eq!(package_of("crates/rules/src/wall.rs").as_deref(), Some("azulejo-rules"));
        assert_eq!(package_of("crates/cli/tests/cli/main.rs").as_deref(), Some("azulejo"));
        assert_eq!(package_of("xtask/src/main.rs").as_deref(), Some("xtask"));
        assert_eq!(package_of("docs/web.md"), None);
    }
}
