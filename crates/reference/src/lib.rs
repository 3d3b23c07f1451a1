//! A slow, plain reading of the rules.
//!
//! This crate plays the board game Azul exactly as the adjudicated rules are written, with vectors
//! and loops and no cleverness, so that a fast engine can be compared with it move by move.
//! Comments cite the rules by number. Seats, rows, columns and factories are counted from 0 here,
//! while the rules count rows and columns from 1.
//!
//! The caller owns all chance: it asks [`Game::tiles_to_deal`], draws the tiles, and hands them to
//! [`Game::deal`]. Then it picks one of [`Game::legal_actions`] and hands it to [`Game::play`]
//! until the phase is [`Phase::Deal`] again or [`Phase::Over`].

mod deal;
mod draft;
mod ending;
mod game;
mod rules;
mod tiling;

#[cfg(test)]
mod testing;

pub use ending::Bonuses;
pub use game::{Action, Destination, EndedBy, Game, Phase, Player, Source};
pub use rules::{ColorBonus, Rules, Tile, printed_column};
pub use tiling::placement_points;
