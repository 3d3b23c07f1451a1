//! The ten levels.

use std::fmt;

/// How strong the engine plays, from 1 to 10.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Level(u8);

impl Level {
    /// Full strength.
    pub const MAX: Level = Level(10);

    /// The level of a number from 1 to 10.
    #[must_use]
    pub const fn new(number: u8) -> Option<Level> {
        if number >= 1 && number <= 10 { Some(Level(number)) } else { None }
    }

    /// All levels, the weakest first.
    pub fn all() -> impl Iterator<Item = Level> {
        (1..=10).map(Level)
    }

    /// Its number.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        const NAMES: [&str; 10] = [
            "Visitor",
            "Novice",
            "Learner",
            "Apprentice",
            "Tiler",
            "Craftsman",
            "Artisan",
            "Designer",
            "Master",
            "Azulejo",
        ];
        NAMES[self.0 as usize - 1]
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.0, self.name())
    }
}
