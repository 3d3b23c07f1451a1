//! The libraries that run in a page compile for WebAssembly.

use crate::{cargo, machine};

const TARGET: &str = "wasm32-unknown-unknown";

pub(crate) fn check() -> anyhow::Result<()> {
    machine::need_rust_target(TARGET)?;
    // The table depends on all the others: rules, notation, engine.
    cargo(&["check", "--target", TARGET, "--package", "azulejo-table"]).map(drop)
}
