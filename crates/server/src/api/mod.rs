//! HTTP: who may ask what, and how it is answered. No handler knows a rule of the game or a
//! statement of the database; they read a request, ask a table or the store, and show a view.

mod caller;
mod create;
mod error;
mod games;
mod guard;
mod hints;
mod limits;
mod lists;
mod openapi;
mod pages;
mod people;
mod play;
mod rematch;
mod socket;
mod stream;
mod upgrade;
mod web;

pub use create::{CreateGame, Created, Invitation, SeatSpec};
pub use error::{ApiError, ErrorBody};
pub use hints::{HintMove, HintView};
pub use limits::{Limits, LimitsConfig};
pub use lists::Lists;
pub use openapi::document as openapi_document;
pub use people::{NewPerson, PersonCreated, PersonView};
pub use play::{JoinRequest, MoveRequest, Played, SayRequest, SeatRequest};
pub use socket::ToServer;

use crate::config::Patience;
use crate::metrics::Metrics;
use crate::store::{Person, Store};
use crate::table::{Engines, Tables};
use crate::time::Clock;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::{get, post};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use tokio::sync::watch;

/// The largest body of a request, but for records.
const MAX_BODY: usize = 16 * 1024;

/// What every handler may use.
#[derive(Clone)]
pub(crate) struct App(pub(crate) Arc<Inner>);

/// What handlers share.
pub(crate) struct Inner {
    pub(crate) tables: Tables,
    pub(crate) store: Store,
    pub(crate) engines: Engines,
    pub(crate) clock: Clock,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) limits: Limits,
    /// Origins besides the server's own from which browsers may come.
    pub(crate) origins: Vec<String>,
    /// Whether a proxy in front tells the client's address.
    pub(crate) trusts_proxy: bool,
    /// Whether cookies are for HTTPS only.
    pub(crate) is_secure: bool,
    /// How long clients are waited for.
    pub(crate) patience: Patience,
    /// Whether the server is going down.
    pub(crate) closing: watch::Receiver<bool>,
    /// People by the hash of their token; a small memory that spares the database.
    pub(crate) people: Mutex<HashMap<String, Person>>,
}

impl std::ops::Deref for App {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.0
    }
}

/// All routes.
pub(crate) fn router(app: App) -> Router {
    let api = Router::new()
        .route("/people", post(people::create))
        .route("/me", get(people::me).patch(people::rename))
        .route("/me/games", get(lists::mine))
        .route("/me/stream", get(stream::mine))
        .route("/lobby", get(lists::lobby))
        .route("/options", get(lists::options))
        .route("/games", post(create::create))
        .route("/games/{id}", get(games::state))
        .route("/games/{id}/join", post(play::join))
        .route("/games/{id}/invitations", post(create::invite))
        .route("/games/{id}/moves", post(play::play))
        .route("/games/{id}/resign", post(play::resign))
        .route("/games/{id}/abort", post(play::abort))
        .route("/games/{id}/takeback", post(play::takeback).delete(play::refuse_takeback))
        .route("/games/{id}/say", post(play::say))
        .route("/games/{id}/rematch", post(rematch::create))
        .route("/games/{id}/record", get(games::record))
        .route("/games/{id}/replay", get(games::replay))
        .route("/games/{id}/hint", get(hints::hint))
        .route("/games/{id}/evaluation", get(hints::evaluation))
        .route("/games/{id}/socket", get(socket::open))
        .route("/games/{id}/stream", get(stream::game))
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .route(
            "/records/replay",
            post(games::replay_record)
                .layer(DefaultBodyLimit::max(azulejo_notation::MAX_JSON + 1024)),
        )
        .route("/openapi.json", get(openapi::json))
        .fallback(error::no_such_page)
        .method_not_allowed_fallback(error::wrong_method);
    Router::new()
        .nest("/api/v1", api)
        .route("/api", get(pages::api))
        .route("/page.css", get(pages::css))
        .route("/healthz", get(pages::health))
        .route("/readyz", get(pages::ready))
        .route("/metrics", get(pages::metrics))
        .fallback(web::serve)
        .method_not_allowed_fallback(error::wrong_method)
        .layer(axum::middleware::from_fn_with_state(app.clone(), guard::guard))
        .with_state(app)
}
