//! The lock of a database between programs. A server holds it while it runs: on a SQLite file alone,
//! because two servers on one file would not hear of each other's moves; on PostgreSQL together with
//! other servers. A restore holds it alone on both, so that it never works beside a server.

use crate::store::connect::postgres_options;
use crate::store::{Place, StoreError};
use sqlx::postgres::PgConnection;
use sqlx::{Connection, Row};
use std::fs::File;
use std::time::Duration;
use tokio::task::JoinHandle;

/// The key of the advisory lock on PostgreSQL: "azulejo" in ASCII.
const KEY: i64 = 0x61_7a75_6c65_6a6f;

/// How often a server looks whether its connection with the lock is still there.
const KEEP_INTERVAL: Duration = Duration::from_secs(5);

/// Why a database could not be locked.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another program holds the lock.
    #[error("{0} is used by a running server, or a restore is under way")]
    InUse(String),
    /// The lock could not be asked for.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A lock, released when it is dropped.
pub struct Lock(Held);

enum Held {
    File(File),
    /// The task that keeps the connection with the lock.
    Postgres(JoinHandle<()>),
}

impl Lock {
    /// Locks a database for a server.
    ///
    /// # Errors
    /// If another program uses the file, or a restore is under way.
    pub(crate) async fn for_server(place: &Place) -> Result<Lock, LockError> {
        let Place::Postgres(url) = place else { return Lock::alone(place).await };
        let mut connection = connect(url, true).await?.ok_or_else(|| in_use(place))?;
        let url = url.clone();
        Ok(Lock(Held::Postgres(tokio::spawn(async move {
            loop {
                tokio::time::sleep(KEEP_INTERVAL).await;
                if connection.ping().await.is_err()
                    && let Ok(Some(again)) = connect(&url, true).await
                {
                    connection = again;
                }
            }
        }))))
    }

    /// Locks a database against all servers.
    ///
    /// # Errors
    /// If a server runs.
    pub async fn alone(place: &Place) -> Result<Lock, LockError> {
        match place {
            Place::Postgres(url) => {
                let connection = connect(url, false).await?.ok_or_else(|| in_use(place))?;
                // The task owns the connection until it is aborted.
                Ok(Lock(Held::Postgres(tokio::spawn(async move {
                    let _connection = connection;
                    std::future::pending::<()>().await;
                }))))
            }
            Place::File(path) => {
                let mut name = path.clone().into_os_string();
                name.push(".lock");
                let failed = |error: &std::io::Error| StoreError::Unavailable(error.to_string());
                let file = File::options().create(true).truncate(false).write(true).open(&name);
                let file = file.map_err(|error| failed(&error))?;
                match file.try_lock() {
                    Ok(()) => Ok(Lock(Held::File(file))),
                    Err(std::fs::TryLockError::WouldBlock) => Err(in_use(place)),
                    Err(std::fs::TryLockError::Error(error)) => Err(failed(&error).into()),
                }
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        match &self.0 {
            // Unlocked explicitly, because a child process that is being started may hold the file too.
            Held::File(file) => drop(file.unlock()),
            Held::Postgres(task) => task.abort(),
        }
    }
}

fn in_use(place: &Place) -> LockError {
    LockError::InUse(place.describe())
}

/// A connection that holds the lock, shared or alone; `None` if others hold it.
async fn connect(url: &str, is_shared: bool) -> Result<Option<PgConnection>, StoreError> {
    let mut connection = PgConnection::connect_with(&postgres_options(url)?).await?;
    let query = if is_shared {
        "SELECT pg_try_advisory_lock_shared($1) AS is_mine"
    } else {
        "SELECT pg_try_advisory_lock($1) AS is_mine"
    };
    let row = sqlx::query(query).bind(KEY).fetch_one(&mut connection).await?;
    Ok(row.try_get::<bool, _>("is_mine")?.then_some(connection))
}
