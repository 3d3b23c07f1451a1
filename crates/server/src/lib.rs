#![doc = include_str!("../README.md")]

pub mod api;
mod config;
pub mod game;
mod ids;
mod listen;
mod logs;
mod metrics;
mod server;
mod store;
mod table;
mod time;
pub mod view;

pub use api::LimitsConfig;
pub use config::{Config, Patience};
pub use logs::{LogFormat, start_logs};
pub use server::{Server, StartError};
pub use store::{CheckReport, CopyError, Place, Store, StoreError};
pub use table::Terms;
