//! The fuzz targets: each takes any bytes and panics where a law does not hold. libFuzzer runs them
//! through `fuzz/`; `tests/corpus.rs` replays the committed corpus with a stable compiler.

mod bytes;
mod json;
mod moves;
mod play;
mod position;
mod protocol;
mod record;
mod records;
mod start;

use arbitrary::{Arbitrary, Unstructured};

/// A fuzz target.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name, which is also the name of its corpus folder.
    pub name: &'static str,
    /// The check. It panics when a law is broken.
    pub check: fn(&[u8]),
}

/// All fuzz targets.
pub const TARGETS: [Target; 6] = [
    Target { name: "position", check: position::check_bytes },
    Target { name: "moves", check: moves::check_bytes },
    Target { name: "record", check: record::check_bytes },
    Target { name: "json", check: json::check_bytes },
    Target { name: "protocol", check: protocol::check_bytes },
    Target { name: "play", check: play::check_bytes },
];

/// Runs the target of that name.
///
/// # Panics
/// If there is no such target, or a law is broken.
pub fn run(name: &str, data: &[u8]) {
    let target = TARGETS.iter().find(|target| target.name == name);
    (target.expect("a fuzz target has this name").check)(data);
}

/// The longest valid UTF-8 prefix of the input, for targets that read text.
fn text(data: &[u8]) -> &str {
    <&str>::arbitrary_take_rest(Unstructured::new(data)).unwrap_or_default()
}
