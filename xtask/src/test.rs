//! The whole check. Every step can fail; nothing is skipped.

use crate::{api, cargo, cargo_command, machine, publish, python, readme, step, wasm, web};
use std::thread;
use std::time::Instant;

/// A step of the check.
type Step = (&'static str, fn() -> anyhow::Result<()>);

/// Steps that run one after another, beside the other lanes of a stage.
type Lane = &'static [Step];

/// The stages of the check. Two lanes share a stage where one of them leaves a core idle.
const STAGES: [&[Lane]; 4] = [
    &[&[("format", || cargo(&["fmt", "--all", "--check"]).map(drop)), ("machine", prepare)]],
    &[&[("lints", lints)], &[("web app", web::check)]],
    // The browser plays with the module, which the program contains.
    &[&[("tests", tests), ("WebAssembly", wasm::check), ("browser", web::play_in_browser)]],
    &[
        // They use what the tests have built.
        &[("API", || api::check(api::SECONDS)), ("Python", python::check)],
        &[
            ("README", readme::check),
            ("documentation", documentation),
            ("packages", publish::dry_run),
        ],
    ],
];

/// Features that no crate turns on; their tests run with all others.
pub(crate) const FEATURES: &str = "azulejo-engine/serde,azulejo-notation/serde";

pub(crate) fn run() -> anyhow::Result<()> {
    let start = Instant::now();
    let mut times = Vec::new();
    for stage in STAGES {
        let done: Vec<anyhow::Result<_>> = thread::scope(|scope| {
            let lanes: Vec<_> = stage.iter().map(|lane| scope.spawn(|| run_lane(lane))).collect();
            lanes.into_iter().map(|lane| lane.join().expect("a lane does not panic")).collect()
        });
        for lane in done {
            times.extend(lane?);
        }
    }
    for (name, seconds) in times {
        println!("xtask: {name:<14} {seconds:>5} s");
    }
    println!("xtask: all is well, in {} s", start.elapsed().as_secs());
    Ok(())
}

/// Runs the steps of a lane and returns their seconds.
fn run_lane(lane: Lane) -> anyhow::Result<Vec<(&'static str, u64)>> {
    let timed = |&(name, run): &Step| {
        let start = Instant::now();
        run().map(|()| (name, start.elapsed().as_secs()))
    };
    lane.iter().map(timed).collect()
}

/// Installs what is missing before anything is built: build scripts install nothing of the system, and two
/// lanes must not install the same packages.
fn prepare() -> anyhow::Result<()> {
    machine::need_postgres()?;
    wasm::need_target()?;
    web::packages()
}

pub(crate) fn lints() -> anyhow::Result<()> {
    cargo(&["clippy", "--workspace", "--all-targets", "--", "--deny", "warnings"]).map(drop)
}

fn tests() -> anyhow::Result<()> {
    let mut command = cargo_command(&["test", "--workspace", "--features", FEATURES]);
    step("cargo test --workspace", command.env("AZULEJO_REQUIRE_POSTGRES", "1")).map(drop)
}

fn documentation() -> anyhow::Result<()> {
    let mut command = cargo_command(&["doc", "--workspace", "--no-deps"]);
    step("cargo doc", command.env("RUSTDOCFLAGS", "--deny warnings")).map(drop)
}
