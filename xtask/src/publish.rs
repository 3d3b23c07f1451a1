//! The libraries as packages, as a release would publish them.

use crate::cargo;

/// The published libraries. The program is not among them: it comes as a release.
const LIBRARIES: [&str; 5] =
    ["azulejo-rules", "azulejo-notation", "azulejo-engine", "azulejo-table", "azulejo-client"];

/// Packs every library and builds what was packed, so that nothing outside a package is needed.
pub(crate) fn dry_run() -> anyhow::Result<()> {
    let mut args = vec!["publish", "--dry-run", "--allow-dirty"];
    args.extend(LIBRARIES.iter().flat_map(|library| ["--package", library]));
    cargo(&args).map(drop)
}
