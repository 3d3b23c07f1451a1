#![doc = include_str!("../README.md")]

pub mod api;
mod config;
mod ids;
mod listen;
mod logs;
mod messages;
mod metrics;
mod process;
mod reading_client;
mod server;
mod store;
mod tables;
mod time;

pub use api::LimitsConfig;
pub use config::{Config, Timeouts};
pub use logs::{LogFormat, start_logs};
pub use messages::{ErrorBody, ToServer};
pub use server::{Server, StartError};
pub use store::{CheckReport, CopyError, Place, Store, StoreError};
pub use tables::{TableConfig, summary_json};
