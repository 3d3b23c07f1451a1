#![doc = include_str!("../README.md")]

pub mod app;
mod draw;
pub mod driver;
mod keeper;
pub mod look;
pub mod plain;
mod rulebook;
pub mod session;
pub mod thinker;
pub mod typed;

pub use draw::rows;
pub use keeper::Keeper;
