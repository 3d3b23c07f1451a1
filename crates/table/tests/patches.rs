//! Merging every patch of a game into the first view gives the last view: for each viewer, in whole
//! games of every rule set, with phrases, take-backs and resignations between the moves.

use azulejo_table::view::{GamePatch, GameView, Presence};
use azulejo_table::{
    ClockSpec, Command, Decision, Event, Game, LoggedEvent, Phrase, SeatKind, SeedBy, Settings,
    Status, seed_hash,
};
use azulejo_testkit::Rng;
use azulejo_testkit::random_play::RULE_SETS;
use serde_json::{Map, Value};

/// JSON Merge Patch as RFC 7386 defines it in section 2.
fn merge(target: &mut Value, patch: &Value) {
    let Value::Object(patch) = patch else {
        *target = patch.clone();
        return;
    };
    if !target.is_object() {
        *target = Value::Object(Map::new());
    }
    let Value::Object(target) = target else { unreachable!() };
    for (key, value) in patch {
        if value.is_null() {
            target.shift_remove(key);
        } else {
            merge(target.entry(key).or_insert(Value::Null), value);
        }
    }
}

/// A view without the keys that are null: a merge cannot tell them from missing keys.
fn without_nulls(mut value: Value) -> Value {
    if let Value::Object(object) = &mut value {
        object.retain(|_, value| !value.is_null());
        for value in object.values_mut() {
            *value = without_nulls(value.take());
        }
    }
    value
}

fn new_game(rules: &str, seed: u64) -> Game {
    let n_seats = usize::from(rules.as_bytes()[0] - b'0');
    let seed: azulejo_notation::Seed = seed.to_string().parse().unwrap();
    let seats = (1..=n_seats).map(|n| match n {
        1 => SeatKind::Person { person: "p1".to_owned(), name: "Ana".to_owned() },
        _ => SeatKind::Open,
    });
    let settings = Settings {
        rules: rules.to_owned(),
        seats: seats.collect(),
        clock: if n_seats == 2 {
            ClockSpec::Total { seconds: 100_000, increment: 5 }
        } else {
            ClockSpec::None
        },
        listed: true,
        takebacks: true,
        hints: false,
        seed_hash: seed_hash(&seed),
        seed_by: SeedBy::Server,
        position: None,
        rematch_of: None,
        daily: None,
        creator: "p1".to_owned(),
    };
    let mut game = Game::new("g1".into(), settings.into(), seed).unwrap();
    game.apply(&LoggedEvent { number: 1, at_ms: 1_000, event: Event::Created }).unwrap();
    game
}

/// Something that a random person tries to do; most of the time the move of the seat to move.
fn attempt(game: &Game, rng: &mut Rng) -> (String, Command) {
    let n_seats = game.seats.len();
    let person = format!("p{}", 1 + rng.index(n_seats));
    let command = match (game.status(), rng.below(40)) {
        (Status::Waiting, _) => {
            Command::Join { seat: None, name: person.to_uppercase(), is_invited: true }
        }
        (Status::Over, _) => Command::Rematch { game: "g2".to_owned() },
        // The others have to agree.
        (_, 0..30) if game.takeback.is_some() => Command::Takeback {},
        (_, 0..3) => Command::Takeback {},
        (_, 3) => Command::RefuseTakeback {},
        (_, 4) => Command::Say { phrase: Phrase::Hello, seat: None },
        (_, 5) if rng.below(20) == 0 => Command::Resign { seat: None },
        _ => {
            let moves = game.position.legal_moves();
            let m = moves[rng.index(moves.len())].to_string();
            let turn = game.turn().expect("the game is played");
            return (
                game.seats[usize::from(turn) - 1].person().unwrap_or_default().to_owned(),
                Command::Move { m, id: None, after: None, seat: None },
            );
        }
    };
    (person, command)
}

/// A client that knows nothing but how to merge.
struct Viewer {
    person: Option<String>,
    merged: Value,
}

#[test]
fn merged_patches_give_the_next_view() {
    let nobody = Presence::default();
    let (mut n_events, mut n_over, mut n_taken_back) = (0, 0, 0);
    for (i, rules) in RULE_SETS.iter().enumerate() {
        let mut rng = Rng::new(i as u64);
        let mut game = new_game(rules, i as u64);
        let mut at_ms = 1_000;
        let people = (0..=game.seats.len()).map(|n| (n > 0).then(|| format!("p{n}")));
        let mut viewers: Vec<Viewer> = people
            .map(|person| {
                let view = GameView::new(&game, person.as_deref(), &nobody, at_ms);
                Viewer { person, merged: serde_json::to_value(view).unwrap() }
            })
            .collect();
        for _ in 0..2_000 {
            at_ms += 1 + i64::from(rng.below(3_000));
            let (person, command) = attempt(&game, &mut rng);
            let event = match (game.decide(Some(&person), &command, at_ms), &command) {
                (Ok(Decision::Log(event)), _) => event,
                // The engine plays on for a seat that left.
                (Err(_), Command::Move { m, .. }) if game.engine_turn().is_some() => {
                    Event::Moved { seat: game.turn().unwrap(), m: m.clone(), id: None }
                }
                _ if game.status() == Status::Over => break,
                _ => continue,
            };
            n_events += 1;
            n_taken_back += usize::from(matches!(event, Event::TakenBack { .. }));
            let last = game.clone();
            game.apply(&LoggedEvent { number: last.number + 1, at_ms, event }).unwrap();
            for viewer in &mut viewers {
                let patch = GamePatch::new(&last, &game, viewer.person.as_deref(), at_ms);
                merge(&mut viewer.merged, &serde_json::to_value(patch).unwrap());
            }
            // One after the other, since comparing takes most of the time.
            let Viewer { person, merged } = &viewers[n_events % viewers.len()];
            let whole = GameView::new(&game, person.as_deref(), &nobody, at_ms);
            let whole = without_nulls(serde_json::to_value(whole).unwrap());
            let number = game.number;
            assert_eq!(without_nulls(merged.clone()), whole, "{rules}, event {number}, {person:?}");
        }
        n_over += usize::from(game.status() == Status::Over);
    }
    assert!(
        n_events > 2_000 && n_over > 25 && n_taken_back > 20,
        "{n_events} {n_over} {n_taken_back}"
    );
}
