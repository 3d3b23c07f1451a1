//! The view model of the table: tiles, names, highlights and words as plain data. A game and a replay
//! both make one, and drawing needs nothing else.

use azulejo_rules::{Column, Destination, Pick, Row, Seat, Setup, Source, Tiles};

/// A table to draw.
#[derive(Clone, Debug)]
pub(crate) struct Scene<'a> {
    pub(crate) setup: &'a Setup,
    /// By seat.
    pub(crate) seats: Vec<SeatTag>,
    pub(crate) title: String,
    /// At the right end of the title.
    pub(crate) subtitle: String,
    pub(crate) focus: Focus,
    pub(crate) words: Vec<Para>,
    /// Keys and their meanings.
    pub(crate) keys: Vec<(&'static str, &'static str)>,
}

/// The header of a board.
#[derive(Clone, Debug)]
pub(crate) struct SeatTag {
    pub(crate) name: String,
    /// The score if the round ended now.
    pub(crate) projected: Option<u16>,
    pub(crate) clock: Option<(String, bool)>,
    pub(crate) is_due: bool,
}

/// Highlights: the cursor, possible choices, previews and the last move.
#[derive(Clone, Debug, Default)]
pub(crate) struct Focus {
    /// The source the cursor is on, or the chosen one.
    pub(crate) source: Option<Source>,
    /// The tiles the cursor is on, or the chosen ones.
    pub(crate) pick: Option<Pick>,
    /// Destinations that can be chosen, with the change of the projected score.
    pub(crate) targets: Vec<Target>,
    /// A preview of the tiles on a line and the floor.
    pub(crate) ghost: Option<Ghost>,
    /// Wall spaces that can be chosen, with their points.
    pub(crate) spaces: Vec<Space>,
    /// The last draft: the seat and the destination of its tiles.
    pub(crate) last: Option<(Seat, Destination)>,
    /// The tile being placed, with its points.
    pub(crate) placed: Option<(Seat, Row, Column, u32)>,
    /// The floor being scored, with its loss.
    pub(crate) paid: Option<(Seat, u16)>,
}

impl Focus {
    pub(crate) fn target(&self, seat: Seat, to: Destination) -> Option<&Target> {
        self.targets.iter().find(|target| target.seat == seat && target.to == to)
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Target {
    pub(crate) seat: Seat,
    pub(crate) to: Destination,
    pub(crate) change: i32,
    pub(crate) is_hovered: bool,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Ghost {
    pub(crate) seat: Seat,
    pub(crate) to: Destination,
    pub(crate) into_line: Tiles,
    pub(crate) to_floor: Tiles,
    pub(crate) takes_marker: bool,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Space {
    pub(crate) seat: Seat,
    pub(crate) row: Row,
    pub(crate) column: Column,
    pub(crate) points: u32,
    pub(crate) is_hovered: bool,
}

/// A paragraph of words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Para {
    pub(crate) kind: Kind,
    pub(crate) text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Head,
    Text,
    Dim,
    Good,
    Bad,
    /// A line between paragraphs.
    Gap,
}

impl Para {
    pub(crate) fn new(kind: Kind, text: impl Into<String>) -> Para {
        Para { kind, text: text.into() }
    }

    pub(crate) fn gap() -> Para {
        Para::new(Kind::Gap, "")
    }
}
