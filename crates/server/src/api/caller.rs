//! Extractors: the caller of a request (a person by a bearer token or a cookie, or nobody), the id of
//! a game, and a JSON body with our own errors.

use crate::api::App;
use crate::api::error::ApiError;
use crate::api::limits::{Action, Client, cost};
use crate::api::{cookie, guard};
use crate::ids::Secret;
use crate::store::Person;
use axum::extract::{FromRequest, FromRequestParts, Path, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use serde::de::DeserializeOwned;
use std::sync::{Arc, PoisonError};

/// The number of people cached in memory.
const MAX_CACHED_PEOPLE: usize = 20_000;

/// The caller of a request.
#[derive(Clone, Debug)]
pub(crate) struct Caller(pub(crate) Option<Person>);

impl Caller {
    pub(crate) fn id(&self) -> Option<Arc<str>> {
        self.0.as_ref().map(|person| Arc::clone(&person.id))
    }

    /// Checks the rate limit of a person, which counts requests from all addresses.
    fn within_limits(person: Person, app: &App, route: Option<&str>) -> Result<Caller, ApiError> {
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
        let known = {
            let people = app.people.lock().unwrap_or_else(PoisonError::into_inner);
            people.get(&hash).cloned()
        };
        if let Some(person) = known {
            return Caller::within_limits(person, app, route);
        }
        match app.store.person(&hash).await? {
            Some(person) => {
                let mut people = app.people.lock().unwrap_or_else(PoisonError::into_inner);
                if people.len() >= MAX_CACHED_PEOPLE {
                    people.clear();
                }
                people.insert(hash, person.clone());
                drop(people);
                Caller::within_limits(person, app, route)
            }
            // A browser with a cookie of another database has no person yet.
            None if bearer(&parts.headers).is_none() => Ok(Caller(None)),
            None => Err(ApiError::UnknownToken),
        }
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

/// Checks a name to show: 1 to 40 characters, without control, invisible and direction characters.
pub(crate) fn check_name(name: &str) -> Result<String, ApiError> {
    let name = name.trim();
    let is_forbidden = |c: char| {
        c.is_control()
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
    };
    if !(1..=40).contains(&name.chars().count()) || name.chars().any(is_forbidden) {
        let problem = "a name must have 1 to 40 visible characters";
        return Err(ApiError::BadRequest(problem.to_owned()));
    }
    Ok(name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_visible_text() {
        for (name, expected) in [
            ("Ana", Some("Ana")),
            ("  José Łódź  ", Some("José Łódź")),
            ("<script>alert(1)</script>", Some("<script>alert(1)</script>")),
            ("", None),
            ("   ", None),
            ("a\nb", None),
            ("\u{202e}gnp.exe", None),
            (&"x".repeat(41), None),
        ] {
            assert_eq!(check_name(name).ok().as_deref(), expected, "{name:?}");
        }
    }
}
