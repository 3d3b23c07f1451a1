//! Random games for the tests, with everything a record can have. Each follows from a seed, which
//! the tests print when they fail.

use azulejo_notation::{Chance, Dealer, Record, Seed};
use azulejo_rules::{Phase, Rules};

/// Rule sets of every kind.
pub const RULES: [&str; 16] = [
    "2c",
    "3c",
    "4c",
    "2g",
    "3g",
    "4g",
    "2cj",
    "3cj",
    "4cj",
    "2gj",
    "3gj",
    "4gj",
    "2c-duel",
    "3c-overview-first2",
    "4c-quick-guide",
    "4gj-first4-row3-col5-bottom9-floor0000009-neighbors-whole-stall1",
];

/// Texts that a careless reader or printer would stumble over.
const WORDS: [&str; 16] = [
    "quiet",
    "start",
    "1B2",
    "round",
    "end",
    "*",
    "[Azulejo",
    "\"1\"]",
    "\\",
    "é",
    "壁",
    "a-b",
    "}",
    "{",
    "\u{1F9E9}",
    "long-long-long-long-long-long-long-long-long-long-long-long-long-long-long",
];

/// A seed.
pub fn seed(text: &str) -> Seed {
    text.parse().expect("a seed")
}

/// Some words, without those that do not suit.
fn words(chance: &mut Chance, most: u32, suits: impl Fn(&str) -> bool) -> String {
    let n = 1 + chance.below(most);
    let words = (0..n).map(|_| WORDS[chance.below(WORDS.len() as u32) as usize]);
    words.filter(|word| suits(word)).collect::<Vec<_>>().join(" ")
}

fn perhaps_comment(record: &mut Record, chance: &mut Chance) {
    if chance.below(8) == 0 {
        let text = words(chance, 25, |word| !word.contains(['{', '}']));
        record.set_comment(&text).expect("a comment");
    }
}

/// A random game. Some stop before their end, some start from a position.
pub fn random_record(rules: &str, seed_text: &str) -> Record {
    let rules: Rules = rules.parse().expect("rules");
    let seed = seed(seed_text);
    let mut chance = Chance::new(&self::seed(&format!("{seed_text}-moves")));
    let (first, mut dealer) = Dealer::new(&seed, &rules);
    let mut record = Record::new(rules, first).expect("a new game");
    record.set_seed(Some(seed));
    let mut n_moves = if chance.below(2) == 0 { chance.below(120) } else { u32::MAX };
    let mut n_before_start = if chance.below(3) == 0 { chance.below(60) } else { 0 };
    loop {
        if n_before_start == 1 {
            record = Record::from_position(*record.final_position());
        }
        n_before_start = n_before_start.saturating_sub(1);
        if record.n_moves() == 0 && record.rounds().is_empty() {
            decorate(&mut record, &mut chance);
        }
        if n_moves == 0 {
            return record;
        }
        n_moves -= 1;
        match record.final_position().phase() {
            Phase::Over(_) => return record,
            Phase::Deal => {
                let deal = dealer.deal(record.final_position()).expect("a deal is due");
                record.deal(&deal).expect("the deal is possible");
            }
            Phase::Draft | Phase::Tiling(_) => {
                let m = record.final_position().pick_move(|n| chance.below(n));
                record.play(m.expect("there is a move")).expect("the move is legal");
            }
        }
        perhaps_comment(&mut record, &mut chance);
    }
}

/// Names and tags, and a comment before everything.
fn decorate(record: &mut Record, chance: &mut Chance) {
    for &seat in record.rules().players().seats() {
        if chance.below(2) == 0 {
            record.set_name(seat, &words(chance, 4, |_| true)).expect("a name");
        }
    }
    for name in ["Date", "Event", "x_1"] {
        if chance.below(2) == 0 {
            record.set_tag(name, &words(chance, 9, |_| true)).expect("a tag");
        }
    }
    perhaps_comment(record, chance);
}
