//! A seed: a short text that fixes the first starting player and every deal of a game.

use std::fmt;
use std::str::FromStr;

/// A text of 1 to 64 letters, digits, `-`, `_` and `.`.
///
/// ```
/// use azulejo_notation::{Seed, SeedError};
///
/// let seed: Seed = "friday-night.1".parse()?;
/// assert_eq!(seed.as_str(), "friday-night.1");
/// assert_eq!("a b".parse::<Seed>(), Err(SeedError::Character { column: 2 }));
/// # Ok::<(), SeedError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Seed(String);

impl Seed {
    /// The most characters a seed can have.
    pub const MAX_LENGTH: usize = 64;

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Why a text is not a seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum SeedError {
    /// It has no characters.
    #[error("a seed has at least one character")]
    Empty,
    /// It has too many characters.
    #[error("a seed has at most {} characters", Seed::MAX_LENGTH)]
    TooLong,
    /// It has a character that no seed has.
    #[error("character {column} is not one of letters, digits, `-`, `_` and `.`")]
    Character {
        /// The column of the character, from 1.
        column: usize,
    },
}

/// A seed from random bytes, in hexadecimal digits.
impl From<[u8; 16]> for Seed {
    fn from(bytes: [u8; 16]) -> Seed {
        Seed(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
    }
}

impl FromStr for Seed {
    type Err = SeedError;

    fn from_str(text: &str) -> Result<Seed, SeedError> {
        let is_allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        if let Some(at) = text.chars().position(|c| !is_allowed(c)) {
            return Err(SeedError::Character { column: at + 1 });
        }
        match text.len() {
            0 => Err(SeedError::Empty),
            length if length > Seed::MAX_LENGTH => Err(SeedError::TooLong),
            _ => Ok(Seed(text.to_owned())),
        }
    }
}

impl fmt::Display for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_short_plain_texts_are_seeds() {
        let check = |text: &str, expected: Result<(), SeedError>| {
            let read = text.parse::<Seed>();
            assert_eq!(
                read.as_ref().map(|seed| assert_eq!(seed.as_str(), text)),
                expected.as_ref().copied()
            );
        };
        check("5", Ok(()));
        check("2026-11-15_final.table7", Ok(()));
        check(&"x".repeat(64), Ok(()));
        check(&"x".repeat(65), Err(SeedError::TooLong));
        check("", Err(SeedError::Empty));
        check("a b", Err(SeedError::Character { column: 2 }));
        check("été", Err(SeedError::Character { column: 1 }));
    }
}
