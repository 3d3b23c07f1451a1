#![doc = include_str!("../README.md")]

pub mod api;
mod config;
mod ids;
mod listen;
mod logs;
mod metrics;
mod server;
mod store;
mod table;
mod time;

pub use api::LimitsConfig;
pub use config::{Config, Patience};
pub use logs::{LogFormat, start_logs};
pub use server::{Server, StartError};
pub use store::{CheckReport, CopyError, Place, Store, StoreError};
pub use table::Terms;
