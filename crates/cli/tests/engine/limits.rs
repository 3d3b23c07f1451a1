//! Limits and options: each takes effect, extreme values included.

use crate::talk::{DEALT, LAST_MOVE, Talk};
use azulejo_notation::Dealer;
use azulejo_notation::protocol::{FromEngine, Info};
use azulejo_rules::{Position, Rules};

fn dealt() -> Position {
    DEALT.parse().expect("a position")
}

/// A new game with its first deal.
fn new_game(rules: &str) -> Position {
    let rules: Rules = rules.parse().expect("rules");
    let (first, mut dealer) = Dealer::new(&"5".parse().expect("a seed"), &rules);
    let mut position = Position::new(rules, first);
    let deal = dealer.deal(&position).expect("a new game waits for a deal");
    position.deal(&deal).expect("it can be dealt");
    position
}

#[test]
fn extreme_limits_are_respected() {
    let mut talk = Talk::new();
    let rows = [
        "go movetime 0",
        "go nodes 0",
        "go depth 0",
        "go clock 0",
        "go clock 0 inc 0",
        "go clock 1 inc 0",
        "go clock 0 inc 18446744073709551615 depth 1",
        "go movetime 0 nodes 0 depth 0 clock 0 inc 0",
        "go nodes 1",
        "go depth 1",
        "go nodes 9223372036854775808 movetime 5",
        "go depth 4294967295 movetime 5",
        "go depth 99999999999999999999 nodes 10",
        "go movetime 9223372036854775808 nodes 10",
        "go movetime 99999999999999999999 nodes 10",
        "go clock 18446744073709551615 inc 18446744073709551615 nodes 10",
        "go inc 5 nodes 10",
        "go ponder wtime 5 nodes 10",
    ];
    for go in rows {
        talk.best_move(&dealt(), go);
        talk.best_move(&LAST_MOVE.parse().expect("a position"), go);
    }
    // Without a limit it takes some time, or none if there is only one move.
    talk.best_move(&LAST_MOVE.parse().expect("a position"), "go");
    talk.best_move(&LAST_MOVE.parse().expect("a position"), "go nodes 9223372036854775808");
    let search = talk.best_move(&dealt(), "go");
    assert!(search.infos.iter().all(|info| info.time_ms.is_some_and(|time| time < 5000)));
    // `stop` ends even the longest search.
    for go in ["go movetime 18446744073709551615", "go clock 18446744073709551615", "go infinite"] {
        talk.say(go);
        talk.say("stop");
        assert!(talk.search().best.is_some(), "{go}");
    }
}

#[test]
fn every_variant_is_played() {
    // All in one process, without `newgame` in between.
    let mut talk = Talk::new();
    for players in 2..=4 {
        for variant in ["c", "g", "cj", "gj", "c-overview", "c-quick-guide"] {
            talk.best_move(&new_game(&format!("{players}{variant}")), "go nodes 300");
        }
    }
    talk.best_move(&new_game("2c-duel"), "go nodes 300");
    // Wall choices are moves as well.
    let choices = [
        "az1_2g_w1r2_3s1_.-.-.-.-._._rest_._9~.-BB-...-....-.....~B....-....R-.....-..B..-.....~1_4~.-..-YYY-....-RRR..~.....-.....-.....-.....-.....~KK",
        "az1_3gj_w2r1_2s2_.-.-.-.-.-.-._._rest_._5~.-..-...-....-JJ...~...K.-.....-.....-.....-.....~._3~J-W.-...-....-.....~.....-.R...-.....-.....-.....~1B_0~.-YY-...-....-.....~.....-.....-.....-.....-.....~.",
    ];
    for choice in choices {
        talk.best_move(&choice.parse().expect("a position"), "go nodes 300");
    }
}

#[test]
fn options_do_something() {
    let mut talk = Talk::new();
    talk.say("setoption name MultiPV value 4");
    talk.say("setoption name Hash value 1");
    talk.say("setoption name Threads value 2");
    assert_eq!(talk.remarks(), [""; 0]);
    // A node limit is shared: one thread may use it up before the other has four lines.
    let search = talk.best_move(&dealt(), "go depth 3");
    for line in 1..=4 {
        assert!(search.infos.iter().any(|info| info.multi_pv == Some(line)), "line {line}");
    }
    assert!(search.infos.iter().all(|info| info.multi_pv <= Some(4)));
    // More lines than moves.
    talk.say("setoption name MultiPV value 64");
    let last: Position = LAST_MOVE.parse().expect("a position");
    let search = talk.best_move(&last, "go nodes 3000");
    let n_moves = last.n_legal_moves();
    assert!(search.infos.iter().all(|info| info.multi_pv <= Some(n_moves)));
    for (name, values) in [
        ("Level", &["1", "5", "10"][..]),
        ("Eval", &["classic", "learned"]),
        ("Seed", &["1", "18446744073709551615"]),
        ("Threads", &["3", "1"]),
        ("Hash", &["2", "64"]),
        ("EvalFile", &[""]),
        ("MultiPV", &["1"]),
    ] {
        for value in values {
            talk.say(&format!("setoption name {name} value {value}"));
            talk.best_move(&dealt(), "go nodes 500");
        }
    }
}

/// The infos of a search without times.
fn timeless(infos: Vec<Info>) -> Vec<Info> {
    infos.into_iter().map(|info| Info { time_ms: None, nps: None, ..info }).collect()
}

#[test]
fn the_search_is_reproducible() {
    let mut first = Talk::new();
    let mut second = Talk::new();
    for go in ["go nodes 2000", "go depth 4"] {
        for rules in ["2c", "2gj", "3c", "4g"] {
            let position = new_game(rules);
            let search = first.best_move(&position, go);
            second.say("newgame");
            let again = second.best_move(&position, go);
            assert_eq!(again.best, search.best, "{position}: {go}");
            assert_eq!(timeless(again.infos), timeless(search.infos), "{position}: {go}");
            first.say("newgame");
        }
    }
}

#[test]
fn a_network_can_be_given() {
    let path = std::env::temp_dir().join(format!("azulejo-network-{}", std::process::id()));
    let path = path.to_str().expect("our names are UTF-8");
    let mut bytes = Vec::new();
    azulejo_engine::network::Network::blank().write(&mut bytes).expect("memory can be written");
    let mut talk = Talk::new();
    let mut set = |bytes: Option<&[u8]>| {
        if let Some(bytes) = bytes {
            std::fs::write(path, bytes).expect("the folder for temporary files can be written");
        }
        talk.say(&format!("setoption name EvalFile value {path}"));
        let remarks = talk.remarks();
        if bytes.is_some() {
            std::fs::remove_file(path).expect("it is ours");
        }
        // The engine has an evaluation in any case.
        talk.best_move(&dealt(), "go nodes 500");
        remarks
    };
    assert_eq!(set(Some(&bytes)), [""; 0]);
    let mut long = bytes.clone();
    long.push(0);
    let mut flipped = bytes.clone();
    flipped[1000] ^= 1;
    let mut other = bytes.clone();
    other[8] ^= 1;
    let rows: [(Option<&[u8]>, &str); 7] = [
        (None, "cannot read the network: No such file or directory"),
        (Some(b""), "not a network of this version"),
        (Some(b"hello, I am not a network at all"), "not a network of this version"),
        (Some(&bytes[..bytes.len() - 1]), "the network is damaged"),
        (Some(&long), "the network is damaged"),
        (Some(&flipped), "the network is damaged"),
        (Some(&other), "features"),
    ];
    for (bytes, words) in rows {
        let remarks = set(bytes);
        let [remark] = &remarks[..] else { panic!("{remarks:?}") };
        let start = format!("info string error: `setoption`: EvalFile `{path}`: ");
        assert!(remark.starts_with(&start) && remark.contains(words), "{remark}");
        assert!(remark.ends_with("; the built-in network is used instead"), "{remark}");
    }
    // A folder instead of a file.
    talk.say("setoption name EvalFile value /");
    assert!(matches!(talk.message(), FromEngine::InfoString(text) if text.contains("built-in")));
}
