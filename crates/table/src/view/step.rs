//! Steps: what happens while a move or a deal is played, in order, as `docs/json.md` describes it.

use crate::ResultBy;
use crate::view::position::{BonusesView, Counts, letters, seat};
use azulejo_rules::Step;
use serde::Serialize;

/// One step of a move or a deal. Seats, rows and columns count from 1; tiles are letters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum StepView {
    /// A round begins.
    Dealt {
        /// The round.
        round: u16,
        /// The seat that starts it.
        starter: u8,
        /// The tiles of the factories in the notation.
        deal: String,
        /// The tiles poured from the lid into the bag, if the bag ran out.
        #[cfg_attr(feature = "openapi", schema(required = true, value_type = Option<std::collections::HashMap<String, u32>>))]
        poured: Option<Counts>,
    },
    /// A seat takes tiles.
    Drafted {
        /// The seat.
        seat: u8,
        /// The factory, or 0 for the center.
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
        /// The seat.
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
    /// The tiles of a full line fall because no space takes them; only on the grey wall.
    Spilled {
        /// The seat.
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
        /// The seat.
        seat: u8,
        /// The number of spaces taken by tiles or the marker.
        n_spaces: u32,
        /// The points lost.
        loss: u16,
        /// The score after it.
        score: u16,
        /// The tiles removed.
        to_lid: String,
    },
    /// All walls are tiled.
    RoundEnded {
        /// The round.
        round: u16,
        /// The seat that starts the next round, if there is one.
        next_starter: u8,
    },
    /// The game is over by the rules.
    GameEnded {
        /// Why it ended.
        by: ResultBy,
    },
    /// The bonuses of a seat.
    BonusesScored {
        /// The seat.
        seat: u8,
        /// The bonuses.
        bonuses: BonusesView,
        /// The final score.
        score: u16,
    },
}

impl StepView {
    /// The view of a step.
    #[must_use]
    pub fn new(step: &Step) -> StepView {
        match *step {
            Step::Dealt { round, starter, deal, poured } => StepView::Dealt {
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
            } => StepView::Drafted {
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
                StepView::Placed {
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
            Step::Spilled { seat: who, row, to_floor, to_lid } => StepView::Spilled {
                seat: seat(who),
                row: row.index() as u8 + 1,
                to_floor: letters(to_floor),
                to_lid: letters(to_lid),
            },
            Step::FloorCleared { seat: who, n_spaces, loss, score, to_lid } => {
                let (seat, to_lid) = (seat(who), letters(to_lid));
                StepView::FloorCleared { seat, n_spaces, loss, score, to_lid }
            }
            Step::RoundEnded { round, next_starter } => {
                StepView::RoundEnded { round, next_starter: seat(next_starter) }
            }
            Step::GameEnded { by } => StepView::GameEnded { by: by.into() },
            Step::BonusesScored { seat: who, bonuses, score } => StepView::BonusesScored {
                seat: seat(who),
                bonuses: BonusesView::new(&bonuses),
                score,
            },
        }
    }
}
