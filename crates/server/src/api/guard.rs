//! Middleware for all requests: the client's address, rate limits, the origin check, security headers,
//! a timeout and the access log.

use crate::api::error::ApiError;
use crate::api::limits::{Action, Client};
use crate::api::{App, caller};
use axum::extract::{ConnectInfo, MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

/// Content security policy: only the server's own files may run or be shown, and no site may frame
/// them.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'";

const HEADERS: [(HeaderName, &str); 6] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// The address of the client, for handlers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Address(pub(crate) IpAddr);

pub(super) async fn guard(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let start = Instant::now();
    let address = address(&app, &request);
    request.extensions_mut().insert(Address(address));
    let id = crate::ids::new_id();
    let method = request.method().clone();
    // The log gets the pattern, not the path: a path may hold the link to a private game.
    let path = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned());
    let is_api = request.uri().path().starts_with("/api/v1");
    let mut response = match check(&app, &request, address) {
        // The timeout covers a slow request body and a wait for the engine.
        Ok(()) => match tokio::time::timeout(app.timeouts.request, next.run(request)).await {
            Ok(response) => response,
            Err(_) => ApiError::TooSlow.into_response(),
        },
        Err(error) => error.into_response(),
    };
    app.metrics.requests.fetch_add(1, Relaxed);
    if response.status().is_server_error() {
        app.metrics.failures.fetch_add(1, Relaxed);
    }
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if is_api {
        headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    }
    if let Ok(value) = HeaderValue::from_str(&id) {
        headers.insert("x-request-id", value);
    }
    let ms = (start.elapsed().as_secs_f64() * 1e6).round() / 1e3;
    let path = path.as_deref().unwrap_or("(none)");
    let status = response.status().as_u16();
    tracing::info!(target: "azulejo::access", request = %id, %method, path, status, ms, "request");
    response
}

fn check(app: &App, request: &Request, address: IpAddr) -> Result<(), ApiError> {
    let is_probe = matches!(request.uri().path(), "/healthz" | "/readyz" | "/metrics");
    if !is_probe && !app.limits.allows(Client::address(address), Action::Request) {
        app.metrics.limited.fetch_add(1, Relaxed);
        return Err(ApiError::TooMany);
    }
    let is_safe = matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    let is_socket = request.headers().contains_key(header::UPGRADE);
    // Browsers send the origin of a request. A program with a token may come from anywhere.
    let by_cookie = caller::cookie(request.headers()).is_some()
        || !request.headers().contains_key(header::AUTHORIZATION);
    if (is_socket || !is_safe) && by_cookie && !is_own_origin(app, request.headers()) {
        return Err(ApiError::BadOrigin);
    }
    Ok(())
}

/// Whether a request comes from a page of this server or an allowed origin, or not from a page.
fn is_own_origin(app: &App, headers: &HeaderMap) -> bool {
    let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    let Some(origin) = headers.get(header::ORIGIN) else {
        return text(HeaderName::from_static("sec-fetch-site"))
            .is_none_or(|site| matches!(site, "same-origin" | "none"));
    };
    let Ok(origin) = origin.to_str() else { return false };
    if app.origins.iter().any(|allowed| allowed == origin) {
        return true;
    }
    let host = origin.strip_prefix("https://").or_else(|| origin.strip_prefix("http://"));
    host.is_some() && host == text(header::HOST)
}

/// The address of the client: the peer of the connection, or what a trusted proxy says.
fn address(app: &App, request: &Request) -> IpAddr {
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
    let peer = peer.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.0.ip());
    if !app.trusts_proxy {
        return peer;
    }
    // The proxy appends the address it sees; a client may have forged the entries before.
    let forwarded = request.headers().get_all("x-forwarded-for").iter().next_back();
    let last = forwarded.and_then(|value| value.to_str().ok()?.rsplit(',').next());
    last.and_then(|address| address.trim().parse().ok()).unwrap_or(peer)
}
