#![doc = include_str!("../README.md")]

pub mod app;
mod autosave;
mod draw;
pub mod driver;
pub mod engine_thread;
pub mod look;
pub mod plain;
pub mod review_thread;
mod rulebook;
pub mod session;
pub mod typed;

pub use autosave::Autosave;
pub use draw::rows;
