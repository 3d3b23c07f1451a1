//! What clients are told: typed shapes that become JSON and the schemas of the OpenAPI document.
//! A screen needs nothing else; it holds no rules.
//!
//! Positions, events and previews have the shapes that `docs/json.md` describes.

mod events;
mod game;
mod moves;
mod position;
mod replay;

pub use events::EventView;
pub use game::{ClockView, FairView, GameView, Presence, SeatView, SummaryView, TakebackView};
pub use moves::{Blocked, MoveView, blocked, moves};
pub use position::{
    BoardView, BonusesView, Counts, LineView, OutcomeView, PositionView, ProjectedRowView,
    ProjectionView, rules,
};
pub use replay::{ReplayView, StepView};
