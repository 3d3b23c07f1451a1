//! The themes of puzzles: what the best move is about.

use std::fmt;
use std::str::FromStr;

/// What the best move of a puzzle is about. docs/puzzles.md says when a puzzle has a theme.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Theme {
    /// It takes points from an opponent.
    Deny,
    /// It lets tiles fall on an opponent's floor, or keeps them from one's own.
    Overflow,
    /// It takes the starting player marker.
    Marker,
    /// A column is completed, or an opponent's is prevented.
    Column,
    /// All tiles of a color are completed, or an opponent's are prevented.
    Color,
    /// Whether the game ends with this round is at stake.
    LastRound,
    /// A choice in wall-tiling.
    WallChoice,
}

impl Theme {
    /// All themes, in the order in which a puzzle lists them.
    pub const ALL: [Theme; 7] = [
        Theme::Deny,
        Theme::Overflow,
        Theme::Marker,
        Theme::Column,
        Theme::Color,
        Theme::LastRound,
        Theme::WallChoice,
    ];

    /// Its name in a puzzle's line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Theme::Deny => "deny",
            Theme::Overflow => "overflow",
            Theme::Marker => "marker",
            Theme::Column => "column",
            Theme::Color => "color",
            Theme::LastRound => "last",
            Theme::WallChoice => "wall",
        }
    }
}

impl fmt::Display for Theme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The text is not the name of a theme.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a theme is deny, overflow, marker, column, color, last or wall")]
pub struct ParseThemeError;

impl FromStr for Theme {
    type Err = ParseThemeError;

    fn from_str(text: &str) -> Result<Theme, ParseThemeError> {
        Theme::ALL.into_iter().find(|theme| theme.name() == text).ok_or(ParseThemeError)
    }
}

#[cfg(feature = "serde")]
azulejo_rules::serde_as_text!(Theme);
