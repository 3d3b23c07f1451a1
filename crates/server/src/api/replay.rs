//! Replays, page by page: of a game on this server, and of a record that the client sends.
//!
//! A replay is much longer than its record, and reading a record takes much longer than most requests.
//! Therefore a page is bounded, the work is done on threads of its own, a few at a time, and only a few
//! records are in memory at once.

use crate::api::App;
use crate::api::caller::GameId;
use crate::api::error::ApiError;
use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, QueryRejection};
use axum::extract::{DefaultBodyLimit, FromRequest, Query, Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use azulejo_notation::Record;
use azulejo_table::view::ReplayView;
use serde::Deserialize;
use tokio::sync::{Semaphore, SemaphorePermit};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Records that are received or replayed at the same time; further ones are refused.
const MAX_RECORDS: usize = 16;

/// Replays that are computed at the same time; further ones wait.
const MAX_AT_WORK: usize = 2;

/// The limits of the work on replays.
pub(crate) struct Replays {
    records: Semaphore,
    at_work: Semaphore,
}

impl Default for Replays {
    fn default() -> Replays {
        Replays { records: Semaphore::new(MAX_RECORDS), at_work: Semaphore::new(MAX_AT_WORK) }
    }
}

impl Replays {
    /// Computes a page.
    async fn page(
        &self,
        record: impl FnOnce() -> Result<Record, ApiError> + Send + 'static,
        Page { from, limit }: Page,
    ) -> Result<Response, ApiError> {
        let (from, limit) = (from.unwrap_or(0), limit.unwrap_or(ReplayView::MAX_STEPS));
        if !(1..=ReplayView::MAX_STEPS).contains(&limit) {
            let most = ReplayView::MAX_STEPS;
            return Err(ApiError::BadRequest(format!("`limit` must be 1 to {most}")));
        }
        let json = self.compute(move || {
            let page = ReplayView::page(&record()?, from, limit);
            serde_json::to_vec(&page).map_err(|error| ApiError::Internal(error.to_string()))
        });
        Ok(([(header::CONTENT_TYPE, "application/json")], json.await?).into_response())
    }

    /// Waits for its turn and does the work off the threads that serve requests.
    async fn compute<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let permit = self.at_work.acquire().await.map_err(|_| ApiError::Busy)?;
        let done = tokio::task::spawn_blocking(work).await;
        drop(permit);
        done.map_err(|error| ApiError::Internal(error.to_string()))?
    }
}

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(game))
}

/// The routes that take records, which may be larger than other bodies.
pub(super) fn record_routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(record))
        .layer(DefaultBodyLimit::max(azulejo_notation::MAX_JSON + 1024))
}

/// A part of a replay.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Page {
    /// The number of deals and moves before the page; 0 if left out.
    from: Option<usize>,
    /// The most deals and moves of the page; 200 if left out.
    #[param(minimum = 1, maximum = 200)]
    limit: Option<usize>,
}

/// The replay of a game so far: every deal and move with its steps and the position after it, at most
/// 200 in an answer.
#[utoipa::path(get, path = "/games/{id}/replay", tag = "records", params(("id" = String, Path), Page),
    responses((status = 200, body = ReplayView)))]
pub(crate) async fn game(
    State(app): State<App>,
    GameId(id): GameId,
    page: Result<Query<Page>, QueryRejection>,
) -> Result<Response, ApiError> {
    let Query(page) = page?;
    let game = app.tables.snapshot(&id).await?.game;
    app.replays.page(move || Ok(game.record()), page).await
}

/// The replay of a record that the client sends, as text or JSON, at most 200 deals and moves in an
/// answer.
#[utoipa::path(post, path = "/records/replay", tag = "records", params(Page),
    request_body(content = String, content_type = "text/plain"),
    responses((status = 200, body = ReplayView)))]
pub(crate) async fn record(
    State(app): State<App>,
    page: Result<Query<Page>, QueryRejection>,
    request: Request,
) -> Result<Response, ApiError> {
    let Query(page) = page?;
    let (body, permit) = receive(&app, request).await?;
    let answer = app.replays.page(move || read(&body), page).await;
    drop(permit);
    answer
}

/// Receives a record, with the permit to have it in memory.
async fn receive(app: &App, request: Request) -> Result<(Bytes, SemaphorePermit<'_>), ApiError> {
    let permit = app.replays.records.try_acquire().map_err(|_| ApiError::Busy)?;
    let body =
        Bytes::from_request(request, app).await.map_err(
            |rejection: BytesRejection| match rejection.status() {
                StatusCode::PAYLOAD_TOO_LARGE => ApiError::TooLarge,
                _ => ApiError::BadRequest("the body is incomplete".to_owned()),
            },
        )?;
    Ok((body, permit))
}

/// Receives and reads a record, within the same limits as for a replay.
pub(super) async fn received_record(app: &App, request: Request) -> Result<Record, ApiError> {
    let (body, permit) = receive(app, request).await?;
    let record = app.replays.compute(move || read(&body)).await;
    drop(permit);
    record
}

fn read(body: &[u8]) -> Result<Record, ApiError> {
    let bad = |problem: String| ApiError::BadRequest(problem);
    let text = str::from_utf8(body).map_err(|_| bad("a record must be UTF-8 text".to_owned()))?;
    ReplayView::read_record(text).map_err(bad)
}
