//! Any text as a move, a deal, a rule set, a key with its value and a seed: what can be read is
//! printed canonically and read back.

use super::text;
use azulejo_notation::{Dealer, Seed};
use azulejo_rules::{Deal, Move, Players, Position, Rules, Seat};

pub(super) fn check_bytes(data: &[u8]) {
    let text = text(data);
    let columns = 1..=text.chars().count() + 1;
    match text.parse::<Move>() {
        Ok(m) => check_move(m, text),
        Err(error) => assert!(columns.contains(&error.column), "{error}"),
    }
    match text.parse::<Deal>() {
        Ok(deal) => check_deal(&deal, text),
        Err(error) => assert!(columns.contains(&error.column), "{error}"),
    }
    match text.parse::<Rules>() {
        Ok(rules) => check_rules(&rules),
        Err(error) => check_message(&error.to_string()),
    }
    for (key, value) in text.lines().filter_map(|line| line.split_once('=')) {
        check_key(key, value);
    }
    if let Ok(seed) = text.parse::<Seed>() {
        assert_eq!(seed.to_string(), text);
        let (first, mut dealer) = Dealer::new(&seed, &Rules::official(Players::Two));
        let mut position = Position::new(Rules::official(Players::Two), first);
        let deal = dealer.deal(&position).expect("a new game waits for a deal");
        assert_eq!(position.deal(&deal), Ok(()));
    }
}

/// There is one way to write a move.
fn check_move(m: Move, text: &str) {
    assert_eq!(m.to_string(), text);
    for players in Players::ALL {
        // No deal, no move; but any can be asked for.
        let position = Position::new(Rules::official(players), Seat::One);
        assert!(position.check(m).is_err());
        assert!(position.preview(m).is_err());
    }
}

/// The order of tiles on a factory is all that is free.
fn check_deal(deal: &Deal, text: &str) {
    let canonical = deal.to_string();
    assert_eq!(canonical.parse().as_ref(), Ok(deal), "{canonical}");
    let sorted = |factory: &str| {
        let mut letters: Vec<char> = factory.chars().collect();
        letters.sort_unstable();
        letters
    };
    assert!(canonical.split('-').map(sorted).eq(text.split('-').map(sorted)), "{canonical}");
    for players in Players::ALL {
        let mut position = Position::new(Rules::official(players), Seat::One);
        let before = position;
        if position.deal(deal).is_err() {
            assert_eq!(position, before, "a refused deal changed something");
        } else {
            assert_eq!(position.to_string().parse(), Ok(position));
        }
    }
}

fn check_rules(rules: &Rules) {
    let canonical = rules.to_string();
    assert_eq!(canonical.parse().as_ref(), Ok(rules), "{canonical}");
    let mut other = Rules::official(rules.players());
    for (key, value) in rules.keys() {
        other.set(key, &value).unwrap_or_else(|error| panic!("{error}"));
    }
    assert_eq!(other, *rules, "{canonical}");
    let first = rules.first_player().unwrap_or(Seat::One);
    let position = Position::new(*rules, first);
    assert_eq!(position.to_string().parse(), Ok(position), "{canonical}");
}

fn check_key(key: &str, value: &str) {
    let before = Rules::official(Players::Three);
    let mut rules = before;
    match rules.set(key, value) {
        Ok(()) => check_rules(&rules),
        Err(error) => {
            assert_eq!(rules, before, "{error}");
            check_message(&error.to_string());
        }
    }
}

/// Messages are short and have nothing in them that a terminal would obey, whatever they quote.
fn check_message(message: &str) {
    assert!(message.len() < 1000, "{message:?}");
    assert!(!message.chars().any(char::is_control), "{message:?}");
}
