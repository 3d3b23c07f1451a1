//! The WebSocket of a game. It owns no state: it passes messages of the game's task to the client and
//! commands of the client to the task, and may break at any time.

use crate::api::App;
use crate::api::caller::{Caller, GameId};
use crate::api::error::ApiError;
use crate::api::guard::Address;
use crate::api::limits::Bucket;
use crate::api::places::{SocketGuard, SocketKind};
use crate::api::upgrade::{Socket, Upgrade};
use crate::ids::short;
use crate::payload::Payload;
use crate::tables::{Form, Subscription, Viewer};
use axum::Extension;
use axum::body::Bytes;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::response::Response;
use azulejo_table::{ToClient, ToServer};
use serde::Deserialize;
use std::net::IpAddr;
use std::pin::pin;
use std::sync::Arc;
use tokio::time::{Instant, MissedTickBehavior, interval_at};
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::{Message, Utf8Bytes};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// The largest number of messages that are written together.
const MAX_TOGETHER: usize = 16;

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(open))
}

/// How a client follows a game.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Follow {
    /// The number of the last event seen; missed events are sent first.
    after: Option<u64>,
    /// Whether to send the messages `patch` instead of `event`, and to compress long messages: they
    /// come as binary messages, the JSON text in raw DEFLATE.
    #[serde(default)]
    patches: bool,
}

/// Follow and play a game on a WebSocket; docs/server.md describes the messages.
#[utoipa::path(get, path = "/games/{id}/socket", tag = "play", params(("id" = String, Path), Follow), security((), ("token" = [])),
    responses((status = 101, description = "A WebSocket: messages `ToClient` and `ToServer`")))]
pub(crate) async fn open(
    State(app): State<App>,
    Extension(Address(address)): Extension<Address>,
    GameId(id): GameId,
    follow: Result<Query<Follow>, QueryRejection>,
    caller: Caller,
    upgrade: Upgrade,
) -> Result<Response, ApiError> {
    let Query(Follow { after, patches }) = follow?;
    let form = if patches { Form::Patches } else { Form::Whole };
    let guard = app.take_socket(address, caller.id().as_ref(), SocketKind::WebSocket).await?;
    let viewer = Viewer { person: caller.id(), form };
    let subscription = app.tables.subscribe(&id, viewer, after).await?;
    Ok(upgrade.open(move |socket| async move {
        let person = caller.id();
        let messages = app.limits.messages();
        let session = Session {
            app,
            id,
            person,
            address,
            subscription,
            form,
            socket,
            messages,
            _guard: guard,
        };
        session.run().await;
    }))
}

struct Session {
    app: App,
    id: String,
    person: Option<Arc<str>>,
    address: IpAddr,
    subscription: Subscription,
    form: Form,
    socket: Socket,
    messages: Bucket,
    _guard: SocketGuard,
}

/// The client is gone, or was disconnected.
struct Gone;

impl Session {
    async fn run(mut self) {
        let start = Instant::now();
        let _ = self.talk().await;
        let seconds = start.elapsed().as_secs();
        tracing::info!(target: "azulejo::socket", game = short(&self.id), seconds, "socket closed");
    }

    async fn talk(&mut self) -> Result<(), Gone> {
        let mut closing = self.app.closing.clone();
        let app = self.app.clone();
        let mut banned = pin!(app.until_banned(self.address, self.person.clone()));
        let timeouts = self.app.timeouts;
        let mut ping = interval_at(Instant::now() + timeouts.ping, timeouts.ping);
        ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut last_heard = Instant::now();
        loop {
            tokio::select! {
                message = self.subscription.next() => match message {
                    Some(message) => self.send(message).await?,
                    None => return self.close(CloseCode::Again, "reconnect").await,
                },
                message = self.socket.next() => {
                    last_heard = Instant::now();
                    // Everything counts, or a client could flood the server with pings.
                    if !self.app.limits.allows_message(&mut self.messages) {
                        return self.close(CloseCode::Policy, "too many messages").await;
                    }
                    match message {
                        Some(Ok(Message::Text(text))) => self.receive(&text).await?,
                        Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Frame(_))) => {}
                        Some(Ok(Message::Binary(_))) => {
                            return self.close(CloseCode::Unsupported, "text only").await;
                        }
                        Some(Ok(Message::Close(_)) | Err(_)) | None => return Err(Gone),
                    }
                }
                _ = ping.tick() => {
                    if last_heard.elapsed() > timeouts.silence {
                        return Err(Gone);
                    }
                    self.socket.send(Message::Ping(Bytes::new())).await.map_err(|_| Gone)?;
                }
                () = &mut banned => return self.close(CloseCode::Policy, "banned").await,
                _ = closing.changed() => {
                    self.send_message(&ToClient::Bye {}).await?;
                    return self.close(CloseCode::Restart, "the server is stopping").await;
                }
            }
        }
    }

    async fn receive(&mut self, text: &Utf8Bytes) -> Result<(), Gone> {
        let message = match ToServer::read(text) {
            Ok(message) => message,
            Err(problem) => {
                let error = ApiError::BadRequest(problem).body();
                return self.send_message(&ToClient::Error { reference: None, error }).await;
            }
        };
        let (reference, command) = match message {
            ToServer::Ping {} => {
                let now_ms = self.app.clock.now_ms();
                return self.send_message(&ToClient::Pong { now_ms }).await;
            }
            ToServer::Resync {} => {
                return match self.subscription.resync().await {
                    Some(state) => self.send_message(&state).await,
                    None => self.close(CloseCode::Again, "reconnect").await,
                };
            }
            ToServer::Command { reference, command } => (reference, command),
        };
        let reference = reference.map(|text| text.chars().take(64).collect());
        let answer = match self.app.tables.execute(&self.id, self.person.clone(), command).await {
            Ok(executed) => ToClient::Done { reference, number: executed.number },
            Err(error) => ToClient::Error { reference, error: ApiError::from(error).body() },
        };
        self.send_message(&answer).await
    }

    /// Sends an answer of this session alone: nothing may follow `bye`.
    async fn send_message(&mut self, message: &ToClient) -> Result<(), Gone> {
        let payload = self.form.payload(message);
        self.socket.send_payloads(&[payload]).await.map_err(|_| Gone)
    }

    /// Sends a message of the game, and with it those that wait in the queue: one system call is cheaper
    /// than several.
    async fn send(&mut self, payload: Payload) -> Result<(), Gone> {
        let mut payloads = vec![payload];
        while payloads.len() < MAX_TOGETHER
            && let Some(payload) = self.subscription.try_next()
        {
            payloads.push(payload);
        }
        self.socket.send_payloads(&payloads).await.map_err(|_| Gone)
    }

    async fn close(&mut self, code: CloseCode, reason: &'static str) -> Result<(), Gone> {
        let frame = CloseFrame { code, reason: Utf8Bytes::from_static(reason) };
        let _ = self.socket.send(Message::Close(Some(frame))).await;
        Err(Gone)
    }
}
