//! Requests and streams.

use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper::{Method, Request, Response, StatusCode, header};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::sync::Mutex;

/// An answer that takes longer is none.
const PATIENCE: Duration = Duration::from_secs(30);

/// The longest line of a stream that is read.
const MAX_LINE: usize = 4 * 1024 * 1024;

/// The largest answer that is read.
const MAX_ANSWER: usize = 64 * 1024 * 1024;

/// A server and who one is there.
pub struct Client {
    host: String,
    token: Option<String>,
    connection: Mutex<Option<SendRequest<Full<Bytes>>>>,
}

/// Why a request has no good answer.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The address is not one that this client understands.
    #[error("`{0}` is not the address of a server: write http://HOST:PORT")]
    Address(String),
    /// The server cannot be reached, or the connection broke.
    #[error("no answer from the server: {0}")]
    Connection(String),
    /// The server said no.
    #[error("{message} ({code})")]
    Refused {
        /// The status.
        status: u16,
        /// The code for programs.
        code: String,
        /// The sentence for people.
        message: String,
    },
    /// The answer is not what it should be.
    #[error("a strange answer: {0}")]
    Strange(String),
}

impl ClientError {
    /// The code of a refusal.
    #[must_use]
    pub fn code(&self) -> Option<&str> {
        match self {
            ClientError::Refused { code, .. } => Some(code),
            _ => None,
        }
    }
}

#[allow(clippy::needless_pass_by_value, reason = "it is given to map_err")]
fn broken(error: impl std::fmt::Display) -> ClientError {
    ClientError::Connection(format!("{error}"))
}

impl Client {
    /// A client of the server at `http://HOST:PORT`, as nobody in particular.
    ///
    /// # Errors
    /// If that is not an address.
    pub fn new(url: &str) -> Result<Client, ClientError> {
        let bad = || ClientError::Address(url.to_owned());
        let rest = url.strip_prefix("http://").ok_or_else(bad)?;
        let host = rest.split('/').next().unwrap_or_default();
        if host.is_empty() || host.contains(|c: char| c.is_whitespace() || c == '@') {
            return Err(bad());
        }
        let has_port = host.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
        let host = if has_port { host.to_owned() } else { format!("{host}:80") };
        Ok(Client { host, token: None, connection: Mutex::default() })
    }

    /// The same server, as the person with this token.
    #[must_use]
    pub fn with_token(&self, token: &str) -> Client {
        let (host, token) = (self.host.clone(), Some(token.to_owned()));
        Client { host, token, connection: Mutex::default() }
    }

    /// The same server, as a new person.
    ///
    /// # Errors
    /// If the server does not answer or refuses.
    pub async fn new_person(&self, name: &str) -> Result<Client, ClientError> {
        let created = self.post("/people", &serde_json::json!({ "name": name })).await?;
        let token = created["token"].as_str();
        Ok(self.with_token(token.ok_or_else(|| ClientError::Strange("no token".to_owned()))?))
    }

    /// The token, if this is somebody.
    #[must_use]
    pub fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    pub(crate) fn host(&self) -> &str {
        &self.host
    }

    /// Asks for something below `/api/v1`.
    ///
    /// # Errors
    /// If the server does not answer or refuses.
    pub async fn get(&self, path: &str) -> Result<Value, ClientError> {
        self.json(Method::GET, path, None).await
    }

    /// Does something.
    ///
    /// # Errors
    /// If the server does not answer or refuses.
    pub async fn post(&self, path: &str, body: &Value) -> Result<Value, ClientError> {
        self.json(Method::POST, path, Some(body)).await
    }

    /// Any method below `/api/v1`, with JSON.
    ///
    /// # Errors
    /// If the server does not answer or refuses.
    pub async fn json(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> Result<Value, ClientError> {
        let (status, text) = self.text(method, &format!("/api/v1{path}"), body).await?;
        let value: Value = serde_json::from_str(&text)
            .map_err(|_| ClientError::Strange(format!("{status}: {text:.200}")))?;
        if status.is_success() {
            return Ok(value);
        }
        let error = &value["error"];
        Err(ClientError::Refused {
            status: status.as_u16(),
            code: error["code"].as_str().unwrap_or_default().to_owned(),
            message: error["message"].as_str().unwrap_or_default().to_owned(),
        })
    }

    /// The status and the text of any answer.
    ///
    /// # Errors
    /// If the server does not answer.
    pub async fn text(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> Result<(StatusCode, String), ClientError> {
        let response = self.send(method, path, body).await?;
        let status = response.status();
        let read = tokio::time::timeout(PATIENCE, read_all(response.into_body())).await;
        let bytes = read.map_err(|_| broken("the answer does not end"))??;
        let text = String::from_utf8(bytes).map_err(|e| ClientError::Strange(e.to_string()))?;
        Ok((status, text))
    }

    /// The lines of a stream below `/api/v1`.
    ///
    /// # Errors
    /// If the server does not answer or refuses.
    pub async fn lines(&self, path: &str) -> Result<Lines, ClientError> {
        let mut connection = self.connect().await?;
        let request = self.request(Method::GET, &format!("/api/v1{path}"), None)?;
        let response = connection.send_request(request).await.map_err(broken)?;
        let status = response.status();
        let lines = Lines { body: response.into_body(), buffer: Vec::new(), _open: connection };
        if status.is_success() {
            return Ok(lines);
        }
        let text = read_all(lines.body).await?;
        let text = String::from_utf8_lossy(&text).into_owned();
        let value: Value = serde_json::from_str(&text).unwrap_or_default();
        Err(ClientError::Refused {
            status: status.as_u16(),
            code: value["error"]["code"].as_str().unwrap_or_default().to_owned(),
            message: value["error"]["message"].as_str().unwrap_or_default().to_owned(),
        })
    }

    /// Sends a request on a connection that is kept. A connection that the server has closed in
    /// the meantime is opened anew, once; a request that was sent is not sent again.
    async fn send(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> Result<Response<Incoming>, ClientError> {
        let mut kept = self.connection.lock().await;
        let mut connection = match kept.take() {
            Some(connection) if connection.is_ready() => connection,
            _ => self.connect().await?,
        };
        connection.ready().await.map_err(broken)?;
        let request = self.request(method, path, body)?;
        let answer = tokio::time::timeout(PATIENCE, connection.send_request(request)).await;
        let response = answer.map_err(|_| broken("it takes too long"))?.map_err(broken)?;
        *kept = Some(connection);
        Ok(response)
    }

    async fn connect(&self) -> Result<SendRequest<Full<Bytes>>, ClientError> {
        let stream = TcpStream::connect(&self.host).await.map_err(broken)?;
        stream.set_nodelay(true).map_err(broken)?;
        let (sender, connection) = handshake(TokioIo::new(stream)).await.map_err(broken)?;
        tokio::spawn(connection);
        Ok(sender)
    }

    fn request(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> Result<Request<Full<Bytes>>, ClientError> {
        let mut request =
            Request::builder().method(method).uri(path).header(header::HOST, &self.host);
        if let Some(token) = &self.token {
            request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
        }
        let text = match body {
            Some(body) => {
                request = request.header(header::CONTENT_TYPE, "application/json");
                body.to_string()
            }
            None => String::new(),
        };
        request.body(Full::new(Bytes::from(text))).map_err(broken)
    }
}

async fn read_all(mut body: Incoming) -> Result<Vec<u8>, ClientError> {
    let mut bytes = Vec::new();
    while let Some(frame) = body.frame().await {
        if let Ok(data) = frame.map_err(broken)?.into_data() {
            bytes.extend_from_slice(&data);
        }
        if bytes.len() > MAX_ANSWER {
            return Err(ClientError::Strange("the answer is too long".to_owned()));
        }
    }
    Ok(bytes)
}

/// A stream of lines.
pub struct Lines {
    body: Incoming,
    buffer: Vec<u8>,
    /// The connection ends when nobody could use it any more.
    _open: SendRequest<Full<Bytes>>,
}

impl Lines {
    /// The next line that is not empty; `None` when the stream has ended.
    ///
    /// # Errors
    /// If the connection breaks, or a line is not JSON.
    pub async fn next(&mut self) -> Result<Option<Value>, ClientError> {
        loop {
            if let Some(end) = self.buffer.iter().position(|&byte| byte == b'\n') {
                let line: Vec<u8> = self.buffer.drain(..=end).collect();
                let line = line.trim_ascii();
                if line.is_empty() {
                    continue;
                }
                let value = serde_json::from_slice(line);
                return value.map(Some).map_err(|e| ClientError::Strange(e.to_string()));
            }
            match self.body.frame().await {
                None => return Ok(None),
                Some(frame) => {
                    if let Ok(data) = frame.map_err(broken)?.into_data() {
                        self.buffer.extend_from_slice(&data);
                    }
                    if self.buffer.len() > MAX_LINE {
                        return Err(ClientError::Strange("a line does not end".to_owned()));
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read() {
        let host = |url: &str| Client::new(url).ok().map(|client| client.host);
        assert_eq!(host("http://localhost:8137").as_deref(), Some("localhost:8137"));
        assert_eq!(host("http://example.org/").as_deref(), Some("example.org:80"));
        for bad in ["https://example.org", "localhost:8137", "http://", "http://a b", "http://me@x"]
        {
            assert_eq!(host(bad), None, "{bad}");
        }
    }
}
