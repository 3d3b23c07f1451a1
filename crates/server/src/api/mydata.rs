//! A person's own data: a copy of all of it, and its deletion.

use crate::api::App;
use crate::api::caller::{Body, Caller};
use crate::api::cookie;
use crate::api::error::ApiError;
use crate::api::guard::Address;
use crate::api::limits::Action;
use crate::store::StoreError;
use axum::body::{Body as ResponseBody, Bytes};
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::sync::Arc;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(export)).routes(routes!(delete))
}

/// The number of games whose ids are read at a time.
const PAGE: u32 = 100;

/// A line of the copy of a person's data.
#[derive(Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum ExportLine {
    /// The first line: the person.
    Person {
        /// The id.
        id: String,
        /// The name to show.
        name: String,
        /// When the person was created, in milliseconds since 1970.
        created_ms: i64,
        /// The day on which the person was last seen.
        seen_ms: i64,
        /// When each token was made. The server does not have the tokens themselves.
        tokens_created_ms: Vec<i64>,
    },
    /// A game in which the person has a seat, or which the person created.
    Game {
        /// The id.
        id: String,
        /// Whether the person created it.
        is_creator: bool,
        /// The seats of the person.
        your_seats: Vec<u8>,
        /// When it was created.
        created_ms: i64,
        /// When the last event happened.
        updated_ms: i64,
        /// The record, with the names of all players.
        record: String,
    },
}

/// A copy of all my data: one JSON object per line, first the person, then every game.
#[utoipa::path(get, path = "/me/export", tag = "people", security(("token" = [])),
    responses((status = 200, body = ExportLine, content_type = "application/x-ndjson")))]
pub(crate) async fn export(
    State(app): State<App>,
    Extension(Address(address)): Extension<Address>,
    caller: Caller,
) -> Result<Response, ApiError> {
    let id = Arc::clone(&caller.person()?.id);
    app.spend(address, Some(&id), Action::New)?;
    let person = app.store.person_by_id(&id).await?.ok_or(ApiError::UnknownToken)?;
    let tokens = app.store.tokens(&id).await?;
    let first = line(&ExportLine::Person {
        id: person.id,
        name: person.name,
        created_ms: person.created_ms,
        seen_ms: person.seen_ms,
        tokens_created_ms: tokens.iter().map(|token| token.created_ms).collect(),
    });
    // One game at a time is in memory, and none is read before the client has taken the one before.
    let games =
        Games { app, person: id, first: Some(first), last: String::new(), ids: VecDeque::new() };
    let body = futures_util::stream::unfold(games, |mut games| async move {
        let next = games.next().await.transpose()?;
        Some((next.map_err(|error| std::io::Error::other(error.to_string())), games))
    });
    let headers = [
        (header::CONTENT_TYPE, "application/x-ndjson"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"azulejo-my-data.jsonl\""),
    ];
    Ok((headers, ResponseBody::from_stream(body)).into_response())
}

struct Games {
    app: App,
    person: Arc<str>,
    first: Option<Bytes>,
    last: String,
    ids: VecDeque<String>,
}

impl Games {
    async fn next(&mut self) -> Result<Option<Bytes>, StoreError> {
        if let Some(first) = self.first.take() {
            return Ok(Some(first));
        }
        loop {
            if self.ids.is_empty() {
                let page = self.app.store.games_naming(&self.person, &self.last, PAGE).await?;
                let Some(last) = page.last() else { return Ok(None) };
                self.last.clone_from(last);
                self.ids.extend(page);
            }
            let Some(id) = self.ids.pop_front() else { return Ok(None) };
            // It may have been deleted meanwhile.
            let Some(game) = self.app.store.game(&id).await? else { continue };
            return Ok(Some(line(&ExportLine::Game {
                id,
                is_creator: game.settings.creator == *self.person,
                your_seats: game.seats_of(Some(&self.person)).collect(),
                created_ms: game.created_ms,
                updated_ms: game.at_ms,
                record: game.record().to_string(),
            })));
        }
    }
}

fn line(line: &ExportLine) -> Bytes {
    let mut text = serde_json::to_string(line).unwrap_or_default();
    text.push('\n');
    text.into()
}

/// The confirmation of a deletion.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Delete {
    /// The word `delete`.
    #[schema(pattern = "^delete$")]
    pub confirm: String,
}

/// Everything is deleted.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Deleted {}

/// Delete me. Running games are resigned, my name and id disappear from all games, and my tokens are
/// revoked. It cannot be undone.
#[utoipa::path(delete, path = "/me", tag = "people", request_body = Delete, security(("token" = [])),
    responses((status = 200, body = Deleted)))]
pub(crate) async fn delete(
    State(app): State<App>,
    caller: Caller,
    Body(body): Body<Delete>,
) -> Result<Response, ApiError> {
    let id = Arc::clone(&caller.person()?.id);
    if body.confirm != "delete" {
        let problem = "to delete all your data, send {\"confirm\":\"delete\"}; it cannot be undone";
        return Err(ApiError::BadRequest(problem.to_owned()));
    }
    // The deletion goes on if the client does not wait for the answer.
    let deleting = {
        let (app, id) = (app.clone(), Arc::clone(&id));
        tokio::spawn(async move {
            let deleted = app.store.delete_person(&id).await;
            app.known.forget(&id);
            deleted
        })
    };
    let deleted = deleting.await.map_err(|error| ApiError::Internal(error.to_string()))?;
    deleted?;
    let mut response = Json(Deleted {}).into_response();
    for value in cookie::clear() {
        response.headers_mut().append(header::SET_COOKIE, value);
    }
    Ok(response)
}
