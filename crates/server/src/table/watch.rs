//! A place among those who follow a game. When it is dropped, the table hears of it.

use crate::table::message::ToClient;
use crate::table::owner::Order;
use std::sync::Arc;
use tokio::sync::{mpsc, oneshot};
use tokio_tungstenite::tungstenite::Utf8Bytes;

/// The events of a game, for one client.
pub(crate) struct Subscription {
    id: u64,
    /// What is sent first.
    first: Vec<ToClient>,
    queue: mpsc::Receiver<Utf8Bytes>,
    door: mpsc::Sender<Order>,
}

impl Subscription {
    pub(super) fn new(
        id: u64,
        first: Vec<ToClient>,
        queue: mpsc::Receiver<Utf8Bytes>,
        door: mpsc::Sender<Order>,
    ) -> Subscription {
        Subscription { id, first, queue, door }
    }

    /// The messages to begin with: what was missed, and how things stand.
    pub(crate) fn take_first(&mut self) -> Vec<Utf8Bytes> {
        std::mem::take(&mut self.first).iter().map(ToClient::text).collect()
    }

    /// The next message; `None` if the client was too slow, or the table is gone.
    pub(crate) async fn next(&mut self) -> Option<Utf8Bytes> {
        self.queue.recv().await
    }

    /// How things stand, once more.
    pub(crate) async fn resync(&self, person: Option<Arc<str>>) -> Option<ToClient> {
        let (reply, answer) = oneshot::channel();
        self.door.send(Order::Resync { person, reply }).await.ok()?;
        answer.await.ok()
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        let order = Order::Unwatch { id: self.id };
        if let Err(mpsc::error::TrySendError::Full(order)) = self.door.try_send(order) {
            let door = self.door.clone();
            if let Ok(runtime) = tokio::runtime::Handle::try_current() {
                runtime.spawn(async move {
                    let _ = door.send(order).await;
                });
            }
        }
    }
}
