//! The games in memory. One task owns one game (actor model); everything else sends it requests.
//!
//! A task starts when its game is first asked for and ends when nobody has used the game for a while.
//! Nothing is lost then, since every event is in the log. This module does not know the HTTP API.

mod analyses;
mod due;
mod engines;
mod fanout;
mod news;
mod outage;
mod owner;
mod registry;
mod reviews;
mod scheduler;
mod subscription;

pub(crate) use engines::Engines;
pub(crate) use fanout::{Form, Viewer};
pub(crate) use news::Games;
pub(crate) use owner::CommandError;
pub use registry::TableConfig;
pub(crate) use registry::Tables;
pub(crate) use reviews::{Progress, Refused, Reviews, review_key};
pub(crate) use scheduler::{Asker, Purpose};
pub(crate) use subscription::Subscription;
