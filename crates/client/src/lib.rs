#![doc = include_str!("../README.md")]

mod bot;
mod error;
mod http;
mod load;
mod socket;
mod tls;

pub use bot::{BotConfig, BotError, Opponent, play as play_bot};
pub use error::ClientError;
pub use http::{Client, Lines};
pub use load::{LoadConfig, LoadReport, MoveBytes, Progress, run as run_load};
pub use reqwest::{Method, StatusCode};
pub use socket::Socket;
