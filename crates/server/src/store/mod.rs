//! The database: an append-only log of facts, and what is needed to find a game, a person or a
//! seat. One code base over SQLite and PostgreSQL; every statement here runs on both.
//!
//! The primary key of the log, game and number, is the only lock there is. Whoever adds number
//! `n` first has decided it; anybody else reads it and thinks again. All writes go through one
//! [`writer`], which commits many of them together.

mod connect;
mod copy;
mod doorbell;
mod migrations;
mod read;
mod writer;

pub(crate) use connect::Kind;
pub use connect::Place;
pub use copy::{CheckReport, CopyError};
pub(crate) use doorbell::Ring;
pub(crate) use read::Person;
pub(crate) use writer::{Append, NewGame, Write};

use sqlx::AnyPool;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::{broadcast, mpsc, oneshot};

/// An answer that takes longer than this is none.
pub(crate) const PATIENCE: Duration = Duration::from_secs(8);

/// Writes that may wait; when there are more, the server is too slow for what it is asked.
const QUEUE: usize = 4_096;

/// Why the database did not answer.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// It is not there, or refuses.
    #[error("the database does not answer: {0}")]
    Unavailable(String),
    /// What is stored makes no sense.
    #[error("the database holds something strange: {0}")]
    Strange(String),
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> StoreError {
        match error {
            sqlx::Error::ColumnDecode { .. } | sqlx::Error::Decode(_) => {
                StoreError::Strange(error.to_string())
            }
            _ => StoreError::Unavailable(error.to_string()),
        }
    }
}

/// A connection to the database that everybody shares.
#[derive(Clone)]
pub struct Store {
    pool: AnyPool,
    place: Arc<Place>,
    writes: mpsc::Sender<Queued>,
    rings: broadcast::Sender<Ring>,
    is_closing: Arc<AtomicBool>,
}

/// A write and where its answer goes.
struct Queued {
    write: Write,
    reply: oneshot::Sender<Result<bool, StoreError>>,
}

impl Store {
    /// Opens a database, makes or updates its tables, and starts the writer and the doorbell.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub async fn open(place: Place, node: &str) -> Result<Store, StoreError> {
        let pool = connect::open(&place).await?;
        migrations::run(&pool).await?;
        let (writes, queue) = mpsc::channel(QUEUE);
        let (rings, _) = broadcast::channel(QUEUE);
        let place = Arc::new(place);
        let is_closing = Arc::new(AtomicBool::new(false));
        let bell = doorbell::start(&place, node, rings.clone(), &is_closing);
        tokio::spawn(writer::run(pool.clone(), queue, bell));
        Ok(Store { pool, place, writes, rings, is_closing })
    }

    /// Which database it is.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.place.kind()
    }

    /// Writes something. `false` means that it was there already: for a fact, that another one
    /// has its number.
    ///
    /// # Errors
    /// If the database does not answer. Then nobody knows whether it was written: read the log
    /// before going on.
    pub async fn write(&self, write: Write) -> Result<bool, StoreError> {
        let (reply, answer) = oneshot::channel();
        let gone = || StoreError::Unavailable("the writer has stopped".to_owned());
        let sent = self.writes.send_timeout(Queued { write, reply }, PATIENCE).await;
        sent.map_err(|_| StoreError::Unavailable("too much to write".to_owned()))?;
        answer.await.map_err(|_| gone())?
    }

    /// News of what other nodes have written.
    #[must_use]
    pub fn rings(&self) -> broadcast::Receiver<Ring> {
        self.rings.subscribe()
    }

    /// Finishes what is being written and closes the database.
    pub async fn close(&self) {
        self.is_closing.store(true, Ordering::Relaxed);
        // What is queued is written: the writer answers in order.
        let _ = self.write(Write::Nothing).await;
        let _ = tokio::time::timeout(PATIENCE, self.pool.close()).await;
    }
}
