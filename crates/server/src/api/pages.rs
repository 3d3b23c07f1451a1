//! The few pages for people: where they are, what the interface offers, and whether all is well.

use crate::api::{App, openapi};
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use serde_json::Value;
use std::fmt::Write;

const CSS: &str = include_str!("page.css");

pub(super) async fn css() -> Response {
    ([(header::CONTENT_TYPE, "text/css; charset=utf-8")], CSS).into_response()
}

pub(super) async fn health() -> &'static str {
    "alive\n"
}

/// Whether requests can be answered now.
pub(super) async fn ready(State(app): State<App>) -> Response {
    if *app.closing.borrow() {
        return (StatusCode::SERVICE_UNAVAILABLE, "the server stops\n").into_response();
    }
    match app.store.ping().await {
        Ok(()) => "ready\n".into_response(),
        Err(_) => {
            (StatusCode::SERVICE_UNAVAILABLE, "the database does not answer\n").into_response()
        }
    }
}

pub(super) async fn metrics(State(app): State<App>) -> Response {
    let headers = [(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")];
    (headers, app.metrics.text()).into_response()
}

/// The OpenAPI document as a page to read.
pub(super) async fn api() -> Html<String> {
    Html(page(openapi::document()))
}

fn page(document: &Value) -> String {
    let mut html = String::from(
        "<!doctype html><html lang=en><meta charset=utf-8><title>Azulejo: the interface</title>\
         <meta name=viewport content=\"width=device-width\"><link rel=stylesheet href=/page.css>\
         <main><h1>The interface of this server</h1>\
         <p>Generated from the program; for programs as \
         <a href=/api/v1/openapi.json>openapi.json</a>. Requests and answers are JSON. A request \
         that needs to know who you are carries <code>Authorization: Bearer TOKEN</code>, or the \
         cookie of a browser.</p>",
    );
    let empty = serde_json::Map::new();
    let tags = document["tags"].as_array().map(Vec::as_slice).unwrap_or_default();
    html.push_str("<nav>");
    for tag in tags {
        let _ = write!(html, "<a href=\"#{0}\">{0}</a> ", escape(text(&tag["name"])));
    }
    html.push_str("<a href=\"#shapes\">shapes</a></nav>");
    let paths = document["paths"].as_object().unwrap_or(&empty);
    for tag in tags {
        let (name, description) = (text(&tag["name"]), text(&tag["description"]));
        let _ = write!(html, "<h1 id=\"{}\">{}</h1>", escape(name), escape(description));
        for (path, methods) in paths {
            for (method, operation) in methods.as_object().unwrap_or(&empty) {
                if operation["tags"][0] == tag["name"] {
                    section(&mut html, path, method, operation);
                }
            }
        }
    }
    html.push_str("<h1 id=\"shapes\">Shapes</h1>");
    for (name, schema) in document["components"]["schemas"].as_object().unwrap_or(&empty) {
        let _ = write!(html, "<section id=\"{0}\"><h2>{0}</h2>", escape(name));
        shape(&mut html, schema);
        html.push_str("</section>");
    }
    html.push_str("</main></html>");
    html
}

/// An operation: what it does, who may ask, what it takes and what it answers.
fn section(html: &mut String, path: &str, method: &str, operation: &Value) {
    let _ = write!(
        html,
        "<section><h2><code><b>{}</b> {}</code></h2><p>{}</p>",
        method.to_uppercase(),
        escape(path),
        prose(text(&operation["summary"])),
    );
    if let Some(description) = operation["description"].as_str() {
        let _ = write!(html, "<p>{}</p>", prose(description));
    }
    if operation["security"].is_array() {
        html.push_str("<p>Needs a token.</p>");
    }
    for parameter in operation["parameters"].as_array().into_iter().flatten() {
        if parameter["in"] == "query" {
            let (name, about) = (text(&parameter["name"]), text(&parameter["description"]));
            let kind = type_name(&parameter["schema"]);
            let _ = write!(html, "<p><code>?{}=</code> {kind}: {}</p>", escape(name), prose(about));
        }
    }
    if let Some(schema) = first_schema(&operation["requestBody"]["content"]) {
        let _ = write!(html, "<p>Takes {}</p>", type_name(schema));
    }
    for (status, response) in operation["responses"].as_object().into_iter().flatten() {
        let gives = first_schema(&response["content"]).map(type_name);
        let gives = gives.unwrap_or_else(|| prose(text(&response["description"])));
        let _ = write!(html, "<p>{}: {gives}</p>", escape(status));
    }
    html.push_str("</section>");
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// A schema: its description, its keys, or its variants.
fn shape(html: &mut String, schema: &Value) {
    if let Some(description) = schema["description"].as_str() {
        let _ = write!(html, "<p>{}</p>", prose(description));
    }
    let empty = serde_json::Map::new();
    let properties = schema["properties"].as_object().unwrap_or(&empty);
    if !properties.is_empty() {
        html.push_str("<table><tr><th>key<th>type<th>meaning");
        for (key, value) in properties {
            // A key that is one of the shapes carries its meaning beside the reference.
            let inner = value["oneOf"].as_array().and_then(|choices| choices.last());
            let meaning =
                value["description"].as_str().or(inner.and_then(|c| c["description"].as_str()));
            let is_required =
                schema["required"].as_array().is_some_and(|keys| keys.iter().any(|k| k == key));
            let _ = write!(
                html,
                "<tr><td><code>{}</code>{}<td>{}<td>{}",
                escape(key),
                if is_required { "" } else { " <small>optional</small>" },
                type_name(value),
                prose(meaning.unwrap_or_default())
            );
        }
        html.push_str("</table>");
    }
    for variant in schema["oneOf"].as_array().into_iter().flatten() {
        html.push_str("<div>");
        shape(html, variant);
        html.push_str("</div>");
    }
    if properties.is_empty() && schema["oneOf"].is_null() {
        let _ = write!(html, "<p>{}</p>", type_name(schema));
    }
}

fn first_schema(content: &Value) -> Option<&Value> {
    content.as_object()?.values().next().map(|content| &content["schema"])
}

/// A type in a few words, with a link where it is one of the shapes.
fn type_name(schema: &Value) -> String {
    if let Some(reference) = schema["$ref"].as_str() {
        let name = escape(reference.rsplit('/').next().unwrap_or_default());
        return format!("<a href=\"#{name}\">{name}</a>");
    }
    if let Some(values) = schema["enum"].as_array() {
        let values: Vec<String> =
            values.iter().map(|v| format!("<code>{}</code>", escape(&v.to_string()))).collect();
        return values.join(" or ");
    }
    for choice in ["oneOf", "anyOf", "allOf"] {
        if let Some(types) = schema[choice].as_array() {
            return types.iter().map(type_name).collect::<Vec<_>>().join(" or ");
        }
    }
    match &schema["type"] {
        Value::String(name) if name == "array" => {
            format!("list of {}", type_name(&schema["items"]))
        }
        Value::String(name) => escape(name),
        Value::Array(names) => {
            let names = names.iter().filter_map(Value::as_str).map(|name| match name {
                "array" => format!("list of {}", type_name(&schema["items"])),
                name => escape(name),
            });
            names.collect::<Vec<_>>().join(" or ")
        }
        _ => "any".to_owned(),
    }
}

/// Text with pieces of code between backticks.
fn prose(text: &str) -> String {
    let pieces = text.split('`').enumerate().map(|(n, piece)| match n % 2 {
        0 => escape(piece),
        _ => format!("<code>{}</code>", escape(piece)),
    });
    pieces.collect()
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_shows_every_path_and_shape() {
        let document = openapi::document();
        let page = page(document);
        let paths = document["paths"].as_object().unwrap();
        assert!(paths.len() >= 20, "{}", paths.len());
        for (path, methods) in paths {
            for method in methods.as_object().unwrap().keys() {
                let heading = format!("<b>{}</b> {path}</code>", method.to_uppercase());
                assert!(page.contains(&heading), "{heading}");
            }
        }
        for name in document["components"]["schemas"].as_object().unwrap().keys() {
            assert!(page.contains(&format!("id=\"{name}\"")), "{name}");
        }
        // Every link leads somewhere.
        for link in page.split("href=\"#").skip(1) {
            let name = link.split('"').next().unwrap();
            assert!(page.contains(&format!("id=\"{name}\"")), "{name}");
        }
        assert!(!page.contains("<script"));
    }
}
