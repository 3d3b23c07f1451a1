//! Backup. It is text, one JSON object per line, and the same for both databases: a backup and a restore
//! move a server from SQLite to PostgreSQL. All lines are from one moment, while servers go on.
//!
//! A backup holds the hashes of tokens and the seeds of unfinished games, so it is as secret as the
//! database.

use crate::store::rows::{Keyed, Rows};
use crate::store::{Kind, Store, StoreError, read};
use azulejo_table::{Event, Settings};
use serde::{Deserialize, Serialize};
use sqlx::any::AnyRow;
use sqlx::{Any, AnyConnection, Row, Transaction};
use std::io::Write;

/// The version of the backup format. Version 1 had one token in the line of a person.
pub(super) const VERSION: u32 = 2;

/// Why a backup or a restore did not work.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The file cannot be read or written.
    #[error("{0}")]
    File(#[from] std::io::Error),
    /// A line does not belong in a backup.
    #[error("line {line} of the backup: {problem}")]
    Line {
        /// Its number.
        line: usize,
        /// What is wrong.
        problem: String,
    },
    /// The database already holds games or people.
    #[error("the database is not empty; restore a backup into an empty one")]
    NotEmpty,
    /// The last line is missing.
    #[error("the backup is incomplete: its last line is missing")]
    BrokenOff,
    /// The restored data contradicts itself.
    #[error("the backup contradicts itself; nothing was restored: {}", .0.join("; "))]
    Faults(Vec<String>),
}

impl From<sqlx::Error> for CopyError {
    fn from(error: sqlx::Error) -> CopyError {
        CopyError::Store(error.into())
    }
}

/// A line of a backup.
#[derive(Serialize, Deserialize)]
#[serde(tag = "row", rename_all = "snake_case")]
pub(super) enum Line {
    Backup {
        azulejo: u32,
    },
    Person {
        id: String,
        name: String,
        created_ms: i64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seen_ms: Option<i64>,
        /// In version 1.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        token_hash: Option<String>,
    },
    Token {
        hash: String,
        person: String,
        created_ms: i64,
    },
    Ban {
        kind: String,
        subject: String,
        reason: String,
        created_ms: i64,
        until_ms: Option<i64>,
    },
    Game {
        id: String,
        settings: Settings,
        seed: String,
    },
    Event {
        game: String,
        number: u64,
        at_ms: i64,
        // Earlier backups call it `fact`.
        #[serde(alias = "fact")]
        event: Event,
    },
    Invitation {
        game: String,
        seat: i64,
        hash: String,
    },
    /// The number of lines before this one.
    End {
        lines: u64,
    },
}

impl Store {
    /// A transaction whose reads all see the database of one moment.
    pub(super) async fn snapshot(&self) -> Result<Transaction<'static, Any>, StoreError> {
        let mut transaction = self.pool.begin().await?;
        // A reader of SQLite in write-ahead mode sees one moment anyway.
        if self.kind() == Kind::Postgres {
            sqlx::query("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
                .execute(&mut *transaction)
                .await?;
        }
        Ok(transaction)
    }

    /// Writes everything as it is at one moment, while servers may go on.
    ///
    /// # Errors
    /// If the database does not answer, or the file cannot be written.
    pub async fn backup(&self, out: &mut impl Write) -> Result<u64, CopyError> {
        let mut snapshot = self.snapshot().await?;
        let mut lines = Lines { out, n_lines: 0 };
        lines.put(&Line::Backup { azulejo: VERSION })?;
        people(&mut snapshot, &mut lines).await?;
        bans(&mut snapshot, &mut lines).await?;
        games(&mut snapshot, &mut lines).await?;
        lines.put(&Line::End { lines: lines.n_lines })?;
        lines.out.flush()?;
        Ok(lines.n_lines)
    }
}

struct Lines<'a, W> {
    out: &'a mut W,
    n_lines: u64,
}

impl<W: Write> Lines<'_, W> {
    fn put(&mut self, line: &Line) -> Result<(), CopyError> {
        let text = serde_json::to_string(line).map_err(|e| StoreError::Corrupt(e.to_string()))?;
        writeln!(self.out, "{text}")?;
        self.n_lines += 1;
        Ok(())
    }
}

async fn people(
    connection: &mut AnyConnection,
    lines: &mut Lines<'_, impl Write>,
) -> Result<(), CopyError> {
    let mut rows = Rows::of(Keyed::People);
    while let Some(row) = rows.next(connection).await? {
        lines.put(&Line::Person {
            id: row.try_get("id")?,
            name: row.try_get("name")?,
            created_ms: row.try_get("created_ms")?,
            seen_ms: Some(row.try_get("seen_ms")?),
            token_hash: None,
        })?;
    }
    let mut rows = Rows::of(Keyed::Tokens);
    while let Some(row) = rows.next(connection).await? {
        lines.put(&Line::Token {
            hash: row.try_get("hash")?,
            person: row.try_get("person")?,
            created_ms: row.try_get("created_ms")?,
        })?;
    }
    Ok(())
}

async fn bans(
    connection: &mut AnyConnection,
    lines: &mut Lines<'_, impl Write>,
) -> Result<(), CopyError> {
    let rows = sqlx::query("SELECT kind, subject, reason, created_ms, until_ms FROM bans");
    for row in rows.fetch_all(connection).await? {
        lines.put(&Line::Ban {
            kind: row.try_get("kind")?,
            subject: row.try_get("subject")?,
            reason: row.try_get("reason")?,
            created_ms: row.try_get("created_ms")?,
            until_ms: row.try_get("until_ms")?,
        })?;
    }
    Ok(())
}

async fn games(
    connection: &mut AnyConnection,
    lines: &mut Lines<'_, impl Write>,
) -> Result<(), CopyError> {
    let mut rows = Rows::of(Keyed::Games);
    while let Some(row) = rows.next(connection).await? {
        let id: String = row.try_get("id")?;
        let (settings, seed) = (settings(&id, &row)?, row.try_get("seed")?);
        lines.put(&Line::Game { id: id.clone(), settings, seed })?;
        for row in events(connection, &id).await? {
            let logged = read::logged(&id, &row)?;
            let (number, at_ms, event) = (logged.number, logged.at_ms, logged.event);
            lines.put(&Line::Event { game: id.clone(), number, at_ms, event })?;
        }
        let query = "SELECT seat, hash FROM invitations WHERE game = $1 ORDER BY seat";
        for row in sqlx::query(query).bind(id.as_str()).fetch_all(&mut *connection).await? {
            let (seat, hash) = (row.try_get("seat")?, row.try_get("hash")?);
            lines.put(&Line::Invitation { game: id.clone(), seat, hash })?;
        }
    }
    Ok(())
}

/// The rows of a game's log, in order.
pub(super) async fn events(
    connection: &mut AnyConnection,
    game: &str,
) -> Result<Vec<AnyRow>, sqlx::Error> {
    sqlx::query("SELECT number, at_ms, body FROM events WHERE game = $1 ORDER BY number")
        .bind(game)
        .fetch_all(connection)
        .await
}

fn settings(id: &str, row: &AnyRow) -> Result<Settings, StoreError> {
    let text: String = row.try_get("settings")?;
    serde_json::from_str(&text).map_err(|e| StoreError::Corrupt(format!("game {id}: {e}")))
}
