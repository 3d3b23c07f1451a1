//! Why a request failed.

use serde_json::Value;
use std::error::Error;
use std::io;

/// Why a request failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ClientError {
    /// The address of the server is not a URL that this client understands.
    #[error(
        "`{address}` is not the address of a server ({reason}): write http://HOST:PORT or https://HOST/PATH"
    )]
    Address {
        /// The address that was given.
        address: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The certificates to trust cannot be read.
    #[error(
        "cannot read the certificates to trust: {0}; a PEM file with at least one certificate is needed"
    )]
    Roots(String),
    /// The server does not answer, or the connection broke. It may be worth trying again.
    #[error(
        "no connection to {server}: {reason}; check the address and whether the server is running"
    )]
    Connection {
        /// The address of the server.
        server: String,
        /// The innermost cause.
        reason: String,
    },
    /// TLS failed: the certificate is not trusted or belongs to another host, or the server does not speak TLS.
    #[error(
        "no secure connection to {server}: {reason}; check the host name, or trust the certificate of its issuer \
         (SSL_CERT_FILE)"
    )]
    Tls {
        /// The address of the server.
        server: String,
        /// What TLS says.
        reason: String,
    },
    /// The server refused the request and changed nothing.
    #[error("{message} ({code}, HTTP {status})")]
    Rejected {
        /// The HTTP status.
        status: u16,
        /// The code for programs.
        code: String,
        /// The sentence for people.
        message: String,
    },
    /// The answer does not follow the interface.
    #[error("unexpected answer from {server}: {reason}; is this the address of an Azulejo server?")]
    UnexpectedAnswer {
        /// The address of the server.
        server: String,
        /// What is wrong with the answer.
        reason: String,
    },
}

impl ClientError {
    /// The code of a rejection.
    #[must_use]
    pub fn code(&self) -> Option<&str> {
        match self {
            ClientError::Rejected { code, .. } => Some(code),
            _ => None,
        }
    }

    /// An error of the connection. Libraries wrap the cause several times: the innermost one is
    /// what a reader needs, and an error of TLS anywhere in the chain is told apart.
    pub(crate) fn from_cause(server: &str, error: &(dyn Error + 'static)) -> ClientError {
        let server = server.to_owned();
        let mut cause = error;
        loop {
            if cause.is::<rustls::Error>() {
                return ClientError::Tls { server, reason: cause.to_string() };
            }
            let inner = match cause.downcast_ref::<io::Error>() {
                Some(io) => io.get_ref().map(|inner| inner as &(dyn Error + 'static)),
                None => cause.source(),
            };
            match inner {
                Some(inner) => cause = inner,
                None => return ClientError::Connection { server, reason: cause.to_string() },
            }
        }
    }

    /// The rejection in the body of an answer, if it holds one.
    pub(crate) fn from_body(server: &str, status: u16, body: &[u8]) -> ClientError {
        let value: Value = serde_json::from_slice(body).unwrap_or_default();
        let text = |key: &str| value["error"][key].as_str().map(str::to_owned);
        match (text("code"), text("message")) {
            (Some(code), Some(message)) => ClientError::Rejected { status, code, message },
            _ => {
                let start: String = String::from_utf8_lossy(body).chars().take(200).collect();
                let reason = format!("HTTP {status}: {start}");
                ClientError::UnexpectedAnswer { server: server.to_owned(), reason }
            }
        }
    }
}
