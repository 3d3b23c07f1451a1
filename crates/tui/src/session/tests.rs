//! Games are played, taken back, saved and resumed.

use super::*;

fn session(rules: &str, seats: &str) -> Session {
    let players = seats.split(',').map(|seat| seat.parse().unwrap()).collect();
    let mut choices = Choices::new(rules.parse().unwrap(), players).unwrap();
    choices.seed = "5".parse().ok();
    choices.time = "10+5".parse().ok();
    Session::start(&choices, &"other".parse().unwrap())
}

fn play_to_the_end(session: &mut Session) {
    while let Some(&m) = session.position().legal_moves().first() {
        session.play(m, Instant::now()).unwrap();
    }
}

#[test]
fn a_game_can_be_saved_and_resumed_after_any_move() {
    for rules in ["2c", "3gj", "4c"] {
        let seats = ["Ana,ai:3", "Ana,Rui,ai:1", "a,b,c,d"]
            [rules.parse::<azulejo_rules::Rules>().unwrap().players().count() - 2];
        let mut whole = session(rules, seats);
        play_to_the_end(&mut whole);
        let text = whole.record().to_string();
        for n in (0..whole.record().n_moves()).step_by(7) {
            let part = Session::at(whole.record(), n, &"x".parse().unwrap());
            assert_eq!(part.record().n_moves(), n);
            let saved = Record::parse(part.record().to_string()).unwrap();
            let mut again = Session::resume(saved, &"x".parse().unwrap());
            assert_eq!(again.players(), whole.players());
            play_to_the_end(&mut again);
            // The clock alone may differ.
            let moves = |text: &str| text.split_once("\n\n").unwrap().1.to_owned();
            assert_eq!(moves(&again.record().to_string()), moves(&text));
        }
    }
}

#[test]
fn undo_goes_back_to_the_last_decision_of_a_person() {
    let mut game = session("2c", "Ana,ai:3");
    assert!(!game.undo());
    let first = *game.position();
    let mut decisions = Vec::new();
    for _ in 0..30 {
        let position = *game.position();
        if game.to_move().unwrap().is_person() {
            decisions.push(position);
        }
        game.play(position.legal_moves()[0], Instant::now()).unwrap();
    }
    while let Some(before) = decisions.pop() {
        assert!(game.undo());
        assert_eq!(*game.position(), before);
    }
    assert!(!game.undo());
    let engines = &mut session("2c", "ai:1,ai:1");
    engines.play(first.legal_moves()[0], Instant::now()).unwrap();
    assert!(engines.undo());
    assert_eq!(*engines.position(), first);
}

#[test]
fn a_game_without_a_seed_goes_on_from_its_position() {
    let text = include_str!("../../../../testdata/records/from-position.txt");
    let record = Record::parse(text).unwrap();
    assert!(verify_deals(&record).is_err());
    let mut game = Session::resume(record.clone(), &"7".parse().unwrap());
    assert_eq!(game.position().boards(), record.final_position().boards());
    assert!(game.to_move().is_some());
    play_to_the_end(&mut game);
    assert!(verify_deals(game.record()).is_ok());
}

#[test]
fn the_clock_is_in_the_record() {
    let mut game = session("2c", "Ana,ai:3");
    let (seat, start) = (game.position().turn(), Instant::now());
    game.start_clock(start);
    let m = game.position().legal_moves()[0];
    game.play(m, start + std::time::Duration::from_secs(65)).unwrap();
    let again = Session::resume(game.record().clone(), &"x".parse().unwrap());
    assert_eq!(again.clock().unwrap().left_ms(seat, start), 540_000);
}

#[test]
fn hostile_tags_do_no_harm() {
    let mut record = session("2c", "Ana,ai:3").record().clone();
    record.set_tag("Player1", "level 99").unwrap();
    record.set_tag("Clock", "99999999999999999999+1").unwrap();
    record.set_name(Seat::One, &"x".repeat(900)).unwrap();
    let game = Session::resume(record.clone(), &"x".parse().unwrap());
    assert_eq!((game.player(Seat::One).name.len(), game.clock()), (MAX_NAME, None));
    record.set_tag("Clock", "10+5").unwrap();
    record.set_tag("Left1", "-9223372036854775808 ms").unwrap();
    let mut game = Session::resume(record, &"x".parse().unwrap());
    game.start_clock(Instant::now());
    let m = game.position().legal_moves()[0];
    game.play(m, Instant::now()).unwrap();
}
