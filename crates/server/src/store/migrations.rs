//! Migrations. A published migration never changes; the next one changes what it made. Column types
//! are those that both databases share.
//!
//! Hand-written because sqlx's migrator needs its macros (or files beside the binary) and one set of
//! files per database; this is one loop.

use crate::store::transaction::WriteTransaction;
use crate::store::{Place, StoreError, connect};
use sqlx::{AnyConnection, Row};
use std::time::Duration;

/// The migrations. The version of a database is the number of migrations it has had.
const MIGRATIONS: [&[&str]; 3] = [RELEASED, PUBLIC, SITE];

/// The schema of version 0.1.0.
const RELEASED: &[&str] = &[
    "CREATE TABLE people (
        id TEXT PRIMARY KEY,
        token_hash TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL,
        created_ms BIGINT NOT NULL
    )",
    // Settings and seed never change. The other columns follow from the log; they are here for queries.
    "CREATE TABLE games (
        id TEXT PRIMARY KEY,
        settings TEXT NOT NULL,
        seed TEXT NOT NULL,
        listed BIGINT NOT NULL,
        status TEXT NOT NULL,
        summary TEXT NOT NULL,
        number BIGINT NOT NULL,
        created_ms BIGINT NOT NULL,
        updated_ms BIGINT NOT NULL,
        wake_ms BIGINT
    )",
    "CREATE INDEX games_wake ON games (wake_ms) WHERE wake_ms IS NOT NULL",
    "CREATE INDEX games_lobby ON games (created_ms) WHERE listed = 1",
    "CREATE INDEX games_updated ON games (updated_ms)",
    // The log: the only source of truth.
    "CREATE TABLE events (
        game TEXT NOT NULL,
        number BIGINT NOT NULL,
        at_ms BIGINT NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY (game, number)
    )",
    "CREATE TABLE seats (
        game TEXT NOT NULL,
        seat BIGINT NOT NULL,
        person TEXT NOT NULL,
        PRIMARY KEY (game, seat)
    )",
    "CREATE INDEX seats_person ON seats (person)",
    "CREATE TABLE invitations (
        game TEXT NOT NULL,
        seat BIGINT NOT NULL,
        hash TEXT NOT NULL,
        PRIMARY KEY (game, seat)
    )",
];

/// Lists without views of clients in the database, several tokens per person, what operators need, and
/// the heartbeat.
const PUBLIC: &[&str] = &[
    // The derived columns, instead of a summary in the form that clients get.
    "ALTER TABLE games DROP COLUMN summary",
    "ALTER TABLE games ADD COLUMN creator TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE games ADD COLUMN turn BIGINT",
    "ALTER TABLE games ADD COLUMN round BIGINT NOT NULL DEFAULT 0",
    "ALTER TABLE games ADD COLUMN scores TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE games ADD COLUMN ended_by TEXT",
    "CREATE INDEX games_creator ON games (creator)",
    // Every seat, not only those of people. `read_model` fills it from the logs.
    "DROP TABLE seats",
    "CREATE TABLE seats (
        game TEXT NOT NULL,
        seat BIGINT NOT NULL,
        kind TEXT NOT NULL,
        person TEXT,
        name TEXT,
        level BIGINT,
        left_why TEXT,
        place BIGINT,
        PRIMARY KEY (game, seat)
    )",
    "CREATE INDEX seats_person ON seats (person) WHERE person IS NOT NULL",
    // The version of the derived columns; none until they are filled.
    "CREATE TABLE read_model (version BIGINT PRIMARY KEY)",
    "CREATE TABLE tokens (
        hash TEXT PRIMARY KEY,
        person TEXT NOT NULL,
        created_ms BIGINT NOT NULL
    )",
    "CREATE INDEX tokens_person ON tokens (person)",
    "INSERT INTO tokens (hash, person, created_ms) SELECT token_hash, id, created_ms FROM people",
    // SQLite cannot drop a column that is UNIQUE, so the table is made again.
    "CREATE TABLE people_2 (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        created_ms BIGINT NOT NULL,
        seen_ms BIGINT NOT NULL
    )",
    "INSERT INTO people_2 (id, name, created_ms, seen_ms)
        SELECT id, name, created_ms, created_ms FROM people",
    "DROP TABLE people",
    "ALTER TABLE people_2 RENAME TO people",
    // What every node has to hear of although no event says it: see `notices`.
    "CREATE TABLE notices (
        number BIGINT PRIMARY KEY,
        what TEXT NOT NULL,
        subject TEXT NOT NULL,
        at_ms BIGINT NOT NULL
    )",
    "CREATE TABLE bans (
        kind TEXT NOT NULL,
        subject TEXT NOT NULL,
        reason TEXT NOT NULL,
        created_ms BIGINT NOT NULL,
        until_ms BIGINT,
        PRIMARY KEY (kind, subject)
    )",
    // One row: when a node could last write.
    "CREATE TABLE heartbeat (
        id BIGINT PRIMARY KEY,
        at_ms BIGINT NOT NULL
    )",
    // The times in which no node could write.
    "CREATE TABLE outages (
        from_ms BIGINT PRIMARY KEY,
        to_ms BIGINT NOT NULL
    )",
];

/// What the pages around the games need.
const SITE: &[&str] = &[
    // People on the way to another device, for a few minutes.
    "CREATE TABLE transfers (
        hash TEXT PRIMARY KEY,
        person TEXT NOT NULL,
        games TEXT NOT NULL,
        until_ms BIGINT NOT NULL
    )",
    "CREATE INDEX transfers_person ON transfers (person)",
];

/// Two nodes may migrate at the same time; the one that fails tries again.
const MAX_ATTEMPTS: u32 = 10;

/// Migrates a database to the newest version.
pub(super) async fn run(place: &Place) -> Result<(), StoreError> {
    let mut attempt = 1;
    loop {
        match run_once(place).await {
            Err(StoreError::Unavailable(_)) if attempt < MAX_ATTEMPTS => {
                attempt += 1;
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
            done => return done,
        }
    }
}

async fn run_once(place: &Place) -> Result<(), StoreError> {
    let known = MIGRATIONS.len() as i64;
    let mut connection = connect::connect(place).await?;
    // A database of this version is not written: it may be locked or full, or a node may be busy with it.
    // In a new database the table is missing, which is an error.
    if version(&mut connection).await.is_ok_and(|version| version == known) {
        return Ok(());
    }
    let mut transaction = WriteTransaction::begin(connection).await?;
    sqlx::query("CREATE TABLE IF NOT EXISTS schema_version (version BIGINT PRIMARY KEY)")
        .execute(&mut *transaction)
        .await?;
    // Another node may have migrated it meanwhile.
    let version = version(&mut transaction).await?;
    if version > known {
        return Err(StoreError::Corrupt(format!(
            "its schema has version {version}, and this program knows versions up to {known}; use a newer program"
        )));
    }
    for (migration, number) in MIGRATIONS.iter().zip(1_i64..).skip(version as usize) {
        for &statement in *migration {
            sqlx::query(statement).execute(&mut *transaction).await?;
        }
        sqlx::query("INSERT INTO schema_version (version) VALUES ($1)")
            .bind(number)
            .execute(&mut *transaction)
            .await?;
    }
    transaction.commit().await?;
    Ok(())
}

/// The version of a database.
async fn version(connection: &mut AnyConnection) -> Result<i64, sqlx::Error> {
    sqlx::query("SELECT COALESCE(MAX(version), 0) AS version FROM schema_version")
        .fetch_one(connection)
        .await?
        .try_get("version")
}
