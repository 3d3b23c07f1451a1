//! Positions of random games, for tests.

use azulejo_rules::{Phase, Position, Rules, Seat};

/// Calls `visit` with every position of a random game that has a legal move; the seed decides all.
pub(crate) fn each_position(rules: Rules, seed: u64, mut visit: impl FnMut(&Position)) {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        state.rotate_left(32)
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
