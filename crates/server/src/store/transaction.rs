//! A transaction that writes. It takes its connection and gives it back after a successful commit;
//! otherwise the connection is closed.
//!
//! When a statement or a COMMIT fails for want of space or by an I/O error, SQLite may have rolled
//! back or not. sqlx counts the open transactions of a connection and cannot know that: its next BEGIN
//! may become a SAVEPOINT in a transaction that nobody commits, and a write may be acknowledged that
//! no other connection ever sees. So transactions are begun and committed by plain statements, and a
//! connection on which anything failed is never used again. Closing it rolls back on both databases.

use crate::store::StoreError;
use sqlx::{AnyConnection, Executor};
use std::ops::{Deref, DerefMut};

/// A transaction that is rolled back when it is dropped.
pub(super) struct WriteTransaction(AnyConnection);

impl WriteTransaction {
    pub(super) async fn begin(mut connection: AnyConnection) -> Result<Self, StoreError> {
        // IMMEDIATE waits for the lock here; a read that becomes a write cannot wait for it.
        let is_sqlite = connection.backend_name() == "SQLite";
        connection.execute(if is_sqlite { "BEGIN IMMEDIATE" } else { "BEGIN" }).await?;
        Ok(WriteTransaction(connection))
    }

    /// Commits, and returns the connection. After an error it is unknown whether the writes happened.
    pub(super) async fn commit(mut self) -> Result<AnyConnection, StoreError> {
        self.0.execute("COMMIT").await?;
        Ok(self.0)
    }
}

impl Deref for WriteTransaction {
    type Target = AnyConnection;

    fn deref(&self) -> &AnyConnection {
        &self.0
    }
}

impl DerefMut for WriteTransaction {
    fn deref_mut(&mut self) -> &mut AnyConnection {
        &mut self.0
    }
}
