//! A subscription to a game. Dropping it unsubscribes.

use crate::messages::ToClient;
use crate::tables::owner::Request;
use std::sync::Arc;
use tokio::sync::{mpsc, oneshot};
use tokio_tungstenite::tungstenite::Utf8Bytes;

/// The messages of a game for one client.
pub(crate) struct Subscription {
    id: u64,
    /// The messages to send first.
    first: Vec<ToClient>,
    queue: mpsc::Receiver<Utf8Bytes>,
    mailbox: mpsc::Sender<Request>,
}

impl Subscription {
    pub(super) fn new(
        id: u64,
        first: Vec<ToClient>,
        queue: mpsc::Receiver<Utf8Bytes>,
        mailbox: mpsc::Sender<Request>,
    ) -> Subscription {
        Subscription { id, first, queue, mailbox }
    }

    /// The messages to send first: missed events and the state.
    pub(crate) fn take_first(&mut self) -> Vec<Utf8Bytes> {
        std::mem::take(&mut self.first).iter().map(ToClient::text).collect()
    }

    /// The next message; `None` if the client was too slow or the game's task has ended.
    pub(crate) async fn next(&mut self) -> Option<Utf8Bytes> {
        self.queue.recv().await
    }

    /// The current state.
    pub(crate) async fn resync(&self, person: Option<Arc<str>>) -> Option<ToClient> {
        let (reply, answer) = oneshot::channel();
        self.mailbox.send(Request::Resync { person, reply }).await.ok()?;
        answer.await.ok()
    }
}

impl Drop for Subscription {
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
