//! Notices: what every node has to hear of although it is not an event of a game. A name, a token or a ban
//! has changed, or a game was changed or deleted by an operator.
//!
//! A notice is a row that is written in the same transaction as the change. Nodes query new rows every
//! second, which works on both databases and also for programs that run beside a server, such as
//! `azulejo admin` on a SQLite file. Notices have no content: the receiver reads what has changed.

use crate::store::{Store, StoreError};
use sqlx::any::AnyQueryResult;
use sqlx::{AnyConnection, Row};

/// The number of old notices that are kept.
const KEPT: i64 = 10_000;

/// Every node has read a notice after this time, even if the database was away for a while: what nodes
/// have cached has expired by then.
const READ_MS: i64 = 3_600_000;

/// Something that has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Notice {
    /// The name or the tokens of a person.
    Person(String),
    /// Settings, names or the existence of a game.
    Game(String),
    /// The list of bans.
    Bans,
}

impl Store {
    /// The notices after a number, each with its number, at most 1,000.
    pub(crate) async fn notices(&self, after: i64) -> Result<Vec<(i64, Notice)>, StoreError> {
        let query = sqlx::query(
            "SELECT number, what, subject FROM notices WHERE number > $1 ORDER BY number LIMIT 1000",
        );
        let rows = self.in_time(query.bind(after).fetch_all(&self.pool)).await?;
        let mut notices = Vec::with_capacity(rows.len());
        for row in &rows {
            let (what, subject): (String, String) = (row.try_get("what")?, row.try_get("subject")?);
            let notice = match what.as_str() {
                "person" => Notice::Person(subject),
                "game" => Notice::Game(subject),
                _ => Notice::Bans,
            };
            notices.push((row.try_get("number")?, notice));
        }
        Ok(notices)
    }

    /// The number of the last notice; 0 if there is none.
    pub(crate) async fn last_notice(&self) -> Result<i64, StoreError> {
        let query = sqlx::query("SELECT COALESCE(MAX(number), 0) AS number FROM notices");
        Ok(self.in_time(query.fetch_one(&self.pool)).await?.try_get("number")?)
    }

    /// Removes the subjects of notices that every node has read, and deletes old notices. The last ones
    /// stay, so that numbers never start again.
    pub(crate) async fn forget_old_notices(&self, now_ms: i64) -> Result<(), StoreError> {
        let read =
            sqlx::query("UPDATE notices SET subject = '' WHERE at_ms < $1 AND subject <> ''");
        self.in_time(read.bind(now_ms - READ_MS).execute(&self.pool)).await?;
        let last = self.last_notice().await?;
        let old = sqlx::query("DELETE FROM notices WHERE number <= $1").bind(last - KEPT);
        self.in_time(old.execute(&self.pool)).await?;
        Ok(())
    }
}

/// Removes a subject from the notices. The rows stay, so that numbers never start again.
pub(super) async fn forget(
    connection: &mut AnyConnection,
    subject: &str,
) -> Result<AnyQueryResult, sqlx::Error> {
    sqlx::query("UPDATE notices SET subject = '' WHERE subject = $1")
        .bind(subject)
        .execute(connection)
        .await
}

/// Adds a notice to a transaction.
pub(super) async fn add(
    connection: &mut AnyConnection,
    what: &'static str,
    subject: &str,
    now_ms: i64,
) -> Result<(), sqlx::Error> {
    // Until the commit nobody else adds a notice: otherwise a lower number could become visible after
    // a higher one, and a node would miss it. SQLite has one writer at a time anyway.
    if connection.backend_name() == "PostgreSQL" {
        sqlx::query("LOCK TABLE notices IN EXCLUSIVE MODE").execute(&mut *connection).await?;
    }
    sqlx::query(
        "INSERT INTO notices (number, what, subject, at_ms) \
         SELECT COALESCE(MAX(number), 0) + 1, $1, $2, $3 FROM notices",
    )
    .bind(what)
    .bind(subject)
    .bind(now_ms)
    .execute(connection)
    .await?;
    Ok(())
}
