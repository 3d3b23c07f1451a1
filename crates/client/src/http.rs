//! Requests and streams of lines over HTTP.

use crate::{ClientError, tls};
use reqwest::{Method, Response, StatusCode, Url, header};
use rustls::ClientConfig;
use serde_json::{Value, json};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// A request fails when the whole answer is not there after this time.
pub(crate) const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);

/// The longest line of a stream.
const MAX_LINE: usize = 4 * 1024 * 1024;

/// The largest answer.
const MAX_ANSWER: usize = 64 * 1024 * 1024;

/// A server, and the person as whom requests are sent. Clones share their connections.
///
/// ```no_run
/// # async fn play() -> Result<(), azulejo_client::ClientError> {
/// let guest = azulejo_client::Client::new("https://azul.example.org")?;
/// let lobby = guest.get("/lobby").await?;
/// println!("{} games", lobby["games"].as_array().map_or(0, Vec::len));
/// // A token identifies a person: keep it to be the same person next time.
/// let ana = guest.new_person("Ana").await?;
/// assert!(ana.token().is_some() && guest.token().is_none());
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Client {
    /// The URL of the server without a slash at the end.
    server: String,
    token: Option<String>,
    http: reqwest::Client,
    tls: Arc<ClientConfig>,
}

/// Leaves the token out: it must not end up in a log.
impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("server", &self.server).finish_non_exhaustive()
    }
}

impl Client {
    /// A client of the server at `http://HOST:PORT` or `https://HOST/PATH`, without a person.
    ///
    /// # Errors
    /// If the address is not such a URL, or this system has no certificates to trust.
    pub fn new(server: &str) -> Result<Client, ClientError> {
        Client::connect(server, None)
    }

    /// Like [`Client::new`], and also trusts the certificates in a PEM file.
    ///
    /// # Errors
    /// If the address is not a URL, or the PEM file has no certificate.
    pub fn with_ca(server: &str, ca_pem: &[u8]) -> Result<Client, ClientError> {
        Client::connect(server, Some(ca_pem))
    }

    fn connect(server: &str, ca_pem: Option<&[u8]>) -> Result<Client, ClientError> {
        let url = parse_address(server)?;
        let tls = tls::config(url.scheme() == "https", ca_pem)?;
        let mut http = reqwest::Client::builder()
            .tls_backend_preconfigured(tls.clone())
            .connect_timeout(REQUEST_TIMEOUT)
            // A redirected POST would become a GET; the error names the address to use instead.
            .redirect(reqwest::redirect::Policy::none());
        if matches!(url.host_str(), Some("localhost" | "127.0.0.1" | "[::1]")) {
            http = http.no_proxy();
        }
        let http = http.build().map_err(|e| ClientError::from_cause(server, &e))?;
        let server = url.as_str().trim_end_matches('/').to_owned();
        Ok(Client { server, token: None, http, tls: Arc::new(tls) })
    }

    /// The same server, as the person with this token.
    #[must_use]
    pub fn with_token(&self, token: &str) -> Client {
        Client { token: Some(token.to_owned()), ..self.clone() }
    }

    /// The same server, as a new person.
    ///
    /// # Errors
    /// If the server does not answer or refuses.
    pub async fn new_person(&self, name: &str) -> Result<Client, ClientError> {
        let created = self.post("/people", &json!({ "name": name })).await?;
        let token = created["token"].as_str();
        Ok(self.with_token(token.ok_or_else(|| self.unexpected("a person without a token"))?))
    }

    /// The token of the person.
    #[must_use]
    pub fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    /// The URL of a path on this server, such as the page of a game: `/game/ID`.
    #[must_use]
    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.server)
    }

    /// `GET` of a path below `/api/v1`.
    ///
    /// # Errors
    /// If the server does not answer or refuses.
    pub async fn get(&self, path: &str) -> Result<Value, ClientError> {
        self.json(Method::GET, path, None).await
    }

    /// `POST` to a path below `/api/v1`.
    ///
    /// # Errors
    /// If the server does not answer or refuses.
    pub async fn post(&self, path: &str, body: &Value) -> Result<Value, ClientError> {
        self.json(Method::POST, path, Some(body)).await
    }

    /// Any method on a path below `/api/v1`, with JSON.
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
        match serde_json::from_str(&text) {
            Ok(value) if status.is_success() => Ok(value),
            _ => Err(ClientError::from_body(&self.server, status.as_u16(), text.as_bytes())),
        }
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
        let answer = async {
            let response = self.send(method, path, body).await?;
            let status = response.status();
            Ok((status, self.read_all(response).await?))
        };
        let answer = tokio::time::timeout(REQUEST_TIMEOUT, answer).await;
        answer.unwrap_or_else(|_| {
            let reason = format!("no whole answer within {} s", REQUEST_TIMEOUT.as_secs());
            Err(self.broken(reason))
        })
    }

    /// The stream of JSON lines at a path below `/api/v1`.
    ///
    /// # Errors
    /// If the server does not answer or refuses.
    pub async fn lines(&self, path: &str) -> Result<Lines, ClientError> {
        let response = self.send(Method::GET, &format!("/api/v1{path}"), None).await?;
        let status = response.status();
        if status.is_success() {
            return Ok(Lines { client: self.clone(), response, buffer: Vec::new() });
        }
        let body = self.read_all(response).await?;
        Err(ClientError::from_body(&self.server, status.as_u16(), body.as_bytes()))
    }

    async fn send(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> Result<Response, ClientError> {
        let mut request = self.http.request(method, self.url(path));
        if let Some(token) = &self.token {
            request = request.bearer_auth(token);
        }
        if let Some(body) = body {
            request =
                request.header(header::CONTENT_TYPE, "application/json").body(body.to_string());
        }
        let response =
            request.send().await.map_err(|e| ClientError::from_cause(&self.server, &e))?;
        if response.status().is_redirection()
            && let Some(to) = response.headers().get(header::LOCATION)
        {
            let to = String::from_utf8_lossy(to.as_bytes());
            return Err(self.unexpected(format!("a redirection to {to}")));
        }
        Ok(response)
    }

    async fn read_all(&self, mut response: Response) -> Result<String, ClientError> {
        let mut bytes = Vec::new();
        while let Some(chunk) = self.chunk(&mut response).await? {
            bytes.extend_from_slice(chunk.as_ref());
            if bytes.len() > MAX_ANSWER {
                return Err(self.unexpected(format!("more than {MAX_ANSWER} bytes")));
            }
        }
        String::from_utf8(bytes).map_err(|e| self.unexpected(e))
    }

    async fn chunk(
        &self,
        response: &mut Response,
    ) -> Result<Option<impl AsRef<[u8]> + use<>>, ClientError> {
        response.chunk().await.map_err(|e| ClientError::from_cause(&self.server, &e))
    }

    pub(crate) fn tls(&self) -> Arc<ClientConfig> {
        Arc::clone(&self.tls)
    }

    pub(crate) fn server(&self) -> &str {
        &self.server
    }

    #[expect(clippy::needless_pass_by_value, reason = "convenient in `map_err`")]
    pub(crate) fn broken(&self, reason: impl ToString) -> ClientError {
        ClientError::Connection { server: self.server.clone(), reason: reason.to_string() }
    }

    #[expect(clippy::needless_pass_by_value, reason = "convenient in `map_err`")]
    pub(crate) fn unexpected(&self, reason: impl ToString) -> ClientError {
        ClientError::UnexpectedAnswer { server: self.server.clone(), reason: reason.to_string() }
    }
}

fn parse_address(address: &str) -> Result<Url, ClientError> {
    let bad = |reason: &str| ClientError::Address {
        address: address.to_owned(),
        reason: reason.to_owned(),
    };
    let url = Url::parse(address).map_err(|e| bad(&e.to_string()))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(bad("it starts with neither http:// nor https://"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(bad("it names a user"));
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(bad("it has a query or a fragment"));
    }
    Ok(url)
}

/// A stream of lines, each a JSON value.
///
/// ```no_run
/// # async fn follow() -> Result<(), azulejo_client::ClientError> {
/// let client = azulejo_client::Client::new("https://azul.example.org")?;
/// let mut events = client.lines("/games/GAME/stream").await?;
/// while let Some(event) = events.next().await? {
///     println!("{event}");
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Lines {
    client: Client,
    response: Response,
    buffer: Vec<u8>,
}

impl Lines {
    /// The next line that is not empty; `None` at the end of the stream.
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
                return value.map(Some).map_err(|e| self.client.unexpected(e));
            }
            let Some(chunk) = self.client.chunk(&mut self.response).await? else {
                return Ok(None);
            };
            self.buffer.extend_from_slice(chunk.as_ref());
            if self.buffer.len() > MAX_LINE {
                let reason = format!("a line of more than {MAX_LINE} bytes");
                return Err(self.client.unexpected(reason));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_parsed() {
        let url = |address: &str| Client::new(address).ok().map(|client| client.url("/x"));
        for (address, expected) in [
            ("http://localhost:8137", "http://localhost:8137/x"),
            ("http://example.org/", "http://example.org/x"),
            ("http://example.org:80/azul/", "http://example.org/azul/x"),
            ("https://example.org", "https://example.org/x"),
            ("https://[::1]:8443/a/b", "https://[::1]:8443/a/b/x"),
        ] {
            assert_eq!(url(address).as_deref(), Some(expected));
        }
        for bad in [
            "localhost:8137",
            "http://",
            "http://a b",
            "http://me@x",
            "ftp://x",
            "http://x/?a=1",
            "http://x/#2.00",
        ] {
            assert!(matches!(Client::new(bad), Err(ClientError::Address { .. })), "{bad}");
        }
    }

    #[test]
    fn certificates_must_be_pem() {
        for pem in ["", "no certificate", "-----BEGIN CERTIFICATE-----\n!\n"] {
            let error = Client::with_ca("https://example.org", pem.as_bytes()).unwrap_err();
            assert!(matches!(error, ClientError::Roots(_)), "{error}");
        }
    }
}
