//! People: guests with a name and a token, without accounts.

use crate::api::App;
use crate::api::caller::{Body, Caller};
use crate::api::cookie;
use crate::api::error::ApiError;
use crate::api::guard::Address;
use crate::api::limits::Action;
use crate::ids::{Secret, new_id};
use crate::names::check_name;
use crate::store::{Change, Write};
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(create)).routes(routes!(me, rename))
}

/// A new person.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct NewPerson {
    /// The name to show, 1 to 40 characters; `Guest` if left out.
    #[schema(min_length = 1)]
    pub name: Option<String>,
    /// For browsers: put the token in an HttpOnly cookie, which scripts cannot read, and leave it out of
    /// the answer.
    pub cookie: bool,
}

/// A person.
#[derive(Debug, Serialize, ToSchema)]
pub struct PersonView {
    /// The id. It is public.
    pub id: String,
    /// The name to show.
    pub name: String,
}

/// A person that was created.
#[derive(Debug, Serialize, ToSchema)]
pub struct PersonCreated {
    /// The person.
    pub person: PersonView,
    /// The token, to be sent as `Authorization: Bearer TOKEN`; null with `cookie`. It is not shown again.
    #[schema(required = true)]
    pub token: Option<String>,
}

/// Create a person.
#[utoipa::path(post, path = "/people", tag = "people", request_body = NewPerson,
    responses((status = 201, body = PersonCreated)))]
pub(crate) async fn create(
    State(app): State<App>,
    Extension(Address(address)): Extension<Address>,
    Body(body): Body<NewPerson>,
) -> Result<Response, ApiError> {
    app.spend(address, None, Action::New)?;
    let name = check_name(body.name.as_deref().unwrap_or("Guest"))?;
    let (id, secret) = (new_id(), Secret::new());
    let now_ms = app.clock.now_ms();
    let (token_hash, write_name) = (secret.hash(), name.clone());
    let create = Change::Create { id: id.clone(), token_hash, name: write_name, now_ms };
    if !app.store.write(Write::People(create)).await? {
        return Err(ApiError::Busy);
    }
    let token = (!body.cookie).then(|| secret.reveal().to_owned());
    let created = PersonCreated { person: PersonView { id, name }, token };
    let mut response = (StatusCode::CREATED, Json(created)).into_response();
    if body.cookie
        && let Some(value) = cookie::set(secret.reveal(), app.is_secure)
    {
        response.headers_mut().insert(header::SET_COOKIE, value);
    }
    Ok(response)
}

/// The person of this token.
#[utoipa::path(get, path = "/me", tag = "people", security(("token" = [])),
    responses((status = 200, body = PersonView)))]
pub(crate) async fn me(caller: Caller) -> Result<Json<PersonView>, ApiError> {
    let person = caller.person()?;
    Ok(Json(PersonView { id: person.id.to_string(), name: person.name.clone() }))
}

/// A new name.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Rename {
    /// The name to show in new games, 1 to 40 characters.
    #[schema(min_length = 1)]
    pub name: String,
}

/// Change the name to show.
#[utoipa::path(patch, path = "/me", tag = "people", request_body = Rename, security(("token" = [])),
    responses((status = 200, body = PersonView)))]
pub(crate) async fn rename(
    State(app): State<App>,
    caller: Caller,
    Body(body): Body<Rename>,
) -> Result<Json<PersonView>, ApiError> {
    let person = caller.person()?;
    let name = check_name(&body.name)?;
    let (id, now_ms) = (person.id.to_string(), app.clock.now_ms());
    let rename = Change::Rename { id, name: name.clone(), now_ms };
    app.store.write(Write::People(rename)).await?;
    app.known.forget(&person.id);
    Ok(Json(PersonView { id: person.id.to_string(), name }))
}
