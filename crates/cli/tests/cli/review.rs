//! `azulejo review` and `azulejo analyze`: real games in, reports, JSON and annotated records out.
//! The numbers depend on the network, so the tests check what must hold for any.

use crate::run::{Folder, azulejo, azulejo_reading, shell};
use serde_json::Value;
use std::time::{Duration, Instant};

/// Five moves of a game between Ana and Rui, the third a blunder: three tiles on the floor.
const GAME: &str = "[Azulejo \"1\"]\n[Rules \"2c\"]\n[First \"1\"]\n[Seat1 \"Ana\"]\n[Seat2 \"Rui\"]\n\n\
    round 1 BBYR-KKKK-BYRK-YWWW-RRKK\n2K4 {solid} 4W3 5RF 1B2 0R1\n*\n";

const QUICK: [&str; 2] = ["--budget", "quick"];

#[test]
fn a_report_has_accuracy_ledger_graph_and_better_moves() {
    let report = azulejo_reading(&["review", "-", QUICK[0], QUICK[1]], GAME.as_bytes()).fine();
    for part in [
        "standard input, line 1: 2 players, colored wall",
        "the game is not over",
        "Ana          Rui",
        "Accuracy",
        "Chance at the start              50.0 %       50.0 %",
        "Luck of the deals",
        "Own errors",
        "Residual",
        "Result",
        "The deal of round 1",
        "3. Round 1, Ana: 5RF?",
        "Better: ",
    ] {
        assert!(report.contains(part), "no `{part}` in\n{report}");
    }
    assert!(report.lines().all(|line| line.chars().count() <= 80), "{report}");
    let graph = report.lines().find(|line| line.starts_with("Ana  ")).expect("a graph");
    assert_eq!(graph.chars().filter(|c| ('▁'..='█').contains(c)).count(), 5, "{graph}");
}

#[test]
fn json_adds_up_and_is_the_same_every_time() {
    let json = || azulejo_reading(&["review", "-", "--json", QUICK[0], QUICK[1]], GAME.as_bytes());
    let (text, again) = (json().fine(), json().fine());
    assert_eq!(text, again);
    let value: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value["place"], "standard input, line 1");
    let review = &value["review"];
    assert_eq!(review["n_done"], review["n_steps"]);
    assert_eq!(review["decisions"].as_array().unwrap().len(), 5);
    for player in review["players"].as_array().unwrap() {
        let ledger = player["ledger"].as_object().unwrap();
        let lines = ledger.iter().filter(|(key, _)| *key != "result");
        let sum: f64 = lines.map(|(_, share)| share.as_f64().unwrap()).sum();
        assert!((sum - ledger["result"].as_f64().unwrap()).abs() < 1e-9, "{ledger:?}");
    }
}

#[test]
fn annotated_records_are_records_with_the_old_comments() {
    let here = Folder::new();
    let (game, out) = (here.write("game.txt", GAME), here.file("out.txt"));
    azulejo(&["review", &game, "-a", &out, QUICK[0], QUICK[1]]).fine();
    let text = std::fs::read_to_string(&out).unwrap();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in ["{Review by azulejo", "{solid ", "{The deal of round 1", "5RF? loses", "Better: "]
    {
        let is_there = text.contains(part) || part == "5RF? loses" && text.contains("5RF?? loses");
        assert!(is_there, "no `{part}` in {text}");
    }
    let replayed = azulejo(&["replay", "--json", &out]).json();
    assert_eq!(replayed["game"]["n_moves"], 5);
}

#[test]
fn several_games_end_with_totals() {
    let games = [GAME, GAME].join("\n");
    let report = azulejo_reading(&["review", "-", QUICK[0], QUICK[1]], games.as_bytes()).fine();
    let totals = report.split("Totals").nth(1).expect("totals");
    for name in ["Ana", "Rui"] {
        let line = totals.lines().find(|line| line.starts_with(name)).expect(name);
        assert_eq!(line.split_whitespace().nth(1), Some("2"), "{line}");
    }
}

#[test]
fn bad_input_is_named() {
    let missing = azulejo(&["review", "missing.txt"]).fails(2);
    assert!(missing.contains("cannot read missing.txt"), "{missing}");
    let absurd = azulejo(&["review", "x", "--budget", "absurd"]).fails(2);
    assert!(absurd.contains("`quick`, `normal` or `thorough`"), "{absurd}");
    for (text, expected) in [
        ("", "no game in standard input"),
        ("nonsense", "the game cannot be reviewed"),
        ("[Azulejo \"1\"]\n[Rules \"2c\"]\n[First \"1\"]\n\n*\n", "no move to review"),
        (&GAME.replace("0R1", "0R4"), "the game cannot be reviewed"),
    ] {
        let said = azulejo_reading(&["review", "-"], text.as_bytes()).fails(2);
        assert!(said.contains(expected), "{said}");
    }
    // A damaged game does not hide a good one.
    let both = format!("{}\n{GAME}", GAME.replace("2K4", "2K9"));
    let run = azulejo_reading(&["review", "-", QUICK[0], QUICK[1]], both.as_bytes());
    assert!(run.stdout.contains("Ana"), "{}", run.stdout);
    assert!(run.fails(2).contains("1 of 2 games cannot be reviewed"));
}

#[test]
fn an_interrupted_review_keeps_what_is_done() {
    let here = Folder::new();
    here.write("game.txt", GAME);
    let line = "exec azulejo review game.txt --budget thorough";
    let mut child = shell(line, &here).spawn().unwrap();
    // Interrupted at any time it prints a part or nothing, and says so.
    std::thread::sleep(Duration::from_secs(2));
    let kill = format!("kill -INT {}", child.id());
    assert!(std::process::Command::new("sh").arg("-c").arg(kill).status().unwrap().success());
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() && start.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(20));
    }
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    let is_whole = output.status.code() == Some(0);
    assert!(is_whole || said.contains("stopped after 0 of 1 games"), "{said}");
    assert!(is_whole || output.status.code() == Some(1), "{:?} {said}", output.status);
}

#[test]
fn positions_are_analyzed_in_every_phase() {
    let position = azulejo(&["new", "--seed", "5"]).fine();
    let args = ["analyze", position.trim(), "--nodes", "20000", "--lines", "2"];
    let text = azulejo(&args).fine();
    assert!(text.starts_with("Round 1: seat "), "{text}");
    assert!(
        text.contains("\n 1. ") && text.contains("\n 2. ") && text.contains("% to win"),
        "{text}"
    );
    assert!(text.contains("Likely next: "), "{text}");
    let json = azulejo(&[&args[..], &["--json"]].concat()).json();
    assert_eq!(json["lines"].as_array().unwrap().len(), 2);
    assert_eq!(json["before_deal"], Value::Null);

    let between = "az1_2c_n_1s2_.-.-.-.-._1_B20Y20R20K20W20_._0~.-..-...-....-.....~.....-.....-.....\
                   -.....-.....~._0~.-..-...-....-.....~.....-.....-.....-.....-.....~.";
    let text = azulejo(&["analyze", between, "--nodes", "20000", "--deals", "4"]).fine();
    assert!(text.contains("Over 4 sampled deals") && text.contains("Seat 2: "), "{text}");
    let over = "az1_2c_xrow_6s1i0_.-.-.-.-._1_B8Y9R10K10W8_B6Y5R5K3W4_0~.-..-K..-WW..-.....~BYR.W-.BYRK\
                -..BY.-....Y-...W.~._2~.-K.-WW.-KKK.-.....~BYRKW-WBYR.-.....-R....-....B~.";
    let run = azulejo(&["analyze", over]);
    assert_eq!(run.code, Some(1));
    assert!(run.stdout.contains("The game is over") && run.stdout.contains("Seat 2 wins"));
    assert!(azulejo(&["analyze", "nonsense"]).fails(2).contains("A position is a text"));
}
