//! The small closed sets of the game: colors, tiles, seats, rows, columns, sources, destinations.
//!
//! Each is an enum with `ALL`, `index` and `from_index`, printed with the letter or number that
//! the notation uses. None of them has a variant for "none"; that is an `Option`.

use std::fmt;
use std::str::FromStr;

/// What the enums of this module share, given `ALL`, `from_index_or_last` and their letters.
macro_rules! notation_name {
    ($name:ident) => {
        impl $name {
            /// The variant with an index in [`ALL`](Self::ALL).
            #[inline]
            #[must_use]
            pub const fn from_index(index: usize) -> Option<Self> {
                if index < Self::ALL.len() { Some(Self::from_index_or_last(index)) } else { None }
            }
        }

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
            /// All variants, in order.
            pub const ALL: [$name; [$($name::$variant),+].len()] = [$($name::$variant),+];

            /// The index in [`ALL`](Self::ALL), from 0.
            #[inline]
            #[must_use]
            pub const fn index(self) -> usize {
                self as usize
            }

            /// Like `from_index`, with the last one for an index that is too large. Spelled out so
            /// that the compiler sees an identity, which is cheaper than a load from `ALL`.
            #[inline]
            pub(crate) const fn from_index_or_last(index: usize) -> Self {
                match index {
                    $(i if i == $name::$variant as usize => $name::$variant,)+
                    _ => Self::ALL[Self::ALL.len() - 1],
                }
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

        notation_name!($name);
    };
}

/// An enum of the five variants of another enum and one more.
macro_rules! five_and_one {
    ($(#[$meta:meta])* $name:ident {
        $(#[$five_meta:meta])* $five:ident($inner:ident: $($variant:ident),+),
        $(#[$one_meta:meta])* $one:ident = $letter:literal,
    }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $(#[$five_meta])* $five($inner),
            $(#[$one_meta])* $one,
        }

        impl $name {
            /// All variants, in the order of the notation.
            pub const ALL: [$name; 6] = [$($name::$five($inner::$variant),)+ $name::$one];

            /// The index in [`ALL`](Self::ALL), from 0.
            #[inline]
            #[must_use]
            pub const fn index(self) -> usize {
                // Spelled out so that the compiler sees that this is the value it stores.
                match self {
                    $($name::$five($inner::$variant) => $inner::$variant.index(),)+
                    $name::$one => 5,
                }
            }

            #[inline]
            pub(crate) const fn from_index_or_last(index: usize) -> Self {
                match index {
                    $(i if i == $inner::$variant.index() => $name::$five($inner::$variant),)+
                    _ => $name::$one,
                }
            }

            /// The letter or digit of the notation.
            #[must_use]
            pub const fn letter(self) -> char {
                match self {
                    $name::$five(inner) => inner.letter(),
                    $name::$one => $letter,
                }
            }

            /// Reads the letter or digit of the notation.
            #[must_use]
            pub fn from_letter(letter: char) -> Option<Self> {
                match letter {
                    $letter => Some($name::$one),
                    _ => $inner::from_letter(letter).map($name::$five),
                }
            }
        }

        notation_name!($name);
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
    ///
    /// ```
    /// use azulejo_rules::Color;
    ///
    /// assert_eq!(Color::ALL.map(Color::letter), ['B', 'Y', 'R', 'K', 'W']);
    /// assert_eq!("K".parse(), Ok(Color::Black));
    /// assert_eq!((Color::Black.index(), Color::Black.name()), (3, "black"));
    /// ```
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
    ///
    /// ```
    /// use azulejo_rules::{Players, Seat};
    ///
    /// assert_eq!(Players::Three.seats(), [Seat::One, Seat::Two, Seat::Three]);
    /// assert_eq!((Seat::One.index(), Seat::One.to_string().as_str()), (0, "1"));
    /// ```
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

five_and_one! {
    /// A tile: one of the five colors, or a joker.
    Tile {
        /// An ordinary tile.
        Color(Color: Blue, Yellow, Red, Black, White),
        /// A joker tile.
        Joker = 'J',
    }
}

impl Tile {
    /// The English name, in lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Tile::Color(color) => color.name(),
            Tile::Joker => "joker",
        }
    }
}

impl From<Color> for Tile {
    fn from(color: Color) -> Self {
        Tile::Color(color)
    }
}

five_and_one! {
    /// Where drafted tiles go: a pattern line or the floor, whose index is 5.
    Destination {
        /// The line of a row; what does not fit falls to the floor.
        Line(Row: One, Two, Three, Four, Five),
        /// The floor line.
        Floor = 'F',
    }
}

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
