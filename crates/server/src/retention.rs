//! Retention: deletes what is no longer needed, a little at a time, after times that the operator sets.

use crate::store::{Change, Store, StoreError, Transfer, Write};
use crate::time::Clock;
use std::time::Duration;
use tokio::sync::watch;

/// How often the database is searched.
const INTERVAL: Duration = Duration::from_secs(600);

/// The largest number of games, and of people, that are deleted at a time.
const BATCH: u32 = 200;

/// How long things are kept, in days; 0 means forever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retention {
    /// Games that ended with a result, after their last event.
    pub finished_days: u32,
    /// Games that were closed without a result, after their last event.
    pub unfinished_days: u32,
    /// People who are in no game, after they were last seen.
    pub people_days: u32,
    /// How often the database is searched; shorter in tests.
    pub interval: Duration,
}

impl Default for Retention {
    fn default() -> Retention {
        Retention { finished_days: 0, unfinished_days: 30, people_days: 365, interval: INTERVAL }
    }
}

/// Deletes what is too old until the server stops.
pub(crate) async fn run(
    store: Store,
    clock: Clock,
    retention: Retention,
    mut closing: watch::Receiver<bool>,
) {
    loop {
        tokio::select! {
            () = tokio::time::sleep(retention.interval) => {}
            _ = closing.changed() => return,
        }
        if let Err(error) = clean(&store, &retention, clock.now_ms()).await {
            tracing::warn!(%error, "cannot delete what is too old; trying again later");
        }
    }
}

async fn clean(store: &Store, retention: &Retention, now_ms: i64) -> Result<(), StoreError> {
    let before = |days: u32| (days > 0).then(|| now_ms - i64::from(days) * 24 * 3_600_000);
    let mut games = Vec::new();
    if let Some(before_ms) = before(retention.finished_days) {
        games.extend(store.old_games(true, before_ms, BATCH).await?);
    }
    if let Some(before_ms) = before(retention.unfinished_days) {
        games.extend(store.old_games(false, before_ms, BATCH).await?);
    }
    let n_games = games.len();
    for id in games {
        store.write(Write::People(Change::DeleteGame { id, now_ms })).await?;
    }
    let mut n_people = 0;
    if let Some(before_ms) = before(retention.people_days) {
        for id in store.idle_people(before_ms, BATCH).await? {
            n_people += 1;
            store.write(Write::People(Change::DeletePerson { id, now_ms })).await?;
        }
    }
    if n_games + n_people > 0 {
        tracing::info!(n_games, n_people, "deleted what is too old");
        store.scrub().await;
    }
    store.write(Write::People(Change::Transfer(Transfer::Forget { now_ms }))).await?;
    store.forget_old_outages(now_ms).await?;
    store.forget_old_notices(now_ms).await
}
