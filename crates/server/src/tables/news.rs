//! News about the games of people: a game began, or ended. Streams wait for it instead of polling.
//!
//! The list of a person's games is read once for all streams of that person: when a stream starts, when
//! a game task or another node notifies, and every 45 s, since a notification may be lost.

use azulejo_table::view::SummaryView;
use azulejo_table::{Game, SeatState};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{Notify, watch};

/// How often the list is read without news.
const REREAD_INTERVAL: Duration = Duration::from_secs(45);

/// The pause before the list is read again if the database did not answer.
const RETRY_INTERVAL: Duration = Duration::from_secs(1);

/// The games of a person, the latest first; empty until they have been read.
pub(crate) type Games = Arc<[SummaryView]>;

/// The people whose games are followed on this node.
#[derive(Clone, Default)]
pub(crate) struct News(Arc<Mutex<HashMap<Arc<str>, Arc<Followed>>>>);

/// A person whose games are followed.
struct Followed {
    changed: Notify,
    games: watch::Sender<Games>,
}

impl News {
    /// Notifies the players of a game if it began or ended with the last event.
    pub(super) fn notify(&self, last: &Game, next: &Game) {
        if last.status() != next.status() {
            self.notify_players(next);
        }
    }

    /// Notifies the players of a game.
    pub(super) fn notify_players(&self, game: &Game) {
        let people = self.people();
        if people.is_empty() {
            return;
        }
        for person in game.seats.iter().filter_map(SeatState::person) {
            if let Some(followed) = people.get(person) {
                followed.changed.notify_one();
            }
        }
    }

    /// Notifies a person.
    pub(super) fn notify_person(&self, person: &str) {
        if let Some(followed) = self.people().get(person) {
            followed.changed.notify_one();
        }
    }

    /// Notifies everybody: notifications of other nodes may have been lost.
    pub(super) fn notify_all(&self) {
        for followed in self.people().values() {
            followed.changed.notify_one();
        }
    }

    /// Follows the games of a person, which `read` reads; `None` if it cannot at the moment.
    pub(crate) fn follow<R>(
        &self,
        person: &Arc<str>,
        read: impl Fn() -> R + Send + 'static,
    ) -> watch::Receiver<Games>
    where
        R: Future<Output = Option<Vec<SummaryView>>> + Send + 'static,
    {
        let mut people = self.people();
        if let Some(followed) = people.get(person) {
            followed.changed.notify_one();
            return followed.games.subscribe();
        }
        let (games, receiver) = watch::channel(Games::default());
        let followed = Arc::new(Followed { changed: Notify::new(), games });
        people.insert(Arc::clone(person), Arc::clone(&followed));
        tokio::spawn(self.clone().run(Arc::clone(person), followed, read));
        receiver
    }

    /// Reads the list whenever there is news, until nobody follows it.
    async fn run<R>(self, person: Arc<str>, followed: Arc<Followed>, read: impl Fn() -> R + Send)
    where
        R: Future<Output = Option<Vec<SummaryView>>> + Send + 'static,
    {
        loop {
            let pause = match read().await {
                Some(games) => {
                    followed.games.send_replace(games.into());
                    REREAD_INTERVAL
                }
                None => RETRY_INTERVAL,
            };
            tokio::select! {
                () = followed.changed.notified() => {}
                () = tokio::time::sleep(pause) => {}
                () = followed.games.closed() => {}
            }
            // Under the lock, so that no stream can start to follow meanwhile.
            let mut people = self.people();
            if followed.games.receiver_count() == 0 {
                people.remove(&person);
                return;
            }
        }
    }

    fn people(&self) -> MutexGuard<'_, HashMap<Arc<str>, Arc<Followed>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

    #[tokio::test]
    async fn a_hundred_streams_of_a_person_share_every_read() {
        let (news, n_reads) = (News::default(), Arc::new(AtomicUsize::new(0)));
        let person: Arc<str> = "p1".into();
        let follow = || {
            let n_reads = Arc::clone(&n_reads);
            news.follow(&person, move || {
                n_reads.fetch_add(1, SeqCst);
                async { Some(Vec::new()) }
            })
        };
        let mut streams: Vec<_> = (0..100).map(|_| follow()).collect();
        for stream in &mut streams {
            stream.changed().await.unwrap();
        }
        // The streams that joined later caused one more read together.
        tokio::time::sleep(Duration::from_millis(20)).await;
        assert!(n_reads.load(SeqCst) <= 2, "{n_reads:?}");
        let before = n_reads.load(SeqCst);
        streams.iter_mut().for_each(watch::Receiver::mark_unchanged);
        news.notify_person("p2");
        news.notify_person("p1");
        for stream in &mut streams {
            stream.changed().await.unwrap();
        }
        assert_eq!(n_reads.load(SeqCst), before + 1);
        drop(streams);
        while !news.people().is_empty() {
            tokio::task::yield_now().await;
        }
    }
}
