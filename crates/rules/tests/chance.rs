//! Random moves are equally likely: the frequencies of many draws against the list of moves.

use azulejo_rules::{Move, Position};
use azulejo_testkit::Rng;
use std::collections::HashMap;

/// Positions with few and many moves, jokers and a wall choice.
const POSITIONS: [&str; 4] = [
    "az1_2c_d1_1s1_BBYR-KKKK-BYRK-YWWW-RRKK_1_rest_._0~.-..-...-....-.....~.....-.....-.....-.....-.....~._0~.-..-...-....-.....~.....-.....-.....-.....-.....~.",
    "az1_2c_d2_3s1_.-.-BBRK-.-._YYYKKW_rest_._9~.-..-...-....-.....~.....-.....-.....-.....-.....~1_4~K-Y.-...-WW..-BBBBB~B....-W....-..B..-.....-.....~R",
    "az1_2cj_d1_1s1_BBRJ-KKKJ-BYRK-YWWW-RRKK_1BJ_rest_._0~.-..-...-....-.....~.....-.....-.....-.....-.....~._0~.-..-...-....-.....~.....-.....-.....-.....-.....~.",
    "az1_2g_w1r2_3s1_.-.-.-.-._._rest_._9~.-BB-...-....-.....~B....-....R-.....-..B..-.....~1_4~.-..-YYY-....-RRR..~.....-.....-.....-.....-.....~KK",
];

/// Draws many moves and compares how often each came with how often it should.
fn check(text: &str, mut draw: impl FnMut(&Position, u64) -> Option<Move>) {
    let position: Position = text.parse().expect(text);
    let moves = position.legal_moves();
    let seed = 1;
    let mut rng = Rng::new(seed);
    let n_each = 2000;
    let mut counts: HashMap<Move, u32> = HashMap::new();
    for _ in 0..n_each * moves.len() {
        let m = draw(&position, rng.next_u64()).expect("there are moves");
        *counts.entry(m).or_default() += 1;
    }
    assert_eq!(counts.len(), moves.len(), "only legal moves, and all of them: {text}");
    let expected = n_each as f64;
    let chi_square: f64 =
        moves.iter().map(|m| (f64::from(counts[m]) - expected).powi(2) / expected).sum();
    // The sum has this mean and this deviation; five deviations do not happen with a fixed seed.
    let freedom = moves.len() as f64 - 1.0;
    assert!(
        (chi_square - freedom).abs() < 5.0 * (2.0 * freedom).sqrt(),
        "chi square {chi_square} for {freedom} degrees of freedom, seed {seed}: {text}"
    );
}

#[test]
fn moves_played_at_random_are_equally_likely() {
    for text in POSITIONS {
        check(text, |position, random| {
            let mut copy = *position;
            let m = copy.play_random(random)?;
            let mut expected = *position;
            expected.play_unchecked(m);
            assert_eq!(copy, expected, "{m}");
            Some(m)
        });
    }
}

#[test]
fn moves_picked_by_a_random_number_are_equally_likely() {
    for text in POSITIONS {
        check(text, |position, random| {
            position.pick_move(|n| ((u128::from(random) * u128::from(n)) >> 64) as u32)
        });
    }
}

#[test]
fn there_is_no_random_move_between_rounds_and_after_the_end() {
    let undealt = "az1_2c_n_1s2_.-.-.-.-._1_rest_._0~.-..-...-....-.....~.....-.....-.....-.....-.....~._0~.-..-...-....-.....~.....-.....-.....-.....-.....~.";
    let mut position: Position = undealt.parse().expect(undealt);
    let before = position;
    assert_eq!(position.play_random(u64::MAX), None);
    assert_eq!(position, before);
}
