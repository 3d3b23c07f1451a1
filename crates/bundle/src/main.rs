//! `azulejo-bundle module` builds the module into `web/module`; `azulejo-bundle web FOLDER BASE` builds
//! the web app into a folder. For `cargo xtask`.

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match args.as_slice() {
        ["module", target_folder] => azulejo_bundle::build_module(Path::new(target_folder))
            .map_err(|error| error.to_string()),
        ["web", folder, base] => azulejo_bundle::build_web(Path::new(folder), base),
        _ => Err("usage: azulejo-bundle module TARGET-FOLDER | web FOLDER BASE".to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("azulejo-bundle: {problem}");
            ExitCode::FAILURE
        }
    }
}
