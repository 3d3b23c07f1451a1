#![doc = include_str!("../README.md")]

#[macro_use]
mod macros;

mod board;
mod check;
mod deal;
mod draft;
mod ending;
mod fault;
mod hash;
mod lanes;
mod legal;
mod moves;
mod names;
mod offer;
mod perft;
mod play;
mod position;
mod preview;
mod rule_keys;
mod rules;
#[cfg(feature = "serde")]
mod serde;
mod sets;
mod setup;
mod step;
mod text;
mod tiles;
mod tiling;
mod wall;

pub use board::{Board, Line};
pub use check::IllegalMove;
pub use deal::{Deal, DealError, FACTORY_SIZE, ParseDealError, Stock};
pub use draft::Glance;
pub use ending::{Bonuses, EndedBy, Outcome, ParseEndedByError};
pub use fault::{Fault, InvalidSetup};
pub use moves::{Draft, MAX_MOVES, Move, MoveList, ParseMoveError, Pick};
pub use names::{Color, Column, Destination, ParseNameError, Row, Seat, Source, Tile};
pub use offer::Piles;
pub use perft::perft;
pub use position::{Phase, Position};
pub use preview::{Preview, ProjectedRow, Projection};
pub use rule_keys::{RuleKey, RulesError};
pub use rules::{
    ColorBonus, FloorPenalties, PlacementScoring, Players, Preset, RefillRemainder, Rules, WallKind,
};
pub use sets::{
    ColumnSet, ColumnSetIter, DestinationSet, DestinationSetIter, RowSet, RowSetIter, SourceSet,
    SourceSetIter,
};
pub use setup::{BoardSetup, Setup};
pub use step::Step;
pub use text::{ParsePositionError, ParseSetupError};
pub use tiles::{ParseTilesError, Tiles};
pub use tiling::Tilings;
pub use wall::Wall;
