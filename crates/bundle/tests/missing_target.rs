//! Without the Rust target of the module the build says in one line what is missing and what to do.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

#[test]
fn a_missing_target_is_reported_in_one_line() {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("missing-target");
    let _ = fs::remove_dir_all(&root);
    let package = root.join("crates/bundle");
    let old_module = root.join("web/module");
    fs::create_dir_all(&package).unwrap();
    fs::create_dir_all(&old_module).unwrap();
    // A compiler whose toolchain has no folder for the target.
    let rustc = root.join("rustc");
    fs::write(&rustc, "#!/bin/sh\necho /nowhere/lib/rustlib/wasm32-unknown-unknown/lib\n").unwrap();
    fs::set_permissions(&rustc, fs::Permissions::from_mode(0o755)).unwrap();

    let output = Command::new(env!("CARGO_BIN_EXE_azulejo-bundle"))
        .arg("module")
        .arg(root.join("target"))
        .env("RUSTC", &rustc)
        .env("CARGO_MANIFEST_DIR", &package)
        .output()
        .unwrap();

    assert!(!output.status.success());
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        said,
        "azulejo-bundle: the Rust target wasm32-unknown-unknown is missing; run `rustup target add \
         wasm32-unknown-unknown` and build again\n"
    );
    assert!(!old_module.exists(), "an old module would be built into the web app");
}
