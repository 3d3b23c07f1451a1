//! Tokens of a person: one for each device, which can be listed, replaced and revoked one by one or all at
//! once.

use crate::api::App;
use crate::api::caller::{Body, Caller, CurrentToken, Id};
use crate::api::cookie;
use crate::api::error::ApiError;
use crate::ids::Secret;
use crate::store::{Change, Revoked, TOKEN_ID_LENGTH, Write};
use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list, create, revoke_others)).routes(routes!(revoke))
}

/// The largest number of tokens of a person.
const MAX_TOKENS: usize = 20;

/// A token to make.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct NewToken {
    /// Whether the token of this request is revoked: the new one replaces it.
    pub replace: bool,
    /// For browsers: put the token in an HttpOnly cookie and leave it out of the answer.
    pub cookie: bool,
}

/// A token without its secret.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TokenView {
    /// The id, to revoke it. It is not the secret.
    pub id: String,
    /// When it was made, in milliseconds since 1970.
    pub created_ms: i64,
    /// Whether it is the token of this request.
    pub is_current: bool,
}

/// The tokens of a person.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TokenList {
    /// The tokens, the oldest first.
    pub tokens: Vec<TokenView>,
}

/// A token that was made.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TokenCreated {
    /// Its id.
    pub id: String,
    /// The token; null with `cookie`. It is not shown again.
    #[schema(required = true)]
    pub token: Option<String>,
}

/// My tokens, without their secrets.
#[utoipa::path(get, path = "/me/tokens", tag = "people", security(("token" = [])),
    responses((status = 200, body = TokenList)))]
pub(crate) async fn list(
    State(app): State<App>,
    caller: Caller,
    CurrentToken(current): CurrentToken,
) -> Result<Json<TokenList>, ApiError> {
    tokens(&app, &caller.person()?.id, current.as_deref()).await
}

/// Make another token, for another device or in place of the current one.
#[utoipa::path(post, path = "/me/tokens", tag = "people", request_body = NewToken, security(("token" = [])),
    responses((status = 201, body = TokenCreated)))]
pub(crate) async fn create(
    State(app): State<App>,
    caller: Caller,
    CurrentToken(current): CurrentToken,
    Body(body): Body<NewToken>,
) -> Result<Response, ApiError> {
    let person = caller.person()?.id.to_string();
    if !body.replace {
        check_room(&app, &person).await?;
    }
    let (secret, now_ms) = (Secret::new(), app.clock.now_ms());
    let hash = secret.hash();
    let add = Change::AddToken { person: person.clone(), hash: hash.clone(), now_ms };
    app.store.write(Write::People(add)).await?;
    if let (true, Some(current)) = (body.replace, current) {
        revoke_tokens(&app, person, Revoked::One(id(&current))).await?;
    }
    let token = (!body.cookie).then(|| secret.reveal().to_owned());
    let created = TokenCreated { id: id(&hash), token };
    let mut response = (StatusCode::CREATED, Json(created)).into_response();
    if body.cookie
        && let Some(value) = cookie::set(secret.reveal(), app.is_secure)
    {
        response.headers_mut().insert(header::SET_COOKIE, value);
    }
    Ok(response)
}

/// Revoke one of my tokens.
#[utoipa::path(delete, path = "/me/tokens/{token}", tag = "people",
    params(("token" = String, Path, description = "The id of the token.", pattern = "^[0-9a-f]{16}$")), security(("token" = [])),
    responses((status = 200, body = TokenList)))]
pub(crate) async fn revoke(
    State(app): State<App>,
    caller: Caller,
    CurrentToken(current): CurrentToken,
    Id(id): Id,
) -> Result<Json<TokenList>, ApiError> {
    let person = &caller.person()?.id;
    if !revoke_tokens(&app, person.to_string(), Revoked::One(id)).await? {
        return Err(ApiError::NotFound("token"));
    }
    tokens(&app, person, current.as_deref()).await
}

/// Sign out everywhere else: revoke all my tokens but the one of this request.
#[utoipa::path(delete, path = "/me/tokens", tag = "people", security(("token" = [])),
    responses((status = 200, body = TokenList)))]
pub(crate) async fn revoke_others(
    State(app): State<App>,
    caller: Caller,
    CurrentToken(current): CurrentToken,
) -> Result<Json<TokenList>, ApiError> {
    let person = &caller.person()?.id;
    let current = current.ok_or(ApiError::NoToken)?;
    revoke_tokens(&app, person.to_string(), Revoked::AllBut(current.clone())).await?;
    tokens(&app, person, Some(&current)).await
}

/// Refuses another token for a person who has too many.
pub(super) async fn check_room(app: &App, person: &str) -> Result<(), ApiError> {
    if app.store.tokens(person).await?.len() < MAX_TOKENS {
        return Ok(());
    }
    Err(ApiError::Forbidden("you have 20 tokens, the most there can be; revoke one"))
}

async fn tokens(
    app: &App,
    person: &str,
    current: Option<&str>,
) -> Result<Json<TokenList>, ApiError> {
    let tokens = app.store.tokens(person).await?;
    let tokens = tokens.into_iter().map(|token| TokenView {
        id: id(&token.hash),
        created_ms: token.created_ms,
        is_current: current == Some(&*token.hash),
    });
    Ok(Json(TokenList { tokens: tokens.collect() }))
}

async fn revoke_tokens(app: &App, person: String, which: Revoked) -> Result<bool, ApiError> {
    let now_ms = app.clock.now_ms();
    let change = Change::Revoke { person: person.clone(), which, now_ms };
    let is_revoked = app.store.write(Write::People(change)).await?;
    app.known.forget(&person);
    Ok(is_revoked)
}

/// The id of a token: the beginning of its hash.
fn id(hash: &str) -> String {
    hash.chars().take(TOKEN_ID_LENGTH).collect()
}
