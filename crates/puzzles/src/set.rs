//! The set of puzzles: a folder of parts, each with a head and one puzzle to a line, in the order of
//! their ratings.

use crate::puzzle::{ParsePuzzleError, Puzzle};

/// The number of puzzles in a part; the last one may have fewer.
pub const PART: usize = 250;

/// The puzzles of a part, with their line numbers. Lines that begin with `#` are comments.
pub fn read_part(
    text: &str,
) -> impl Iterator<Item = (usize, Result<Puzzle, ParsePuzzleError>)> + '_ {
    let lines = text.lines().enumerate();
    lines
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .map(|(i, line)| (i + 1, line.parse()))
}

/// The place of the daily puzzle in the set, from 0, for the number of days since 1970-01-01 (UTC). The
/// same for everybody who has the same set; it comes again only after all others.
///
/// ```
/// use azulejo_puzzles::daily;
///
/// assert_ne!(daily(20_000, 1_500), daily(20_001, 1_500));
/// assert_eq!(daily(20_000, 1_500), daily(21_500, 1_500));
/// assert_eq!(daily(20_000, 0), None);
/// ```
#[must_use]
pub fn daily(day: u64, n_puzzles: usize) -> Option<usize> {
    /// A prime above the size of the set, so that easy and hard ones alternate.
    const STEP: u64 = 104_729;
    Some((day.wrapping_mul(STEP).checked_rem(n_puzzles as u64)?) as usize)
}

/// A few puzzles for examples and tests.
pub fn samples() -> impl Iterator<Item = Puzzle> {
    read_part(include_str!("../samples.txt"))
        .map(|(_, puzzle)| puzzle.expect("a sample is a puzzle"))
}
