//! The fingerprint of the search is the one in the repository, on every machine.
//!
//! `testdata/bench.txt` has a line for each evaluation: its name and the node count of `azulejo bench
//! search`. A change of the search or the evaluation changes it; with AZULEJO_BLESS=1 in the
//! environment this test writes the new count.

use crate::run::{azulejo, repository};
use std::fmt::Write;
use std::fs;

const HEAD: &str = "\
# The node counts of `azulejo bench search`, by evaluation: the fingerprint of the search.
# After an intended change: AZULEJO_BLESS=1 cargo test -p azulejo --test cli bench
";

#[test]
fn the_fingerprint_is_the_one_in_the_repository() {
    let path = repository().join("testdata/bench.txt");
    let mut printed = HEAD.to_owned();
    for eval in ["learned", "classic"] {
        let report =
            azulejo(&["bench", "search", "--passes", "1", "--json", "--eval", eval]).json();
        let _ = writeln!(printed, "{eval} {}", report["nodes"]);
    }
    if std::env::var_os("AZULEJO_BLESS").is_some() {
        fs::write(&path, printed).unwrap();
        return;
    }
    let written = fs::read_to_string(&path).unwrap();
    assert_eq!(
        printed, written,
        "the engine searches other nodes than testdata/bench.txt says. If that is meant, run\n  \
         AZULEJO_BLESS=1 cargo test -p azulejo --test cli bench\n"
    );
}

#[test]
fn bench_without_a_command_is_bench_search() {
    let count = |args: &[&str]| azulejo(args).json()["nodes"].as_u64().unwrap();
    let short = count(&["bench", "--json", "--depth", "2"]);
    assert_eq!(count(&["bench", "search", "--json", "--depth", "2"]), short);
    assert!(count(&["bench", "--json", "--depth", "3"]) > short);
    let text = azulejo(&["bench", "--depth", "2", "--each"]).fine();
    // Two lines of totals, one per position, and one for each of ten variants.
    assert_eq!(text.lines().count(), 2 + 40 + 10, "{text}");
    assert!(text.lines().last().unwrap().starts_with(&format!("{short} nodes, ")), "{text}");
}

#[test]
fn tactics_are_solved_or_not() {
    let solved = azulejo(&["bench", "tactics", "--nodes", "100000", "--positions", "5"]);
    assert!(solved.fine().ends_with("ms\n"));
    // One node is enough for a move, but not for the best one.
    let unsolved = azulejo(&["bench", "tactics", "--nodes", "1", "--json"]);
    assert_eq!(unsolved.code, Some(1));
    let report: serde_json::Value = serde_json::from_str(&unsolved.stdout).unwrap();
    assert!(report["solved"].as_u64() < report["positions"].as_u64(), "{report}");
}

#[test]
fn rounds_are_solved_near_their_end() {
    let report = azulejo(&["bench", "solve", "--times", "200,50,200", "--rounds", "1", "--json"]);
    let report = report.json();
    let times: Vec<_> = report["times"].as_array().unwrap().iter().map(|t| &t["ms"]).collect();
    assert_eq!(times, [50, 200]);
    let rows = report["by_plies"].as_array().unwrap();
    assert_eq!(rows.len() as u64, report["positions"].as_u64().unwrap());
    // A position with one ply to go is solved at once.
    assert_eq!(rows[0]["solved"].as_array().unwrap(), &[1, 1]);
    assert!(report["times"][1]["half_solved"].as_u64().unwrap() >= 1);
}
