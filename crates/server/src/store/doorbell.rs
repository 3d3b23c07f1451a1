//! The doorbell: between nodes that share a PostgreSQL, news of a fact travels by NOTIFY, after
//! the commit and on a connection of its own (inside the transaction it would make every commit
//! wait for one lock). It carries the game and the number, never the fact: whoever hears it reads
//! the log. A lost ring costs time, because the log is read again now and then, and never a move.

use crate::store::Place;
use sqlx::postgres::{PgListener, PgPool, PgPoolOptions};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::{broadcast, mpsc};

const CHANNEL: &str = "azulejo";

/// A notification is shorter than 8,000 bytes.
const MAX_PAYLOAD: usize = 7_000;

/// Notifications that may wait; more are dropped, since the log is read again anyway.
const QUEUE: usize = 4_096;

/// News.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ring {
    /// A game has facts up to this number.
    Game(Arc<str>, u64),
    /// Some rings may have been lost: look at every game.
    All,
}

/// What a node rings with.
pub(super) struct Bell(Option<mpsc::Sender<String>>);

impl Bell {
    /// Tells the other nodes about facts.
    pub(super) fn ring(&self, news: impl Iterator<Item = (Arc<str>, u64)>) {
        let Some(sender) = &self.0 else { return };
        for (game, number) in news {
            let _ = sender.try_send(format!("{game} {number}"));
        }
    }
}

/// Starts ringing and listening, where there can be other nodes.
pub(super) fn start(
    place: &Arc<Place>,
    node: &str,
    rings: broadcast::Sender<Ring>,
    is_closing: &Arc<AtomicBool>,
) -> Bell {
    let Place::Postgres(url) = &**place else { return Bell(None) };
    let (sender, queue) = mpsc::channel(QUEUE);
    tokio::spawn(tell(url.clone(), node.to_owned(), queue));
    tokio::spawn(listen(url.clone(), node.to_owned(), rings, Arc::clone(is_closing)));
    Bell(Some(sender))
}

/// Sends what is queued, many facts in one notification.
async fn tell(url: String, node: String, mut queue: mpsc::Receiver<String>) {
    let options = PgPoolOptions::new().max_connections(1).acquire_timeout(Duration::from_secs(3));
    let Ok(pool) = options.connect_lazy(&url) else { return };
    let mut news = Vec::new();
    while queue.recv_many(&mut news, 200).await > 0 {
        let mut payload = node.clone();
        for (i, one) in news.iter().enumerate() {
            payload.push('\n');
            payload.push_str(one);
            if payload.len() > MAX_PAYLOAD || i + 1 == news.len() {
                notify(&pool, &payload).await;
                payload.clone_from(&node);
            }
        }
        news.clear();
    }
}

async fn notify(pool: &PgPool, payload: &str) {
    let query = sqlx::query("SELECT pg_notify($1, $2)").bind(CHANNEL).bind(payload);
    if let Err(error) = query.execute(pool).await {
        tracing::warn!(%error, "a notification was lost; other nodes will read the log later");
    }
}

/// Hears what the other nodes tell, and starts again when the connection breaks.
async fn listen(
    url: String,
    node: String,
    rings: broadcast::Sender<Ring>,
    is_closing: Arc<AtomicBool>,
) {
    while !is_closing.load(Ordering::Relaxed) {
        let error = match listen_once(&url, &node, &rings).await {
            Ok(never) => match never {},
            Err(error) => error,
        };
        if !is_closing.load(Ordering::Relaxed) {
            tracing::warn!(%error, "no news from other nodes; trying again");
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    }
}

async fn listen_once(
    url: &str,
    node: &str,
    rings: &broadcast::Sender<Ring>,
) -> Result<std::convert::Infallible, sqlx::Error> {
    let mut listener = PgListener::connect(url).await?;
    listener.listen(CHANNEL).await?;
    let _ = rings.send(Ring::All);
    loop {
        let Some(notification) = listener.try_recv().await? else {
            // It has connected again by itself; what was said in between is lost.
            let _ = rings.send(Ring::All);
            continue;
        };
        for ring in read(notification.payload(), node) {
            let _ = rings.send(ring);
        }
    }
}

/// The news of a notification, unless this node sent it.
fn read<'a>(payload: &'a str, node: &str) -> impl Iterator<Item = Ring> + 'a {
    let (from, news) = payload.split_once('\n').unwrap_or((payload, ""));
    let news = if from == node { "" } else { news };
    news.lines().filter_map(|line| {
        let (game, number) = line.split_once(' ')?;
        Some(Ring::Game(game.into(), number.parse().ok()?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn news_of_others_are_heard() {
        let heard = |payload: &str| read(payload, "me").collect::<Vec<_>>();
        let game = |id: &str, number| Ring::Game(id.into(), number);
        assert_eq!(heard("you\nabc 5\ndef 6"), [game("abc", 5), game("def", 6)]);
        assert_eq!(heard("me\nabc 5"), []);
        assert_eq!(heard("you"), []);
        assert_eq!(heard("you\nnonsense\nabc x\nabc 7"), [game("abc", 7)]);
    }
}
