//! Messages on the WebSocket and the streams of a game. The table defines them, for servers and pages
//! alike.

pub(crate) use azulejo_table::ToClient;
pub use azulejo_table::{ErrorBody, ToServer};
use std::sync::Arc;

/// The text of a message, shared by all clients that are sent the same.
pub(crate) type Text = Arc<str>;
