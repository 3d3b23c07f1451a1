//! The WebSocket of a game. The socket owns nothing: it passes the table's messages on, hands
//! actions to it, and may break at any time.

use crate::api::App;
use crate::api::caller::{Caller, GameId};
use crate::api::error::ApiError;
use crate::api::guard::Address;
use crate::api::limits::{Bucket, Limits, SocketGuard};
use crate::api::upgrade::{Socket, Upgrade};
use crate::table::{Subscription, ToClient};
use axum::Extension;
use axum::body::Bytes;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::response::Response;
use azulejo_table::{Action, Phrase};
use serde::Deserialize;
use std::sync::Arc;
use tokio::time::{Instant, MissedTickBehavior, interval_at, timeout};
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::{self, Message, Utf8Bytes};
use utoipa::ToSchema;

/// A message of a client.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum ToServer {
    /// Play a move.
    Move {
        /// Comes back with the answer.
        #[serde(rename = "ref")]
        reference: Option<String>,
        /// The move in the notation.
        #[serde(rename = "move")]
        m: String,
        /// A name for this move, so that sending it twice is playing it once.
        id: Option<String>,
        /// The number of the last event seen.
        after: Option<u64>,
        /// The seat, for those who play several.
        seat: Option<u8>,
    },
    /// Resign.
    Resign {
        /// Comes back with the answer.
        #[serde(rename = "ref")]
        reference: Option<String>,
        /// The seat, for those who play several.
        seat: Option<u8>,
    },
    /// Call the game off before the first move.
    Abort {
        /// Comes back with the answer.
        #[serde(rename = "ref")]
        reference: Option<String>,
    },
    /// Take the last move back, ask for it, or agree to it.
    Takeback {
        /// Comes back with the answer.
        #[serde(rename = "ref")]
        reference: Option<String>,
    },
    /// Say no to a take-back.
    RefuseTakeback {
        /// Comes back with the answer.
        #[serde(rename = "ref")]
        reference: Option<String>,
    },
    /// Say one of the phrases.
    Say {
        /// Comes back with the answer.
        #[serde(rename = "ref")]
        reference: Option<String>,
        /// Which.
        phrase: Phrase,
        /// The seat, for those who play several.
        seat: Option<u8>,
    },
    /// Ask for the whole state.
    Resync {},
    /// Ask for a `pong`.
    Ping {},
}

impl ToServer {
    /// Reads a message.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(text: &str) -> Result<ToServer, String> {
        serde_json::from_str(text).map_err(|error| error.to_string().chars().take(300).collect())
    }
}

/// From where on a client wants to hear.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct After {
    /// The number of the last event seen; missed events are sent first.
    pub(crate) after: Option<u64>,
}

/// Follow and play a game on a WebSocket; docs/server.md tells what is said there.
#[utoipa::path(get, path = "/api/v1/games/{id}/socket", tag = "play", params(("id" = String, Path), After),
    responses((status = 101, description = "A WebSocket: messages `ToClient` and `ToServer`"), (status = "4XX", body = super::error::ErrorEnvelope)))]
pub(crate) async fn open(
    State(app): State<App>,
    Extension(Address(address)): Extension<Address>,
    GameId(id): GameId,
    after: Result<Query<After>, QueryRejection>,
    caller: Caller,
    upgrade: Upgrade,
) -> Result<Response, ApiError> {
    let Query(After { after }) = after?;
    let guard = Limits::socket(&app, address, caller.id()).ok_or(ApiError::TooMany)?;
    let subscription = app.tables.watch(&id, caller.id(), after).await?;
    Ok(upgrade.open(move |socket| async move {
        let person = caller.id();
        let messages = app.limits.messages();
        Session { app, id, person, subscription, socket, messages, _guard: guard }.run().await;
    }))
}

struct Session {
    app: App,
    id: String,
    person: Option<Arc<str>>,
    subscription: Subscription,
    socket: Socket,
    messages: Bucket,
    _guard: SocketGuard,
}

/// The client is gone, or was sent away.
struct Gone;

impl Session {
    async fn run(mut self) {
        let _ = self.talk().await;
    }

    async fn talk(&mut self) -> Result<(), Gone> {
        for message in self.subscription.take_first() {
            self.send(message).await?;
        }
        let mut closing = self.app.closing.clone();
        let patience = self.app.patience;
        let mut ping = interval_at(Instant::now() + patience.ping, patience.ping);
        ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut heard = Instant::now();
        loop {
            tokio::select! {
                message = self.subscription.next() => match message {
                    Some(message) => self.send(message).await?,
                    None => return self.close(CloseCode::Again, "connect again").await,
                },
                message = self.socket.next() => {
                    heard = Instant::now();
                    match message {
                        Some(Ok(Message::Text(text))) => self.hear(&text).await?,
                        Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Frame(_))) => {}
                        Some(Ok(Message::Binary(_))) => {
                            return self.close(CloseCode::Unsupported, "text only").await;
                        }
                        Some(Ok(Message::Close(_)) | Err(_)) | None => return Err(Gone),
                    }
                }
                _ = ping.tick() => {
                    if heard.elapsed() > patience.silence {
                        return Err(Gone);
                    }
                    self.in_time(async |socket| socket.send(Message::Ping(Bytes::new())).await).await?;
                }
                _ = closing.changed() => {
                    self.say(&ToClient::Bye).await?;
                    return self.close(CloseCode::Restart, "the server stops").await;
                }
            }
        }
    }

    async fn hear(&mut self, text: &Utf8Bytes) -> Result<(), Gone> {
        if !self.app.limits.allows_message(&mut self.messages) {
            return self.close(CloseCode::Policy, "too many messages").await;
        }
        let message = match ToServer::read(text) {
            Ok(message) => message,
            Err(problem) => {
                let error = ApiError::BadRequest(problem).body();
                return self.say(&ToClient::Error { reference: None, error }).await;
            }
        };
        let (reference, action) = match message {
            ToServer::Ping {} => {
                return self.say(&ToClient::Pong { now_ms: self.app.clock.now_ms() }).await;
            }
            ToServer::Resync {} => {
                return match self.subscription.resync(self.person.clone()).await {
                    Some(state) => self.say(&state).await,
                    None => self.close(CloseCode::Again, "connect again").await,
                };
            }
            ToServer::Move { reference, m, id, after, seat } => {
                (reference, Action::Move { m, id, after, seat })
            }
            ToServer::Resign { reference, seat } => (reference, Action::Resign { seat }),
            ToServer::Abort { reference } => (reference, Action::Abort),
            ToServer::Takeback { reference } => (reference, Action::Takeback),
            ToServer::RefuseTakeback { reference } => (reference, Action::RefuseTakeback),
            ToServer::Say { reference, phrase, seat } => (reference, Action::Say { phrase, seat }),
        };
        let reference = reference.map(|text| text.chars().take(64).collect());
        let answer = match self.app.tables.act(&self.id, self.person.clone(), action).await {
            Ok(done) => ToClient::Done { reference, number: done.number },
            Err(error) => ToClient::Error { reference, error: ApiError::from(error).body() },
        };
        self.say(&answer).await
    }

    async fn say(&mut self, message: &ToClient) -> Result<(), Gone> {
        self.send(message.text()).await
    }

    async fn send(&mut self, text: Utf8Bytes) -> Result<(), Gone> {
        self.in_time(async |socket| socket.send_text(text).await).await
    }

    async fn close(&mut self, code: CloseCode, reason: &'static str) -> Result<(), Gone> {
        let frame = CloseFrame { code, reason: Utf8Bytes::from_static(reason) };
        let close = Message::Close(Some(frame));
        let _ = self.in_time(async |socket| socket.send(close).await).await;
        Err(Gone)
    }

    /// Sends something to a client that takes it in time.
    async fn in_time(
        &mut self,
        send: impl AsyncFnOnce(&mut Socket) -> Result<(), tungstenite::Error>,
    ) -> Result<(), Gone> {
        match timeout(self.app.patience.stuck, send(&mut self.socket)).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(Gone),
        }
    }
}
