//! The OpenAPI document, generated from the handlers and the types that they take and return. Each
//! module of the API registers its handlers in its function `routes`; the router and the document both
//! come from there.

use crate::api::error::ErrorEnvelope;
use crate::api::{App, stream};
use crate::messages::{ToClient, ToServer};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use std::sync::OnceLock;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::{Modify, OpenApi};
use utoipa_axum::router::OpenApiRouter;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Azulejo",
        description = "Games for the board game Azul: create, join, play, watch, replay. \
            docs/server.md explains how to use it; positions and moves are texts of docs/notation.md.",
        license(name = "MIT OR Apache-2.0")
    ),
    components(schemas(ToClient, ToServer, stream::GameNews, ErrorEnvelope)),
    modifiers(&Token),
    tags(
        (name = "people", description = "Guests with a name and a token"),
        (name = "games", description = "Creating, finding and joining games"),
        (name = "play", description = "Playing and watching"),
        (name = "records", description = "Records and replays"),
        (name = "bots", description = "Streams of one JSON object per line"),
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

/// An API router whose document has the general parts and no paths yet.
pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::with_openapi(Api::openapi())
}

/// The document.
#[must_use]
pub fn document() -> &'static serde_json::Value {
    static DOCUMENT: OnceLock<serde_json::Value> = OnceLock::new();
    DOCUMENT.get_or_init(|| {
        serde_json::to_value(super::api_router().into_openapi()).unwrap_or_default()
    })
}

pub(super) async fn json() -> Response {
    let headers = [(header::CONTENT_TYPE, "application/json")];
    (headers, document().to_string()).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every operation says what it does, what it answers and what it takes, in schemas that exist.
    #[test]
    fn the_document_is_complete() {
        let document = document();
        let mut n_operations = 0;
        for (path, methods) in document["paths"].as_object().unwrap() {
            assert!(path.starts_with("/api/v1/"), "{path}");
            for (method, operation) in methods.as_object().unwrap() {
                n_operations += 1;
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
        assert!(n_operations >= 20, "{n_operations}");
        let schemas = document["components"]["schemas"].as_object().unwrap();
        for reference in document.to_string().split("#/components/schemas/").skip(1) {
            let name = reference.split('"').next().unwrap();
            assert!(schemas.contains_key(name), "{name}");
        }
    }

    /// The web app generates its types from this file. `AZULEJO_BLESS=1` rewrites it.
    #[test]
    fn the_committed_document_is_current() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/openapi.json");
        let text = serde_json::to_string_pretty(document()).unwrap() + "\n";
        if std::env::var_os("AZULEJO_BLESS").is_some() {
            std::fs::write(path, text).unwrap();
            return;
        }
        let committed = std::fs::read_to_string(path).unwrap_or_default();
        assert!(
            committed == text,
            "web/openapi.json differs from the server: run `AZULEJO_BLESS=1 cargo test \
             -p azulejo-server --lib openapi`, then `npm run types` in web/"
        );
    }
}
