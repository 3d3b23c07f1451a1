//! A move: a draft of tiles, or a choice in wall-tiling; and its text.

use crate::names::{Color, Column, Destination, Row, Source, Tile};
use arrayvec::ArrayVec;
use std::fmt;
use std::str::FromStr;

/// The most legal moves any position can have.
///
/// A factory of four tiles gives at most 45: three colors and a joker make seven picks with six
/// destinations each, and on line 1 each of the three mixed picks has a second way to overflow.
/// The center gives at most 141: five colors and the jokers alone to six destinations (36), and
/// five mixed picks that can enter line `n` in at most `n + 1` ways and go to the floor in one (5 × 21).
pub const MAX_MOVES: usize = 9 * 45 + 141;

/// A list of moves on the stack, with room for the few surplus moves of its generation.
pub type MoveList = ArrayVec<Move, { MAX_MOVES + 6 }>;

/// Which tiles are taken from a source.
///
/// ```
/// use azulejo_rules::{Color, Pick};
///
/// let pick: Pick = "JB".parse()?;
/// assert_eq!(pick, Pick::JokersAnd(Color::Blue));
/// assert!(pick.has_jokers() && pick.color() == Some(Color::Blue));
/// # Ok::<(), azulejo_rules::ParseMoveError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Pick {
    /// All tiles of a color; jokers stay.
    Color(Color),
    /// All jokers and nothing else.
    Jokers,
    /// All jokers and all tiles of a color.
    JokersAnd(Color),
}

impl Pick {
    /// Every pick there is.
    pub const ALL: [Pick; 11] = {
        let mut all = [Pick::Jokers; 11];
        let mut color = 0;
        while color < 5 {
            all[color] = Pick::Color(Color::ALL[color]);
            all[color + 6] = Pick::JokersAnd(Color::ALL[color]);
            color += 1;
        }
        all
    };

    /// The color of the pick, unless it is jokers alone.
    #[inline]
    #[must_use]
    pub const fn color(self) -> Option<Color> {
        match self {
            Pick::Color(color) | Pick::JokersAnd(color) => Some(color),
            Pick::Jokers => None,
        }
    }

    /// Whether jokers are taken.
    #[inline]
    #[must_use]
    pub const fn has_jokers(self) -> bool {
        !matches!(self, Pick::Color(_))
    }

    /// All tiles of one kind.
    #[inline]
    pub(crate) const fn one_kind(tile: Tile) -> Pick {
        match tile {
            Tile::Color(color) => Pick::Color(color),
            Tile::Joker => Pick::Jokers,
        }
    }
}

/// A turn of the factory offer.
///
/// ```
/// use azulejo_rules::{Destination, Draft, Source};
///
/// let draft: Draft = "0KF".parse()?;
/// assert_eq!((draft.source, draft.to), (Source::Center, Destination::Floor));
/// assert_eq!(draft.to_string(), "0KF");
/// # Ok::<(), azulejo_rules::ParseMoveError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Draft {
    /// Where the tiles are taken.
    pub source: Source,
    /// Which tiles are taken.
    pub pick: Pick,
    /// Where they go.
    pub to: Destination,
    /// The number of jokers that enter the line beyond the necessary ones, when a mixed pick does
    /// not fit.
    pub extra_jokers: u8,
}

/// A decision of a player, written as in `3B2` or `r2c3`.
///
/// ```
/// use azulejo_rules::{Color, Destination, Draft, Move, Pick, Row, Source};
///
/// // The blue tiles of factory 3 to line 2.
/// let m: Move = "3B2".parse()?;
/// let (pick, to) = (Pick::Color(Color::Blue), Destination::Line(Row::Two));
/// assert_eq!(m, Move::Draft(Draft { source: Source::Factory3, pick, to, extra_jokers: 0 }));
/// assert_eq!("3B".parse::<Move>().unwrap_err().column, 3);
/// # Ok::<(), azulejo_rules::ParseMoveError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// Take tiles and put them on a line or the floor.
    Draft(Draft),
    /// In wall-tiling, choose the space for the tile of a full line.
    Place {
        /// The row of the line and of the wall.
        row: Row,
        /// The column of the space.
        column: Column,
    },
}

impl fmt::Display for Pick {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pick::Color(color) => write!(f, "{color}"),
            Pick::Jokers => write!(f, "J"),
            Pick::JokersAnd(color) => write!(f, "J{color}"),
        }
    }
}

impl fmt::Display for Draft {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Draft { source, pick, to, extra_jokers } = self;
        let extra = if *extra_jokers > 0 { format!("j{extra_jokers}") } else { String::new() };
        f.pad(&format!("{source}{pick}{to}{extra}"))
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Draft(draft) => draft.fmt(f),
            Move::Place { row, column } => f.pad(&format!("r{row}c{column}")),
        }
    }
}

parse_error! {
    /// Why a text is not a move, a draft or a pick.
    ParseMoveError, "not a move at character {}: expected {}", expected: &'static str
}

/// `FromStr` that reads the whole text with a method of [`Letters`].
macro_rules! read_with {
    ($($(#[$meta:meta])* $type:ident: $read:ident),+) => {$(
        $(#[$meta])*
        impl FromStr for $type {
            type Err = ParseMoveError;

            fn from_str(text: &str) -> Result<$type, ParseMoveError> {
                let mut letters = Letters { text, column: 1 };
                let value = letters.$read()?;
                let rest = letters.expected("the end of the move");
                if letters.text.is_empty() { Ok(value) } else { Err(rest) }
            }
        }
    )+};
}

read_with! {
    /// Reads the text of a move: `3B2`, `0KF`, `2JB1j1`, `r2c3`.
    Move: any_move,
    /// Reads the text of a draft: `3B2`, `0KF`, `2JB1j1`.
    Draft: draft,
    /// Reads the text of a pick: `B`, `J`, `JB`.
    Pick: pick
}

impl From<Draft> for Move {
    fn from(draft: Draft) -> Move {
        Move::Draft(draft)
    }
}

/// The rest of a move's text.
struct Letters<'a> {
    text: &'a str,
    column: usize,
}

impl Letters<'_> {
    fn expected(&self, expected: &'static str) -> ParseMoveError {
        ParseMoveError { column: self.column, expected }
    }

    /// Reads one letter that `read` understands.
    fn take<T>(
        &mut self,
        expected: &'static str,
        read: impl Fn(char) -> Option<T>,
    ) -> Result<T, ParseMoveError> {
        let mut chars = self.text.chars();
        let value = chars.next().and_then(read).ok_or_else(|| self.expected(expected))?;
        self.text = chars.as_str();
        self.column += 1;
        Ok(value)
    }

    fn skip(&mut self, letter: char) -> bool {
        self.take("", |found| (found == letter).then_some(())).is_ok()
    }

    fn any_move(&mut self) -> Result<Move, ParseMoveError> {
        if self.skip('r') { self.place() } else { self.draft().map(Move::Draft) }
    }

    fn pick(&mut self) -> Result<Pick, ParseMoveError> {
        Ok(match self.take("a color (B Y R K W) or J", Tile::from_letter)? {
            Tile::Color(color) => Pick::Color(color),
            Tile::Joker => match self.take("", Color::from_letter) {
                Ok(color) => Pick::JokersAnd(color),
                Err(_) => Pick::Jokers,
            },
        })
    }

    fn draft(&mut self) -> Result<Draft, ParseMoveError> {
        let source =
            self.take("a source (0 for the center, 1 to 9 for a factory)", Source::from_letter)?;
        let pick = self.pick()?;
        let to = self.take("a line (1 to 5) or F for the floor", Destination::from_letter)?;
        let extra_jokers = if self.skip('j') {
            let number = |letter: char| letter.to_digit(10).filter(|&n| n > 0);
            self.take("a number of jokers from 1 to 9", number)? as u8
        } else {
            0
        };
        Ok(Draft { source, pick, to, extra_jokers })
    }

    fn place(&mut self) -> Result<Move, ParseMoveError> {
        let row = self.take("a row (1 to 5)", Row::from_letter)?;
        if !self.skip('c') {
            return Err(self.expected("c and a column"));
        }
        let column = self.take("a column (1 to 5)", Column::from_letter)?;
        Ok(Move::Place { row, column })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_reads_back() {
        for source in Source::ALL {
            for pick in Pick::ALL {
                assert_eq!(pick.to_string().parse(), Ok(pick));
                for to in Destination::ALL {
                    for extra_jokers in 0..=9 {
                        let draft = Draft { source, pick, to, extra_jokers };
                        assert_eq!(draft.to_string().parse(), Ok(draft));
                        assert_eq!(draft.to_string().parse(), Ok(Move::Draft(draft)));
                    }
                }
            }
        }
        for row in Row::ALL {
            for column in Column::ALL {
                let m = Move::Place { row, column };
                assert_eq!(m.to_string().parse(), Ok(m));
            }
        }
    }

    #[test]
    fn faults_have_a_place() {
        let check = |text: &str, column: usize, expected: &str| {
            let error = text.parse::<Move>().unwrap_err();
            assert_eq!(error.column, column, "{text}");
            assert!(error.expected.contains(expected), "{text}: {error}");
        };
        check("", 1, "source");
        check("B2", 1, "source");
        check("3b2", 2, "color");
        check("3B", 3, "line");
        check("3B6", 3, "line");
        check("3B2x", 4, "end");
        check("3BY2", 3, "line");
        check("3JB2j", 6, "number");
        check("3JB2j0", 6, "number");
        check("r6c1", 2, "row");
        check("r1x1", 3, "c and a column");
        check("r1c0", 4, "column");
        check("r1c12", 5, "end");
        check("é", 1, "source");
        let sentence = "3B".parse::<Move>().unwrap_err().to_string();
        assert_eq!(
            sentence,
            "not a move at character 3: expected a line (1 to 5) or F for the floor"
        );
    }

    #[test]
    fn a_move_is_small() {
        assert!(size_of::<Move>() <= 5, "{} bytes", size_of::<Move>());
    }
}
