#![doc = include_str!("../README.md")]

pub mod api;
mod config;
mod ids;
mod listen;
mod logs;
mod metrics;
mod names;
mod notices;
mod payload;
mod process;
mod reading_client;
mod retention;
mod server;
mod store;
mod tables;
mod time;

pub use api::LimitsConfig;
pub use azulejo_table::{ErrorBody, ToServer};
pub use config::{Config, Timeouts, WebFile};
pub use logs::{LogFormat, start_logs};
pub use names::{NameError, check_name};
pub use retention::Retention;
pub use server::{Server, StartError};
pub use store::{
    Ban, CheckReport, CopyError, GameRow, Lock, LockError, Network, ParseNetworkError, PersonRow,
    Place, Store, StoreError, Subject,
};
pub use tables::TableConfig;
