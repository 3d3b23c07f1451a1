//! Taking a person to another device: a code that works once and for ten minutes, to be typed or read as
//! a QR code. The other device gets a token of its own, which can be revoked like every token, and what
//! the page of the old device has packed for it.

use crate::api::App;
use crate::api::caller::{Body, Caller};
use crate::api::error::{ApiError, ErrorEnvelope};
use crate::api::guard::Address;
use crate::api::limits::Action;
use crate::api::people::PersonView;
use crate::api::{cookie, tokens};
use crate::ids::{Secret, TransferCode};
use crate::store::{Change, Transfer, Write};
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// The lifetime of a code.
const LIFETIME_MS: i64 = 10 * 60_000;

/// The largest pack of games, and the largest number of transfers at a time: together 256 MiB.
const MAX_GAMES: usize = 256 * 1024;
const MAX_TRANSFERS: u64 = 1_000;

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(offer, withdraw))
        .routes(routes!(take))
        .layer(DefaultBodyLimit::max(MAX_GAMES + 1_024))
}

/// What to hand over with the person.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct NewTransfer {
    /// The games of the device, as its page packed them; at most 256 KiB.
    #[schema(max_length = 262_144)]
    pub games: String,
}

/// A transfer that waits for the other device.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TransferOffered {
    /// The code. It works once and is not shown again.
    pub code: String,
    /// When it stops working, in milliseconds since 1970.
    pub until_ms: i64,
}

/// Offer me to another device. An earlier offer ends.
#[utoipa::path(post, path = "/me/transfer", tag = "people", request_body = NewTransfer, security(("token" = [])),
    responses((status = 201, body = TransferOffered)))]
pub(crate) async fn offer(
    State(app): State<App>,
    Extension(Address(address)): Extension<Address>,
    caller: Caller,
    Body(body): Body<NewTransfer>,
) -> Result<(StatusCode, Json<TransferOffered>), ApiError> {
    let person = caller.person()?;
    app.spend(address, Some(&person.id), Action::New)?;
    if body.games.len() > MAX_GAMES {
        return Err(ApiError::BadRequest(format!("`games` may have {MAX_GAMES} bytes")));
    }
    let now_ms = app.clock.now_ms();
    app.store.write(Write::People(Change::Transfer(Transfer::Forget { now_ms }))).await?;
    if app.store.n_transfers().await? >= MAX_TRANSFERS {
        return Err(ApiError::Busy);
    }
    let (code, until_ms) = (TransferCode::new(), now_ms + LIFETIME_MS);
    let offer = Transfer::Offer {
        person: person.id.to_string(),
        hash: code.hash(),
        games: body.games,
        until_ms,
    };
    app.store.write(Write::People(Change::Transfer(offer))).await?;
    Ok((StatusCode::CREATED, Json(TransferOffered { code: code.reveal().to_owned(), until_ms })))
}

/// The offer is withdrawn.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Withdrawn {}

/// Withdraw my offer: its code no longer works.
#[utoipa::path(delete, path = "/me/transfer", tag = "people", security(("token" = [])),
    responses((status = 200, body = Withdrawn)))]
pub(crate) async fn withdraw(
    State(app): State<App>,
    caller: Caller,
) -> Result<Json<Withdrawn>, ApiError> {
    let person = caller.person()?.id.to_string();
    app.store.write(Write::People(Change::Transfer(Transfer::Withdraw { person }))).await?;
    Ok(Json(Withdrawn {}))
}

/// The code of a transfer.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TakeTransfer {
    /// The code. Capital letters, spaces and hyphens do not matter.
    #[schema(max_length = 40)]
    pub code: String,
    /// For browsers: put the token in an HttpOnly cookie and leave it out of the answer.
    #[serde(default)]
    pub cookie: bool,
}

/// A person that has come to this device.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TransferTaken {
    /// The person.
    pub person: PersonView,
    /// The token of this device; null with `cookie`. It is not shown again.
    #[schema(required = true)]
    pub token: Option<String>,
    /// The games of the other device, as its page packed them.
    pub games: String,
}

/// Take a person to this device with a code. The code is used up.
#[utoipa::path(post, path = "/transfers", tag = "people", request_body = TakeTransfer,
    responses((status = 200, body = TransferTaken), (status = 404, body = ErrorEnvelope)))]
pub(crate) async fn take(
    State(app): State<App>,
    Extension(Address(address)): Extension<Address>,
    Body(body): Body<TakeTransfer>,
) -> Result<Response, ApiError> {
    app.spend(address, None, Action::New)?;
    let unknown = ApiError::NotFound("transfer code; it works once and for 10 minutes");
    let Some(code) = TransferCode::read(&body.code) else { return Err(unknown) };
    let (hash, now_ms) = (code.hash(), app.clock.now_ms());
    let Some(offered) = app.store.offered(&hash, now_ms).await? else { return Err(unknown) };
    let Some(person) = app.store.person_by_id(&offered.person).await? else { return Err(unknown) };
    tokens::check_room(&app, &person.id).await?;
    let secret = Secret::new();
    let (token_hash, id) = (secret.hash(), person.id.clone());
    let take = Transfer::Take { hash, person: id, token_hash, now_ms };
    if !app.store.write(Write::People(Change::Transfer(take))).await? {
        return Err(unknown);
    }
    let token = (!body.cookie).then(|| secret.reveal().to_owned());
    let person = PersonView { id: person.id, name: person.name };
    let mut response = Json(TransferTaken { person, token, games: offered.games }).into_response();
    if body.cookie
        && let Some(value) = cookie::set(secret.reveal(), app.is_secure)
    {
        response.headers_mut().insert(header::SET_COOKIE, value);
    }
    Ok(response)
}
