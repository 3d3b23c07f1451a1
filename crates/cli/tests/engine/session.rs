//! The order of messages: the introduction, searches that are stopped or reach a limit, the end.

use crate::talk::{BETWEEN, DEALT, LAST_MOVE, OVER, Talk, check_answer};
use azulejo_notation::protocol::{FromEngine, Go, ToEngine};
use azulejo_notation::{Action, Dealer};
use azulejo_rules::{Phase, Position};
use std::time::{Duration, Instant};

fn position(text: &str) -> Position {
    text.parse().expect("a position")
}

#[test]
fn it_introduces_itself() {
    let mut talk = Talk::new();
    talk.say("azi");
    let name = format!("Azulejo {}", env!("CARGO_PKG_VERSION"));
    assert_eq!(talk.message(), FromEngine::IdName(name));
    assert!(matches!(talk.message(), FromEngine::IdAuthor(_)));
    let mut names = Vec::new();
    loop {
        match talk.message() {
            FromEngine::Option(option) => names.push(option.name),
            FromEngine::AziOk => break,
            other => panic!("{other}"),
        }
    }
    assert_eq!(names, ["Threads", "Hash", "Eval", "EvalFile", "MultiPV", "Level", "Seed"]);
    talk.say("quit");
    assert_eq!(talk.end(), (vec![], String::new()));
}

#[test]
fn an_infinite_search_waits_for_stop() {
    // A search that could continue, and one that is complete at once.
    for text in [DEALT, LAST_MOVE] {
        let mut talk = Talk::new();
        talk.say(&format!("position {text}"));
        talk.say("go infinite");
        // `isready` is answered during the search.
        assert_eq!(talk.remarks(), [""; 0]);
        std::thread::sleep(Duration::from_millis(200));
        assert_eq!(talk.remarks(), [""; 0], "{text}");
        // A second `go` is refused.
        talk.say("go nodes 10");
        let refused =
            "info string error: `go`: a search is running; send `stop` before the next `go`";
        assert_eq!(talk.remarks(), [refused], "{text}");
        talk.say("stop");
        assert!(talk.search().best.is_some_and(|best| position(text).is_legal(best)), "{text}");
        // Nothing else was sent, and another `stop` has nothing to stop.
        talk.say("stop");
        assert_eq!(talk.remarks(), [""; 0], "{text}");
        talk.best_move(&position(text), "go nodes 100");
    }
}

#[test]
fn an_infinite_search_with_a_limit_still_waits() {
    let mut talk = Talk::new();
    talk.say(&format!("position {DEALT}"));
    talk.say("go infinite depth 1");
    while !matches!(talk.message(), FromEngine::Info(_)) {}
    std::thread::sleep(Duration::from_millis(100));
    assert_eq!(talk.remarks(), [""; 0]);
    assert!(talk.is_silent(Duration::from_millis(100)));
    talk.say("stop");
    assert!(matches!(talk.message(), FromEngine::BestMove(Some(_))));
}

#[test]
fn stop_is_answered_in_time() {
    const N_TRIES: usize = 15;
    let mut talk = Talk::new();
    let four = "az1_4gj_d1_1s1_BBYR-KKKK-BYRK-YWWW-RRKK-BYRJ-BWWJ-RRYY-BBKK_1_rest_._\
        0~.-..-...-....-.....~.....-.....-.....-.....-.....~._\
        0~.-..-...-....-.....~.....-.....-.....-.....-.....~._\
        0~.-..-...-....-.....~.....-.....-.....-.....-.....~._\
        0~.-..-...-....-.....~.....-.....-.....-.....-.....~.";
    for text in [DEALT, four] {
        talk.say(&format!("position {text}"));
        let mut times: Vec<_> = (0..N_TRIES)
            .map(|i| {
                talk.say("go infinite");
                std::thread::sleep(Duration::from_millis(7 * i as u64));
                let begin = Instant::now();
                talk.say("stop");
                assert!(talk.search().best.is_some());
                begin.elapsed()
            })
            .collect();
        times.sort();
        // The median: a busy machine may pause at any moment.
        assert!(times[N_TRIES / 2] < Duration::from_millis(20), "{text}: {times:?}");
    }
}

#[test]
fn messages_can_be_sent_without_waiting() {
    let mut talk = Talk::new();
    let lines = [
        &format!("position {DEALT}"),
        "go infinite",
        "stop",
        &format!("position {LAST_MOVE}"),
        "go depth 1",
        "isready",
    ];
    talk.send((lines.join("\n") + "\n").as_bytes());
    check_answer(&position(DEALT), &talk.search());
    // The second search may be over before or after `isready` is read.
    let mut n_answers = 0;
    let mut is_ready = false;
    while n_answers == 0 || !is_ready {
        match talk.message() {
            FromEngine::BestMove(best) => {
                assert!(best.is_some_and(|best| position(LAST_MOVE).is_legal(best)));
                n_answers += 1;
            }
            FromEngine::ReadyOk => is_ready = true,
            FromEngine::Info(_) => {}
            other => panic!("{other}"),
        }
    }
    talk.say("quit");
    assert_eq!(talk.end(), (vec![], String::new()));
}

#[test]
fn messages_during_a_search_are_for_the_next() {
    let mut talk = Talk::new();
    talk.say(&format!("position {DEALT}"));
    talk.say("go infinite");
    talk.say("setoption name MultiPV value 3");
    talk.say("newgame");
    talk.say(&format!("position {DEALT} moves 1B2"));
    assert_eq!(talk.remarks(), [""; 0]);
    talk.say("stop");
    let search = talk.search();
    assert!(search.infos.iter().all(|info| info.multi_pv == Some(1)));
    assert!(position(DEALT).is_legal(search.best.expect("a move")));
    talk.say("go nodes 500");
    let search = talk.search();
    let mut next = position(DEALT);
    next.play("1B2".parse().expect("a move")).expect("it is legal");
    check_answer(&next, &search);
    assert!(search.infos.iter().any(|info| info.multi_pv == Some(3)));
}

#[test]
fn the_end_of_input_ends_the_program() {
    for last in
        ["go infinite\n", "go infinite", "go movetime 3600000\nquit\n", "go nodes 100\nquit"]
    {
        for text in [DEALT, LAST_MOVE] {
            let mut talk = Talk::new();
            talk.send(format!("position {text}\n{last}").as_bytes());
            talk.hang_up();
            let (rest, complaint) = talk.end();
            assert_eq!(complaint, "");
            // The running search is answered, and nothing follows.
            let answers = rest.iter().filter(|line| line.starts_with("bestmove ")).count();
            assert_eq!(answers, 1, "{last}: {rest:?}");
            assert!(rest.last().is_some_and(|line| line.starts_with("bestmove ")), "{rest:?}");
        }
    }
    for input in ["", "\n", "quit", "quit\n", "isready\nquit\nisready\n", "azi"] {
        let mut talk = Talk::new();
        talk.send(input.as_bytes());
        talk.hang_up();
        let (rest, complaint) = talk.end();
        assert_eq!(complaint, "");
        let expected = match input {
            "azi" => Some("aziok".to_owned()),
            input if input.starts_with("isready") => Some("readyok".to_owned()),
            _ => None,
        };
        assert_eq!(rest.last(), expected.as_ref(), "{input:?}");
    }
}

/// A script that pipes a question into the engine gets the whole answer.
#[test]
fn the_end_of_input_lets_a_search_reach_its_limit() {
    for (go, last) in [("go depth 5", "info depth 5 "), ("go nodes 20000\n", "info depth ")] {
        let mut talk = Talk::new();
        talk.send(format!("position {DEALT}\n{go}").as_bytes());
        talk.hang_up();
        let (piped, complaint) = talk.end();
        assert_eq!(complaint, "");
        let [.., info, best] = &piped[..] else { panic!("{piped:?}") };
        assert!(info.starts_with(last), "{piped:?}");
        let mut talk = Talk::new();
        let search = talk.best_move(&position(DEALT), go.trim_end());
        assert_eq!(*best, FromEngine::BestMove(search.best).to_string());
        let nodes = search.infos.last().and_then(|info| info.nodes).expect("nodes are counted");
        assert!(info.contains(&format!(" nodes {nodes} ")), "{info}");
    }
}

#[test]
fn where_there_is_no_move_there_is_none() {
    let mut talk = Talk::new();
    let rows = [(OVER, "the game is over"), (BETWEEN, "the next deal is due")];
    for (text, words) in rows {
        for go in ["go", "go depth 3", "go movetime 0"] {
            talk.say(&format!("position {text}"));
            talk.say(go);
            let search = talk.search();
            assert_eq!(search.best, None);
            assert!(matches!(&search.remarks[..], [one] if one.starts_with(words)));
            assert!(search.infos.is_empty());
        }
        talk.say("go infinite");
        assert_eq!(talk.remarks(), [format!("info string {words}: there is no move")]);
        talk.say("stop");
        assert_eq!(talk.message(), FromEngine::BestMove(None));
    }
}

/// The engine plays against itself; before each move the client sends the whole game.
#[test]
fn a_whole_game_is_played() {
    for (rules, seed) in [("2c", "5"), ("2gj", "6"), ("3g", "7"), ("4cj", "8")] {
        let rules = rules.parse().expect("rules");
        let (first, mut dealer) = Dealer::new(&seed.parse().expect("a seed"), &rules);
        let start = Position::new(rules, first);
        let (mut now, mut moves) = (start, Vec::new());
        let mut talk = Talk::new();
        talk.say("newgame");
        while now.ended_by().is_none() {
            let action = if now.phase() == Phase::Deal {
                Action::Deal(dealer.deal(&now).expect("a deal is due"))
            } else {
                let start = Box::new(start);
                talk.say(&ToEngine::Position { start, moves: moves.clone() }.to_string());
                talk.say(&Go::nodes(20).to_string());
                let search = talk.search();
                check_answer(&now, &search);
                Action::Move(search.best.expect("a move"))
            };
            action.apply(&mut now).expect("it can be done");
            moves.push(action);
        }
        talk.say("quit");
        assert_eq!(talk.end(), (vec![], String::new()), "{rules} {seed}");
    }
}
