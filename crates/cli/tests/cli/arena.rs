//! `azulejo arena` from outside: matches between real processes.

mod faults;
mod long_matches;
mod matches;
mod page;

use crate::run::{Folder, Run, sh};
use azulejo_notation::{Record, Records};
use serde_json::Value;

/// Runs a match and parses its JSON; exit code 1 is an answer too.
#[track_caller]
fn arena(args: &str, here: &Folder) -> Value {
    let Run { code, stdout, stderr } = sh(&format!("azulejo arena --json {args}"), here);
    assert!(matches!(code, Some(0 | 1)) && stderr.is_empty(), "{args}: {code:?} {stderr}");
    serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{args}: {error}: {stdout}"))
}

/// The records of a match, all of them complete.
fn records(path: &str) -> Vec<Record> {
    let text = std::fs::read_to_string(path).unwrap();
    Records::new(text.lines()).map(|piece| piece.parse().unwrap()).collect()
}
