//! The `serde` feature: values go through JSON as their texts, and wrong texts are refused.

use azulejo_rules::{Deal, EndedBy, Move, Players, Position, Preset, Rules, Seat, Setup, Tiles};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::{Debug, Display};

fn check<T: Serialize + DeserializeOwned + Display + PartialEq + Debug>(value: &T) {
    let json = serde_json::to_string(value).unwrap();
    assert_eq!(json, format!("\"{value}\""));
    assert_eq!(serde_json::from_str::<T>(&json).unwrap(), *value);
}

#[test]
fn values_are_their_texts() {
    let rules: Rules = "3gj-row3".parse().unwrap();
    let position = Position::new(rules, Seat::Two);
    check(&rules);
    check(&position);
    check(&Setup::from(&position));
    check(&"BBYR-KKKK".parse::<Deal>().unwrap());
    check(&"2JB1j1".parse::<Move>().unwrap());
    check(&"BBJ".parse::<Tiles>().unwrap());
    check(&Preset::QuickGuide);
    check(&EndedBy::NoTiles);
    check(&Players::Four);
}

#[test]
fn wrong_texts_are_refused() {
    let error = serde_json::from_str::<Move>("\"3B6\"").unwrap_err().to_string();
    assert!(error.starts_with("not a move at character 3"), "{error}");
    assert!(serde_json::from_str::<Rules>("\"2c-first3\"").is_err());
    assert!(serde_json::from_str::<Seat>("1").is_err());
}
