//! What happened on the table, step by step, as `docs/json.md` describes it.

use crate::view::position::{BonusesView, Counts, letters, seat};
use azulejo_rules::Step;
use serde::Serialize;

/// A step of the game. Seats, rows and columns count from 1; tiles are letters.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum EventView {
    /// A round begins.
    Dealt {
        /// The round.
        round: u16,
        /// The seat that starts it.
        starter: u8,
        /// The tiles of the factories in the notation.
        deal: String,
        /// What was poured from the lid into the bag, if it had to be.
        #[cfg_attr(feature = "openapi", schema(value_type = Option<std::collections::HashMap<String, u32>>))]
        poured: Option<Counts>,
    },
    /// A seat takes tiles.
    Drafted {
        /// Who.
        seat: u8,
        /// 0 for the center, or the factory.
        source: u8,
        /// The color taken, `J`, or `J` and a color.
        pick: String,
        /// `1` to `5` for a line, `F` for the floor.
        to: String,
        /// The tiles that enter the line.
        into_line: String,
        /// The tiles that fall on the floor.
        to_floor: String,
        /// The tiles for which the floor has no space.
        to_lid: String,
        /// The tiles that move from the factory to the center.
        to_center: String,
        /// Whether the marker is taken.
        takes_marker: bool,
    },
    /// A tile moves from a full line to the wall.
    Placed {
        /// Whose.
        seat: u8,
        /// The row.
        row: u8,
        /// The column.
        column: u8,
        /// The tile.
        tile: char,
        /// The length of the horizontal run, with the new tile.
        horizontal: u32,
        /// The length of the vertical run, with the new tile.
        vertical: u32,
        /// The points for it.
        points: u32,
        /// The other tiles of the line.
        to_lid: String,
    },
    /// A full line cannot be placed and falls; only on the grey wall.
    Spilled {
        /// Whose.
        seat: u8,
        /// The line.
        row: u8,
        /// The tiles that fall on the floor.
        to_floor: String,
        /// The tiles for which the floor has no space.
        to_lid: String,
    },
    /// A seat pays for its floor.
    FloorCleared {
        /// Whose.
        seat: u8,
        /// How many spaces were taken, by tiles or the marker.
        n_spaces: u32,
        /// What they cost.
        loss: u16,
        /// The score after it.
        score: u16,
        /// The tiles that were there.
        to_lid: String,
    },
    /// All walls are tiled.
    RoundEnded {
        /// The round.
        round: u16,
        /// Who starts the next one, if there is one.
        next_starter: u8,
    },
    /// The game is over by the rules.
    GameEnded {
        /// `row`, `no_tiles`, `dead_position` or `stall`.
        by: &'static str,
    },
    /// The bonuses of a seat.
    BonusesScored {
        /// Whose.
        seat: u8,
        /// What for.
        bonuses: BonusesView,
        /// The final score.
        score: u16,
    },
}

impl EventView {
    /// The view of an event.
    #[must_use]
    pub fn new(event: &Step) -> EventView {
        match *event {
            Step::Dealt { round, starter, deal, poured } => EventView::Dealt {
                round,
                starter: seat(starter),
                deal: deal.to_string(),
                poured: poured.map(Counts),
            },
            Step::Drafted {
                seat: who,
                source,
                pick,
                to,
                into_line,
                to_floor,
                to_lid,
                to_center,
                takes_marker,
            } => EventView::Drafted {
                seat: seat(who),
                source: source.index() as u8,
                pick: pick.to_string(),
                to: to.to_string(),
                into_line: letters(into_line),
                to_floor: letters(to_floor),
                to_lid: letters(to_lid),
                to_center: letters(to_center),
                takes_marker,
            },
            Step::Placed { seat: who, row, column, tile, horizontal, vertical, points, to_lid } => {
                EventView::Placed {
                    seat: seat(who),
                    row: row.index() as u8 + 1,
                    column: column.index() as u8 + 1,
                    tile: tile.letter(),
                    horizontal,
                    vertical,
                    points,
                    to_lid: letters(to_lid),
                }
            }
            Step::Spilled { seat: who, row, to_floor, to_lid } => EventView::Spilled {
                seat: seat(who),
                row: row.index() as u8 + 1,
                to_floor: letters(to_floor),
                to_lid: letters(to_lid),
            },
            Step::FloorCleared { seat: who, n_spaces, loss, score, to_lid } => {
                let (seat, to_lid) = (seat(who), letters(to_lid));
                EventView::FloorCleared { seat, n_spaces, loss, score, to_lid }
            }
            Step::RoundEnded { round, next_starter } => {
                EventView::RoundEnded { round, next_starter: seat(next_starter) }
            }
            Step::GameEnded { by } => EventView::GameEnded { by: by.name() },
            Step::BonusesScored { seat: who, bonuses, score } => EventView::BonusesScored {
                seat: seat(who),
                bonuses: BonusesView::new(&bonuses),
                score,
            },
        }
    }
}
