//! Tables: the games that are in memory. One task owns one game; everybody else asks it.
//!
//! A table is set up when somebody asks for its game and cleared when nobody has for a while.
//! Nothing is lost then, since everything is in the log.

mod due;
mod engines;
mod fanout;
mod message;
mod owner;
mod registry;
mod watch;

pub(crate) use engines::{Analysis, Engines};
pub(crate) use message::ToClient;
pub(crate) use owner::ActError;
pub(crate) use registry::Tables;
pub use registry::Terms;
pub(crate) use watch::Subscription;
