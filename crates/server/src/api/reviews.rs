//! Reviews of finished games, for clients without an engine of their own: asked for by game or with a
//! record, polled by key, cancelled.

use crate::api::App;
use crate::api::caller::{Caller, GameId};
use crate::api::error::{ApiError, ErrorEnvelope};
use crate::api::guard::Address;
use crate::api::limits::{Action, Client, customer};
use crate::api::replay::received_record;
use crate::tables::{Asker, Progress, Refused, review_key};
use axum::extract::rejection::QueryRejection;
use axum::extract::{DefaultBodyLimit, FromRequestParts, Path, Query, Request, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use azulejo_notation::{Action as Played, Record};
use azulejo_review::{Budget, ReviewError};
use azulejo_table::{Rejection, Status};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::net::IpAddr;
use std::time::Duration;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// The cost of a new review, in hints.
const COST: f64 = 10.0;

/// The longest record that is reviewed, in deals and moves. The longest games that people play have half.
const MAX_STEPS: usize = 500;

/// The running games of a person that a record is compared with.
const MAX_RUNNING: u32 = 50;

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(of_game)).routes(routes!(look, cancel))
}

/// The route that takes records, which may be larger than other bodies.
pub(super) fn record_routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(of_record))
        .layer(DefaultBodyLimit::max(azulejo_notation::MAX_JSON + 1024))
}

/// How much a review computes.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum ReviewBudget {
    /// A second or two.
    Quick,
    /// About ten seconds.
    #[default]
    Normal,
}

impl From<ReviewBudget> for Budget {
    fn from(budget: ReviewBudget) -> Budget {
        match budget {
            ReviewBudget::Quick => Budget::QUICK,
            ReviewBudget::Normal => Budget::NORMAL,
        }
    }
}

/// What a review is asked for.
#[derive(Clone, Copy, Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Wish {
    /// How much to compute; `normal` if left out.
    #[param(inline)]
    budget: Option<ReviewBudget>,
}

/// How far a review is.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum Stage {
    /// Others are before it.
    Waiting,
    /// It is worked at, when the engine has nothing else to do.
    Running,
    /// It is complete.
    Done,
}

/// A review, or what is done of it.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ReviewView {
    /// The key, by which it is polled and cancelled.
    key: String,
    /// How far it is.
    stage: Stage,
    /// The number of reviews before it.
    n_ahead: usize,
    /// What is done of it: docs/review.md describes the shape; null before the first step.
    #[schema(required = true, value_type = Option<Object>)]
    review: Option<Box<RawValue>>,
}

impl ReviewView {
    /// The answer: 202 until the review is done.
    fn answer(key: String, progress: Progress) -> Result<Response, ApiError> {
        let stage = match (progress.is_done, progress.n_ahead) {
            (true, _) => Stage::Done,
            (false, 0) => Stage::Running,
            (false, _) => Stage::Waiting,
        };
        let raw = |json: std::sync::Arc<str>| RawValue::from_string(json.to_string());
        let review = progress.review.map(raw).transpose();
        let review = review.map_err(|error| ApiError::Internal(error.to_string()))?;
        let status = if progress.is_done { StatusCode::OK } else { StatusCode::ACCEPTED };
        let n_ahead = progress.n_ahead;
        Ok((status, Json(ReviewView { key, stage, n_ahead, review })).into_response())
    }
}

/// Asks for the review of a finished game. The answer has what is done of it; asking again, or `GET
/// /reviews/{key}`, shows more. The review is given up when nobody has looked at it for 60 s.
#[utoipa::path(post, path = "/games/{id}/review", tag = "records", params(("id" = String, Path), Wish),
    security((), ("token" = [])),
    responses((status = 200, body = ReviewView, description = "The review is complete."),
        (status = 202, body = ReviewView, description = "The review waits or is being made."),
        (status = 409, body = ErrorEnvelope)))]
pub(crate) async fn of_game(
    State(app): State<App>,
    Extension(Address(address)): Extension<Address>,
    GameId(id): GameId,
    caller: Caller,
    wish: Result<Query<Wish>, QueryRejection>,
) -> Result<Response, ApiError> {
    let Query(wish) = wish?;
    let game = app.tables.snapshot(&id).await?.game;
    if game.status() != Status::Over {
        return Err(Rejection::NotOver.into());
    }
    ask(&app, &game.record(), wish, address, &caller)
}

/// Asks for the review of a finished game by its record, as text or JSON. Refused for games that are not
/// over, and for records that go on from a running game of the caller.
#[utoipa::path(post, path = "/reviews", tag = "records", params(Wish), security((), ("token" = [])),
    request_body(content = String, content_type = "text/plain"),
    responses((status = 200, body = ReviewView, description = "The review is complete."),
        (status = 202, body = ReviewView, description = "The review waits or is being made."),
        (status = 409, body = ErrorEnvelope)))]
pub(crate) async fn of_record(
    State(app): State<App>,
    Extension(Address(address)): Extension<Address>,
    caller: Caller,
    wish: Result<Query<Wish>, QueryRejection>,
    request: Request,
) -> Result<Response, ApiError> {
    let Query(wish) = wish?;
    let record = received_record(&app, request).await?;
    if !azulejo_review::is_over(&record) {
        return Err(Rejection::NotOver.into());
    }
    check_not_running(&app, &record, &caller).await?;
    ask(&app, &record, wish, address, &caller)
}

/// Shows what is done of a review.
#[utoipa::path(get, path = "/reviews/{key}", tag = "records", params(("key" = String, Path)),
    security((), ("token" = [])),
    responses((status = 200, body = ReviewView, description = "The review is complete."),
        (status = 202, body = ReviewView, description = "The review waits or is being made.")))]
pub(crate) async fn look(
    State(app): State<App>,
    Extension(Address(address)): Extension<Address>,
    caller: Caller,
    ReviewKey(key): ReviewKey,
) -> Result<Response, ApiError> {
    let progress = app.reviews.look(&key, &asker(&caller, address));
    ReviewView::answer(key, progress.ok_or(ApiError::NotFound("review"))?)
}

/// Cancels a review that the caller asked for. It goes on if somebody else wants it, and what is done stays.
#[utoipa::path(delete, path = "/reviews/{key}", tag = "records", params(("key" = String, Path)),
    security((), ("token" = [])), responses((status = 204, description = "Cancelled.")))]
pub(crate) async fn cancel(
    State(app): State<App>,
    Extension(Address(address)): Extension<Address>,
    caller: Caller,
    ReviewKey(key): ReviewKey,
) -> Result<StatusCode, ApiError> {
    match app.reviews.cancel(&key, &asker(&caller, address)) {
        true => Ok(StatusCode::NO_CONTENT),
        false => Err(ApiError::NotFound("review")),
    }
}

/// The key of a review in a path.
pub(crate) struct ReviewKey(String);

impl FromRequestParts<App> for ReviewKey {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<ReviewKey, ApiError> {
        let key = Path::<String>::from_request_parts(parts, app).await;
        key.map(|Path(key)| ReviewKey(key)).map_err(|_| ApiError::NotFound("review"))
    }
}

/// Who wants a review: a person, or an address.
fn asker(caller: &Caller, address: IpAddr) -> Asker {
    caller.id().unwrap_or_else(|| customer(address).to_string().into())
}

fn ask(
    app: &App,
    record: &Record,
    wish: Wish,
    address: IpAddr,
    caller: &Caller,
) -> Result<Response, ApiError> {
    let n_steps = record.replay().count();
    if n_steps > MAX_STEPS {
        let problem = format!(
            "the record has {n_steps} deals and moves; at most {MAX_STEPS} can be reviewed"
        );
        return Err(ApiError::BadRequest(problem));
    }
    let budget = wish.budget.unwrap_or_default().into();
    let (key, asker) = (review_key(record, budget), asker(caller, address));
    // Known reviews cost nothing.
    let progress = match app.reviews.join(&key, &asker) {
        Some(progress) => progress,
        None => {
            let person = caller.id();
            app.spend_of(Client::of(address, person.as_ref()), Action::Hint, COST)?;
            app.reviews.add(record, budget, &asker).map_err(|refused| match refused {
                Refused::Full => ApiError::Busy,
                Refused::TooMany => ApiError::TooMany { wait: Duration::from_secs(10) },
                Refused::NoMoves => ApiError::BadRequest(ReviewError::NoMoves.to_string()),
            })?
        }
    };
    ReviewView::answer(key, progress)
}

/// Refuses a record that continues a running game of the caller, or says that it is of a running game:
/// with an invented end it would get the engine's advice for that game.
async fn check_not_running(app: &App, record: &Record, caller: &Caller) -> Result<(), ApiError> {
    if let Some(id) = record.tag("Game")
        && let Some(game) = app.store.listed_game(id).await?
        && game.columns.status != "over"
    {
        return Err(Rejection::NotOver.into());
    }
    let Some(person) = caller.id() else { return Ok(()) };
    let games = app.store.games_of(&person, MAX_RUNNING, 0).await?;
    for game in games.iter().filter(|game| game.columns.status == "playing") {
        let running_record = app.tables.snapshot(&game.id).await?.game.record();
        if is_start_of(&running_record, record) {
            return Err(Rejection::NotOver.into());
        }
    }
    Ok(())
}

/// Whether a game, with at least one move, went like the beginning of another.
fn is_start_of(running: &Record, record: &Record) -> bool {
    let actions =
        |record: &Record| -> Vec<Played> { record.replay().map(|step| step.action).collect() };
    let is_same_start =
        running.rules() == record.rules() && running.first_position() == record.first_position();
    running.n_moves() > 0 && is_same_start && actions(record).starts_with(&actions(running))
}
