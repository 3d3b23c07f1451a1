//! The WebSocket upgrade. Hand-written because messages are written to the connection directly from the
//! bytes that all clients share, several at a time: no socket has a write buffer, which matters with
//! 10,000 of them. axum's `ws` copies every message.

use crate::api::App;
use crate::api::error::ApiError;
use crate::payload::Payload;
use axum::body::Body;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::Response;
use futures_util::{SinkExt, StreamExt};
use hyper::upgrade::{OnUpgrade, Upgraded};
use hyper_util::rt::TokioIo;
use std::io::IoSlice;
use tokio::io::AsyncWriteExt;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::frame::FrameHeader;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};
use tokio_tungstenite::tungstenite::{self, Message};
use tracing::Instrument;

/// The largest message of a client.
const MAX_MESSAGE: usize = 4 * 1024;

/// A request for an upgrade.
pub(super) struct Upgrade {
    on_upgrade: OnUpgrade,
    accept: String,
}

impl FromRequestParts<App> for Upgrade {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Upgrade, ApiError> {
        let key = parts.headers.get(header::SEC_WEBSOCKET_KEY);
        let has = |name, word| has_word(&parts.headers, name, word);
        let is_upgrade = has(header::CONNECTION, "upgrade")
            && has(header::UPGRADE, "websocket")
            && has(header::SEC_WEBSOCKET_VERSION, "13");
        let (Some(key), true) = (key, is_upgrade) else {
            let problem = "expected a WebSocket upgrade (version 13)";
            return Err(ApiError::BadRequest(problem.to_owned()));
        };
        let accept = derive_accept_key(key.as_bytes());
        let on_upgrade = parts.extensions.remove::<OnUpgrade>().ok_or_else(|| {
            ApiError::BadRequest("this connection cannot be upgraded to a WebSocket".to_owned())
        })?;
        Ok(Upgrade { on_upgrade, accept })
    }
}

/// Whether a header that lists words contains one, without regard to case.
fn has_word(headers: &HeaderMap, name: HeaderName, word: &str) -> bool {
    let mut values = headers.get_all(name).iter().filter_map(|value| value.to_str().ok());
    values.any(|value| value.split(',').any(|found| found.trim().eq_ignore_ascii_case(word)))
}

impl Upgrade {
    /// Accepts the upgrade; `talk` gets the socket after the answer has been sent.
    pub(super) fn open<F>(self, talk: impl FnOnce(Socket) -> F + Send + 'static) -> Response
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let Upgrade { on_upgrade, accept } = self;
        tokio::spawn(
            async move {
                // The client may have disconnected meanwhile.
                let Ok(upgraded) = on_upgrade.await else { return };
                // Small buffers, since clients send little.
                let config = WebSocketConfig::default()
                    .max_message_size(Some(MAX_MESSAGE))
                    .max_frame_size(Some(MAX_MESSAGE))
                    .read_buffer_size(1024)
                    .write_buffer_size(0);
                let io = TokioIo::new(upgraded);
                let socket = WebSocketStream::from_raw_socket(io, Role::Server, Some(config)).await;
                talk(Socket(socket)).await;
            }
            .in_current_span(),
        );
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::SWITCHING_PROTOCOLS;
        let headers = response.headers_mut();
        headers.insert(header::CONNECTION, HeaderValue::from_static("upgrade"));
        headers.insert(header::UPGRADE, HeaderValue::from_static("websocket"));
        if let Ok(accept) = HeaderValue::from_str(&accept) {
            headers.insert(header::SEC_WEBSOCKET_ACCEPT, accept);
        }
        response
    }
}

/// An open socket.
pub(super) struct Socket(WebSocketStream<TokioIo<Upgraded>>);

impl Socket {
    /// The next message of the client; `None` when it is gone.
    pub(super) async fn next(&mut self) -> Option<Result<Message, tungstenite::Error>> {
        self.0.next().await
    }

    /// Sends messages, one frame for each: text, or binary if it is compressed.
    pub(super) async fn send_payloads(
        &mut self,
        payloads: &[Payload],
    ) -> Result<(), tungstenite::Error> {
        // An answer to a ping may wait to be sent. After this the frames can go around the buffer.
        self.0.flush().await?;
        let headers = payloads.iter().map(header).collect::<Result<Vec<_>, _>>()?;
        let mut slices: Vec<IoSlice<'_>> = headers
            .iter()
            .zip(payloads)
            .flat_map(|(header, payload)| [header, payload.as_bytes()].map(IoSlice::new))
            .collect();
        let mut slices = slices.as_mut_slice();
        let io = self.0.get_mut();
        while !slices.is_empty() {
            match io.write_vectored(slices).await? {
                0 => return Err(std::io::Error::from(std::io::ErrorKind::WriteZero).into()),
                n => IoSlice::advance_slices(&mut slices, n),
            }
        }
        io.flush().await?;
        Ok(())
    }

    /// Sends a message in one frame.
    pub(super) async fn send(&mut self, message: Message) -> Result<(), tungstenite::Error> {
        self.0.send(message).await
    }
}

/// The header of a frame.
fn header(payload: &Payload) -> Result<Vec<u8>, tungstenite::Error> {
    let opcode = OpCode::Data(match payload {
        Payload::Text(_) => Data::Text,
        Payload::Deflated(_) => Data::Binary,
    });
    let len = payload.as_bytes().len() as u64;
    let mut header = Vec::with_capacity(10);
    FrameHeader { opcode, ..FrameHeader::default() }.format(len, &mut header)?;
    Ok(header)
}
