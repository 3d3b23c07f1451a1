//! Messages as they go to clients: JSON text, or the same text compressed with DEFLATE for clients that
//! take patches. A state lists every legal move with nearly the same keys, so that a tenth of the bytes
//! says the same.
//!
//! The WebSocket extension permessage-deflate would compress in both directions, with memory for every
//! socket, and each copy of a message anew. Here a message is compressed once for all who are sent it,
//! and clients send nothing large. Messages hold no secrets, so their lengths reveal none.

use azulejo_table::ToClient;
use miniz_oxide::deflate::core::{
    CompressorOxide, TDEFLFlush, TDEFLStatus, compress, create_comp_flags_from_zip_params,
};
use std::cell::RefCell;
use std::sync::Arc;

/// Shorter messages are sent as text: there is little to gain.
const MIN_DEFLATED_LEN: usize = 256;

/// The fastest level of compression: stronger ones gain a tenth and take twice the time.
const LEVEL: i32 = 1;

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
        let is_long = text.len() >= MIN_DEFLATED_LEN;
        let deflated = is_long.then(|| deflated(text.as_bytes())).flatten();
        deflated.map_or(Payload::Text(text), Payload::Deflated)
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        match self {
            Payload::Text(text) => text.as_bytes(),
            Payload::Deflated(bytes) => bytes,
        }
    }
}

/// The bytes compressed; `None` if that makes them longer.
fn deflated(bytes: &[u8]) -> Option<Arc<[u8]>> {
    thread_local! {
        /// The tables of a compressor, a few hundred KiB, are reused for the next message.
        static COMPRESSOR: RefCell<(Box<CompressorOxide>, Vec<u8>)> = RefCell::new((
            Box::new(CompressorOxide::new(create_comp_flags_from_zip_params(LEVEL, 0, 0))),
            Vec::new(),
        ));
    }
    COMPRESSOR.with_borrow_mut(|(compressor, buffer)| {
        compressor.reset();
        buffer.resize(bytes.len(), 0);
        let (status, _, n_written) = compress(compressor, bytes, buffer, TDEFLFlush::Finish);
        (status == TDEFLStatus::Done).then(|| buffer[..n_written].into())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use miniz_oxide::inflate::decompress_to_vec;

    #[test]
    fn deflated_texts_inflate_to_themselves_whatever_came_before() {
        let mut n_deflated = 0;
        for len in (0..5_000).step_by(97) {
            let text: Vec<u8> = (0..len).map(|i| b'a' + (i * i % 23) as u8).collect();
            // Short texts become longer.
            let Some(bytes) = deflated(&text) else { continue };
            assert_eq!(decompress_to_vec(&bytes).unwrap(), text);
            assert!(bytes.len() <= text.len());
            n_deflated += 1;
        }
        assert!(n_deflated > 40, "{n_deflated}");
    }

    #[test]
    fn short_messages_stay_text() {
        let pong = ToClient::Pong { now_ms: 5 };
        let text = Payload::Text(r#"{"type":"pong","now_ms":5}"#.into());
        assert_eq!([Payload::compact(&pong), Payload::text(&pong)], [text.clone(), text]);
    }
}
