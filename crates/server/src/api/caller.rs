//! Who asks: a person by a bearer token (programs) or a cookie (browsers), or nobody. And the
//! body of a request, as JSON with errors of our own.

use crate::api::App;
use crate::api::error::ApiError;
use crate::api::limits::{What, Who};
use crate::ids::Secret;
use crate::store::Person;
use axum::extract::{FromRequest, FromRequestParts, Path, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use serde::de::DeserializeOwned;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, PoisonError};

/// The name of the cookie.
pub(crate) const COOKIE: &str = "azulejo";

/// How many people are remembered without asking the database.
const MEMORY: usize = 20_000;

/// Whoever asks.
#[derive(Clone, Debug)]
pub(crate) struct Caller(pub(crate) Option<Person>);

impl Caller {
    pub(crate) fn id(&self) -> Option<Arc<str>> {
        self.0.as_ref().map(|person| Arc::clone(&person.id))
    }

    /// A person who has not asked too much, from whatever addresses.
    fn within_limits(person: Person, app: &App) -> Result<Caller, ApiError> {
        if !app.limits.allows(Who::Person(Arc::clone(&person.id)), What::Request) {
            app.metrics.limited.fetch_add(1, Relaxed);
            return Err(ApiError::TooMany);
        }
        Ok(Caller(Some(person)))
    }

    pub(crate) fn person(&self) -> Result<&Person, ApiError> {
        self.0.as_ref().ok_or(ApiError::NoToken)
    }
}

impl FromRequestParts<App> for Caller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Caller, ApiError> {
        let Some(secret) = secret(&parts.headers)? else { return Ok(Caller(None)) };
        let hash = secret.hash();
        let known = {
            let people = app.people.lock().unwrap_or_else(PoisonError::into_inner);
            people.get(&hash).cloned()
        };
        if let Some(person) = known {
            return Caller::within_limits(person, app);
        }
        match app.store.person(&hash).await? {
            Some(person) => {
                let mut people = app.people.lock().unwrap_or_else(PoisonError::into_inner);
                if people.len() >= MEMORY {
                    people.clear();
                }
                people.insert(hash, person.clone());
                drop(people);
                Caller::within_limits(person, app)
            }
            // A browser with the cookie of another database is simply nobody yet.
            None if bearer(&parts.headers).is_none() => Ok(Caller(None)),
            None => Err(ApiError::UnknownToken),
        }
    }
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    headers.get(header::AUTHORIZATION)?.to_str().ok()?.strip_prefix("Bearer ").map(str::trim)
}

fn secret(headers: &HeaderMap) -> Result<Option<Secret>, ApiError> {
    if let Some(token) = bearer(headers) {
        return Secret::read(token).map(Some).ok_or(ApiError::UnknownToken);
    }
    Ok(cookie(headers).and_then(Secret::read))
}

/// The token in the cookie.
pub(crate) fn cookie(headers: &HeaderMap) -> Option<&str> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = cookies.flat_map(|value| value.split(';'));
    pairs.find_map(|pair| pair.trim().strip_prefix(COOKIE)?.strip_prefix('='))
}

/// The id of a game in a path, whatever it looks like.
pub(crate) struct GameId(pub(crate) String);

impl FromRequestParts<App> for GameId {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<GameId, ApiError> {
        let id = Path::<String>::from_request_parts(parts, app).await;
        // What is not even text is the id of no game.
        id.map(|Path(id)| GameId(id)).map_err(|_| ApiError::NotFound("game"))
    }
}

/// A JSON body. No body at all means an object without keys.
pub(crate) struct Body<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<App> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &App) -> Result<Body<T>, ApiError> {
        let is_empty = request.headers().get(header::CONTENT_LENGTH).is_none_or(|n| n == "0")
            && request.headers().get(header::TRANSFER_ENCODING).is_none();
        if is_empty {
            let nothing = serde_json::from_str("{}");
            return nothing.map(Body).map_err(|e| ApiError::BadRequest(e.to_string()));
        }
        let axum::Json(body) = axum::Json::<T>::from_request(request, app).await?;
        Ok(Body(body))
    }
}

/// A name that can be shown: not empty, not long, and without characters that would disturb the
/// text around it.
pub(crate) fn check_name(name: &str) -> Result<String, ApiError> {
    let name = name.trim();
    let disturbs = |c: char| {
        c.is_control()
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
    };
    if !(1..=40).contains(&name.chars().count()) || name.chars().any(disturbs) {
        let problem = "a name has 1 to 40 characters that can be seen";
        return Err(ApiError::BadRequest(problem.to_owned()));
    }
    Ok(name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_can_be_shown() {
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

    #[test]
    fn the_cookie_is_found_among_others() {
        let check = |value: &str, expected: Option<&str>| {
            let mut headers = HeaderMap::new();
            headers.insert(header::COOKIE, value.parse().unwrap());
            assert_eq!(cookie(&headers), expected);
        };
        check("a=1; azulejo=xyz; b=2", Some("xyz"));
        check("azulejo2=xyz", None);
        check("azulejo=", Some(""));
        check("", None);
    }
}
