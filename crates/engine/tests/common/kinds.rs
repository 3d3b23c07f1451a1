//! The twelve kinds of game.

use azulejo_rules::{Players, Position, Rules, WallKind};

/// All combinations of players, wall and jokers.
pub(crate) fn all() -> impl Iterator<Item = Rules> {
    Players::ALL.into_iter().flat_map(|players| {
        [
            (WallKind::Colored, false),
            (WallKind::Grey, false),
            (WallKind::Colored, true),
            (WallKind::Grey, true),
        ]
        .map(|(wall, jokers)| Rules::official(players).with_wall(wall).with_jokers(jokers))
    })
}

#[allow(dead_code, reason = "not every test that includes this module needs it")]
/// Whether the next deal comes from the bag alone. Otherwise its tiles depend on what falls into the
/// lid in this round, which the search leaves out.
pub(crate) fn bag_is_enough(position: &Position) -> bool {
    position.stock().bag.total() >= 4 * position.rules().players().factories() as u32
}
