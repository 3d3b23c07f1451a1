//! Notifications between the nodes that share a PostgreSQL database (LISTEN/NOTIFY).
//!
//! A node notifies after the commit and on a connection of its own: NOTIFY inside the write
//! transaction would make every commit wait for one lock. A notification carries the game and the
//! number of its last event, never the event; the receiver reads the log. Every node also reads
//! changed games again every few seconds, so a lost notification costs time and never a move.

use crate::store::Place;
use sqlx::postgres::{PgListener, PgPool, PgPoolOptions};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::{broadcast, mpsc};

const CHANNEL: &str = "azulejo";

/// PostgreSQL limits a payload to 8,000 bytes.
const MAX_PAYLOAD: usize = 7_000;

/// Notifications that may wait to be sent; more are dropped.
const SEND_QUEUE_LEN: usize = 4_096;

/// What other nodes have written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Notification {
    /// A game has events up to this number.
    Game(Arc<str>, u64),
    /// A game of this person has begun or ended.
    Person(Arc<str>),
    /// Some notifications may have been lost: read every game again.
    All,
}

/// Sends the notifications of this node.
pub(super) struct Notifier(Option<mpsc::Sender<String>>);

impl Notifier {
    /// Queues the notifications of an event: one of the game, and those of the people who hear that
    /// it began or ended.
    pub(super) fn notify<'a>(
        &self,
        game: &str,
        number: u64,
        people: impl Iterator<Item = &'a str>,
    ) {
        let Some(sender) = &self.0 else { return };
        let _ = sender.try_send(format!("{game} {number}"));
        for person in people {
            let _ = sender.try_send(format!("person {person}"));
        }
    }
}

/// Starts notifying and listening, if there can be other nodes.
pub(super) fn start(
    place: &Arc<Place>,
    node: &str,
    heard: broadcast::Sender<Notification>,
    is_closing: &Arc<AtomicBool>,
) -> Notifier {
    let Place::Postgres(url) = &**place else { return Notifier(None) };
    let (sender, queue) = mpsc::channel(SEND_QUEUE_LEN);
    tokio::spawn(send(url.clone(), node.to_owned(), queue));
    tokio::spawn(listen(url.clone(), node.to_owned(), heard, Arc::clone(is_closing)));
    Notifier(Some(sender))
}

/// Sends queued notifications, many in one payload.
async fn send(url: String, node: String, mut queue: mpsc::Receiver<String>) {
    let options = PgPoolOptions::new().max_connections(1).acquire_timeout(Duration::from_secs(3));
    let Ok(pool) = options.connect_lazy(&url) else { return };
    let mut queued = Vec::new();
    while queue.recv_many(&mut queued, 200).await > 0 {
        let mut payload = node.clone();
        for (i, one) in queued.iter().enumerate() {
            payload.push('\n');
            payload.push_str(one);
            if payload.len() > MAX_PAYLOAD || i + 1 == queued.len() {
                notify(&pool, &payload).await;
                payload.clone_from(&node);
            }
        }
        queued.clear();
    }
}

async fn notify(pool: &PgPool, payload: &str) {
    let query = sqlx::query("SELECT pg_notify($1, $2)").bind(CHANNEL).bind(payload);
    if let Err(error) = query.execute(pool).await {
        tracing::warn!(%error, "a notification was lost; other nodes will read the log later");
    }
}

/// Listens to the other nodes, and reconnects when the connection breaks.
async fn listen(
    url: String,
    node: String,
    heard: broadcast::Sender<Notification>,
    is_closing: Arc<AtomicBool>,
) {
    while !is_closing.load(Ordering::Relaxed) {
        let error = match listen_once(&url, &node, &heard).await {
            Ok(never) => match never {},
            Err(error) => error,
        };
        if !is_closing.load(Ordering::Relaxed) {
            tracing::warn!(%error, "lost the connection for notifications; reconnecting");
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    }
}

async fn listen_once(
    url: &str,
    node: &str,
    heard: &broadcast::Sender<Notification>,
) -> Result<std::convert::Infallible, sqlx::Error> {
    let mut listener = PgListener::connect(url).await?;
    listener.listen(CHANNEL).await?;
    let _ = heard.send(Notification::All);
    loop {
        let Some(notification) = listener.try_recv().await? else {
            // The listener has reconnected; notifications in between are lost.
            let _ = heard.send(Notification::All);
            continue;
        };
        for one in read(notification.payload(), node) {
            let _ = heard.send(one);
        }
    }
}

/// The notifications of a payload, unless this node sent it.
fn read<'a>(payload: &'a str, node: &str) -> impl Iterator<Item = Notification> + 'a {
    let (from, events) = payload.split_once('\n').unwrap_or((payload, ""));
    let events = if from == node { "" } else { events };
    events.lines().filter_map(|line| match line.split_once(' ')? {
        ("person", person) => Some(Notification::Person(person.into())),
        (game, number) => Some(Notification::Game(game.into(), number.parse().ok()?)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn payloads_of_other_nodes_are_read() {
        let heard = |payload: &str| read(payload, "me").collect::<Vec<_>>();
        let game = |id: &str, number| Notification::Game(id.into(), number);
        assert_eq!(heard("you\nabc 5\ndef 6"), [game("abc", 5), game("def", 6)]);
        assert_eq!(heard("me\nabc 5"), []);
        assert_eq!(heard("you"), []);
        assert_eq!(
            heard("you\nperson p1\nabc 5"),
            [Notification::Person("p1".into()), game("abc", 5)]
        );
        assert_eq!(heard("you\nnonsense\nabc x\nabc 7"), [game("abc", 7)]);
    }
}
