//! What docs/notation.md shows is what the parsers read: every example in it is tried.

use azulejo_rules::{Deal, Move, Phase, Position, Rules};
use std::collections::BTreeSet;

const DOC: &str = include_str!("../../../docs/notation.md");

/// The section of the document under a heading.
fn section(heading: &str) -> &'static str {
    let (_, after) = DOC.split_once(&format!("\n## {heading}\n")).expect(heading);
    after.split("\n## ").next().unwrap_or(after)
}

/// The first cell of every row of the section's tables that begins with code.
fn first_cells(section: &'static str) -> Vec<&'static str> {
    let cell = |line: &'static str| line.strip_prefix("| `")?.split('`').next();
    section.lines().filter_map(cell).collect()
}

#[test]
fn moves_read_back() {
    let cells = first_cells(section("Moves"));
    assert!(cells.len() >= 6, "{cells:?}");
    for text in cells {
        let m: Move = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(m.to_string(), text);
    }
}

#[test]
fn deals_read_back() {
    let block = section("Deals").split("```").nth(1).expect("an example");
    let deals: Vec<_> = block.lines().skip(1).collect();
    assert_eq!(deals.len(), 2);
    for text in deals {
        let deal: Deal = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(deal.to_string(), text);
    }
}

#[test]
fn rule_options_say_what_their_keys_say() {
    let rows = section("Rule sets").lines().filter(|line| line.starts_with("| `"));
    let mut n_rows = 0;
    for row in rows {
        let mut codes = row.split('`').skip(1).step_by(2);
        let (option, key) = (codes.next().expect(row), codes.next().expect(row));
        let short: Rules = format!("2c-{option}").parse().expect(row);
        let (key, value) = key.split_once('=').expect(row);
        let mut long = Rules::official(azulejo_rules::Players::Two);
        long.set(key, value).expect(row);
        assert_eq!(short, long, "{row}");
        n_rows += 1;
    }
    assert_eq!(n_rows, 9);
}

#[test]
fn positions_are_legal_and_show_every_variant() {
    let examples: Vec<_> = DOC.lines().filter(|line| line.starts_with("az1_")).collect();
    let mut seen = BTreeSet::new();
    for text in &examples {
        let position: Position = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        // `rest` is not canonical; everything else in the examples is.
        let printed = position.to_string();
        assert_eq!(printed.parse(), Ok(position));
        assert!(printed == *text || text.contains("rest"), "{text}\n{printed}");
        let rules = position.rules();
        seen.insert(format!("{} players", rules.players().count()));
        seen.insert(format!("{:?}", rules.wall));
        seen.insert(format!("jokers {}", rules.jokers));
        seen.insert(match position.phase() {
            Phase::Tiling(_) => "a wall choice".to_owned(),
            phase => format!("{phase:?}"),
        });
    }
    let expected = [
        "2 players",
        "3 players",
        "4 players",
        "Colored",
        "Grey",
        "jokers true",
        "a wall choice",
        "Draft",
        "Deal",
        "Over(Row)",
    ];
    for variant in expected {
        assert!(seen.contains(variant), "no example of {variant}: {seen:?}");
    }
}
