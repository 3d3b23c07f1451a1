//! Everybody who follows a game. Each has a queue that ends: whoever does not read is let go and
//! may come back, and nobody else notices.

use azulejo_table::view::Presence;
use azulejo_table::{Game, Holder};
use std::sync::Arc;
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;
use tokio_tungstenite::tungstenite::Utf8Bytes;

/// Messages that may wait for a client.
pub(super) const QUEUE: usize = 64;

/// Those who follow a game.
#[derive(Debug, Default)]
pub(super) struct Fanout {
    followers: Vec<Follower>,
    next_id: u64,
    /// How many were let go because they did not read.
    pub(super) n_too_slow: u64,
}

#[derive(Debug)]
struct Follower {
    id: u64,
    person: Option<Arc<str>>,
    queue: mpsc::Sender<Utf8Bytes>,
}

impl Fanout {
    pub(super) fn add(&mut self, person: Option<Arc<str>>, queue: mpsc::Sender<Utf8Bytes>) -> u64 {
        self.next_id += 1;
        self.followers.push(Follower { id: self.next_id, person, queue });
        self.next_id
    }

    pub(super) fn remove(&mut self, id: u64) {
        self.followers.retain(|follower| follower.id != id);
        if self.followers.is_empty() {
            self.followers = Vec::new();
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.followers.is_empty()
    }

    /// Sends everybody what he or she may see. The text is made once for all who have no seat.
    pub(super) fn send(&mut self, game: &Game, mut text: impl FnMut(Option<&str>) -> Utf8Bytes) {
        let mut for_watchers: Option<Utf8Bytes> = None;
        let mut n_too_slow = 0;
        self.followers.retain(|follower| {
            let person = follower.person.as_deref();
            let message = if game.seats_of(person).next().is_some() {
                text(person)
            } else {
                for_watchers.get_or_insert_with(|| text(None)).clone()
            };
            match follower.queue.try_send(message) {
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

    /// Who is there.
    pub(super) fn presence(&self, game: &Game) -> Presence {
        let is_here = |person: &str| {
            self.followers.iter().any(|follower| follower.person.as_deref() == Some(person))
        };
        let seats = game.seats.iter().map(|seat| match &seat.holder {
            Holder::Engine { .. } => true,
            _ => seat.person().is_some_and(is_here),
        });
        let is_watcher =
            |follower: &&Follower| game.seats_of(follower.person.as_deref()).next().is_none();
        Presence {
            seats: seats.collect(),
            watchers: self.followers.iter().filter(is_watcher).count() as u32,
        }
    }
}
