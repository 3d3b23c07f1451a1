//! Extractors: the caller of a request (a person by a bearer token or a cookie, or nobody), the id of
//! a game, and a JSON body with our own errors.

use crate::api::App;
use crate::api::error::ApiError;
use crate::api::limits::{Action, Client, cost};
use crate::api::{cookie, guard};
use crate::ids::Secret;
use crate::store::{Change, Person, Write};
use axum::extract::{FromRequest, FromRequestParts, Path, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use serde::de::DeserializeOwned;
use std::sync::Arc;

/// How often it is noted that a person was here.
const SEEN_INTERVAL_MS: i64 = 24 * 3_600_000;

/// The caller of a request.
#[derive(Clone, Debug)]
pub(crate) struct Caller(pub(crate) Option<Person>);

impl Caller {
    pub(crate) fn id(&self) -> Option<Arc<str>> {
        self.0.as_ref().map(|person| Arc::clone(&person.id))
    }

    /// Checks that a person is not banned, and the rate limit of the person, which counts requests from
    /// all addresses.
    fn admit(person: Person, app: &App, route: Option<&str>) -> Result<Caller, ApiError> {
        if app.bans.borrow().has_person(&person.id, app.clock.now_ms()) {
            return Err(ApiError::Banned);
        }
        let client = Client::Person(Arc::clone(&person.id));
        app.spend_of([client], Action::Request, cost(route))?;
        Ok(Caller(Some(person)))
    }

    pub(crate) fn person(&self) -> Result<&Person, ApiError> {
        self.0.as_ref().ok_or(ApiError::NoToken)
    }
}

impl FromRequestParts<App> for Caller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Caller, ApiError> {
        let secret = secret(&parts.headers, app.is_secure)?;
        let Some(secret) = secret else { return Ok(Caller(None)) };
        let route = guard::route(&parts.extensions);
        let hash = secret.hash();
        if let Some(person) = app.known.get(&hash) {
            return Caller::admit(person, app, route);
        }
        match app.store.person(&hash).await? {
            Some(person) => {
                note_seen(app, &person);
                app.known.insert(hash, person.clone());
                Caller::admit(person, app, route)
            }
            // A browser with a cookie of another database has no person yet.
            None if bearer(&parts.headers).is_none() => Ok(Caller(None)),
            None => Err(ApiError::UnknownToken),
        }
    }
}

/// Notes that a person was here, once a day. The request does not wait for it.
fn note_seen(app: &App, person: &Person) {
    let now_ms = app.clock.now_ms();
    if now_ms - person.seen_ms >= SEEN_INTERVAL_MS {
        let seen = Write::People(Change::Seen { id: person.id.to_string(), now_ms });
        let store = app.store.clone();
        tokio::spawn(async move { store.write(seen).await });
    }
}

/// The hash of the token of a request.
pub(crate) struct CurrentToken(pub(crate) Option<String>);

impl FromRequestParts<App> for CurrentToken {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<CurrentToken, ApiError> {
        Ok(CurrentToken(secret(&parts.headers, app.is_secure)?.map(|secret| secret.hash())))
    }
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    headers.get(header::AUTHORIZATION)?.to_str().ok()?.strip_prefix("Bearer ").map(str::trim)
}

fn secret(headers: &HeaderMap, is_secure: bool) -> Result<Option<Secret>, ApiError> {
    if let Some(token) = bearer(headers) {
        return Secret::read(token).map(Some).ok_or(ApiError::UnknownToken);
    }
    Ok(cookie::token(headers, is_secure).and_then(Secret::read))
}

/// The id of a game in a path.
pub(crate) struct GameId(pub(crate) String);

impl FromRequestParts<App> for GameId {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<GameId, ApiError> {
        let id = Path::<String>::from_request_parts(parts, app).await;
        // A segment that is not UTF-8 is not the id of a game.
        id.map(|Path(id)| GameId(id)).map_err(|_| ApiError::NotFound("game"))
    }
}

/// Another id in a path.
pub(crate) struct Id(pub(crate) String);

impl FromRequestParts<App> for Id {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Id, ApiError> {
        let id = Path::<String>::from_request_parts(parts, app).await;
        id.map(|Path(id)| Id(id)).map_err(|_| ApiError::NotFound("id"))
    }
}

/// A JSON body. A request without a body counts as an empty object.
pub(crate) struct Body<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<App> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &App) -> Result<Body<T>, ApiError> {
        let is_empty = request.headers().get(header::CONTENT_LENGTH).is_none_or(|n| n == "0")
            && request.headers().get(header::TRANSFER_ENCODING).is_none();
        if is_empty {
            let empty = serde_json::from_str("{}");
            return empty.map(Body).map_err(|e| ApiError::BadRequest(e.to_string()));
        }
        let axum::Json(body) = axum::Json::<T>::from_request(request, app).await?;
        Ok(Body(body))
    }
}
