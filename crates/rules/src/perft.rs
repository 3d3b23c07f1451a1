//! Perft: counting all sequences of moves of a length, the classic check and timing of a move
//! generator.

use crate::deal::Deal;
use crate::position::{Phase, Position};

/// Counts the sequences of `depth` moves from a position. Where a round ends on the way, `deal`
/// supplies the next deal, which should depend on the position alone. A game that ends before
/// `depth` counts as one sequence.
///
/// ```
/// use azulejo_rules::{Players, Position, Rules, Seat, perft};
///
/// let mut position = Position::new(Rules::official(Players::Two), Seat::One);
/// position.deal(&"BBYR-KKKK-BYRK-YWWW-RRKK".parse()?)?;
/// // No round ends within two moves, so no deal is asked for.
/// let mut deal = |_: &Position| unreachable!();
/// assert_eq!(perft(&position, 1, &mut deal), 72);
/// assert!(perft(&position, 2, &mut deal) > 72);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn perft(position: &Position, depth: u32, deal: &mut impl FnMut(&Position) -> Deal) -> u64 {
    let mut position = *position;
    if depth == 0 || position.ended_by().is_some() {
        return 1;
    }
    if position.phase() == Phase::Deal {
        let dealt = deal(&position);
        position.deal_unchecked(&dealt);
    }
    if depth == 1 {
        return u64::from(position.n_legal_moves());
    }
    let mut n_sequences = 0;
    for m in position.legal_moves() {
        let mut next = position;
        next.play_unchecked(m);
        n_sequences += perft(&next, depth - 1, deal);
    }
    n_sequences
}
