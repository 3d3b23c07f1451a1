//! Positions of random games, for tests.

use azulejo_rules::{Phase, Position, Rules, Seat};

/// Shows every position of a random game in which there is a move; the same ones in every run.
pub(crate) fn each_position(rules: Rules, seed: u64, mut visit: impl FnMut(&Position)) {
    let mut luck = seed;
    let mut next = || {
        luck = luck.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        luck.rotate_left(32)
    };
    let mut position = Position::new(rules, Seat::One);
    while position.ended_by().is_none() {
        if position.phase() == Phase::Deal {
            let deal = position.draw_deal(|n| next() as u32 % n);
            position.deal_unchecked(&deal);
        }
        visit(&position);
        position.play_random(next());
    }
}
