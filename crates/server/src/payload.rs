//! Messages as they go to clients: JSON text, or the same text compressed with DEFLATE for clients that
//! take patches. A state lists every legal move with nearly the same keys, so that a tenth of the bytes
//! says the same.
//!
//! The WebSocket extension permessage-deflate would compress in both directions, with memory for every
//! socket, and each copy of a message anew. Here a message is compressed once for all who are sent it,
//! and clients send nothing large. Messages hold no secrets, so their lengths reveal none.

use crate::deflate::deflate;
use azulejo_table::ToClient;
use std::sync::Arc;

/// Shorter messages are sent as text: there is little to gain.
const MIN_DEFLATED_LEN: usize = 256;

/// A message, shared by all clients that are sent the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Payload {
    /// JSON.
    Text(Arc<str>),
    /// JSON, compressed.
    Deflated(Arc<[u8]>),
}

impl Payload {
    /// A message as text.
    pub(crate) fn text(message: &ToClient) -> Payload {
        Payload::Text(message.text())
    }

    /// A message compressed, if it is long and that makes it shorter.
    pub(crate) fn compact(message: &ToClient) -> Payload {
        let text = message.text();
        if text.len() >= MIN_DEFLATED_LEN {
            let deflated = deflate(text.as_bytes());
            if deflated.len() < text.len() {
                return Payload::Deflated(deflated.into());
            }
        }
        Payload::Text(text)
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        match self {
            Payload::Text(text) => text.as_bytes(),
            Payload::Deflated(bytes) => bytes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_messages_stay_text() {
        let pong = ToClient::Pong { now_ms: 5 };
        let text = Payload::Text(r#"{"type":"pong","now_ms":5}"#.into());
        assert_eq!([Payload::compact(&pong), Payload::text(&pong)], [text.clone(), text]);
    }
}
