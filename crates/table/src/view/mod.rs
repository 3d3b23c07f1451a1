//! Views: everything a user interface is given, as types that become JSON. A user interface holds no
//! rules: legal moves, previews and projected scores are in here.
//!
//! Positions, steps and previews have the forms that `docs/json.md` describes. With the feature
//! `openapi` every view has a schema.

mod deals;
mod game;
mod hint;
mod moves;
mod options;
mod patch;
mod position;
mod replay;
mod setup;
mod step;

pub use deals::{DealsView, SampledDeal};
pub use game::{
    ClockView, FairView, GameView, HolderKind, Presence, SeatView, SummaryView, TakebackView,
};
pub use hint::{Completes, HintMove, HintView, SearchView};
pub use moves::{Blocked, LegalMove, MoveView, blocked, moves};
pub use options::{KeptView, LevelView, OptionsView, PresetView, ThinkingView};
pub use patch::GamePatch;
pub use position::{
    BoardView, BonusesView, Center, Counts, LineView, Marker, OutcomeView, PhaseName, PositionView,
    ProjectedRowView, ProjectionView, RulesView,
};
pub use replay::{ReplayStepView, ReplayView};
pub use setup::{BoardForm, SetupForm, SetupView};
pub use step::StepView;
