//! The `serde` feature: levels and evaluations are their texts, and the answer of a search survives a
//! round trip through JSON.

use azulejo_engine::{Answer, Engine, EvalKind, Level, Limits, Options, Stop};
use azulejo_rules::{Players, Position, Rules, Seat};

#[test]
fn levels_and_evaluations_are_their_texts() {
    let level = Level::new(5).unwrap();
    assert_eq!(serde_json::to_string(&level).unwrap(), "\"5 Tiler\"");
    for text in ["\"5 Tiler\"", "\"5\"", "\"tiler\""] {
        assert_eq!(serde_json::from_str::<Level>(text).unwrap(), level);
    }
    assert!(serde_json::from_str::<Level>("\"11\"").is_err());
    assert_eq!(serde_json::to_string(&EvalKind::Classic).unwrap(), "\"classic\"");
    assert!(serde_json::from_str::<EvalKind>("\"best\"").is_err());
}

#[test]
fn options_limits_and_answers_round_trip() {
    let options = Options { hash_mb: 1, level: Level::new(3).unwrap(), ..Options::default() };
    let json = serde_json::to_string(&options).unwrap();
    assert_eq!(serde_json::from_str::<Options>(&json).unwrap(), options);
    let limits = Limits { nodes: Some(500), ..Limits::default() };
    let json = serde_json::to_string(&limits).unwrap();
    assert_eq!(serde_json::from_str::<Limits>(&json).unwrap(), limits);

    let mut position = Position::new(Rules::official(Players::Two), Seat::One);
    position.deal(&"BBYR-KKKK-BYRK-YWWW-RRKK".parse().unwrap()).unwrap();
    let answer = Engine::new(options).search(&position, &limits, &Stop::new(), &mut |_| {});
    let answer = answer.unwrap();
    let json = serde_json::to_value(&answer).unwrap();
    assert_eq!(json["best"], answer.best.to_string());
    assert_eq!(json["info"]["pv"][0], answer.best.to_string());
    assert_eq!(serde_json::from_value::<Answer>(json).unwrap(), answer);
}
