//! Connections: taken from the listener, served one task each, and ended in order when the server
//! stops. A client that opens a connection and says nothing, or says it too slowly, is let go, and
//! one address has only so many.

use crate::api::{App, Limits};
use crate::config::Patience;
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

/// How long to wait when the system has no room for another connection.
const FULL: Duration = Duration::from_millis(200);

/// Serves until the server is closing, and then until the last connection has ended.
pub(crate) async fn run(
    listener: TcpListener,
    app: App,
    router: Router,
    mut closing: watch::Receiver<bool>,
) {
    // Every connection holds one end; when all are dropped, the other end hears of it.
    let (open, mut all_closed) = mpsc::channel::<()>(1);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = closing.wait_for(|closing| *closing) => break,
        };
        match accepted {
            Ok((stream, peer)) => {
                // Beyond the limit there is no answer: it would cost more than the question.
                let Some(counted) = Limits::connection(&app, peer.ip()) else { continue };
                let connection = serve(stream, peer, router.clone(), app.patience, closing.clone());
                let open = open.clone();
                tokio::spawn(async move {
                    connection.await;
                    drop((counted, open));
                });
            }
            Err(error) if is_of_one_connection(&error) => {}
            Err(error) => {
                tracing::error!(%error, "cannot take another connection");
                tokio::time::sleep(FULL).await;
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
    patience: Patience,
    mut closing: watch::Receiver<bool>,
) {
    // An event is one small packet, and somebody waits for it.
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |request: hyper::Request<Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(peer));
        router.clone().call(request)
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(patience.head)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    let mut connection = pin!(connection);
    tokio::select! {
        // What went wrong with a connection is the client's affair.
        _ = connection.as_mut() => return,
        _ = closing.wait_for(|closing| *closing) => {}
    }
    connection.as_mut().graceful_shutdown();
    let _ = connection.await;
}

/// Whether it was that connection's fault, and the next one may be fine.
fn is_of_one_connection(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}
