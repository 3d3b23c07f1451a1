//! The report of a move or a deal, step by step: tiles taken, placed and scored, floors paid, the
//! end of the round and of the game. A front end can show it without knowing the rules.

use crate::deal::Deal;
use crate::ending::{Bonuses, EndedBy};
use crate::moves::Pick;
use crate::names::{Column, Destination, Row, Seat, Source, Tile};
use crate::tiles::Tiles;

/// One step reported while a move or a deal is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// A round begins.
    Dealt {
        /// The round.
        round: u16,
        /// Who starts it.
        starter: Seat,
        /// The tiles of the factories.
        deal: Deal,
        /// What was poured from the lid into the bag on the way, if it had to be.
        poured: Option<Tiles>,
    },
    /// A seat took tiles.
    Drafted {
        /// Who.
        seat: Seat,
        /// From where.
        source: Source,
        /// What was asked for.
        pick: Pick,
        /// Where the tiles were to go.
        to: Destination,
        /// What entered the line.
        into_line: Tiles,
        /// What fell on the floor.
        to_floor: Tiles,
        /// What found no space on the floor.
        to_lid: Tiles,
        /// What moved from the factory to the center.
        to_center: Tiles,
        /// Whether the marker was taken.
        takes_marker: bool,
    },
    /// A tile moved from a full line to the wall.
    Placed {
        /// Whose.
        seat: Seat,
        /// The row.
        row: Row,
        /// The column.
        column: Column,
        /// The tile.
        tile: Tile,
        /// The length of the horizontal run, with the new tile.
        horizontal: u32,
        /// The length of the vertical run, with the new tile.
        vertical: u32,
        /// The points for it.
        points: u32,
        /// The other tiles of the line.
        to_lid: Tiles,
    },
    /// A full line could not be placed anywhere (grey wall) and fell.
    Spilled {
        /// Whose.
        seat: Seat,
        /// The row.
        row: Row,
        /// What fell on the floor.
        to_floor: Tiles,
        /// What found no space there.
        to_lid: Tiles,
    },
    /// A seat paid for its floor.
    FloorCleared {
        /// Whose.
        seat: Seat,
        /// How many spaces were taken, by tiles or the marker.
        n_spaces: u32,
        /// What the floor costs. A score never falls below 0.
        loss: u16,
        /// The score after it.
        score: u16,
        /// The tiles that were there.
        to_lid: Tiles,
    },
    /// All walls are tiled.
    RoundEnded {
        /// The round.
        round: u16,
        /// Who starts the next one, if there is one.
        next_starter: Seat,
    },
    /// The game is over.
    GameEnded {
        /// Why.
        by: EndedBy,
    },
    /// The bonuses of one seat.
    BonusesScored {
        /// Whose.
        seat: Seat,
        /// What for.
        bonuses: Bonuses,
        /// The final score.
        score: u16,
    },
}
