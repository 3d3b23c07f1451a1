//! A small client of the interface, for the bot, the load test and the tests of the server. It
//! speaks plain HTTP: what goes over a network should go through a proxy that encrypts.

mod bot;
mod http;
mod load;
mod socket;

pub use bot::{BotError, BotPlan, Opponent, play as play_bot};
pub use http::{Client, ClientError, Lines};
pub use load::{LoadPlan, LoadReport, Progress, run as run_load};
pub use socket::Socket;
