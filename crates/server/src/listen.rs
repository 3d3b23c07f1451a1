//! Connections: accepted from the listener, served by one task each, and closed gracefully when the
//! server stops. A client that does not send its request in time is disconnected, and the number of
//! connections of an address is limited.

use crate::api::App;
use crate::config::Timeouts;
use crate::reading_client::ReadingClient;
use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::net::SocketAddr;
use std::pin::pin;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, watch};
use tower_service::Service;

/// The pause when the system cannot accept another connection, for example without file descriptors.
const ACCEPT_RETRY: Duration = Duration::from_millis(200);

/// The time limit for the head of a request when the remaining connections are for people with a seat.
const CROWDED_HEAD_TIMEOUT: Duration = Duration::from_secs(2);
/// Connections accepted in one go. In a rush the tasks of connections that are being served run between
/// two batches, so that nobody waits for thousands of newcomers.
const ACCEPT_BATCH: usize = 8;

/// Serves until the server is closing, and then until the last connection has ended.
pub(crate) async fn run(
    listener: TcpListener,
    app: App,
    router: Router,
    mut closing: watch::Receiver<bool>,
) {
    // Every connection holds a sender; when all are dropped, the receiver returns.
    let (open, mut all_closed) = mpsc::channel::<()>(1);
    for n_accepted in 1_usize.. {
        if n_accepted.is_multiple_of(ACCEPT_BATCH) {
            tokio::task::yield_now().await;
        }
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = closing.wait_for(|closing| *closing) => break,
        };
        match accepted {
            Ok((stream, peer)) => {
                // Beyond the limit the connection is closed without an answer.
                let Some(counted) = app.take_connection(peer.ip()) else { continue };
                let mut timeouts = app.timeouts;
                if app.is_crowded() {
                    // Nobody keeps one of the last places without asking for something.
                    timeouts.head = timeouts.head.min(CROWDED_HEAD_TIMEOUT);
                }
                let connection = serve(stream, peer, router.clone(), timeouts, closing.clone());
                let open = open.clone();
                tokio::spawn(async move {
                    connection.await;
                    drop((counted, open));
                });
            }
            Err(error) if is_of_one_connection(&error) => {}
            Err(error) => {
                tracing::error!(%error, "cannot accept a connection");
                tokio::time::sleep(ACCEPT_RETRY).await;
            }
        }
    }
    drop((listener, open));
    let _ = all_closed.recv().await;
}

async fn serve(
    stream: TcpStream,
    peer: SocketAddr,
    router: Router,
    timeouts: Timeouts,
    mut closing: watch::Receiver<bool>,
) {
    // Events are small packets that a person waits for.
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |request: hyper::Request<Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(peer));
        router.clone().call(request)
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(timeouts.head)
        .serve_connection(TokioIo::new(ReadingClient::new(stream, timeouts.write)), service)
        .with_upgrades();
    let mut connection = pin!(connection);
    tokio::select! {
        // Errors of a connection concern only its client.
        _ = connection.as_mut() => return,
        _ = closing.wait_for(|closing| *closing) => {}
    }
    connection.as_mut().graceful_shutdown();
    let _ = connection.await;
}

/// Whether the error concerns one connection, so that the next one may succeed.
fn is_of_one_connection(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}
