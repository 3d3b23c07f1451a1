//! A review as JSON: the same bytes every time, readable numbers, and a round trip.

#[allow(dead_code, reason = "shared with the evidence")]
mod common;

use azulejo_review::{Budget, Review};
use common::{game, review};

#[test]
fn json_is_reproducible_and_can_be_read_back() {
    const SMALL: Budget = Budget { nodes: 1_000, n_deals: 2, deal_nodes: 1_000 };
    let record = game("2c", &[1, 3], "json");
    let text = serde_json::to_string(&review(&record, SMALL, "review")).unwrap();
    assert_eq!(text, serde_json::to_string(&review(&record, SMALL, "review")).unwrap());
    let back: Review = serde_json::from_str(&text).unwrap();
    assert_eq!(serde_json::to_string(&back).unwrap(), text);

    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&value["review"], &value["rules"]), (&1.into(), &"2c".into()));
    assert_eq!(value["players"][1]["seat"], 2);
    assert_eq!(value["decisions"][0]["played"], record.rounds()[0].turns[0].m.to_string());
    // No number has more than four decimals.
    let decimals = text.split(|c: char| !c.is_ascii_digit() && c != '.');
    let most = decimals.filter_map(|number| Some(number.split_once('.')?.1.len())).max();
    assert!(most <= Some(4), "{most:?}");
}

/// docs/review.md names every key.
#[test]
fn every_key_is_documented() {
    const SMALL: Budget = Budget { nodes: 1_000, n_deals: 2, deal_nodes: 1_000 };
    let page = include_str!("../../../docs/review.md");
    let value =
        serde_json::to_value(review(&game("2c", &[1, 3], "keys"), SMALL, "review")).unwrap();
    let mut missing = Vec::new();
    check(&value, page, &mut missing);
    assert!(missing.is_empty(), "docs/review.md does not mention {missing:?}");
}

fn check(value: &serde_json::Value, page: &str, missing: &mut Vec<String>) {
    match value {
        serde_json::Value::Object(object) => {
            for (key, value) in object {
                // Reasons and the numbers of a budget are described in words.
                let is_described = ["reasons", "budget"].contains(&key.as_str());
                if !page.contains(&format!("`{key}`")) && !missing.contains(key) {
                    missing.push(key.clone());
                }
                if !is_described {
                    check(value, page, missing);
                }
            }
        }
        serde_json::Value::Array(list) => list.iter().for_each(|value| check(value, page, missing)),
        _ => {}
    }
}
