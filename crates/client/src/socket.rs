//! The WebSocket of a game, on the client's side.

use crate::http::REQUEST_TIMEOUT;
use crate::{Client, ClientError};
use futures_util::{SinkExt, StreamExt};
use miniz_oxide::inflate::decompress_to_vec_with_limit;
use reqwest::header::{self, HeaderName, HeaderValue};
use serde_json::Value;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{self, Message};
use tokio_tungstenite::{Connector, MaybeTlsStream, WebSocketStream};

/// The largest message, uncompressed.
const MAX_MESSAGE_LEN: usize = 16 << 20;

/// An open WebSocket.
///
/// ```no_run
/// # async fn watch() -> Result<(), azulejo_client::ClientError> {
/// let client = azulejo_client::Client::new("https://azul.example.org")?;
/// let mut socket = client.socket("GAME", None).await?;
/// while let Some(message) = socket.next().await? {
///     println!("{message}");
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Socket {
    stream: WebSocketStream<MaybeTlsStream<TcpStream>>,
    client: Client,
    /// The reason in the server's close frame.
    close_reason: Option<String>,
    n_bytes: u64,
}

impl Client {
    /// Opens the WebSocket of a game, from the event after a number if one is given.
    ///
    /// # Errors
    /// If the server does not answer or refuses.
    pub async fn socket(&self, game: &str, after: Option<u64>) -> Result<Socket, ClientError> {
        self.socket_with(game, after, &[]).await
    }

    /// Like [`Client::socket`], for a client that merges patches instead of reading whole states. The
    /// messages come compressed.
    ///
    /// # Errors
    /// If the server does not answer or refuses.
    pub async fn patch_socket(
        &self,
        game: &str,
        after: Option<u64>,
    ) -> Result<Socket, ClientError> {
        let after = after.map(|after| format!("&after={after}")).unwrap_or_default();
        self.open_in_time(game, &format!("?patches=true{after}"), &[]).await
    }

    /// Like [`Client::socket`], with further headers in the request.
    ///
    /// # Errors
    /// If the server does not answer or refuses.
    pub async fn socket_with(
        &self,
        game: &str,
        after: Option<u64>,
        headers: &[(&'static str, &str)],
    ) -> Result<Socket, ClientError> {
        let query = after.map(|after| format!("?after={after}")).unwrap_or_default();
        self.open_in_time(game, &query, headers).await
    }

    async fn open_in_time(
        &self,
        game: &str,
        query: &str,
        headers: &[(&'static str, &str)],
    ) -> Result<Socket, ClientError> {
        let opening = self.open(game, query, headers);
        let opened = tokio::time::timeout(REQUEST_TIMEOUT, opening).await;
        opened.unwrap_or_else(|_| Err(self.broken("the WebSocket handshake took too long")))
    }

    async fn open(
        &self,
        game: &str,
        query: &str,
        headers: &[(&'static str, &str)],
    ) -> Result<Socket, ClientError> {
        // `http` becomes `ws`, `https` becomes `wss`.
        let url =
            self.url(&format!("/api/v1/games/{game}/socket{query}")).replacen("http", "ws", 1);
        let mut request = url.into_client_request().map_err(|e| self.failed(e))?;
        let value = |text: &str| HeaderValue::from_str(text).map_err(|e| self.broken(e));
        if let Some(token) = self.token() {
            let token = value(&format!("Bearer {token}"))?;
            request.headers_mut().insert(header::AUTHORIZATION, token);
        }
        for (name, text) in headers {
            request.headers_mut().insert(HeaderName::from_static(name), value(text)?);
        }
        let uri = request.uri();
        let is_tls = uri.scheme_str() == Some("wss");
        let port = uri.port_u16().unwrap_or(if is_tls { 443 } else { 80 });
        let address = format!("{}:{port}", uri.host().unwrap_or_default());
        let stream = TcpStream::connect(address).await.map_err(|e| self.broken(e))?;
        stream.set_nodelay(true).map_err(|e| self.broken(e))?;
        // Small buffers: a load test opens ten thousand of these.
        let config = WebSocketConfig::default().read_buffer_size(4096).write_buffer_size(0);
        let connector = Connector::Rustls(self.tls());
        let (stream, _) = tokio_tungstenite::client_async_tls_with_config(
            request,
            stream,
            Some(config),
            Some(connector),
        )
        .await
        .map_err(|e| self.failed(e))?;
        Ok(Socket { stream, client: self.clone(), close_reason: None, n_bytes: 0 })
    }

    fn failed(&self, error: tungstenite::Error) -> ClientError {
        match error {
            tungstenite::Error::Http(response) => {
                let body = response.body().as_deref().unwrap_or_default();
                ClientError::from_body(self.server(), response.status().as_u16(), body)
            }
            error => ClientError::from_cause(self.server(), &error),
        }
    }
}

impl Socket {
    /// The reason that the server gave when it closed the socket.
    #[must_use]
    pub fn close_reason(&self) -> Option<&str> {
        self.close_reason.as_deref()
    }

    /// The next message; `None` when the socket is closed.
    ///
    /// # Errors
    /// If the connection breaks, or a message is not JSON.
    pub async fn next(&mut self) -> Result<Option<Value>, ClientError> {
        let Some(text) = self.next_text().await? else { return Ok(None) };
        serde_json::from_str(&text).map(Some).map_err(|e| self.client.unexpected(e))
    }

    /// The text of the next message; `None` when the socket is closed.
    ///
    /// # Errors
    /// If the connection breaks.
    pub async fn next_text(&mut self) -> Result<Option<String>, ClientError> {
        while let Some(message) = self.stream.next().await {
            match message.map_err(|e| self.client.failed(e))? {
                Message::Text(text) => {
                    self.n_bytes += frame_len(text.len());
                    return Ok(Some(text.to_string()));
                }
                Message::Binary(bytes) => {
                    self.n_bytes += frame_len(bytes.len());
                    return self.inflate(&bytes).map(Some);
                }
                Message::Close(frame) => {
                    self.close_reason = frame.map(|frame| frame.reason.to_string());
                    return Ok(None);
                }
                _ => {}
            }
        }
        Ok(None)
    }

    /// The text of a compressed message.
    fn inflate(&self, bytes: &[u8]) -> Result<String, ClientError> {
        let text = decompress_to_vec_with_limit(bytes, MAX_MESSAGE_LEN);
        let text = text.map_err(|e| self.client.unexpected(format!("bad DEFLATE: {e}")))?;
        String::from_utf8(text).map_err(|e| self.client.unexpected(e))
    }

    /// The bytes received so far in messages, with the headers of their frames.
    #[must_use]
    pub fn n_bytes(&self) -> u64 {
        self.n_bytes
    }

    /// Sends a message.
    ///
    /// # Errors
    /// If the connection is broken.
    pub async fn send(&mut self, message: &Value) -> Result<(), ClientError> {
        self.send_text(message.to_string()).await
    }

    /// Sends any text.
    ///
    /// # Errors
    /// If the connection is broken.
    pub async fn send_text(&mut self, text: String) -> Result<(), ClientError> {
        let sent = self.stream.send(Message::Text(text.into())).await;
        sent.map_err(|e| self.client.failed(e))
    }
}

/// The bytes of a frame from a server.
fn frame_len(payload_len: usize) -> u64 {
    let header_len = match payload_len {
        ..126 => 2,
        126..65_536 => 4,
        _ => 10,
    };
    payload_len as u64 + header_len
}
