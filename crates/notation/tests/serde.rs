//! The `serde` feature: a record is its JSON object and is checked when it is read.

use azulejo_notation::{Action, Dealer, Record, Seed};
use azulejo_rules::Rules;

#[test]
fn records_are_their_json_and_are_checked() {
    let rules: Rules = "2c".parse().unwrap();
    let seed: Seed = "5".parse().unwrap();
    let (first, mut dealer) = Dealer::new(&seed, &rules);
    let mut record = Record::new(rules, first).unwrap();
    record.set_seed(Some(seed.clone()));
    let deal = dealer.deal(record.final_position()).unwrap();
    record.deal(&deal).unwrap();
    record.play(record.final_position().legal_moves()[0]).unwrap();
    let json = serde_json::to_string(&record).unwrap();
    assert_eq!(json, record.to_json());
    assert_eq!(serde_json::from_str::<Record>(&json).unwrap(), record);
    for (from, to) in [
        ("\"azulejo\":1", "\"azulejo\":2"),
        ("\"end\":null", "\"end\":{\"by\":\"row\",\"scores\":[1,2]}"),
    ] {
        assert!(serde_json::from_str::<Record>(&json.replace(from, to)).is_err(), "{to}");
    }
    assert_eq!(serde_json::to_string(&seed).unwrap(), "\"5\"");
    let action = Action::Deal(deal);
    let text = serde_json::to_string(&action).unwrap();
    assert_eq!(serde_json::from_str::<Action>(&text).unwrap(), action);
}
