//! The web app: files that the program brings along. All pages are one document (a single-page
//! application); `pages.json`, which the build writes from the app's router, tells which addresses exist. A
//! program that was built without Node.js has no such files and explains that on every page.

use crate::api::preview::Preview;
use crate::api::{App, error};
use crate::config::WebFile;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Response};

/// The page of a program without the web app, and its style sheet.
const NO_WEB_APP: &str = include_str!("home.html");

const NO_WEB_APP_CSS: &str = include_str!("home.css");

/// The path patterns of the app's pages, such as `/game/:id`; empty without the web app.
fn pages(app: &App) -> Vec<String> {
    let file = (app.web)("pages.json");
    file.and_then(|file| serde_json::from_slice(&file.content).ok()).unwrap_or_default()
}

/// Whether a path matches a pattern, in which `:name` stands for any segment.
fn matches(pattern: &str, path: &str) -> bool {
    let segments = |path: &'_ str| -> Vec<String> {
        path.split('/').filter(|segment| !segment.is_empty()).map(str::to_owned).collect()
    };
    let (pattern, path) = (segments(pattern), segments(path));
    let same =
        |(expected, found): (&String, &String)| expected.starts_with(':') || expected == found;
    pattern.len() == path.len() && pattern.iter().zip(&path).all(same)
}

/// Answers with a file of the web app, or with its document.
pub(super) async fn serve(
    State(app): State<App>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    let path = uri.path().trim_start_matches('/');
    let is_read = matches!(method, Method::GET | Method::HEAD);
    if !is_read || path == "api" || path.starts_with("api/") {
        return error::no_such_page().await.into_response();
    }
    if let Some(response) = file(&app, path, &headers) {
        return response;
    }
    let Some(document) = (app.web)("index.html") else {
        return without_web_app(path);
    };
    // The API answers for a missing file, the web app for a missing page.
    if path.contains('.') {
        return error::no_such_page().await.into_response();
    }
    if let Some(preview) = Preview::of(&app, path).await {
        let document = String::from_utf8_lossy(&document.content);
        let html = preview.put_into(&document, origin(&app, &headers).as_deref(), path);
        return ([(header::CACHE_CONTROL, "no-cache")], Html(html)).into_response();
    }
    let mut response = file(&app, "index.html", &headers).unwrap_or_default();
    if !pages(&app).iter().any(|pattern| matches(pattern, path)) {
        *response.status_mut() = StatusCode::NOT_FOUND;
    }
    response
}

/// The origin of the server as the client knows it. The guard has checked the host.
fn origin(app: &App, headers: &HeaderMap) -> Option<String> {
    let host = headers.get(header::HOST)?.to_str().ok()?;
    Some(format!("{}://{host}", if app.is_secure { "https" } else { "http" }))
}

/// The page that explains why there is no web app, at the address where its start page would be.
fn without_web_app(path: &str) -> Response {
    match path {
        "home.css" => {
            ([(header::CONTENT_TYPE, content_type(path))], NO_WEB_APP_CSS).into_response()
        }
        "" => Html(NO_WEB_APP).into_response(),
        _ => (StatusCode::NOT_FOUND, Html(NO_WEB_APP)).into_response(),
    }
}

/// The codings of the compressed copies that the build makes, with the endings of their names; the
/// smaller first.
const CODINGS: [(&str, &str); 2] = [("br", "br"), ("gzip", "gz")];

/// A file, compressed if the build made a compressed copy and the browser accepts it.
fn file(app: &App, path: &str, headers: &HeaderMap) -> Option<Response> {
    let plain = (app.web)(path)?;
    let accepts = headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok());
    let takes = |wanted: &str| {
        let mut codings = accepts.unwrap_or_default().split(',');
        codings.any(|coding| coding.split(';').next().unwrap_or_default().trim() == wanted)
    };
    let compressed =
        CODINGS.iter().filter(|(coding, _)| takes(coding)).find_map(|(coding, ending)| {
            (app.web)(&format!("{path}.{ending}")).map(|file| (*coding, file))
        });
    let tag = tag(&plain);
    let is_known = headers.get(header::IF_NONE_MATCH).is_some_and(|value| *value == tag);
    let coding = compressed.as_ref().map(|(coding, _)| *coding).filter(|_| !is_known);
    let body = match (is_known, compressed) {
        (true, _) => Body::empty(),
        (false, Some((_, file))) => Body::from(file.content),
        (false, None) => Body::from(plain.content),
    };
    let mut response = Response::new(body);
    if is_known {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
    }
    let fields = response.headers_mut();
    fields.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type(path)));
    // The names of these files change with their content.
    let lasting = if path.starts_with("assets/") {
        "public, max-age=31536000, immutable"
    } else {
        "no-cache"
    };
    fields.insert(header::CACHE_CONTROL, HeaderValue::from_static(lasting));
    fields.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    fields.insert(header::ETAG, tag);
    if let Some(coding) = coding {
        fields.insert(header::CONTENT_ENCODING, HeaderValue::from_static(coding));
    }
    Some(response)
}

fn tag(file: &WebFile) -> HeaderValue {
    let digits: String = file.hash[..12].iter().map(|byte| format!("{byte:02x}")).collect();
    // Weak, because the plain and the compressed file share one tag.
    HeaderValue::from_str(&format!("W/\"{digits}\"")).unwrap_or(HeaderValue::from_static("W/\"0\""))
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "woff2" => "font/woff2",
        "txt" => "text/plain; charset=utf-8",
        "wasm" => "application/wasm",
        "webmanifest" => "application/manifest+json",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::to_bytes;

    #[tokio::test]
    async fn a_program_without_the_web_app_explains_itself_at_every_page() {
        for (path, status) in [("", 200), ("game/abc", 404), ("nowhere", 404)] {
            let response = without_web_app(path);
            assert_eq!(response.status(), status, "{path}");
            let body = to_bytes(response.into_body(), 100_000).await.unwrap();
            let text = String::from_utf8(body.to_vec()).unwrap();
            assert!(text.contains("no Node.js where it was built"), "{path}");
            assert!(text.contains("cargo clean --package azulejo"), "{path}");
        }
    }

    #[test]
    fn paths_match_the_patterns_of_pages() {
        for (pattern, path, expected) in [
            ("/", "", true),
            ("/", "new", false),
            ("/new", "new", true),
            ("/new", "new/", true),
            ("/game/:id", "game/abc", true),
            ("/game/:id", "game", false),
            ("/game/:id", "game/abc/x", false),
            ("/learn", "learning", false),
        ] {
            assert_eq!(matches(pattern, path), expected, "{pattern} {path}");
        }
    }
}
