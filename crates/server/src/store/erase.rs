//! Erasing: removes a person from games, and whole games from the database. The moves of an erased person
//! stay, because they belong to the other players' games too; the id and the name do not.

use crate::store::read_model;
use crate::store::{Kind, Store, StoreError, notices, read};
use azulejo_table::{Event, SeatKind, Settings};
use sqlx::{AnyConnection, Row};
use std::time::Duration;

/// The beginning of an id that stands in for an erased person. No person has such an id.
pub(crate) const ERASED: &str = "erased.";

/// The name that an erased person has in games.
pub(crate) const ERASED_NAME: &str = "Deleted player";

impl Store {
    /// Games that name a person: as a player, as the creator, or on a reserved seat. Ids after `after`, in
    /// order.
    pub(crate) async fn games_naming(
        &self,
        person: &str,
        after: &str,
        limit: u32,
    ) -> Result<Vec<String>, StoreError> {
        let query = sqlx::query(
            "SELECT id FROM (SELECT game AS id FROM seats WHERE person = $1 \
             UNION SELECT id FROM games WHERE creator = $1) named WHERE id > $2 ORDER BY id LIMIT $3",
        );
        let query = query.bind(person).bind(after).bind(i64::from(limit));
        let rows = self.in_time(query.fetch_all(&self.pool)).await?;
        rows.iter().map(|row| Ok(row.try_get("id")?)).collect()
    }

    /// Games that are over since a time, with a result or without.
    pub(crate) async fn old_games(
        &self,
        has_result: bool,
        before_ms: i64,
        limit: u32,
    ) -> Result<Vec<String>, StoreError> {
        let query = sqlx::query(
            "SELECT id FROM games WHERE status = 'over' AND updated_ms < $1 AND \
             CASE WHEN ended_by IN ('aborted', 'abandoned', 'too_long', 'operator') THEN 0 ELSE 1 END = $2 \
             ORDER BY updated_ms LIMIT $3",
        );
        let query = query.bind(before_ms).bind(i64::from(has_result)).bind(i64::from(limit));
        let rows = self.in_time(query.fetch_all(&self.pool)).await?;
        rows.iter().map(|row| Ok(row.try_get("id")?)).collect()
    }

    /// People who are in no game and were not seen since a time.
    pub(crate) async fn idle_people(
        &self,
        before_ms: i64,
        limit: u32,
    ) -> Result<Vec<String>, StoreError> {
        let query = sqlx::query(
            "SELECT id FROM people p WHERE seen_ms < $1 \
             AND NOT EXISTS (SELECT 1 FROM seats s WHERE s.person = p.id) \
             AND NOT EXISTS (SELECT 1 FROM games g WHERE g.creator = p.id) LIMIT $2",
        );
        let rows = self
            .in_time(query.bind(before_ms).bind(i64::from(limit)).fetch_all(&self.pool))
            .await?;
        rows.iter().map(|row| Ok(row.try_get("id")?)).collect()
    }

    /// Makes erased rows unreadable in the files: SQLite overwrites them (`secure_delete`), and old copies
    /// of pages leave the write-ahead log. PostgreSQL does it by itself, in its next vacuum.
    pub(crate) async fn scrub(&self) {
        if self.kind() == Kind::Postgres {
            return;
        }
        // A reader may hold the log for a moment.
        for _ in 0..20 {
            let row = sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").fetch_one(&self.pool).await;
            match row.map(|row| row.try_get::<i64, _>(0)) {
                Ok(Ok(0)) => return,
                _ => tokio::time::sleep(Duration::from_millis(100)).await,
            }
        }
        tracing::warn!("erased data stays in the write-ahead log until its next checkpoint");
    }
}

/// Replaces a person in the settings and the log of a game.
pub(super) async fn from_game(
    connection: &mut AnyConnection,
    game: &str,
    person: &str,
    stand_in: &str,
    now_ms: i64,
) -> Result<bool, StoreError> {
    let row = sqlx::query("SELECT settings FROM games WHERE id = $1").bind(game);
    let Some(row) = row.fetch_optional(&mut *connection).await? else { return Ok(false) };
    let invalid = |error: serde_json::Error| StoreError::Corrupt(format!("game {game}: {error}"));
    let text: String = row.try_get("settings")?;
    let mut settings: Settings = serde_json::from_str(&text).map_err(invalid)?;
    replace_in_settings(&mut settings, person, stand_in);
    // This also locks the row: an event of another node waits for the new columns.
    sqlx::query("UPDATE games SET settings = $2 WHERE id = $1")
        .bind(game)
        .bind(serde_json::to_string(&settings).map_err(invalid)?)
        .execute(&mut *connection)
        .await?;
    let rows = sqlx::query(
        "SELECT number, at_ms, body FROM events WHERE game = $1 AND body LIKE '%joined%'",
    );
    for row in rows.bind(game).fetch_all(&mut *connection).await? {
        let mut logged = read::logged(game, &row)?;
        if !replace_in_event(&mut logged.event, person, stand_in) {
            continue;
        }
        sqlx::query("UPDATE events SET body = $3 WHERE game = $1 AND number = $2")
            .bind(game)
            .bind(row.try_get::<i64, _>("number")?)
            .bind(serde_json::to_string(&logged.event).map_err(invalid)?)
            .execute(&mut *connection)
            .await?;
    }
    let state = read_model::load(connection, game).await?;
    read_model::rewrite(connection, &state).await?;
    notices::add(connection, "game", game, now_ms).await?;
    Ok(true)
}

/// Deletes a game with everything that belongs to it.
pub(super) async fn game(
    connection: &mut AnyConnection,
    id: &str,
    now_ms: i64,
) -> Result<bool, StoreError> {
    for statement in [
        "DELETE FROM events WHERE game = $1",
        "DELETE FROM seats WHERE game = $1",
        "DELETE FROM invitations WHERE game = $1",
    ] {
        sqlx::query(statement).bind(id).execute(&mut *connection).await?;
    }
    let deleted = sqlx::query("DELETE FROM games WHERE id = $1").bind(id);
    let deleted = deleted.execute(&mut *connection).await?.rows_affected() > 0;
    notices::add(connection, "game", id, now_ms).await?;
    Ok(deleted)
}

fn replace_in_settings(settings: &mut Settings, erased: &str, stand_in: &str) {
    if settings.creator == erased {
        stand_in.clone_into(&mut settings.creator);
    }
    for seat in &mut settings.seats {
        if let SeatKind::Person { person, name } | SeatKind::Reserved { person, name } = seat
            && person == erased
        {
            stand_in.clone_into(person);
            ERASED_NAME.clone_into(name);
        }
    }
}

/// Whether the event named the person.
fn replace_in_event(event: &mut Event, erased: &str, stand_in: &str) -> bool {
    match event {
        Event::Joined { person, name, .. } if person == erased => {
            stand_in.clone_into(person);
            ERASED_NAME.clone_into(name);
            true
        }
        _ => false,
    }
}
