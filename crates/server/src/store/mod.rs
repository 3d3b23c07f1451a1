//! The database (event store): an append-only log of events, and the tables that find a game, a
//! person or a seat. One code base over SQLite and PostgreSQL; every statement here runs on both.
//!
//! Optimistic concurrency: the primary key of the log, (game, number), is the only lock. The node
//! that inserts number `n` first has decided it; every other node reads that event and decides again.
//! All writes go through one [`writer`], which commits many of them together.
//!
//! The store does not know the views: lists are made from plain columns (see [`read_model`]).

mod backup;
mod bans;
mod check;
mod connect;
mod erase;
mod file;
mod heartbeat;
mod lists;
mod lock;
mod migrations;
mod notices;
mod notify;
mod operate;
mod people;
mod read;
mod read_model;
mod restore;
mod rows;
mod transaction;
mod transfers;
mod writer;

pub use backup::CopyError;
pub(crate) use bans::BanList;
pub use bans::{Ban, Network, ParseNetworkError, Subject};
pub use check::CheckReport;
pub(crate) use connect::Kind;
pub use connect::Place;
pub(crate) use erase::{ERASED, ERASED_NAME};
pub(crate) use lists::ListedGame;
pub use lock::{Lock, LockError};
pub(crate) use notices::Notice;
pub(crate) use notify::Notification;
pub use operate::GameRow;
pub use people::PersonRow;
pub(crate) use people::{Change, Revoked, TOKEN_ID_LENGTH};
pub(crate) use read::Person;
pub(crate) use read_model::SeatRow;
pub(crate) use transfers::Transfer;
pub(crate) use writer::{Append, NewGame, Write};

use crate::metrics::StoreTimes;
use sqlx::AnyPool;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::mpsc::error::SendTimeoutError;
use tokio::sync::{broadcast, mpsc, oneshot};

/// A query that takes longer than this counts as failed.
pub(crate) const QUERY_TIMEOUT: Duration = Duration::from_secs(8);

/// Writes that may wait. When the queue is full, callers wait (backpressure) and then fail.
const WRITE_QUEUE_LEN: usize = 4_096;

/// Notifications of other nodes that may wait; when there are more, every game is read again.
const NOTIFICATION_BUFFER_LEN: usize = 4_096;

/// Why the database did not answer.
#[derive(Clone, Debug, thiserror::Error)]
pub enum StoreError {
    /// It cannot be reached, or it refuses.
    #[error("the database does not answer: {0}")]
    Unavailable(String),
    /// The stored data is invalid.
    #[error("the database holds invalid data: {0}")]
    Corrupt(String),
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> StoreError {
        use sqlx::Error::{ColumnDecode, Database, Decode};
        match &error {
            ColumnDecode { .. } | Decode(_) => StoreError::Corrupt(error.to_string()),
            Database(answer) => match known_problem(&answer.code().unwrap_or_default()) {
                Some((problem, true)) => StoreError::Corrupt(problem.to_owned()),
                Some((problem, false)) => StoreError::Unavailable(problem.to_owned()),
                None => StoreError::Unavailable(error.to_string()),
            },
            _ => StoreError::Unavailable(error.to_string()),
        }
    }
}

/// What an error code means to an operator, and whether it is about the data: a result code of SQLite
/// (a number, with details above the lowest byte) or a SQLSTATE of PostgreSQL (five characters).
fn known_problem(code: &str) -> Option<(&'static str, bool)> {
    match (code.len(), code.parse::<u32>().map(|code| code & 0xff)) {
        (..5, Ok(5 | 6)) => Some(("another program has locked the database", false)),
        (..5, Ok(8)) => Some(("the database is read-only for this server", false)),
        (..5, Ok(10)) => Some(("the disk reports an input/output error", false)),
        (..5, Ok(11)) => Some(("the database file is damaged", true)),
        (..5, Ok(13)) => Some(("the disk is full", false)),
        (..5, Ok(14)) => Some(("the database file cannot be opened", false)),
        (..5, Ok(26)) => Some(("the file is not a SQLite database", true)),
        _ if code == "53100" => Some(("the disk of the database server is full", false)),
        _ if code == "25006" => Some(("the database is read-only", false)),
        _ => None,
    }
}

/// The shared handle of a database.
#[derive(Clone)]
pub struct Store {
    pool: AnyPool,
    place: Arc<Place>,
    writes: mpsc::Sender<Queued>,
    notifications: broadcast::Sender<Notification>,
    is_closing: Arc<AtomicBool>,
    heart: Arc<heartbeat::Heart>,
    times: Arc<StoreTimes>,
}

/// A write and the channel for its answer.
struct Queued {
    write: Write,
    reply: oneshot::Sender<Result<bool, StoreError>>,
}

impl Store {
    /// Opens a database, migrates its tables, and starts the writer and the notifier.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub async fn open(place: Place, node: &str) -> Result<Store, StoreError> {
        let pool = connect::open(&place).await?;
        let file = file::FileIdentity::of(&place)?;
        migrations::run(&place).await?;
        read_model::rebuild(&pool).await?;
        let (writes, queue) = mpsc::channel(WRITE_QUEUE_LEN);
        let (notifications, _) = broadcast::channel(NOTIFICATION_BUFFER_LEN);
        let place = Arc::new(place);
        let is_closing = Arc::new(AtomicBool::new(false));
        let notifier = notify::start(&place, node, notifications.clone(), &is_closing);
        let times = Arc::new(StoreTimes::default());
        let heart: Arc<heartbeat::Heart> = Arc::default();
        let target = writer::Target {
            place: Arc::clone(&place),
            file,
            connection: None,
            heart: Arc::clone(&heart),
            times: Arc::clone(&times),
        };
        tokio::spawn(writer::run(target, queue, notifier));
        Ok(Store { pool, place, writes, notifications, is_closing, heart, times })
    }

    /// Which database it is.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.place.kind()
    }

    /// How long reads and writes took.
    #[must_use]
    pub(crate) fn times(&self) -> &StoreTimes {
        &self.times
    }

    /// Writes something. `false` means that it existed already: for an event, that another event has
    /// its number.
    ///
    /// # Errors
    /// If the database does not answer. Then it is unknown whether the write happened: read the log
    /// before going on.
    pub(crate) async fn write(&self, write: Write) -> Result<bool, StoreError> {
        let start = Instant::now();
        let (reply, answer) = oneshot::channel();
        let gone = || StoreError::Unavailable("the writer has stopped".to_owned());
        let sent = self.writes.send_timeout(Queued { write, reply }, QUERY_TIMEOUT).await;
        sent.map_err(|error| match error {
            SendTimeoutError::Timeout(_) => {
                StoreError::Unavailable("the write queue is full".to_owned())
            }
            SendTimeoutError::Closed(_) => gone(),
        })?;
        let answer = answer.await.map_err(|_| gone())?;
        self.times.write.add(start.elapsed());
        answer
    }

    /// Notifications of what other nodes have written.
    #[must_use]
    pub(crate) fn notifications(&self) -> broadcast::Receiver<Notification> {
        self.notifications.subscribe()
    }

    fn is_closing(&self) -> bool {
        self.is_closing.load(Ordering::Relaxed)
    }

    /// Finishes the queued writes and closes the database.
    pub async fn close(&self) {
        self.is_closing.store(true, Ordering::Relaxed);
        // The writer works in order: when it answers this, everything before it is written.
        let _ = self.write(Write::End).await;
        let _ = tokio::time::timeout(QUERY_TIMEOUT, self.pool.close()).await;
    }
}

#[cfg(test)]
mod tests {
    use super::known_problem;

    #[test]
    fn error_codes_of_both_databases_are_explained() {
        for (code, words) in [
            ("13", "full"),
            // SQLITE_IOERR_WRITE and SQLITE_IOERR_FSYNC.
            ("778", "input/output"),
            ("1034", "input/output"),
            ("1032", "read-only"),
            ("26", "not a SQLite database"),
            ("53100", "full"),
            ("25006", "read-only"),
        ] {
            let (problem, _) = known_problem(code).expect("a known code");
            assert!(problem.contains(words), "{code}: {problem}");
        }
        // A constraint, an unknown SQLSTATE that is a number, no code.
        for code in ["19", "08005", ""] {
            assert_eq!(known_problem(code), None, "{code}");
        }
    }
}
