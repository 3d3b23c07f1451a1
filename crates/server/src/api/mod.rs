//! The HTTP API. A handler reads a request, asks the task of a game or the store, and returns a view.
//! No handler knows a rule of the game or a database statement. Each module registers its handlers in
//! its function `routes`.

mod caller;
mod commands;
mod cookie;
mod create;
mod error;
mod games;
mod guard;
mod hints;
mod hosts;
mod known;
mod limits;
mod lists;
mod mydata;
mod openapi;
mod ops;
mod pair;
mod people;
mod places;
mod preview;
mod rematch;
mod replay;
mod reviews;
mod socket;
mod stream;
mod tokens;
mod transfer;
mod tv;
mod upgrade;
mod web;

pub use commands::{Executed, JoinRequest};
pub use create::{Created, Invitation};
pub use error::ApiError;
pub(crate) use hosts::Hosts;
pub(crate) use known::KnownPeople;
pub use limits::{Limits, LimitsConfig};
pub use lists::GameList;
pub use openapi::document as openapi_document;
pub use people::{NewPerson, PersonCreated, PersonView};
pub(crate) use replay::Replays;

use crate::config::{Timeouts, WebFile};
use crate::metrics::Metrics;
use crate::retention::Retention;
use crate::store::{BanList, Store};
use crate::tables::{Engines, Reviews, Tables};
use crate::time::Clock;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::response::Redirect;
use axum::routing::get;
use std::sync::Arc;
use tokio::sync::watch;
use utoipa_axum::router::OpenApiRouter;

/// The largest body of a request, except for records.
const MAX_BODY: usize = 16 * 1024;

/// The state that handlers share.
#[derive(Clone)]
pub(crate) struct App(pub(crate) Arc<Inner>);

/// The content of [`App`].
pub(crate) struct Inner {
    pub(crate) tables: Tables,
    pub(crate) store: Store,
    pub(crate) engines: Engines,
    pub(crate) clock: Clock,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) limits: Limits,
    /// The limits of the work on replays.
    pub(crate) replays: Replays,
    /// Reviews that are being made, or were made lately.
    pub(crate) reviews: Reviews,
    /// The hosts that the server answers to.
    pub(crate) hosts: Hosts,
    /// Other origins than the server's own from which browsers may send requests.
    pub(crate) origins: Vec<String>,
    /// Whether to take the client's address from the proxy in front.
    pub(crate) trusts_proxy: bool,
    /// Whether cookies are for HTTPS only.
    pub(crate) is_secure: bool,
    /// Whether the engine plays against itself for watchers.
    pub(crate) has_tv: bool,
    /// Held by the one quick pairing that looks for an opponent.
    pub(crate) pairing: tokio::sync::Mutex<()>,
    /// How long things are kept, to tell clients.
    pub(crate) retention: Retention,
    /// The time limits for clients.
    pub(crate) timeouts: Timeouts,
    /// The files of the web app.
    pub(crate) web: fn(&str) -> Option<WebFile>,
    /// Whether the server is stopping.
    pub(crate) closing: watch::Receiver<bool>,
    /// A cache of people by the hash of their token.
    pub(crate) known: KnownPeople,
    /// The bans in force.
    pub(crate) bans: watch::Receiver<Arc<BanList>>,
}

impl std::ops::Deref for App {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.0
    }
}

/// The API under `/api/v1`, with its OpenAPI document.
fn api_router() -> OpenApiRouter<App> {
    let api = OpenApiRouter::new()
        .merge(people::routes())
        .merge(tokens::routes())
        .merge(mydata::routes())
        .merge(lists::routes())
        .merge(tv::routes())
        .merge(pair::routes())
        .merge(create::routes())
        .merge(games::routes())
        .merge(replay::routes())
        .merge(reviews::routes())
        .merge(commands::routes())
        .merge(rematch::routes())
        .merge(hints::routes())
        .merge(socket::routes())
        .merge(stream::routes())
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .merge(transfer::routes())
        .merge(replay::record_routes())
        .merge(reviews::record_routes())
        .route("/openapi.json", get(openapi::json));
    openapi::router().nest("/api/v1", api)
}

/// All routes.
pub(crate) fn router(app: App) -> Router {
    let (api, _) = api_router().split_for_parts();
    let router = api
        .route("/api", get(async || Redirect::temporary("/api/v1/openapi.json")))
        .merge(ops::routes())
        .fallback(web::serve)
        .method_not_allowed_fallback(error::wrong_method)
        .layer(axum::middleware::from_fn_with_state(app.clone(), guard::guard));
    // Outside of the guard, so that a page can read the guard's refusals, too.
    let router = match guard::cors(&app.origins) {
        Some(cors) => router.layer(cors),
        None => router,
    };
    router.with_state(app)
}
