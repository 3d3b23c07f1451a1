//! Error responses: a status, a code for programs and a sentence for people. Causes inside the server
//! are logged and never sent.

use crate::names::NameError;
use crate::store::StoreError;
use crate::tables::CommandError;
use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use azulejo_table::{ErrorBody, NewGameError, Rejection};
use serde::Serialize;
use std::time::Duration;
use utoipa::ToSchema;

/// The body of an error response.
#[derive(Serialize, ToSchema)]
pub(crate) struct ErrorEnvelope {
    /// The error.
    pub error: ErrorBody,
}

/// Why a request failed.
#[derive(Debug, thiserror::Error)]
pub enum ApiError {
    /// The game rejected the command.
    #[error(transparent)]
    Rejected(#[from] Rejection),
    /// There is no such game, page or record.
    #[error("there is no such {0}")]
    NotFound(&'static str),
    /// The request is malformed.
    #[error("{0}")]
    BadRequest(String),
    /// The body is too large.
    #[error("the request is too large")]
    TooLarge,
    /// The body is not JSON.
    #[error("the body must be JSON with the content type application/json")]
    NotJson,
    /// The path exists, but not with this method.
    #[error("this address does not support this method")]
    WrongMethod,
    /// The request needs a person.
    #[error("this needs a token; POST /api/v1/people gives one")]
    NoToken,
    /// The token is unknown.
    #[error("this token is unknown")]
    UnknownToken,
    /// The request comes from another site.
    #[error("requests from other sites are not allowed")]
    BadOrigin,
    /// The person or the address is banned.
    #[error("the operator of this server has banned you")]
    Banned,
    /// The caller has no right to it.
    #[error("{0}")]
    Forbidden(&'static str),
    /// The request is for another host.
    #[error("this server does not answer for `{0}`; its operator can allow the name with --hosts")]
    WrongHost(String),
    /// The client did too much lately.
    #[error("too many requests; wait a little")]
    TooMany {
        /// How long to wait.
        wait: Duration,
    },
    /// The person has as many listed games that wait for players as one may have.
    #[error("you have {0} listed games waiting for players; close one of them first")]
    TooManyListed(usize),
    /// The request or its answer took too long.
    #[error("the request timed out; try again")]
    TooSlow,
    /// The server is overloaded.
    #[error("the server is busy; try again in a moment")]
    Busy,
    /// The remaining connections are for people with a seat.
    #[error("the server is full; try again in a moment")]
    Crowded,
    /// The database does not answer.
    #[error("the server cannot reach its database; try again in a moment")]
    Unavailable(String),
    /// The server has a fault.
    #[error("internal server error")]
    Internal(String),
}

impl ApiError {
    /// The code for programs.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            ApiError::Rejected(rejection) => rejection.code(),
            ApiError::NotFound(_) => "not_found",
            ApiError::BadRequest(_) => "bad_request",
            ApiError::TooLarge => "too_large",
            ApiError::NotJson => "not_json",
            ApiError::WrongMethod => "wrong_method",
            ApiError::NoToken => "no_token",
            ApiError::UnknownToken => "unknown_token",
            ApiError::BadOrigin => "bad_origin",
            ApiError::Banned => "banned",
            ApiError::Forbidden(_) => "forbidden",
            ApiError::WrongHost(_) => "wrong_host",
            ApiError::TooMany { .. } => "too_many",
            ApiError::TooManyListed(_) => "too_many_listed",
            ApiError::TooSlow => "too_slow",
            ApiError::Busy | ApiError::Crowded => "busy",
            ApiError::Unavailable(_) => "unavailable",
            ApiError::Internal(_) => "internal",
        }
    }

    fn status(&self) -> StatusCode {
        match self {
            ApiError::Rejected(rejection) => match rejection {
                Rejection::NotSeated
                | Rejection::NotYourSeat(_)
                | Rejection::NotInvited
                | Rejection::NoHints => StatusCode::FORBIDDEN,
                Rejection::NotAMove(_) | Rejection::BadMoveId | Rejection::NoSuchSeat(_) => {
                    StatusCode::BAD_REQUEST
                }
                Rejection::Illegal { .. } => StatusCode::UNPROCESSABLE_ENTITY,
                Rejection::TooChatty => StatusCode::TOO_MANY_REQUESTS,
                _ => StatusCode::CONFLICT,
            },
            ApiError::NotFound(_) => StatusCode::NOT_FOUND,
            ApiError::BadRequest(_) => StatusCode::BAD_REQUEST,
            ApiError::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            ApiError::NotJson => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            ApiError::WrongMethod => StatusCode::METHOD_NOT_ALLOWED,
            ApiError::NoToken | ApiError::UnknownToken => StatusCode::UNAUTHORIZED,
            ApiError::BadOrigin | ApiError::Banned | ApiError::Forbidden(_) => {
                StatusCode::FORBIDDEN
            }
            ApiError::WrongHost(_) => StatusCode::MISDIRECTED_REQUEST,
            ApiError::TooMany { .. } => StatusCode::TOO_MANY_REQUESTS,
            ApiError::TooManyListed(_) => StatusCode::CONFLICT,
            ApiError::TooSlow => StatusCode::REQUEST_TIMEOUT,
            ApiError::Busy | ApiError::Crowded | ApiError::Unavailable(_) => {
                StatusCode::SERVICE_UNAVAILABLE
            }
            ApiError::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// When the client may try again, if that could help.
    fn retry_after(&self) -> Option<Duration> {
        match self {
            ApiError::TooMany { wait } => Some(*wait),
            ApiError::Rejected(Rejection::TooChatty) | ApiError::Busy => {
                Some(Duration::from_secs(1))
            }
            ApiError::Unavailable(_) => Some(Duration::from_secs(2)),
            ApiError::Crowded => Some(Duration::from_secs(10)),
            _ => None,
        }
    }

    /// The error as clients receive it.
    #[must_use]
    pub fn body(&self) -> ErrorBody {
        match self {
            ApiError::Rejected(rejection) => rejection.into(),
            _ => ErrorBody::new(self.code(), self.to_string()),
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        match &self {
            ApiError::Unavailable(cause) => tracing::warn!(cause, "the database does not answer"),
            ApiError::Internal(cause) => tracing::error!(cause, "internal error"),
            _ => {}
        }
        let (status, envelope) = (self.status(), ErrorEnvelope { error: self.body() });
        let mut response = (status, axum::Json(envelope)).into_response();
        let headers = response.headers_mut();
        if let Some(wait) = self.retry_after() {
            let seconds = wait.as_secs_f64().ceil().clamp(1.0, 3_600.0) as u32;
            headers.insert(header::RETRY_AFTER, seconds.into());
        }
        if matches!(self, ApiError::Crowded) {
            headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
        response
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> ApiError {
        match error {
            StoreError::Unavailable(cause) => ApiError::Unavailable(cause),
            StoreError::Corrupt(cause) => ApiError::Internal(cause),
        }
    }
}

impl From<NameError> for ApiError {
    fn from(error: NameError) -> ApiError {
        ApiError::BadRequest(error.to_string())
    }
}

impl From<NewGameError> for ApiError {
    fn from(error: NewGameError) -> ApiError {
        ApiError::BadRequest(error.to_string())
    }
}

impl From<CommandError> for ApiError {
    fn from(error: CommandError) -> ApiError {
        match error {
            CommandError::Rejected(rejection) => ApiError::Rejected(rejection),
            CommandError::NoGame => ApiError::NotFound("game"),
            CommandError::Store(error) => error.into(),
            CommandError::Busy => ApiError::Busy,
        }
    }
}

impl From<JsonRejection> for ApiError {
    fn from(rejection: JsonRejection) -> ApiError {
        match rejection.status() {
            StatusCode::PAYLOAD_TOO_LARGE => ApiError::TooLarge,
            StatusCode::UNSUPPORTED_MEDIA_TYPE => ApiError::NotJson,
            _ => ApiError::BadRequest(clean(&rejection.body_text())),
        }
    }
}

impl From<QueryRejection> for ApiError {
    fn from(rejection: QueryRejection) -> ApiError {
        ApiError::BadRequest(clean(&rejection.body_text()))
    }
}

/// A message that may quote what a client sent: at most 300 characters, no control characters.
fn clean(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '?' } else { c }).take(300).collect()
}

pub(super) async fn no_such_page() -> ApiError {
    ApiError::NotFound("page")
}

pub(super) async fn wrong_method() -> ApiError {
    ApiError::WrongMethod
}
