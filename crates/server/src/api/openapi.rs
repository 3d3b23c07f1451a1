//! The OpenAPI document, generated from the handlers and the shapes of what they take and give.

use crate::api::{create, error, games, hints, lists, people, play, rematch, socket, stream};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use std::sync::OnceLock;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::{Modify, OpenApi};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Azulejo",
        description = "Games for the board game Azul: create, join, play, watch, replay. \
            docs/server.md explains how it is meant to be used; positions and moves are texts of \
            docs/notation.md.",
        license(name = "MIT OR Apache-2.0")
    ),
    paths(
        people::create, people::me, people::rename, lists::mine, lists::lobby, lists::options,
        create::create, create::invite, games::state, play::join, play::play, play::resign,
        play::abort, play::takeback, play::refuse_takeback, play::say, rematch::create,
        hints::hint, hints::evaluation, socket::open, stream::game, stream::mine,
        games::record, games::replay, games::replay_record,
    ),
    components(schemas(
        crate::table::ToClient, socket::ToServer, stream::MyNews, error::ErrorEnvelope
    )),
    modifiers(&Token),
    tags(
        (name = "people", description = "Guests with a name and a token"),
        (name = "games", description = "Creating, finding and joining games"),
        (name = "play", description = "Playing and watching"),
        (name = "records", description = "Records and replays"),
        (name = "bots", description = "Streams of one JSON object to a line"),
    )
)]
struct Api;

struct Token;

impl Modify for Token {
    fn modify(&self, api: &mut utoipa::openapi::OpenApi) {
        let scheme = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build();
        let components = api.components.get_or_insert_with(Default::default);
        components.add_security_scheme("token", SecurityScheme::Http(scheme));
    }
}

/// The document.
#[must_use]
pub fn document() -> &'static serde_json::Value {
    static DOCUMENT: OnceLock<serde_json::Value> = OnceLock::new();
    DOCUMENT.get_or_init(|| serde_json::to_value(Api::openapi()).unwrap_or_default())
}

pub(super) async fn json() -> Response {
    let headers = [(header::CONTENT_TYPE, "application/json")];
    (headers, document().to_string()).into_response()
}
