//! Builds the web app with its WebAssembly module, so that one `cargo build` makes the whole program.
//! Without Node.js the program is built without the web app, and without the Rust target of the module
//! the web app asks the server for everything; both with a warning. `AZULEJO_WEB=skip` in the
//! environment leaves the web app out on purpose. Nothing is installed here.

use azulejo_bundle::ModuleError;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-env-changed=AZULEJO_WEB");
    for source in azulejo_bundle::sources() {
        println!("cargo::rerun-if-changed={}", source.display());
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    let web = out.join("web");
    fs::create_dir_all(&web).expect("the output folder can be written");
    if env::var("AZULEJO_WEB").is_ok_and(|value| value == "skip") {
        return;
    }
    // `target/debug/build/NAME/out`: one module is enough for all profiles.
    let target = out.ancestors().nth(4).unwrap_or(&out);
    if let Err(problem) = azulejo_bundle::build_module(&target.join("wasm")) {
        println!("cargo::warning=the web app plays every game on the server: {problem}");
        if let ModuleError::NoTarget { libraries } = problem {
            // Adding a target changes this folder.
            println!("cargo::rerun-if-changed={}", libraries.display());
        }
    }
    if let Err(problem) = azulejo_bundle::build_web(&web) {
        leave_out(&web, &problem);
    }
}

fn leave_out(web: &Path, problem: &str) {
    // A partial build would be worse than none.
    let _ = fs::remove_dir_all(web);
    fs::create_dir_all(web).expect("the output folder can be written");
    println!("cargo::warning=the web app is left out: {problem}");
    println!(
        "cargo::warning=everything else works; to build the web app, install Node.js 20 or newer with npm, then run `cargo clean --package azulejo` and build again"
    );
}
