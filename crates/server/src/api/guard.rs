//! Middleware for all requests: the client's address, the checks before a request is served, security
//! headers, a timeout, metrics and the access log.

use crate::api::error::ApiError;
use crate::api::limits::{Action, Client, cost};
use crate::api::{App, caller, cookie};
use crate::store::BanList;
use axum::extract::{ConnectInfo, FromRequestParts, MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Instant;
use tower_http::cors::CorsLayer;
use tracing::Instrument;

/// Content security policy: only the server's own files may run or be shown, and no site may frame
/// them.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
    img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The same for a board that other sites may show in a frame.
const EMBED_POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
    img-src 'self' data:; font-src 'self'; connect-src 'self'; worker-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors *";

/// The pages that other sites may frame. They have nothing to click that changes anything.
fn is_embeddable(path: &str) -> bool {
    path == "/embed" || path.starts_with("/embed/")
}

const HEADERS: [(HeaderName, &str); 6] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// HSTS: for a year a browser that came by HTTPS uses HTTPS only. Other hosts of the domain are not
/// ours to decide about.
const HSTS: &str = "max-age=31536000";

/// The id of a request, which the client gets, too.
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The address of the client, for handlers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Address(pub(crate) IpAddr);

/// The pattern of a path, such as `/api/v1/games/{id}`. Logs and metrics get the pattern and not the
/// path, which may hold the link to a private game.
pub(super) fn route(extensions: &axum::http::Extensions) -> Option<&str> {
    extensions.get::<MatchedPath>().map(MatchedPath::as_str)
}

pub(super) async fn guard(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let start = Instant::now();
    let address = address(&app, &request);
    request.extensions_mut().insert(Address(address));
    let id = crate::ids::new_id();
    let method = request.method().clone();
    let route = route(request.extensions()).map(str::to_owned);
    let may_be_framed = is_embeddable(request.uri().path());
    let is_api = request.uri().path().starts_with("/api/v1");
    let new_cookies = app.is_secure.then(|| cookie::replace_plain(request.headers())).flatten();
    // Everything that is logged because of this request has its id. The span is an error span so that
    // no log level turns it off.
    let span = tracing::error_span!(target: "azulejo::request", "request", request = %id);
    let answer = async {
        let request = match check(&app, request, address).await {
            Ok(request) => request,
            Err(error) => return error.into_response(),
        };
        // The timeout covers a slow request body and a wait for the engine.
        match tokio::time::timeout(app.timeouts.request, next.run(request)).await {
            Ok(response) => response,
            Err(_) => ApiError::TooSlow.into_response(),
        }
    };
    let mut response = answer.instrument(span).await;
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if may_be_framed {
        headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(EMBED_POLICY));
        headers.remove(header::X_FRAME_OPTIONS);
    }
    if app.is_secure {
        headers.insert(header::STRICT_TRANSPORT_SECURITY, HeaderValue::from_static(HSTS));
    }
    if is_api {
        headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    }
    if let Ok(value) = HeaderValue::from_str(&id) {
        headers.insert(REQUEST_ID, value);
    }
    if !headers.contains_key(header::SET_COOKIE) {
        for value in new_cookies.into_iter().flatten() {
            headers.append(header::SET_COOKIE, value);
        }
    }
    let (route, status) = (route.as_deref().unwrap_or("(web)"), response.status().as_u16());
    app.metrics.routes.count(&method, route, status, start.elapsed());
    let ms = (start.elapsed().as_secs_f64() * 1e6).round() / 1e3;
    tracing::info!(target: "azulejo::access", request = %id, %method, path = route, status, ms, "request");
    response
}

/// The checks before a request is served, the cheapest first.
async fn check(app: &App, request: Request, address: IpAddr) -> Result<Request, ApiError> {
    let host = request.headers().get(header::HOST).map(|host| host.to_str().unwrap_or_default());
    if let Some(host) = host.filter(|host| !app.hosts.allow(host)) {
        return Err(ApiError::WrongHost(host.chars().take(100).collect()));
    }
    let is_probe = matches!(request.uri().path(), "/healthz" | "/readyz" | "/metrics");
    if is_probe {
        return Ok(request);
    }
    if app.bans.borrow().has_address(address, app.clock.now_ms()) {
        return Err(ApiError::Banned);
    }
    let cost = cost(route(request.extensions()));
    app.spend_of(Client::of(address, None), Action::Request, cost)?;
    let is_safe = matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    let is_socket = request.headers().contains_key(header::UPGRADE);
    // Browsers send the origin of a request. A program with a token may come from anywhere.
    let by_cookie = cookie::token(request.headers(), app.is_secure).is_some()
        || !request.headers().contains_key(header::AUTHORIZATION);
    if (is_socket || !is_safe) && by_cookie && !is_own_origin(app, request.headers()) {
        return Err(ApiError::BadOrigin);
    }
    if app.is_crowded() { only_seated(app, request).await } else { Ok(request) }
}

impl App {
    /// Waits until a client is banned: requests are refused before, what stays open has to watch.
    pub(super) async fn until_banned(&self, address: IpAddr, person: Option<Arc<str>>) {
        let is_banned = |bans: &Arc<BanList>| {
            let now_ms = self.clock.now_ms();
            bans.has_address(address, now_ms)
                || person.as_ref().is_some_and(|id| bans.has_person(id, now_ms))
        };
        if self.bans.clone().wait_for(is_banned).await.is_err() {
            // The server stops, which is not a ban.
            std::future::pending::<()>().await;
        }
    }
}

/// Refuses everybody but people with a seat in a game.
async fn only_seated(app: &App, request: Request) -> Result<Request, ApiError> {
    let (mut parts, body) = request.into_parts();
    let caller = caller::Caller::from_request_parts(&mut parts, app).await?;
    match caller.id() {
        Some(person) if app.is_seated(&person).await => Ok(Request::from_parts(parts, body)),
        _ => Err(ApiError::Crowded),
    }
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

/// CORS: lets pages of the allowed origins read the answers, with the cookie of the visitor if the
/// browser sends it. `None` if no origin is allowed.
pub(super) fn cors(origins: &[String]) -> Option<CorsLayer> {
    let origins: Vec<HeaderValue> =
        origins.iter().filter_map(|origin| HeaderValue::from_str(origin).ok()).collect();
    if origins.is_empty() {
        return None;
    }
    let cors = CorsLayer::new()
        .allow_origin(origins)
        .allow_credentials(true)
        .allow_methods([Method::GET, Method::POST, Method::PATCH, Method::DELETE])
        .allow_headers([header::AUTHORIZATION, header::CONTENT_TYPE])
        .expose_headers([header::RETRY_AFTER, header::CONTENT_DISPOSITION, REQUEST_ID])
        .max_age(std::time::Duration::from_secs(600));
    Some(cors)
}
