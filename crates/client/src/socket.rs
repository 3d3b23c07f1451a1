//! The WebSocket of a game, from the client's side.

use crate::http::{Client, ClientError};
use futures_util::{SinkExt, StreamExt};
use serde_json::Value;
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::{HeaderName, HeaderValue, header};
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

/// An open socket.
pub struct Socket {
    stream: WebSocketStream<TcpStream>,
    /// Every message that arrived, word for word, if somebody wants to look through them.
    heard: Option<Vec<String>>,
    /// Why the server closed it, in its words.
    farewell: Option<String>,
}

impl Client {
    /// Opens the socket of a game, from the event after a number if one is given.
    ///
    /// # Errors
    /// If the server does not answer or refuses.
    pub async fn socket(&self, game: &str, after: Option<u64>) -> Result<Socket, ClientError> {
        self.socket_with(game, after, &[]).await
    }

    /// The same with further headers.
    ///
    /// # Errors
    /// If the server does not answer or refuses.
    pub async fn socket_with(
        &self,
        game: &str,
        after: Option<u64>,
        headers: &[(&'static str, &str)],
    ) -> Result<Socket, ClientError> {
        let broken = |error: String| ClientError::Connection(error);
        let query = after.map(|after| format!("?after={after}")).unwrap_or_default();
        let url = format!("ws://{}/api/v1/games/{game}/socket{query}", self.host());
        let mut request = url.into_client_request().map_err(|e| broken(e.to_string()))?;
        let value = |text: &str| HeaderValue::from_str(text).map_err(|e| broken(e.to_string()));
        if let Some(token) = self.token() {
            let token = value(&format!("Bearer {token}"))?;
            request.headers_mut().insert(header::AUTHORIZATION, token);
        }
        for (name, text) in headers {
            request.headers_mut().insert(HeaderName::from_static(name), value(text)?);
        }
        let stream = TcpStream::connect(self.host()).await.map_err(|e| broken(e.to_string()))?;
        stream.set_nodelay(true).map_err(|e| broken(e.to_string()))?;
        // Small buffers: a load test opens ten thousand of these.
        let config = WebSocketConfig::default().read_buffer_size(4096).write_buffer_size(0);
        let opened =
            tokio_tungstenite::client_async_with_config(request, stream, Some(config)).await;
        match opened {
            Ok((stream, _)) => Ok(Socket { stream, heard: None, farewell: None }),
            Err(tokio_tungstenite::tungstenite::Error::Http(response)) => {
                let body = response.body().as_deref().unwrap_or_default();
                let value: Value = serde_json::from_slice(body).unwrap_or_default();
                Err(ClientError::Refused {
                    status: response.status().as_u16(),
                    code: value["error"]["code"].as_str().unwrap_or_default().to_owned(),
                    message: value["error"]["message"].as_str().unwrap_or_default().to_owned(),
                })
            }
            Err(error) => Err(broken(error.to_string())),
        }
    }
}

impl Socket {
    /// Keeps every message from now on.
    pub fn keep(&mut self) {
        self.heard.get_or_insert_default();
    }

    /// Everything that was kept.
    pub fn take_heard(&mut self) -> Vec<String> {
        self.heard.replace(Vec::new()).unwrap_or_default()
    }

    /// Why the server closed the socket, if it did and said so.
    #[must_use]
    pub fn farewell(&self) -> Option<&str> {
        self.farewell.as_deref()
    }

    /// The next message; `None` when the socket is closed.
    ///
    /// # Errors
    /// If the connection breaks, or a message is not JSON.
    pub async fn next(&mut self) -> Result<Option<Value>, ClientError> {
        match self.next_text().await? {
            Some(text) => {
                let value = serde_json::from_str(&text);
                value.map(Some).map_err(|e| ClientError::Strange(e.to_string()))
            }
            None => Ok(None),
        }
    }

    /// The next message as it is; `None` when the socket is closed.
    ///
    /// # Errors
    /// If the connection breaks.
    pub async fn next_text(&mut self) -> Result<Option<String>, ClientError> {
        while let Some(message) = self.stream.next().await {
            match message.map_err(|e| ClientError::Connection(e.to_string()))? {
                Message::Text(text) => {
                    if let Some(heard) = &mut self.heard {
                        heard.push(text.to_string());
                    }
                    return Ok(Some(text.to_string()));
                }
                Message::Close(frame) => {
                    self.farewell = frame.map(|frame| frame.reason.to_string());
                    return Ok(None);
                }
                _ => {}
            }
        }
        Ok(None)
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
        sent.map_err(|e| ClientError::Connection(e.to_string()))
    }
}
