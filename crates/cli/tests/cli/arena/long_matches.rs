//! Matches that go on: interrupted and resumed, from positions, with progress lines, with more than two
//! engines, with the luck of the deals.

use super::{arena, records};
use crate::run::{Folder, program, sh};
use azulejo_notation::Start;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// What must be the same in a resumed match.
fn results(result: &Value) -> Value {
    let engines = result["engines"].as_array().unwrap();
    let engines: Vec<_> = engines
        .iter()
        .map(|engine| json!([engine["share"], engine["score"], engine["adjusted_share"]]))
        .collect();
    json!([result["games"], result["ended_by"], result["head_to_head"], engines])
}

/// A match killed with SIGKILL and resumed has the result of one that was not interrupted, and every
/// game is played once.
#[cfg(unix)]
#[test]
fn a_killed_match_is_resumed() {
    let here = Folder::new();
    let file = here.file("games.txt");
    let words = ["-e", "cmd=greedy", "-e", "cmd=greedy name=other option.Seed=1", "--json"];
    let more = ["--games", "400", "--seed", "5", "--luck", "5"];
    let args = [&["arena"], words.as_slice(), &more].concat();
    let whole = program(&args).output().unwrap();
    let whole: Value = serde_json::from_slice(&whole.stdout).unwrap();

    let args = [args.as_slice(), &["--records", &file, "--resume"]].concat();
    let mut child = program(&args).spawn().unwrap();
    let until = Instant::now() + Duration::from_secs(120);
    while std::fs::metadata(&file).map_or(0, |file| file.len()) < 20_000 {
        assert!(Instant::now() < until, "no games are played");
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    // A kill in the middle of a write may leave a part of a record.
    let before = std::fs::read_to_string(&file).unwrap();
    let n_before = before.matches("[Azulejo ").count();
    assert!(n_before > 5 && n_before < 400, "{n_before} games before the kill");
    std::fs::write(&file, format!("{before}\n[Azulejo \"1\"]\n[Rules \"2c\"]\n[Fir")).unwrap();

    let resumed = program(&args).output().unwrap();
    assert_eq!((resumed.status.code(), resumed.stderr.as_slice()), (Some(0), b"".as_slice()));
    let resumed: Value = serde_json::from_slice(&resumed.stdout).unwrap();
    assert_eq!(results(&resumed), results(&whole));
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.starts_with(before.trim_end()), "finished games are kept");
    let mut games: Vec<_> =
        records(&file).iter().map(|record| record.tag("Game").unwrap().to_owned()).collect();
    assert_eq!(games.len(), 400);
    games.sort();
    games.dedup();
    assert_eq!(games.len(), 400, "no game is played twice");
    // Nothing is left to play.
    let n_bytes = text.len();
    let again = program(&args).output().unwrap();
    let again: Value = serde_json::from_slice(&again.stdout).unwrap();
    assert_eq!(results(&again), results(&whole));
    assert_eq!(std::fs::metadata(&file).unwrap().len() as usize, n_bytes);
}

#[test]
fn a_match_resumes_only_its_own_games() {
    let here = Folder::new();
    let game = "azulejo arena --games 2 --records games.txt --resume";
    let two = "-e cmd=greedy -e cmd=random";
    sh(&format!("{game} {two} --seed 5"), &here).fine();
    let check = |args: &str, expected: &str| {
        let error = sh(&format!("{game} {args}"), &here).fails(2);
        assert!(error.contains(expected), "{args}: {error}");
    };
    check(&format!("{two} --seed 6"), "game 1.1 has the seed 5-1, but the match has 6-1");
    check(&format!("{two} --seed 5 --wall grey"), "has the rules 2c, but the match has 2g");
    check("-e cmd=greedy -e 'cmd=random name=R' --seed 5", "has the engines");
    check(two, "--seed");
    let fewer = format!("{game} {two} --seed 5").replace("--games 2", "--games 4");
    assert!(sh(&fewer, &here).fine().contains("4 games on 2 shuffles"));
    assert_eq!(records(&here.file("games.txt")).len(), 4);
}

/// Faults of the interrupted part count, too.
#[test]
fn forfeits_are_resumed() {
    let here = Folder::new();
    let script = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/arena/engine.sh");
    let bad = format!(
        "-e \"cmd='sh {} crash {}' name=Bad nodes=1\" -e cmd=random",
        script.display(),
        here.path().display()
    );
    let args = format!("{bad} --seed 5 --records games.txt --resume");
    let first = arena(&format!("{args} --games 2"), &here);
    let resumed = arena(&format!("{args} --games 2"), &here);
    assert_eq!(results(&resumed), results(&first));
    assert_eq!(
        resumed["engines"][0]["faults"],
        json!({"start": 0, "crash": 2, "time": 0, "no_answer": 0, "illegal_move": 0})
    );
    let reason = resumed["engines"][0]["first_fault"].as_str().unwrap();
    assert_eq!(Some(reason), first["engines"][0]["first_fault"].as_str());
}

#[test]
fn games_start_from_positions() {
    let here = Folder::new();
    let new = |seed: u32| sh(&format!("azulejo new --seed {seed}"), &here).fine();
    let starts: Vec<String> =
        [1, 2].iter().map(|&seed| new(seed).lines().next().unwrap().trim().to_owned()).collect();
    let text = format!("# two starts\n{}\n\n{}\n", starts[0], starts[1]);
    std::fs::write(here.file("starts.txt"), text).unwrap();
    let args = "-e cmd=greedy -e cmd=random --seed 5 --games 6 --positions starts.txt";
    let result = arena(&format!("{args} --records games.txt"), &here);
    assert_eq!((&result["games"], &result["rules"]), (&json!(6), &json!("2c")));
    for record in records(&here.file("games.txt")) {
        let shuffle: usize =
            record.tag("Game").unwrap().split('.').next().unwrap().parse().unwrap();
        let Start::Position(position) = record.start() else { panic!("a new game") };
        assert_eq!(position.to_string(), starts[(shuffle - 1) % 2]);
        azulejo_notation::verify_deals(&record).unwrap();
    }
    let resumed = arena(&format!("{args} --records games.txt --resume"), &here);
    assert_eq!(results(&resumed), results(&result));
    let check = |text: &str, expected: &str| {
        std::fs::write(here.file("wrong.txt"), text).unwrap();
        let error = sh("azulejo arena -e cmd=random --positions wrong.txt", &here).fails(2);
        assert!(error.contains(expected), "{text}: {error}");
    };
    check("# nothing\n", "wrong.txt has no position");
    check("az1_2c\n", "line 1 of wrong.txt");
    let grey = sh("azulejo new --seed 1 --wall grey", &here).fine();
    let grey = grey.lines().next().unwrap();
    check(&format!("{}\n{grey}\n", starts[0]), "has the rules 2g, but the first position has 2c");
}

#[test]
fn progress_is_printed_in_lines_without_a_terminal() {
    let here = Folder::new();
    let args = "-e cmd=greedy -e cmd=random --games 300 --seed 5 --progress 0.05";
    let run = sh(&format!("azulejo arena {args}"), &here);
    let lines: Vec<_> = run.stderr.lines().collect();
    assert!(!lines.is_empty() && lines.len() < 300, "{} lines", lines.len());
    for line in &lines {
        assert!(line.contains("/300 games  greedy"), "{line}");
    }
    let quiet = sh(&format!("azulejo arena {}", args.replace("0.05", "1000")), &here);
    assert_eq!(quiet.stderr, "");
}

#[test]
fn engines_are_called_by_their_own_name() {
    let here = Folder::new();
    let script = "printf 'id name Clever \\\\t1.2\\naziok\\n'; while read line; do case $line in \
                  isready) echo readyok;; quit) exit;; go*) echo bestmove none;; esac; done";
    std::fs::write(here.file("clever.sh"), script).unwrap();
    let check = |words: &str, expected: &[&str]| {
        let args = format!("{words} -e cmd=random --games 1 --seed 5");
        let result = arena(&args, &here);
        let engines = result["engines"].as_array().unwrap();
        let names: Vec<_> = engines.iter().map(|engine| engine["name"].as_str().unwrap()).collect();
        assert_eq!(names, expected, "{words}");
    };
    check("-e \"cmd='sh clever.sh' nodes=1\"", &["Clever \\t1.2", "random"]);
    check("-e \"cmd='sh clever.sh' nodes=1 name=Mine\"", &["Mine", "random"]);
}

#[test]
fn tournaments_have_a_match_for_each_pair() {
    let here = Folder::new();
    let three = "-e cmd=greedy -e cmd=random -e 'cmd=random name=dice option.Seed=7'";
    let args = format!("{three} --seed 5 --games 4");
    let all = arena(&format!("{args} --tournament round-robin --records games.txt"), &here);
    let pairs = |result: &Value| -> Vec<String> {
        let name = |engine: &Value| engine["name"].as_str().unwrap().to_owned();
        let matches = result["matches"].as_array().unwrap().iter();
        matches
            .map(|one| {
                assert_eq!(one["games"], json!(4));
                one["engines"].as_array().unwrap().iter().map(name).collect::<Vec<_>>().join("-")
            })
            .collect()
    };
    assert_eq!(all["tournament"], "round-robin");
    assert_eq!(pairs(&all), ["greedy-random", "greedy-dice", "random-dice"]);
    assert_eq!(all["standings"][0]["share"]["mean"], json!(1.0));
    assert_eq!(records(&here.file("games.txt")).len(), 12);
    // An interrupted tournament is resumed like a match.
    let again =
        arena(&format!("{args} --tournament round-robin --records games.txt --resume"), &here);
    assert_eq!(again["standings"], all["standings"]);
    assert_eq!(records(&here.file("games.txt")).len(), 12);

    let first = arena(&format!("{args} --tournament gauntlet"), &here);
    assert_eq!(pairs(&first), ["greedy-random", "greedy-dice"]);
    let text = sh(&format!("azulejo arena {args} --tournament round-robin"), &here).fine();
    assert!(text.contains("round-robin of 3 engines: 3 matches, 12 games"), "{text}");
    assert!(text.contains(" 1  greedy") && text.contains("100.0"), "{text}");
    // With four seats one plays against three of the other, both ways.
    let four =
        arena("-e cmd=greedy -e cmd=random -p4 --seed 5 --games 4 --tournament round-robin", &here);
    assert_eq!(four["matches"].as_array().unwrap().len(), 2);
    let error =
        sh(&format!("azulejo arena {args} --tournament gauntlet --sprt 'elo0=0 elo1=5'"), &here);
    assert!(error.fails(2).contains("cannot be used with"));
}

/// The same results with and without measuring luck, side by side with the adjusted ones.
#[test]
fn luck_is_shown_beside_the_plain_result() {
    let here = Folder::new();
    let args = "-e cmd=greedy -e 'cmd=greedy name=other option.Seed=1' --seed 5 --games 60";
    let plain = arena(args, &here);
    let both = arena(&format!("{args} --luck 20 -c 2"), &here);
    assert_eq!(both["engines"][0]["share"], plain["engines"][0]["share"]);
    assert_eq!(plain["engines"][0]["adjusted_share"], Value::Null);
    let [one, other] = both["engines"].as_array().unwrap().as_slice() else { panic!() };
    let mean = |engine: &Value| engine["adjusted_share"]["mean"].as_f64().unwrap();
    assert!((mean(one) + mean(other) - 1.0).abs() < 1e-6, "{both}");
    assert_ne!(one["adjusted_share"]["mean"], one["share"]["mean"]);
    assert_eq!(both["head_to_head"]["adjusted_share"], one["adjusted_share"]);
    let text = sh(&format!("azulejo arena {args} --luck 20"), &here).fine();
    assert!(
        text.contains("  adjusted ") && text.contains("without the luck of the deals"),
        "{text}"
    );
}

#[test]
fn a_single_pair_has_no_small_error() {
    let here = Folder::new();
    let args = "-e cmd=greedy -e cmd=random --seed 5 --games 2";
    let result = arena(args, &here);
    assert_eq!(result["head_to_head"]["margin"]["low"], Value::Null, "{result}");
    let share = &result["head_to_head"]["share"];
    assert!(share["low"].as_f64() < Some(0.4) && share["mean"] == json!(1.0), "{share}");
    let text = sh(&format!("azulejo arena {args}"), &here).fine();
    assert!(text.contains("points (a single pair has no error)"), "{text}");
}
