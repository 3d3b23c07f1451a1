//! The screen for browsers: the files that the build made of `web/`, embedded in the program. All
//! its pages are one document, which looks at the address itself. A program that was built without
//! Node.js has no such files, and every page says so.

use crate::api::error;
use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Response};
use rust_embed::{Embed, EmbeddedFile};

/// What the build script left behind. A debug build reads the files when it is asked for them.
#[derive(Embed)]
#[folder = "$OUT_DIR/web"]
struct Files;

/// What a program without the screen shows instead.
const WITHOUT: &str = include_str!("home.html");

/// The first parts of the addresses at which the screen shows something.
const PAGES: [&str; 8] = ["", "new", "game", "join", "lobby", "learn", "replay", "settings"];

/// Answers with a file of the screen, or with its document.
pub(super) async fn serve(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    let is_asked = matches!(method, Method::GET | Method::HEAD);
    if !is_asked || path == "api" || path.starts_with("api/") {
        return error::no_such_page().await.into_response();
    }
    if let Some(response) = file(path, &headers) {
        return response;
    }
    // A file that is not there is an error, a page that is not there is explained by the screen.
    if path.contains('.') {
        return error::no_such_page().await.into_response();
    }
    page(path, file("index.html", &headers))
}

/// The document for a page; without one, the page that explains why there is none.
fn page(path: &str, document: Option<Response>) -> Response {
    let mut response = document.unwrap_or_else(|| Html(WITHOUT).into_response());
    let first = path.split('/').next().unwrap_or_default();
    if !PAGES.contains(&first) {
        *response.status_mut() = StatusCode::NOT_FOUND;
    }
    response
}

/// A file, compressed if the build left such a copy and the browser takes it.
fn file(path: &str, headers: &HeaderMap) -> Option<Response> {
    let plain = Files::get(path)?;
    let accepts = headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok());
    let takes_gzip = accepts.is_some_and(|value| {
        value.split(',').any(|coding| coding.split(';').next().unwrap_or_default().trim() == "gzip")
    });
    let squeezed = takes_gzip.then(|| Files::get(&format!("{path}.gz"))).flatten();
    let tag = tag(&plain);
    let is_known = headers.get(header::IF_NONE_MATCH).is_some_and(|value| *value == tag);
    let is_squeezed = squeezed.is_some();
    let body = match (is_known, squeezed) {
        (true, _) => Body::empty(),
        (false, Some(squeezed)) => Body::from(squeezed.data),
        (false, None) => Body::from(plain.data),
    };
    let mut response = Response::new(body);
    if is_known {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
    }
    let fields = response.headers_mut();
    fields.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type(path)));
    // The names of these files change with what is in them.
    let lasting = if path.starts_with("assets/") {
        "public, max-age=31536000, immutable"
    } else {
        "no-cache"
    };
    fields.insert(header::CACHE_CONTROL, HeaderValue::from_static(lasting));
    fields.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    fields.insert(header::ETAG, tag);
    if is_squeezed && !is_known {
        fields.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    Some(response)
}

fn tag(file: &EmbeddedFile) -> HeaderValue {
    let digits: String =
        file.metadata.sha256_hash()[..12].iter().map(|byte| format!("{byte:02x}")).collect();
    // The same tag for both forms of a file: weak, as they differ in their bytes.
    HeaderValue::from_str(&format!("W/\"{digits}\"")).unwrap_or(HeaderValue::from_static("W/\"0\""))
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "webmanifest" => "application/manifest+json",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::to_bytes;

    #[tokio::test]
    async fn a_program_without_the_screen_explains_itself_at_every_page() {
        for (path, status) in [("", 200), ("game/abc", 200), ("join/abc", 200), ("nowhere", 404)] {
            let response = page(path, None);
            assert_eq!(response.status(), status, "{path}");
            let body = to_bytes(response.into_body(), 100_000).await.unwrap();
            let text = String::from_utf8(body.to_vec()).unwrap();
            assert!(text.contains("no Node.js where it was built"), "{path}");
            assert!(text.contains("cargo clean --package azulejo-server"), "{path}");
        }
    }
}
