//! The OpenAPI document, generated from the handlers and the types that they take and return. Each
//! module of the API registers its handlers in its function `routes`; the router and the document both
//! come from there. A handler names the refusals of its own; those that follow from what it takes, and
//! those of the guard in front of all handlers, are added here.

use crate::api::error::ErrorEnvelope;
use crate::api::{App, stream};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use azulejo_table::{ToClient, ToServer};
use serde_json::{Map, Value, json};
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

/// The refusals, by status.
const REFUSALS: [(&str, &str); 13] = [
    ("400", "The request is malformed."),
    ("401", "The request needs a token, or the token is unknown."),
    (
        "403",
        "The caller may not do this, is banned, or the request comes from a page of another site.",
    ),
    ("404", "There is no such game."),
    ("408", "The request or its answer took longer than 30 seconds."),
    ("409", "The state of the game does not allow this."),
    ("413", "The body is too large."),
    ("415", "The body is not JSON."),
    ("421", "The server does not answer for this host."),
    ("422", "The move is illegal."),
    ("429", "The client did too much lately."),
    ("500", "The server has a fault, which it has logged."),
    ("503", "The server is busy, or it cannot reach its database."),
];

/// An API router whose document has the general parts and no paths yet.
pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::with_openapi(Api::openapi())
}

/// The document.
#[must_use]
pub fn document() -> &'static Value {
    static DOCUMENT: OnceLock<Value> = OnceLock::new();
    DOCUMENT.get_or_init(|| {
        let generated = super::api_router().into_openapi();
        let mut document = serde_json::to_value(generated).unwrap_or_default();
        complete(&mut document);
        document
    })
}

/// Adds what follows from the rest: ids of operations, the form of game ids, and refusals.
fn complete(document: &mut Value) {
    let refusals: Map<String, Value> =
        REFUSALS.iter().map(|(status, text)| (name(status), refusal(status, text))).collect();
    document["components"]["responses"] = Value::Object(refusals);
    let Some(paths) = document["paths"].as_object_mut() else { return };
    for (path, operations) in paths {
        let Some(operations) = operations.as_object_mut() else { continue };
        for (method, operation) in operations {
            operation["operationId"] = operation_id(method, path).into();
            let parameters = operation.get_mut("parameters").and_then(Value::as_array_mut);
            for parameter in parameters.into_iter().flatten() {
                if parameter["in"] == "path" && parameter["name"] == "id" {
                    parameter["description"] = "The id of the game.".into();
                    parameter["schema"] =
                        json!({ "type": "string", "pattern": "^[a-km-np-z2-9]{16}$" });
                }
            }
            let statuses = common_refusals(path, operation);
            let Some(responses) = operation["responses"].as_object_mut() else { continue };
            for status in statuses {
                responses.entry(status).or_insert(Value::Null);
            }
            for (status, response) in responses.iter_mut() {
                if REFUSALS.iter().any(|(refused, _)| refused == status) {
                    *response =
                        json!({ "$ref": format!("#/components/responses/{}", name(status)) });
                } else if response["description"].is_null() {
                    response["description"] = "Done.".into();
                }
            }
            responses.sort_keys();
        }
    }
}

/// The statuses of the guard, and those that follow from what an operation takes.
fn common_refusals(path: &str, operation: &Value) -> Vec<&'static str> {
    let has_parameter = |place: &str| {
        let mut parameters = operation["parameters"].as_array().into_iter().flatten();
        parameters.any(|parameter| parameter["in"] == place)
    };
    let mut statuses = vec!["403", "408", "421", "429", "500", "503"];
    let is_socket = path.ends_with("/socket");
    if has_parameter("query") || is_socket {
        statuses.push("400");
    }
    if has_parameter("path") {
        statuses.push("404");
    }
    if !operation["security"].is_null() {
        statuses.push("401");
    }
    if !operation["requestBody"].is_null() {
        statuses.extend(["400", "413"]);
    }
    if operation["requestBody"]["content"].get("application/json").is_some() {
        statuses.push("415");
    }
    statuses
}

/// An id such as `post_games_id_commands`. OpenAPI wants each to be unique.
fn operation_id(method: &str, path: &str) -> String {
    let words = path.trim_start_matches("/api/v1/").split('/');
    let words: Vec<&str> = words.map(|word| word.trim_matches(['{', '}'])).collect();
    format!("{method}_{}", words.join("_"))
}

/// The name of a refusal among the components.
fn name(status: &str) -> String {
    format!("Refusal{status}")
}

fn refusal(status: &str, text: &str) -> Value {
    let mut refusal = json!({
        "description": text,
        "content": {
            "application/json": { "schema": { "$ref": "#/components/schemas/ErrorEnvelope" } }
        },
    });
    if matches!(status, "429" | "503") {
        refusal["headers"] = json!({
            "Retry-After": {
                "description": "When to try again, in seconds.",
                "schema": { "type": "integer", "minimum": 1 },
            },
        });
    }
    refusal
}

pub(super) async fn json() -> Response {
    let headers = [(header::CONTENT_TYPE, "application/json")];
    (headers, document().to_string()).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Every operation says what it does, what it answers and what it takes, in schemas that exist.
    #[test]
    fn the_document_is_complete() {
        let document = document();
        let mut ids = BTreeSet::new();
        for (path, methods) in document["paths"].as_object().unwrap() {
            assert!(path.starts_with("/api/v1/"), "{path}");
            for (method, operation) in methods.as_object().unwrap() {
                let place = format!("{method} {path}");
                assert!(ids.insert(operation["operationId"].as_str().unwrap()), "{place}");
                let said = operation["summary"].as_str().or(operation["description"].as_str());
                assert!(said.is_some_and(|said| !said.is_empty()), "{place}");
                assert!(operation["tags"][0].is_string(), "{place}");
                let responses = operation["responses"].as_object().unwrap();
                for status in ["429", "500", "503"] {
                    assert!(responses.contains_key(status), "{place}: {status}");
                }
                let is_exact = |status: &String| status.parse::<u16>().is_ok();
                assert!(responses.keys().all(is_exact), "{place}: {responses:?}");
                let parameters = operation["parameters"].as_array().cloned().unwrap_or_default();
                let named = parameters.iter().any(|one| one["name"] == "id" && one["in"] == "path");
                assert_eq!(named, path.contains("{id}"), "{place}");
            }
        }
        assert!(ids.len() >= 20, "{}", ids.len());
        assert!(!document["paths"].to_string().contains(":null"), "a part is missing");
        for reference in document.to_string().split("\"#/components/").skip(1) {
            let (kind, name) = reference.split('"').next().unwrap().split_once('/').unwrap();
            assert!(document["components"][kind].get(name).is_some(), "{kind}/{name}");
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
