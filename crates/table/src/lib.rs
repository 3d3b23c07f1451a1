#![doc = include_str!("../README.md")]

mod apply;
mod clock;
mod command;
mod decide;
mod ending;
mod event;
mod local;
mod messages;
mod new_game;
mod pause;
pub mod rating;
mod rejection;
mod search;
mod settings;
mod state;
mod study;
mod takeback;
mod transcript;
pub mod view;

pub use apply::LogError;
pub use clock::ClockSpec;
pub use command::{Command, Phrase};
pub use decide::{Decision, MAX_EVENTS, MAX_MOVE_ID, MAX_MOVES};
pub use ending::{GameResult, ResultBy};
pub use event::{CloseReason, Event, LeaveReason, LoggedEvent};
pub use local::{LOCAL_SEARCH_MS, LocalGame, OpenError, StoredGame};
pub use messages::{ErrorBody, ToClient, ToServer};
pub use new_game::{CreateGame, Creator, NewGameError, SeatSpec};
pub use rejection::Rejection;
pub use search::{
    Analysis, EngineMove, SearchAnswer, SearchPurpose, SearchTask, choose_move, search_nodes,
};
pub use settings::{SeatKind, SeedBy, Settings};
pub use state::{Game, Holder, Ply, SeatState, Status, TakebackRequest, engine_name};
pub use study::{StudyStep, StudyView, Variation, Variations, draw_deal};
pub use transcript::{record_key, seed_hash};
