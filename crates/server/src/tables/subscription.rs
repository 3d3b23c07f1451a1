//! A subscription to a game. Dropping it unsubscribes.

use crate::payload::Payload;
use crate::tables::fanout::Viewer;
use crate::tables::owner::Request;
use crate::tables::registry::Tables;
use azulejo_table::view::Presence;
use azulejo_table::{Game, ToClient};
use std::collections::VecDeque;
use std::sync::Arc;
use tokio::sync::{mpsc, oneshot};

/// The messages of a game for one client.
pub(crate) struct Subscription {
    tables: Tables,
    viewer: Viewer,
    feed: Feed,
    /// The messages to send before those in the queue.
    first: VecDeque<Payload>,
}

/// The subscription as the game's task knows it.
pub(super) struct Feed {
    pub(super) id: u64,
    pub(super) game: Arc<str>,
    /// Where the queue begins; taken when its payload has been made.
    pub(super) start: Option<Start>,
    pub(super) queue: mpsc::Receiver<Payload>,
    pub(super) mailbox: mpsc::Sender<Request>,
}

/// What a subscriber is told before the messages in its queue.
pub(super) struct Start {
    /// The missed events, without states.
    pub(super) missed: Vec<ToClient>,
    pub(super) game: Arc<Game>,
    pub(super) presence: Presence,
}

impl Subscription {
    pub(super) fn new(tables: Tables, viewer: Viewer, feed: Feed) -> Subscription {
        let mut subscription = Subscription { tables, viewer, feed, first: VecDeque::new() };
        subscription.begin();
        subscription
    }

    /// Queues the missed events and the state. Their payloads are made here and not in the game's task,
    /// which has more to do when many subscribe at once.
    fn begin(&mut self) {
        let Some(Start { missed, game, presence }) = self.feed.start.take() else { return };
        let now_ms = self.tables.now_ms();
        let state = ToClient::state(&game, self.viewer.person.as_deref(), &presence, now_ms);
        let messages = missed.iter().chain([&state]);
        self.first.extend(messages.map(|message| self.viewer.form.payload(message)));
    }

    /// The next message; `None` if the game can no longer be read. A client that was too slow for its
    /// queue gets the state again. Cancel safe.
    pub(crate) async fn next(&mut self) -> Option<Payload> {
        if self.first.is_empty() {
            if let Some(payload) = self.feed.queue.recv().await {
                return Some(payload);
            }
            self.feed = self.tables.feed(&self.feed.game, &self.viewer, None).await.ok()?;
            self.begin();
        }
        self.first.pop_front()
    }

    /// A message that is waiting.
    pub(crate) fn try_next(&mut self) -> Option<Payload> {
        self.first.pop_front().or_else(|| self.feed.queue.try_recv().ok())
    }

    /// The current state.
    pub(crate) async fn resync(&self) -> Option<ToClient> {
        let (reply, answer) = oneshot::channel();
        self.feed.mailbox.send(Request::Resync { reply }).await.ok()?;
        let snapshot = answer.await.ok()?;
        let person = self.viewer.person.as_deref();
        Some(ToClient::state(&snapshot.game, person, &snapshot.presence, self.tables.now_ms()))
    }
}

impl Drop for Feed {
    fn drop(&mut self) {
        let request = Request::Unsubscribe { id: self.id };
        if let Err(mpsc::error::TrySendError::Full(request)) = self.mailbox.try_send(request) {
            let mailbox = self.mailbox.clone();
            if let Ok(runtime) = tokio::runtime::Handle::try_current() {
                runtime.spawn(async move {
                    let _ = mailbox.send(request).await;
                });
            }
        }
    }
}
