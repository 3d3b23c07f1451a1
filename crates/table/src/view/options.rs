//! The options for a new game: levels, presets, walls, phrases, and the engine's thinking time.

use crate::Phrase;
use crate::rating::level_rating;
use azulejo_engine::Level;
use azulejo_rules::{Players, Preset};
use serde::Serialize;
use std::time::Duration;

/// The options for a new game.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Options))]
pub struct OptionsView {
    /// The levels of the engine, the weakest first.
    pub levels: Vec<LevelView>,
    /// The presets, the official rules first.
    pub presets: Vec<PresetView>,
    /// The walls.
    pub walls: [&'static str; 2],
    /// The phrases that players can say.
    pub phrases: [Phrase; Phrase::ALL.len()],
    /// The thinking time of the engine.
    pub thinking: ThinkingView,
    /// The level of the daily deal.
    pub daily_level: u8,
    /// How long the server keeps things.
    pub kept: KeptView,
    /// The version of the program.
    pub version: &'static str,
}

/// How long the engine thinks about a move at full strength. Weak levels need a few milliseconds.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ThinkingView {
    /// The longest time, in milliseconds.
    pub full_ms: u64,
    /// The time for a question asked now; less than `full_ms` while the server is busy.
    pub now_ms: u64,
}

/// How long the server keeps things, in days; 0 means until somebody deletes them.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct KeptView {
    /// Games that ended with a result, after their last event.
    pub finished_days: u32,
    /// Games that were closed without a result, after their last event.
    pub unfinished_days: u32,
    /// People without games, after their last visit.
    pub people_days: u32,
}

/// A level of the engine.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LevelView {
    /// Its number, from 1.
    pub level: u8,
    /// Its name.
    pub name: &'static str,
    /// One sentence that says how it finds its moves.
    pub summary: &'static str,
    /// Its Glicko-2 rating in games of two players.
    pub rating: u16,
}

/// A preset of the rules.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PresetView {
    /// Its name, as `preset` of a new game.
    pub name: &'static str,
    /// One sentence about it.
    pub summary: &'static str,
    /// The numbers of players that it allows.
    pub players: Vec<usize>,
}

impl OptionsView {
    /// The options at a host whose engine thinks for a time at most, and now.
    #[must_use]
    pub fn new(full: Duration, now: Duration, kept: KeptView) -> OptionsView {
        let ms = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let level = |level: Level| LevelView {
            level: level.number(),
            name: level.name(),
            summary: level.summary(),
            rating: level_rating(level),
        };
        let preset = |preset: Preset| PresetView {
            name: preset.name(),
            summary: preset.summary(),
            players: Players::ALL
                .into_iter()
                .filter(|&players| preset.allows(players))
                .map(Players::count)
                .collect(),
        };
        OptionsView {
            levels: Level::all().map(level).collect(),
            presets: Preset::ALL.into_iter().map(preset).collect(),
            walls: ["colored", "grey"],
            phrases: Phrase::ALL,
            thinking: ThinkingView { full_ms: ms(full), now_ms: ms(now) },
            daily_level: Level::DAILY.number(),
            kept,
            version: env!("CARGO_PKG_VERSION"),
        }
    }
}
