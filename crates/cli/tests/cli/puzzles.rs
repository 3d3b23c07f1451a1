//! `azulejo puzzles`: a set is made again byte for byte, on any number of threads and after a stop; the
//! second solver confirms the set of the repository and finds false claims.

use crate::run::{Folder, azulejo};
use serde_json::Value;
use std::fs;

/// The set of the repository.
const SET: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/public/puzzles");

fn make(out: &str, count: &str, threads: &str) {
    azulejo(&["puzzles", "make", "-s", "test", "-n", count, "-t", threads, "-o", out]).fine();
}

#[test]
fn sets_are_made_again_byte_for_byte() {
    let here = Folder::new();
    let (one, two) = (here.file("one"), here.file("two"));
    make(&one, "3", "1");
    make(&two, "3", "3");
    let read = |folder: &str, file: &str| fs::read_to_string(format!("{folder}/{file}")).unwrap();
    for file in ["1.txt", "index.json"] {
        assert_eq!(read(&one, file), read(&two, file));
    }
    let part = read(&one, "1.txt");
    assert!(part.starts_with("# azulejo puzzles 1, seed test, network "), "{part}");
    assert_eq!(part.lines().count(), 4, "{part}");
    let index: Value = serde_json::from_str(&read(&one, "index.json")).unwrap();
    assert_eq!((&index["puzzles"], &index["parts"][0]["file"]), (&3.into(), &"1.txt".into()));
    assert_eq!(fs::read_dir(&one).unwrap().count(), 2, "only the set is left");
    azulejo(&["puzzles", "verify", &one]).fine();
}

#[test]
fn making_goes_on_after_a_stop() {
    let here = Folder::new();
    let (whole, parts) = (here.file("whole"), here.file("parts"));
    make(&whole, "2", "1");
    let set = fs::read_to_string(format!("{whole}/1.txt")).unwrap();
    // As if it was stopped in the middle of the first game: its puzzle is made again.
    let (head, lines) = set.split_once('\n').unwrap();
    let (head, _) = head.split_once(", part").unwrap();
    fs::create_dir(&parts).unwrap();
    let making = format!("{parts}/making.txt");
    fs::write(&making, format!("{head}\n{lines}")).unwrap();
    make(&parts, "2", "1");
    assert_eq!(fs::read_to_string(format!("{parts}/1.txt")).unwrap(), set);
    fs::write(&making, "# azulejo puzzles 1, seed other, network 0\n").unwrap();
    let run = azulejo(&["puzzles", "make", "-s", "test", "-n", "2", "-o", &parts]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("belongs to another seed or network"), "{}", run.stderr);
}

#[test]
fn second_solver_confirms_a_sample_of_the_set() {
    let n_puzzles: usize = (1..)
        .map_while(|n| fs::read_to_string(format!("{SET}/{n}.txt")).ok())
        .map(|part| part.lines().filter(|line| !line.starts_with('#')).count())
        .sum();
    let every = (n_puzzles / 30).max(1).to_string();
    let report = azulejo(&["puzzles", "verify", SET, "--every", &every]).fine();
    assert!(report.ends_with(" puzzles checked, 0 wrong\n"), "{report}");
}

#[test]
fn false_claims_are_found() {
    let here = Folder::new();
    let part = fs::read_to_string(format!("{SET}/1.txt")).unwrap();
    let line = part.lines().nth(1).unwrap();
    let words: Vec<&str> = line.split(' ').collect();
    let position = &azulejo(&["puzzles", "show", words[0], "--set", SET, "--json"]).fine();
    let puzzle: Value = serde_json::from_str(position).unwrap();
    let moves = azulejo(&["moves", puzzle["position"].as_str().unwrap()]).fine();
    let is_move = |m: &&str| m.len() == 3 && m.starts_with(|c: char| c.is_ascii_digit());
    let other = moves.split_whitespace().filter(is_move).find(|m| !words[5].starts_with(m));
    let check = |word: usize, wrong: &str, expected: &str| {
        let mut words = words.clone();
        words[word] = wrong;
        let file = here.write("wrong.txt", words.join(" "));
        let run = azulejo(&["puzzles", "verify", &file]);
        assert_eq!(run.code, Some(1), "{}{}", run.stdout, run.stderr);
        assert!(run.stdout.contains(expected), "{}", run.stdout);
    };
    check(2, "+500", "by 500");
    check(5, other.expect("another move"), "");
}

#[test]
fn puzzles_are_shown_with_and_without_the_solution() {
    let part = fs::read_to_string(format!("{SET}/1.txt")).unwrap();
    let words: Vec<&str> = part.lines().nth(1).unwrap().split(' ').collect();
    let show = |more: &[&str]| {
        azulejo(&[&["puzzles", "show", words[0], "--set", SET], more].concat()).fine()
    };
    let (closed, open) = (show(&[]), show(&["--solution"]));
    assert!(closed.contains(&format!("Puzzle {}, rating {}", words[0], words[3])), "{closed}");
    assert!(!closed.contains("Solution") && open.contains("Solution: "), "{open}");
    azulejo(&["puzzles", "show", "--set", SET]).fine();
    let run = azulejo(&["puzzles", "show", "nobody", "--set", SET]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("has the id nobody"), "{}", run.stderr);
}
