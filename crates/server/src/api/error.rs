//! What is answered when something cannot be done: a status, a code for programs and a sentence
//! for people. Causes inside the server are logged and never sent.

use crate::store::StoreError;
use crate::table::ActError;
use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use azulejo_table::Refusal;
use serde::Serialize;
use utoipa::ToSchema;

/// An error as it is sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ErrorBody {
    /// For programs; docs/server.md lists them.
    pub code: &'static str,
    /// For people.
    pub message: String,
    /// With `illegal_move`: which rule is against it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<&'static str>,
    /// With `stale`: the event that the client has not seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<u64>,
}

/// The envelope of an error.
#[derive(Serialize, ToSchema)]
pub(crate) struct ErrorEnvelope {
    /// What is wrong.
    pub error: ErrorBody,
}

/// Why a request was not answered as hoped.
#[derive(Debug, thiserror::Error)]
pub enum ApiError {
    /// The game says no.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// There is no such game, page or record.
    #[error("there is no such {0}")]
    NotFound(&'static str),
    /// The request makes no sense.
    #[error("{0}")]
    BadRequest(String),
    /// The body is too large.
    #[error("the request is too large")]
    TooLarge,
    /// The body is not JSON.
    #[error("the body has to be JSON, with the content type application/json")]
    NotJson,
    /// The path is there, and does something else.
    #[error("this address does not answer this method")]
    WrongMethod,
    /// One has to be somebody for this.
    #[error("this needs a token: POST /api/v1/people gives one")]
    NoToken,
    /// The token is nobody's.
    #[error("nobody has this token")]
    UnknownToken,
    /// The request comes from another site.
    #[error("requests from other sites are not answered")]
    BadOrigin,
    /// It is somebody else's.
    #[error("{0}")]
    Forbidden(&'static str),
    /// Too many requests.
    #[error("too many requests; wait a little")]
    TooMany,
    /// It was not answered in time.
    #[error("this takes too long; try again")]
    TooSlow,
    /// Too much happens.
    #[error("the server is busy; try again in a moment")]
    Busy,
    /// The database does not answer.
    #[error("the server cannot reach its database; try again in a moment")]
    Unavailable(String),
    /// Something is broken.
    #[error("something is wrong with the server")]
    Internal(String),
}

impl ApiError {
    /// The code for programs.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            ApiError::Refused(refusal) => refusal.code(),
            ApiError::NotFound(_) => "not_found",
            ApiError::BadRequest(_) => "bad_request",
            ApiError::TooLarge => "too_large",
            ApiError::NotJson => "not_json",
            ApiError::WrongMethod => "wrong_method",
            ApiError::NoToken => "no_token",
            ApiError::UnknownToken => "unknown_token",
            ApiError::BadOrigin => "bad_origin",
            ApiError::Forbidden(_) => "forbidden",
            ApiError::TooMany => "too_many",
            ApiError::TooSlow => "too_slow",
            ApiError::Busy => "busy",
            ApiError::Unavailable(_) => "unavailable",
            ApiError::Internal(_) => "internal",
        }
    }

    fn status(&self) -> StatusCode {
        match self {
            ApiError::Refused(refusal) => match refusal {
                Refusal::NotSeated | Refusal::NotYourSeat(_) | Refusal::NotInvited => {
                    StatusCode::FORBIDDEN
                }
                Refusal::NotAMove(_) | Refusal::BadMoveId | Refusal::NoSuchSeat(_) => {
                    StatusCode::BAD_REQUEST
                }
                Refusal::Illegal { .. } => StatusCode::UNPROCESSABLE_ENTITY,
                Refusal::TooChatty => StatusCode::TOO_MANY_REQUESTS,
                _ => StatusCode::CONFLICT,
            },
            ApiError::NotFound(_) => StatusCode::NOT_FOUND,
            ApiError::BadRequest(_) => StatusCode::BAD_REQUEST,
            ApiError::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            ApiError::NotJson => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            ApiError::WrongMethod => StatusCode::METHOD_NOT_ALLOWED,
            ApiError::NoToken | ApiError::UnknownToken => StatusCode::UNAUTHORIZED,
            ApiError::BadOrigin | ApiError::Forbidden(_) => StatusCode::FORBIDDEN,
            ApiError::TooMany => StatusCode::TOO_MANY_REQUESTS,
            ApiError::TooSlow => StatusCode::REQUEST_TIMEOUT,
            ApiError::Busy | ApiError::Unavailable(_) => StatusCode::SERVICE_UNAVAILABLE,
            ApiError::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// As it is sent.
    #[must_use]
    pub fn body(&self) -> ErrorBody {
        let (rule, number) = match self {
            ApiError::Refused(refusal) => (
                refusal.illegal_code(),
                match refusal {
                    Refusal::Stale { number } => Some(*number),
                    _ => None,
                },
            ),
            _ => (None, None),
        };
        ErrorBody { code: self.code(), message: self.to_string(), rule, number }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        match &self {
            ApiError::Unavailable(cause) => tracing::warn!(cause, "the database does not answer"),
            ApiError::Internal(cause) => tracing::error!(cause, "something is broken"),
            _ => {}
        }
        let (status, envelope) = (self.status(), ErrorEnvelope { error: self.body() });
        (status, axum::Json(envelope)).into_response()
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> ApiError {
        match error {
            StoreError::Unavailable(cause) => ApiError::Unavailable(cause),
            StoreError::Strange(cause) => ApiError::Internal(cause),
        }
    }
}

impl From<ActError> for ApiError {
    fn from(error: ActError) -> ApiError {
        match error {
            ActError::Refused(refusal) => ApiError::Refused(refusal),
            ActError::NoGame => ApiError::NotFound("game"),
            ActError::Store(error) => error.into(),
            ActError::Busy => ApiError::Busy,
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

/// A message that may quote what a client sent: short and without control characters.
fn clean(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '?' } else { c }).take(300).collect()
}

pub(super) async fn no_such_page() -> ApiError {
    ApiError::NotFound("page")
}

pub(super) async fn wrong_method() -> ApiError {
    ApiError::WrongMethod
}
