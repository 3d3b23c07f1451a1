//! The report of a move or a deal, step by step: tiles taken, placed and scored, floors paid, the
//! end of the round and of the game. A front end can show it without knowing the rules.

use crate::deal::Deal;
use crate::ending::{Bonuses, EndedBy};
use crate::moves::Pick;
use crate::names::{Column, Destination, Row, Seat, Source, Tile};
use crate::tiles::Tiles;

/// One step reported while a move or a deal is played.
///
/// ```
/// use azulejo_rules::{Players, Position, Rules, Seat, Step};
///
/// let mut position = Position::new(Rules::official(Players::Two), Seat::One);
/// position.deal(&"BBBB-YYYY-RRRR-KKKK-WWWW".parse()?)?;
/// let mut report = Vec::new();
/// for m in ["1B4", "2Y4", "3R5", "4K5", "5WF"] {
///     position.play_with(m.parse()?, |step| report.push(step))?;
/// }
/// let points = report.iter().map(|step| match step {
///     Step::Placed { points, .. } => *points,
///     _ => 0,
/// });
/// assert_eq!(points.sum::<u32>(), 2);
/// assert!(matches!(report.last(), Some(Step::RoundEnded { round: 1, .. })));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// A round begins.
    Dealt {
        /// The round.
        round: u16,
        /// The seat that starts it.
        starter: Seat,
        /// The tiles of the factories.
        deal: Deal,
        /// The tiles poured from the lid into the bag, if the bag ran out.
        poured: Option<Tiles>,
    },
    /// A seat took tiles.
    Drafted {
        /// The seat.
        seat: Seat,
        /// The source.
        source: Source,
        /// The pick.
        pick: Pick,
        /// The destination of the move.
        to: Destination,
        /// The tiles that entered the line.
        into_line: Tiles,
        /// The tiles that fell on the floor.
        to_floor: Tiles,
        /// The tiles that found no space on the floor.
        to_lid: Tiles,
        /// The tiles that moved from the factory to the center.
        to_center: Tiles,
        /// Whether the marker was taken.
        takes_marker: bool,
    },
    /// A tile moved from a full line to the wall.
    Placed {
        /// The seat.
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
        /// The seat.
        seat: Seat,
        /// The row.
        row: Row,
        /// The tiles that fell on the floor.
        to_floor: Tiles,
        /// The tiles that found no space there.
        to_lid: Tiles,
    },
    /// A seat paid for its floor.
    FloorCleared {
        /// The seat.
        seat: Seat,
        /// The number of spaces taken, by tiles or the marker.
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
        /// The seat that starts the next one, if there is one.
        next_starter: Seat,
    },
    /// The game is over.
    GameEnded {
        /// The reason.
        by: EndedBy,
    },
    /// The bonuses of one seat.
    BonusesScored {
        /// The seat.
        seat: Seat,
        /// The bonuses.
        bonuses: Bonuses,
        /// The final score.
        score: u16,
    },
}
