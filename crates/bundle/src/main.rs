//! `azulejo-bundle module TARGET-FOLDER` builds the module into `web/module`; `azulejo-bundle site FOLDER
//! BASE ADDRESS` builds the web app for a static host into a folder. For `cargo xtask`.

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match args.as_slice() {
        ["module", target_folder] => azulejo_bundle::build_module(Path::new(target_folder))
            .map_err(|error| error.to_string()),
        ["site", folder, base, address] => {
            azulejo_bundle::build_site(Path::new(folder), base, address)
        }
        _ => {
            Err("usage: azulejo-bundle module TARGET-FOLDER | site FOLDER BASE ADDRESS".to_owned())
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("azulejo-bundle: {problem}");
            ExitCode::FAILURE
        }
    }
}
