//! The libraries as packages, as a release would publish them.

use crate::cargo;

/// Packs every library and builds what was packed, so that nothing outside a package is needed.
/// Members with `publish = false` are left out: the program comes as a release.
pub(crate) fn dry_run() -> anyhow::Result<()> {
    cargo(&["publish", "--workspace", "--dry-run", "--allow-dirty"]).map(drop)
}
