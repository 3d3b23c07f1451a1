//! Fan-out: sends the messages of a game to its subscribers. Each subscriber has a bounded queue; one
//! that does not read is disconnected when its queue is full (backpressure) and may reconnect. The
//! others are not delayed.

use azulejo_table::view::Presence;
use azulejo_table::{Game, Holder};
use std::sync::Arc;
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;
use tokio_tungstenite::tungstenite::Utf8Bytes;

/// Messages that may wait for a client.
pub(super) const SUBSCRIBER_QUEUE_LEN: usize = 64;

/// The subscribers of a game.
#[derive(Debug, Default)]
pub(super) struct Fanout {
    subscribers: Vec<Subscriber>,
    next_id: u64,
    /// The number of subscribers disconnected because they did not read.
    pub(super) n_too_slow: u64,
}

#[derive(Debug)]
struct Subscriber {
    id: u64,
    person: Option<Arc<str>>,
    queue: mpsc::Sender<Utf8Bytes>,
}

impl Fanout {
    pub(super) fn add(&mut self, person: Option<Arc<str>>, queue: mpsc::Sender<Utf8Bytes>) -> u64 {
        self.next_id += 1;
        self.subscribers.push(Subscriber { id: self.next_id, person, queue });
        self.next_id
    }

    pub(super) fn remove(&mut self, id: u64) {
        self.subscribers.retain(|subscriber| subscriber.id != id);
        if self.subscribers.is_empty() {
            self.subscribers = Vec::new();
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.subscribers.is_empty()
    }

    /// Sends every subscriber its view. The text is made once for all subscribers without a seat.
    pub(super) fn send(&mut self, game: &Game, mut text: impl FnMut(Option<&str>) -> Utf8Bytes) {
        let mut for_watchers: Option<Utf8Bytes> = None;
        let mut n_too_slow = 0;
        self.subscribers.retain(|subscriber| {
            let person = subscriber.person.as_deref();
            let message = if game.seats_of(person).next().is_some() {
                text(person)
            } else {
                for_watchers.get_or_insert_with(|| text(None)).clone()
            };
            match subscriber.queue.try_send(message) {
                Ok(()) => true,
                Err(TrySendError::Full(_)) => {
                    n_too_slow += 1;
                    false
                }
                Err(TrySendError::Closed(_)) => false,
            }
        });
        self.n_too_slow += n_too_slow;
    }

    /// Who is connected.
    pub(super) fn presence(&self, game: &Game) -> Presence {
        let is_here = |person: &str| {
            self.subscribers.iter().any(|subscriber| subscriber.person.as_deref() == Some(person))
        };
        let seats = game.seats.iter().map(|seat| match &seat.holder {
            Holder::Engine { .. } => true,
            _ => seat.person().is_some_and(is_here),
        });
        let is_watcher =
            |subscriber: &&Subscriber| game.seats_of(subscriber.person.as_deref()).next().is_none();
        Presence {
            seats: seats.collect(),
            watchers: self.subscribers.iter().filter(is_watcher).count() as u32,
        }
    }
}
