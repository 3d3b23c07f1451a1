//! The small closed sets of the game: colors, tiles, seats, rows, columns, sources, destinations.
//!
//! Each is an enum with `ALL`, `index` and `from_index`, printed with the letter or number that
//! the notation uses. None of them has a variant for "none"; that is an `Option`.

use std::fmt;
use std::str::FromStr;

/// `Display` and `FromStr` as in the notation.
macro_rules! text_form {
    ($name:ident) => {
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.letter().encode_utf8(&mut [0; 4]))
            }
        }

        impl FromStr for $name {
            type Err = ParseNameError;

            fn from_str(text: &str) -> Result<Self, ParseNameError> {
                let mut letters = text.chars();
                let letter = letters.next().filter(|_| letters.as_str().is_empty());
                letter.and_then($name::from_letter).ok_or_else(|| ParseNameError {
                    expected: $name::ALL.iter().map(|name| name.letter()).collect(),
                })
            }
        }
    };
}

macro_rules! closed_set {
    ($(#[$meta:meta])* $name:ident { $($(#[$variant_meta:meta])* $variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum $name { $($(#[$variant_meta])* $variant),+ }

        impl $name {
            /// All of them, in order.
            pub const ALL: [$name; [$($name::$variant),+].len()] = [$($name::$variant),+];

            /// The place in [`ALL`](Self::ALL), from 0.
            #[inline]
            #[must_use]
            pub const fn index(self) -> usize {
                self as usize
            }

            /// The one at a place in [`ALL`](Self::ALL).
            #[inline]
            #[must_use]
            pub const fn from_index(index: usize) -> Option<Self> {
                if index < Self::ALL.len() { Some(Self::ALL[index]) } else { None }
            }

            /// The letter or digit of the notation.
            #[must_use]
            pub const fn letter(self) -> char {
                match self { $($name::$variant => $text),+ }
            }

            /// Reads the letter or digit of the notation.
            #[must_use]
            pub const fn from_letter(letter: char) -> Option<Self> {
                match letter { $($text => Some($name::$variant),)+ _ => None }
            }
        }

        text_form!($name);
    };
}

/// A text that is not a single letter or digit of the notation for its type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ParseNameError {
    /// The letters or digits of the type.
    pub expected: String,
}

impl fmt::Display for ParseNameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected one of the letters `{}`", self.expected)
    }
}

impl std::error::Error for ParseNameError {}

closed_set! {
    /// The color of a tile.
    Color {
        /// Blue.
        Blue = 'B',
        /// Yellow.
        Yellow = 'Y',
        /// Red.
        Red = 'R',
        /// Black.
        Black = 'K',
        /// White.
        White = 'W',
    }
}

closed_set! {
    /// A place at the table, in playing order.
    Seat {
        /// Seat 1.
        One = '1',
        /// Seat 2.
        Two = '2',
        /// Seat 3.
        Three = '3',
        /// Seat 4.
        Four = '4',
    }
}

closed_set! {
    /// A row of a board: the pattern line of that number and the wall row beside it.
    Row {
        /// The top row; its line holds one tile.
        One = '1',
        /// Row 2.
        Two = '2',
        /// Row 3.
        Three = '3',
        /// Row 4.
        Four = '4',
        /// The bottom row; its line holds five tiles.
        Five = '5',
    }
}

closed_set! {
    /// A column of a wall.
    Column {
        /// The leftmost column.
        One = '1',
        /// Column 2.
        Two = '2',
        /// Column 3.
        Three = '3',
        /// Column 4.
        Four = '4',
        /// The rightmost column.
        Five = '5',
    }
}

closed_set! {
    /// Where tiles are taken from: the center or a factory.
    Source {
        /// The center of the table.
        Center = '0',
        /// Factory 1.
        Factory1 = '1',
        /// Factory 2.
        Factory2 = '2',
        /// Factory 3.
        Factory3 = '3',
        /// Factory 4.
        Factory4 = '4',
        /// Factory 5.
        Factory5 = '5',
        /// Factory 6.
        Factory6 = '6',
        /// Factory 7.
        Factory7 = '7',
        /// Factory 8.
        Factory8 = '8',
        /// Factory 9.
        Factory9 = '9',
    }
}

impl Color {
    /// The English name, in lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Color::Blue => "blue",
            Color::Yellow => "yellow",
            Color::Red => "red",
            Color::Black => "black",
            Color::White => "white",
        }
    }
}

/// Like `from_index`, with the last one for an index that is too large. Spelled out so that the
/// compiler sees an identity, which is cheaper than a load from `ALL`.
macro_rules! from_index_or_last {
    ($name:ident: $($index:literal = $variant:ident),+; $last:ident) => {
        impl $name {
            #[inline]
            pub(crate) const fn from_index_or_last(index: usize) -> Self {
                match index {
                    $($index => $name::$variant,)+
                    _ => $name::$last,
                }
            }
        }
    };
}

from_index_or_last!(Row: 0 = One, 1 = Two, 2 = Three, 3 = Four; Five);
from_index_or_last!(Column: 0 = One, 1 = Two, 2 = Three, 3 = Four; Five);
from_index_or_last!(Source: 0 = Center, 1 = Factory1, 2 = Factory2, 3 = Factory3, 4 = Factory4,
    5 = Factory5, 6 = Factory6, 7 = Factory7, 8 = Factory8; Factory9);

impl Row {
    /// The number of tiles that the line of this row holds.
    #[inline]
    #[must_use]
    pub const fn capacity(self) -> u32 {
        self as u32 + 1
    }
}

impl Source {
    /// The words for a sentence: `the center`, `factory 3`.
    #[must_use]
    pub fn describe(self) -> String {
        match self {
            Source::Center => "the center".to_owned(),
            factory => format!("factory {factory}"),
        }
    }
}

/// A tile: one of the five colors, or a joker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tile {
    /// An ordinary tile.
    Color(Color),
    /// A joker tile.
    Joker,
}

impl Tile {
    /// All kinds of tile, in the order of the notation.
    pub const ALL: [Tile; 6] = [
        Tile::Color(Color::Blue),
        Tile::Color(Color::Yellow),
        Tile::Color(Color::Red),
        Tile::Color(Color::Black),
        Tile::Color(Color::White),
        Tile::Joker,
    ];

    /// The place in [`ALL`](Self::ALL), from 0.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        // Spelled out so that the compiler sees that this is the value it stores.
        match self {
            Tile::Color(Color::Blue) => 0,
            Tile::Color(Color::Yellow) => 1,
            Tile::Color(Color::Red) => 2,
            Tile::Color(Color::Black) => 3,
            Tile::Color(Color::White) => 4,
            Tile::Joker => 5,
        }
    }

    /// The letter of the notation.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Tile::Color(color) => color.letter(),
            Tile::Joker => 'J',
        }
    }

    /// Reads the letter of the notation.
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Self> {
        match letter {
            'J' => Some(Tile::Joker),
            _ => Color::from_letter(letter).map(Tile::Color),
        }
    }

    /// The English name, in lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Tile::Color(color) => color.name(),
            Tile::Joker => "joker",
        }
    }
}

text_form!(Tile);

impl From<Color> for Tile {
    fn from(color: Color) -> Self {
        Tile::Color(color)
    }
}

/// Where drafted tiles go: a pattern line or the floor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Destination {
    /// The line of a row; what does not fit falls to the floor.
    Line(Row),
    /// The floor line.
    Floor,
}

impl Destination {
    /// All destinations: the lines from the top, then the floor.
    pub const ALL: [Destination; 6] = [
        Destination::Line(Row::One),
        Destination::Line(Row::Two),
        Destination::Line(Row::Three),
        Destination::Line(Row::Four),
        Destination::Line(Row::Five),
        Destination::Floor,
    ];

    /// The place in [`ALL`](Self::ALL), from 0; the floor is 5.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        // Spelled out so that the compiler sees that this is the value it stores.
        match self {
            Destination::Line(Row::One) => 0,
            Destination::Line(Row::Two) => 1,
            Destination::Line(Row::Three) => 2,
            Destination::Line(Row::Four) => 3,
            Destination::Line(Row::Five) => 4,
            Destination::Floor => 5,
        }
    }

    /// The one at a place in [`ALL`](Self::ALL).
    #[inline]
    #[must_use]
    pub const fn from_index(index: usize) -> Option<Self> {
        if index < Self::ALL.len() { Some(Self::from_index_or_last(index)) } else { None }
    }

    #[inline]
    pub(crate) const fn from_index_or_last(index: usize) -> Self {
        match index {
            0 => Destination::Line(Row::One),
            1 => Destination::Line(Row::Two),
            2 => Destination::Line(Row::Three),
            3 => Destination::Line(Row::Four),
            4 => Destination::Line(Row::Five),
            _ => Destination::Floor,
        }
    }

    /// The digit or letter of the notation.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Destination::Line(row) => row.letter(),
            Destination::Floor => 'F',
        }
    }

    /// Reads the digit or letter of the notation.
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Self> {
        match letter {
            'F' => Some(Destination::Floor),
            _ => Row::from_letter(letter).map(Destination::Line),
        }
    }
}

text_form!(Destination);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_and_indices_round_trip() {
        for (i, tile) in Tile::ALL.into_iter().enumerate() {
            assert_eq!(tile.index(), i);
            assert_eq!(Tile::from_letter(tile.letter()), Some(tile));
        }
        for (i, to) in Destination::ALL.into_iter().enumerate() {
            assert_eq!(to.index(), i);
            assert_eq!(Destination::from_letter(to.letter()), Some(to));
        }
        for source in Source::ALL {
            assert_eq!(Source::from_index(source.index()), Some(source));
            assert_eq!(Source::from_letter(source.letter()), Some(source));
        }
        assert_eq!(Source::from_index(10), None);
        assert_eq!("J".parse(), Ok(Tile::Joker));
        assert_eq!("F".parse(), Ok(Destination::Floor));
        assert_eq!("12".parse::<Row>().unwrap_err().expected, "12345");
        assert_eq!(
            "".parse::<Color>().unwrap_err().to_string(),
            "expected one of the letters `BYRKW`"
        );
        assert_eq!(Color::from_letter('b'), None);
    }

    #[test]
    fn indices_beyond_the_end_are_the_last() {
        for index in 0..12 {
            assert_eq!(Row::from_index_or_last(index).index(), index.min(4));
            assert_eq!(Column::from_index_or_last(index).index(), index.min(4));
            assert_eq!(Source::from_index_or_last(index).index(), index.min(9));
            assert_eq!(Destination::from_index_or_last(index).index(), index.min(5));
        }
    }

    #[test]
    fn small_things_are_small() {
        assert_eq!(size_of::<Option<Tile>>(), 1);
        assert_eq!(size_of::<Option<Destination>>(), 1);
    }
}
