//! Matches without faults: results, records, seats, limits, early stops.

use super::{arena, records};
use crate::run::{Folder, azulejo, program, sh};
use azulejo_notation::{Record, verify_deals};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::process::Command;
use std::time::{Duration, Instant};

const GREEDY_AND_RANDOM: &str = "--engine cmd=greedy --engine cmd=random --seed 5";

/// A result without measured times.
fn timeless(mut result: Value) -> Value {
    result["seconds"] = Value::Null;
    for engine in result["engines"].as_array_mut().unwrap() {
        for key in ["mean_ms", "worst_ms", "nps"] {
            engine[key] = Value::Null;
        }
    }
    result
}

#[test]
fn a_seed_gives_the_same_match_at_any_concurrency() {
    let here = Folder::new();
    let run = |tables: &str, file: &str| {
        let args = format!("{GREEDY_AND_RANDOM} --games 30 -c {tables} --records {file}");
        let result = timeless(arena(&args, &here));
        let mut texts: Vec<_> = records(&here.file(file)).iter().map(ToString::to_string).collect();
        texts.sort();
        (result, texts)
    };
    let (result, texts) = run("1", "one.txt");
    assert_eq!(run("3", "three.txt"), (result.clone(), texts.clone()));
    assert_eq!(texts.len(), 30);
    assert_eq!(result["head_to_head"]["wins"].as_u64(), Some(30), "{result}");
    let other = arena(&format!("{GREEDY_AND_RANDOM}6 --games 30"), &here);
    assert_ne!(timeless(other)["engines"][0]["score"], result["engines"][0]["score"]);
}

/// The records of each shuffle, by the seed of the shuffle.
fn by_shuffle(records: &[Record]) -> BTreeMap<&str, Vec<&Record>> {
    let mut shuffles: BTreeMap<&str, Vec<&Record>> = BTreeMap::new();
    for record in records {
        shuffles.entry(record.seed().unwrap().as_str()).or_default().push(record);
    }
    shuffles
}

#[test]
fn pairs_have_the_same_shuffle_and_swapped_seats() {
    let here = Folder::new();
    arena(&format!("{GREEDY_AND_RANDOM} --games 11 --records games.txt"), &here);
    let records = records(&here.file("games.txt"));
    let shuffles = by_shuffle(&records);
    assert_eq!(
        shuffles.keys().copied().collect::<Vec<_>>(),
        ["5-1", "5-2", "5-3", "5-4", "5-5", "5-6"]
    );
    for pair in shuffles.values() {
        let [one, other] = pair.as_slice() else { panic!("{} games", pair.len()) };
        let names: Vec<_> = one.names().iter().flatten().collect();
        let swapped: Vec<_> = other.names().iter().flatten().rev().collect();
        assert_eq!(names, swapped);
        assert_eq!(one.start(), other.start());
        for record in pair {
            verify_deals(record).unwrap();
            assert!(record.end().is_some());
            assert_eq!(record.tag("Event"), Some("azulejo arena"));
            let winner = record.names().iter().position(|name| name.as_deref() == Some("greedy"));
            assert_eq!(record.tag("Winners"), Some(format!("{}", winner.unwrap() + 1).as_str()));
        }
        // With two players the bag lasts for five rounds.
        let deals = |record: &Record| -> Vec<_> {
            record.rounds().iter().take(5).map(|round| round.deal).collect()
        };
        let n = deals(one).len().min(deals(other).len());
        assert_eq!(deals(one)[..n], deals(other)[..n]);
    }
}

#[test]
fn seats_rotate_with_three_and_four_players() {
    let here = Folder::new();
    for n in [3, 4] {
        let file = format!("{n}.txt");
        let args = format!("{GREEDY_AND_RANDOM} --players {n} --games 9 -c 2 --records {file}");
        let result = arena(&args, &here);
        let n_games = if n == 3 { 9 } else { 12 };
        assert_eq!((&result["games"], &result["head_to_head"]), (&json!(n_games), &Value::Null));
        let [greedy, random] = result["engines"].as_array().unwrap().as_slice() else { panic!() };
        assert_eq!((&greedy["seats"], &random["seats"]), (&json!(1), &json!(n - 1)));
        assert_eq!(
            (&greedy["share"]["mean"], &random["share"]["mean"]),
            (&json!(1.0), &json!(0.0))
        );
        assert_eq!(greedy["rank"]["mean"], json!(1.0));
        assert_eq!(greedy["fair_share"], json!(1.0 / f64::from(n)));
        for (seed, games) in by_shuffle(&records(&here.file(&file))) {
            let mut seats: Vec<_> = games
                .iter()
                .map(|game| game.names().iter().position(|name| name.as_deref() == Some("greedy")))
                .collect();
            seats.sort();
            assert_eq!(seats, (0..n as usize).map(Some).collect::<Vec<_>>(), "{seed}");
        }
    }
}

#[test]
fn every_mix_of_engines_can_play() {
    let here = Folder::new();
    let check = |args: &str, names: &[&str], seats: &[u64]| {
        let result = arena(&format!("{args} --games 1 --seed 7"), &here);
        let engines = result["engines"].as_array().unwrap();
        let found: Vec<_> = engines.iter().map(|engine| engine["name"].as_str().unwrap()).collect();
        assert_eq!(found, names, "{args}");
        let found: Vec<_> =
            engines.iter().map(|engine| engine["seats"].as_u64().unwrap()).collect();
        assert_eq!(found, seats, "{args}");
        let shares = engines.iter().map(|engine| engine["share"]["mean"].as_f64().unwrap());
        assert!((shares.sum::<f64>() - 1.0).abs() < 1e-9, "{args}");
    };
    check("-e cmd=random", &["random"], &[2]);
    check("-e cmd=random -e cmd=random", &["random", "random-2"], &[1, 1]);
    check(
        "--each cmd=greedy -e name=A -e name=B -e 'cmd=random name=C' -p3",
        &["A", "B", "C"],
        &[1, 1, 1],
    );
    check("-e 'cmd=greedy seats=2' -e cmd=random --rules 4gj", &["greedy", "random"], &[2, 2]);
    check("-e cmd=greedy -e cmd=random --wall grey --jokers", &["greedy", "random"], &[1, 1]);
}

/// Our own engine keeps every limit and reports its depth.
#[test]
fn limits_reach_the_engine() {
    let here = Folder::new();
    let limits = ["nodes=100", "depth=2", "movetime=2", "clock=200 inc=1", "movetime=50 nodes=300"];
    for limit in limits {
        let args =
            format!("-e 'name=own margin=5000 {limit}' -e cmd=random --games 2 --seed 3 -c 2");
        let result = arena(&args, &here);
        let own = &result["engines"][0];
        assert_eq!(own["limits"], json!(limit));
        assert_eq!(own["first_fault"], Value::Null, "{limit}");
        assert!(own["moves"].as_u64() > Some(20), "{limit}: {own}");
        assert!(own["mean_ms"].as_f64() < Some(200.0), "{limit}: {own}");
    }
}

#[test]
fn an_sprt_stops_when_it_is_decided() {
    let here = Folder::new();
    let args = "--sprt 'elo0=0 elo1=50' --games 100000 -c 2 --seed 1 --json";
    let won = sh(&format!("azulejo arena -e cmd=greedy -e cmd=random {args}"), &here).json();
    assert_eq!((&won["ended_by"], &won["sprt"]["verdict"]), (&json!("sprt"), &json!("H1")));
    assert!(won["sprt"]["llr"].as_f64() >= won["sprt"]["upper"].as_f64());
    assert!(won["games"].as_u64() < Some(200), "{won}");
    let run = sh(&format!("azulejo arena -e cmd=random -e cmd=greedy {args}"), &here);
    assert_eq!(run.code, Some(1), "a lost test is a no");
    let lost: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((&lost["ended_by"], &lost["sprt"]["verdict"]), (&json!("sprt"), &json!("H0")));
    let few = args.replace("100000", "2");
    let run = sh(&format!("azulejo arena -e cmd=greedy -e cmd=random {few}"), &here);
    assert_eq!(run.code, Some(1), "an undecided test is not a yes");
    let undecided: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(undecided["sprt"]["verdict"], "undecided");
}

#[test]
fn the_text_report_has_figures_and_a_table() {
    let here = Folder::new();
    let text = sh(&format!("azulejo arena {GREEDY_AND_RANDOM} --games 20"), &here).fine();
    for line in [
        "greedy against random: 20 games on 10 shuffles (rules 2c, seed 5), ",
        "  games    20 won, 0 drawn, 0 lost\n",
        "  share    100.0 (83.9 to 100.0) %\n",
        "  LOS      100.00 %\n",
        "  pairs    0, 0, 0, 0, 10 with 0, ½, 1, 1½, 2 points\n",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    let text = sh("azulejo arena -e cmd=greedy -e cmd=random -p4 --games 4 --seed 5", &here).fine();
    assert!(!text.contains("Elo") && text.contains("100.0 (51.0 to 100.0)"), "{text}");
}

#[test]
fn records_are_appended() {
    let here = Folder::new();
    let match_of_two = format!("azulejo arena {GREEDY_AND_RANDOM} --games 2 --records games.txt");
    sh(&match_of_two, &here).fine();
    sh(&match_of_two, &here).fine();
    assert_eq!(records(&here.file("games.txt")).len(), 4);
    assert_eq!(sh("azulejo replay -q games.txt", &here).fine(), "4 games, 4 fine\n");
    let error = sh(&format!("{match_of_two}/no/folder"), &here).fails(2);
    assert!(error.contains("cannot write games.txt/no/folder"), "{error}");
}

#[test]
fn mistakes_on_the_command_line_are_explained() {
    let check = |args: &[&str], expected: &str| {
        let error = azulejo(&[&["arena"], args].concat()).fails(2);
        assert!(error.contains(expected), "{args:?}: {error}");
    };
    check(&[], "--engine");
    check(&["-e", "greedy"], "`greedy` is not of the form KEY=VALUE");
    check(&["-e", "cmd=greedy speed=3"], "there is no key `speed`");
    check(&["-e", "cmd=greedy", "--each", "movetime=x"], "--each: `movetime=x`");
    check(&["-e", "", "-e", "", "-e", ""], "take 3 seats, but the game has 2");
    check(&["-e", "seats=1"], "take only 1 of 2 seats");
    check(&["-e", "cmd=random", "--sprt", "elo0=0 elo1=5"], "an SPRT is for two engines");
    check(&["-e", "cmd=random", "--sprt", "elo0=5 elo1=0"], "elo0 must be below elo1");
    check(&["-e", "cmd=random", "--rules", "5x"], "the rules `5x`");
    check(&["-e", "cmd=random", "--rules", "2c", "--players", "3"], "cannot be used with");
    check(&["-e", "cmd=random", "--timeout", "0"], "from 0.05 to 86400");
    let seed = "x".repeat(60);
    check(&["-e", "cmd=random", "--seed", &seed], "a seed has at most 64 characters");
}

/// Ctrl-C prints the result so far and leaves complete records.
#[test]
fn an_interrupted_match_prints_its_result() {
    let here = Folder::new();
    let file = here.file("games.txt");
    let args = ["arena", "-e", "cmd=greedy", "-e", "cmd=random", "--json", "-c", "2"];
    let more = ["--games", "1000000", "--records", &file];
    let child = program(&[args.as_slice(), &more].concat()).spawn().unwrap();
    let until = Instant::now() + Duration::from_secs(60);
    while std::fs::metadata(&file).map_or(0, |file| file.len()) < 10_000 {
        assert!(Instant::now() < until, "no games are played");
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(
        Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success()
    );
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(1), b"".as_slice()));
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(result["ended_by"], "stopped");
    let finished = result["games"].as_u64().unwrap() + result["unpaired"].as_u64().unwrap();
    assert_eq!(records(&file).len() as u64, finished);
    assert!(finished > 2);
}
