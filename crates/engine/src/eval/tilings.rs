//! The wall choices of the evaluation: how it expects each seat to tile its wall. Training and play
//! share this code, so that the network sees the same boards in both.

use super::classic;
use super::features::{self, Supply, TiledBoard};
use super::network::{DIFFERENCE_LANE, Layers, POINT};
use arrayvec::ArrayVec;
use azulejo_rules::{Board, Position, Rules, Tilings};

/// What ranks the ways to tile a wall besides the score.
#[derive(Clone, Copy)]
pub(super) enum Taste<'a> {
    /// What the wall without its unfinished lines adds to the linear output for its owner.
    Learned(&'a Layers),
    /// The hand-written evaluation of the board.
    Classic,
}

/// A chosen tiling.
pub(super) struct Tiling {
    pub(super) board: Board,
    /// Whether no other choice is better, whatever the others do: there is no choice, or the game
    /// ends with this round, however this wall is tiled, and the choice has the most points.
    pub(super) is_settled: bool,
}

/// The best tiling of a board.
///
/// In the last round only the final score counts, and of equal scores the number of full rows, which
/// breaks ties. A wall that can get a full row or avoid it gets it: otherwise the round would not
/// be the last.
pub(super) fn choose(
    mut tilings: Tilings,
    is_last_round: bool,
    rules: &Rules,
    taste: Taste,
) -> Tiling {
    let first = tilings.next().expect("a board can be tiled in at least one way");
    let Some(second) = tilings.next() else { return Tiling { board: first, is_settled: true } };
    let ends = |board: &Board| is_last_round && board.wall().has_full_row();
    let rank = |board: &Board| (ends(board), worth(board, is_last_round, rules, taste));
    let (mut best, mut most) = (first, rank(&first));
    let mut ends_alike = true;
    for board in std::iter::once(second).chain(tilings) {
        ends_alike &= ends(&board) == most.0;
        let rank = rank(&board);
        if rank > most {
            (best, most) = (board, rank);
        }
    }
    Tiling { board: best, is_settled: is_last_round && ends_alike }
}

fn worth(board: &Board, is_last_round: bool, rules: &Rules, taste: Taste) -> i32 {
    let score = features::score_now(board, is_last_round, rules) * POINT;
    if is_last_round {
        return score + board.wall().full_rows() as i32;
    }
    match taste {
        Taste::Learned(layers) => {
            let mut value = score;
            features::wall_features(board.wall(), |feature| {
                value += i32::from(layers.row(feature).0[DIFFERENCE_LANE]);
            });
            value
        }
        Taste::Classic => {
            // The classic evaluation uses neither the floor nor the supply.
            let supply = Supply::NONE;
            let tiled = TiledBoard { board, floor_spaces: 0, is_last_round, supply };
            score + classic::board_value(&tiled, rules)
        }
    }
}

/// The end of a round as the evaluation expects it.
pub(super) struct RoundEnd {
    /// The boards by seat after wall-tiling.
    pub(super) boards: ArrayVec<Board, 4>,
    /// Whether all tilings are settled.
    pub(super) is_settled: bool,
}

/// The end of the round if it ended now.
pub(super) fn round_end(position: &Position, taste: Taste) -> RoundEnd {
    let rules = position.rules();
    let all = |is_last_round: bool| {
        let mut end = RoundEnd { boards: ArrayVec::new(), is_settled: true };
        for &seat in rules.players().seats() {
            let tiling = choose(position.tilings(seat), is_last_round, rules, taste);
            end.is_settled &= tiling.is_settled;
            end.boards.push(tiling.board);
        }
        end
    };
    let end = all(false);
    // In the last round other choices are best, and that is known only now.
    if end.boards.iter().any(|board| board.wall().has_full_row()) { all(true) } else { end }
}

/// Each seat's board as it would be after wall-tiling if the round ended now, with the wall choices
/// that the engine expects when it evaluates with these layers.
#[must_use]
pub fn tilings(position: &Position, layers: &Layers) -> ArrayVec<Board, 4> {
    round_end(position, Taste::Learned(layers)).boards
}
