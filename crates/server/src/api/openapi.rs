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

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Every route of the router is described, and nothing that is not there. A router cannot be
    /// asked for its routes, so they are read where they are written.
    #[test]
    fn every_route_is_described() {
        let source = include_str!("mod.rs");
        let api = source.split_once("let api = Router::new()").unwrap().1;
        let api = api.split_once(".fallback(").unwrap().0;
        let mut routes = BTreeSet::new();
        for route in api.split(".route(").skip(1) {
            let path = route.split('"').nth(1).unwrap();
            for method in ["get", "post", "patch", "delete", "put"] {
                if route.contains(&format!("{method}(")) {
                    routes.insert(format!("{method} /api/v1{path}"));
                }
            }
        }
        assert!(routes.remove("get /api/v1/openapi.json"), "the document does not describe itself");
        let paths = document()["paths"].as_object().unwrap();
        let described: BTreeSet<String> = paths
            .iter()
            .flat_map(|(path, methods)| {
                methods.as_object().unwrap().keys().map(move |method| format!("{method} {path}"))
            })
            .collect();
        assert_eq!(routes, described);
        assert!(routes.len() >= 25, "{routes:?}");
    }

    /// Every operation says what it does, what it answers and what it takes, in shapes that are there.
    #[test]
    fn the_document_is_complete() {
        let document = document();
        for (path, methods) in document["paths"].as_object().unwrap() {
            for (method, operation) in methods.as_object().unwrap() {
                let place = format!("{method} {path}");
                let said = operation["summary"].as_str().or(operation["description"].as_str());
                assert!(said.is_some_and(|said| !said.is_empty()), "{place}");
                assert!(operation["tags"][0].is_string(), "{place}");
                assert!(!operation["responses"].as_object().unwrap().is_empty(), "{place}");
                let parameters = operation["parameters"].as_array().cloned().unwrap_or_default();
                let named = parameters.iter().any(|one| one["name"] == "id" && one["in"] == "path");
                assert_eq!(named, path.contains("{id}"), "{place}");
            }
        }
        let schemas = document["components"]["schemas"].as_object().unwrap();
        for reference in document.to_string().split("#/components/schemas/").skip(1) {
            let name = reference.split('"').next().unwrap();
            assert!(schemas.contains_key(name), "{name}");
        }
    }
}
