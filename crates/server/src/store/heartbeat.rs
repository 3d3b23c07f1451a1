//! The heartbeat: a row that says when a node could last write. It answers two questions.
//!
//! Can the database be written? Reading proves nothing: a full disk, a lost permission and a file that
//! was removed or replaced all answer reads. With SQLite each beat is written by a new connection and
//! read by an old one, so that both have to see the same file.
//!
//! When was nobody there? A beat that finds the one before too old records an outage. Players are not
//! charged for outages.

use crate::store::{Kind, Store, StoreError, Write};
use crate::time::Clock;
use sqlx::{AnyConnection, Row};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The time between two beats.
const INTERVAL: Duration = Duration::from_secs(5);

/// The time until the next beat after one that failed.
const RETRY_INTERVAL: Duration = Duration::from_secs(1);

/// An answer about the database may be this old.
const MAX_AGE: Duration = Duration::from_millis(500);

/// A refused write says nothing about now after this time.
const REFUSAL_AGE: Duration = Duration::from_secs(10);

/// A shorter time without a beat is no outage: a beat may be late on a busy machine, and a restart
/// that takes a few seconds costs nobody a game.
const MIN_OUTAGE: Duration = Duration::from_secs(15);

/// An outage is kept for a day in any case, to be looked at.
const KEPT_MS: i64 = 24 * 3_600_000;

/// What is known about the heartbeat of the database.
#[derive(Debug, Default)]
pub(super) struct Heart {
    /// One beat at a time.
    turn: tokio::sync::Mutex<()>,
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    last_beat: Option<Instant>,
    /// When the last beat was tried, and why it failed.
    last_try: Option<(Instant, Option<StoreError>)>,
    /// When a write was last refused and none has succeeded since, and why.
    refused: Option<(Instant, StoreError)>,
    /// Begin and end of each outage, in their order.
    outages: Vec<(i64, i64)>,
}

impl Heart {
    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes the result of a write that is no beat.
    pub(super) fn note_write(&self, problem: Option<&StoreError>) {
        self.known().refused = problem.map(|problem| (Instant::now(), problem.clone()));
    }
}

impl Store {
    /// Whether the database can be written, found out by writing.
    ///
    /// # Errors
    /// If it cannot.
    pub(crate) async fn check_writable(&self, clock: Clock) -> Result<(), StoreError> {
        let _turn = self.heart.turn.lock().await;
        if let Some((at, problem)) = &self.heart.known().last_try
            && at.elapsed() < MAX_AGE
        {
            return problem.clone().map_or(Ok(()), Err);
        }
        let beat = self.beat(clock.now_ms()).await;
        let mut known = self.heart.known();
        let now = Instant::now();
        match beat {
            Ok(outages) => {
                known.last_beat = Some(now);
                known.outages = outages;
                // The problem was one that beats have, too, and it is over.
                if matches!(known.last_try, Some((_, Some(_)))) {
                    known.refused = None;
                }
                known.last_try = Some((now, None));
                Ok(())
            }
            Err(error) => {
                known.last_try = Some((now, Some(error.clone())));
                Err(error)
            }
        }
    }

    /// Whether this node is ready: a beat succeeds, and other writes do. A beat needs no room in a
    /// PostgreSQL whose disk is full.
    ///
    /// # Errors
    /// If it is not ready, and why.
    pub(crate) async fn check_ready(&self, clock: Clock) -> Result<(), StoreError> {
        self.check_writable(clock).await?;
        match &self.heart.known().refused {
            Some((at, problem)) if at.elapsed() < REFUSAL_AGE => Err(problem.clone()),
            _ => Ok(()),
        }
    }

    /// Writes a beat and reads the outages.
    async fn beat(&self, now_ms: i64) -> Result<Vec<(i64, i64)>, StoreError> {
        self.write(Write::Beat { now_ms }).await?;
        let found_ms = self.last_beat_ms().await?;
        // One server writes to a file. Other nodes may have written to PostgreSQL.
        if self.kind() == Kind::Sqlite && found_ms != now_ms {
            let problem =
                "what is written to the database file does not arrive; restart the server";
            return Err(StoreError::Unavailable(problem.to_owned()));
        }
        self.outages().await
    }

    /// Whether the last beat is recent enough to say that there has been no outage since. If not,
    /// nobody loses on time.
    #[must_use]
    pub(crate) fn is_beating(&self) -> bool {
        self.heart.known().last_beat.is_some_and(|at| at.elapsed() < MIN_OUTAGE)
    }

    /// How long no node could write since a time.
    #[must_use]
    pub(crate) fn outage_ms(&self, since_ms: i64) -> i64 {
        overlap_ms(&self.heart.known().outages, since_ms)
    }

    /// Deletes the outages that no game can ask for anymore: every game that is not over has had an
    /// event since.
    pub(crate) async fn forget_old_outages(&self, now_ms: i64) -> Result<(), StoreError> {
        let query = sqlx::query(
            "DELETE FROM outages WHERE to_ms < $1 AND NOT EXISTS \
             (SELECT 1 FROM games WHERE status <> 'over' AND updated_ms < outages.to_ms)",
        );
        self.in_time(query.bind(now_ms - KEPT_MS).execute(&self.pool)).await?;
        Ok(())
    }

    /// Beats until the store is closed, and reports when the database fails and recovers.
    pub(crate) async fn keep_beating(self, clock: Clock) {
        let mut was_fine = true;
        while !self.is_closing() {
            let beat = self.check_writable(clock).await;
            match &beat {
                _ if self.is_closing() => return,
                Err(error) if was_fine => tracing::error!(%error, "the database cannot be written"),
                Ok(()) if !was_fine => tracing::warn!("the database can be written again"),
                _ => {}
            }
            was_fine = beat.is_ok();
            tokio::time::sleep(if was_fine { INTERVAL } else { RETRY_INTERVAL }).await;
        }
    }
}

/// How much of the outages is after a time.
fn overlap_ms(outages: &[(i64, i64)], since_ms: i64) -> i64 {
    let recent = outages.iter().rev().take_while(|(_, to_ms)| *to_ms > since_ms);
    recent.map(|(from_ms, to_ms)| to_ms - (*from_ms).max(since_ms)).sum()
}

/// Writes a beat, and an outage if the beat before is too old.
pub(super) async fn execute(connection: &mut AnyConnection, now_ms: i64) -> Result<(), StoreError> {
    // A restored database has no beat: nobody was there after its last event.
    let row = sqlx::query(
        "SELECT COALESCE((SELECT at_ms FROM heartbeat WHERE id = 1), \
         (SELECT MAX(updated_ms) FROM games), $1) AS n",
    )
    .bind(now_ms)
    .fetch_one(&mut *connection)
    .await?;
    let last_ms: i64 = row.try_get("n")?;
    let passed_ms = now_ms.saturating_sub(last_ms);
    if passed_ms >= MIN_OUTAGE.as_millis() as i64 {
        tracing::warn!(
            ms = passed_ms,
            "no server could write; players are not charged for the time"
        );
        // Another node may have recorded it.
        sqlx::query("INSERT INTO outages (from_ms, to_ms) VALUES ($1, $2) ON CONFLICT DO NOTHING")
            .bind(last_ms)
            .bind(now_ms)
            .execute(&mut *connection)
            .await?;
    }
    sqlx::query(
        "INSERT INTO heartbeat (id, at_ms) VALUES (1, $1) \
         ON CONFLICT (id) DO UPDATE SET at_ms = excluded.at_ms",
    )
    .bind(now_ms)
    .execute(connection)
    .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outages_count_from_the_last_event_on() {
        let outages = [(100, 200), (300, 400), (500, 900)];
        for (since_ms, expected) in
            [(0, 600), (100, 600), (150, 550), (250, 500), (400, 400), (700, 200), (900, 0)]
        {
            assert_eq!(overlap_ms(&outages, since_ms), expected, "since {since_ms}");
        }
        assert_eq!(overlap_ms(&[], 0), 0);
    }
}
