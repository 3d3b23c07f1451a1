//! Queries: a game with its log, a person by the hash of a token, and lists of games.

use crate::store::{Kind, QUERY_TIMEOUT, Store, StoreError};
use azulejo_table::{Event, Game, LoggedEvent, Settings};
use sqlx::Row;
use sqlx::any::AnyRow;
use std::sync::Arc;
use std::time::Instant;

/// A person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// The id.
    pub id: Arc<str>,
    /// The name to show.
    pub name: String,
    /// The day on which the person was last seen, in milliseconds since 1970.
    pub seen_ms: i64,
}

impl Store {
    /// A game, replayed from its log; `None` if it does not exist.
    ///
    /// # Errors
    /// If the database does not answer, or the log is invalid.
    pub async fn game(&self, id: &str) -> Result<Option<Game>, StoreError> {
        let row = sqlx::query("SELECT settings, seed FROM games WHERE id = $1").bind(id);
        let Some(row) = self.in_time(row.fetch_optional(&self.pool)).await? else {
            return Ok(None);
        };
        let (settings, seed): (String, String) = (row.try_get("settings")?, row.try_get("seed")?);
        replay(id, &settings, &seed, &self.events(id, 0).await?).map(Some)
    }

    /// The events of a game after a number.
    ///
    /// # Errors
    /// If the database does not answer, or an event is invalid.
    pub async fn events(&self, id: &str, after: u64) -> Result<Vec<LoggedEvent>, StoreError> {
        let query = sqlx::query(
            "SELECT number, at_ms, body FROM events WHERE game = $1 AND number > $2 \
             ORDER BY number",
        )
        .bind(id)
        .bind(i64::try_from(after).unwrap_or(i64::MAX));
        let rows = self.in_time(query.fetch_all(&self.pool)).await?;
        rows.iter().map(|row| logged(id, row)).collect()
    }

    /// The events of a game after a number, each with the state of the game after it.
    ///
    /// # Errors
    /// If the database does not answer, or the log is invalid.
    pub async fn missed(
        &self,
        game: &Game,
        after: u64,
    ) -> Result<Vec<(LoggedEvent, Game)>, StoreError> {
        let mut then = game.restart();
        let mut missed = Vec::new();
        for logged in self.events(&game.id, 0).await? {
            then.apply(&logged).map_err(|error| StoreError::Corrupt(error.to_string()))?;
            if logged.number > after && logged.number <= game.number {
                missed.push((logged, then.clone()));
            }
        }
        Ok(missed)
    }

    /// The person whose token has this hash.
    ///
    /// # Errors
    /// If the database does not answer.
    pub async fn person(&self, token_hash: &str) -> Result<Option<Person>, StoreError> {
        let query = sqlx::query(
            "SELECT p.id AS id, p.name AS name, p.seen_ms AS seen_ms FROM tokens t JOIN people p ON p.id = t.person \
             WHERE t.hash = $1",
        )
        .bind(token_hash);
        let row = self.in_time(query.fetch_optional(&self.pool)).await?;
        row.map(|row| {
            Ok(Person {
                id: row.try_get::<String, _>("id")?.into(),
                name: row.try_get("name")?,
                seen_ms: row.try_get("seen_ms")?,
            })
        })
        .transpose()
    }

    /// The hashes of the invitations to a game, by seat.
    ///
    /// # Errors
    /// If the database does not answer.
    pub async fn invitations(&self, game: &str) -> Result<Vec<(u8, String)>, StoreError> {
        let query = sqlx::query("SELECT seat, hash FROM invitations WHERE game = $1 ORDER BY seat");
        let rows = self.in_time(query.bind(game).fetch_all(&self.pool)).await?;
        rows.iter()
            .map(|row| {
                let seat: i64 = row.try_get("seat")?;
                Ok((u8::try_from(seat).unwrap_or(0), row.try_get("hash")?))
            })
            .collect()
    }

    /// Games whose wake time is not later than a time.
    ///
    /// # Errors
    /// If the database does not answer.
    pub async fn due(&self, before_ms: i64, limit: u32) -> Result<Vec<String>, StoreError> {
        let query = sqlx::query(
            "SELECT id FROM games WHERE wake_ms IS NOT NULL AND wake_ms <= $1 \
             ORDER BY wake_ms LIMIT $2",
        )
        .bind(before_ms)
        .bind(i64::from(limit));
        let rows = self.in_time(query.fetch_all(&self.pool)).await?;
        rows.iter().map(|row| Ok(row.try_get("id")?)).collect()
    }

    /// The games that changed since a time, with the numbers of their last events.
    ///
    /// # Errors
    /// If the database does not answer.
    pub async fn changed(&self, since_ms: i64) -> Result<Vec<(String, u64)>, StoreError> {
        let query = sqlx::query("SELECT id, number FROM games WHERE updated_ms >= $1");
        let rows = self.in_time(query.bind(since_ms).fetch_all(&self.pool)).await?;
        rows.iter()
            .map(|row| {
                let number: i64 = row.try_get("number")?;
                Ok((row.try_get("id")?, u64::try_from(number).unwrap_or(0)))
            })
            .collect()
    }

    /// The time of the database server, in milliseconds since 1970; `None` for SQLite, which has no
    /// server.
    ///
    /// # Errors
    /// If the database does not answer.
    pub async fn time_ms(&self) -> Result<Option<i64>, StoreError> {
        if self.kind() == Kind::Sqlite {
            return Ok(None);
        }
        let query = sqlx::query(
            "SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT) AS ms",
        );
        Ok(Some(self.in_time(query.fetch_one(&self.pool)).await?.try_get("ms")?))
    }

    /// When the last event of all games happened; 0 if there is none.
    ///
    /// # Errors
    /// If the database does not answer.
    pub async fn last_event_ms(&self) -> Result<i64, StoreError> {
        let query = sqlx::query("SELECT COALESCE(MAX(updated_ms), 0) AS ms FROM games");
        Ok(self.in_time(query.fetch_one(&self.pool)).await?.try_get("ms")?)
    }

    /// Begin and end of each time in which no node could write, in their order.
    ///
    /// # Errors
    /// If the database does not answer.
    pub(super) async fn outages(&self) -> Result<Vec<(i64, i64)>, StoreError> {
        let query = sqlx::query("SELECT from_ms, to_ms FROM outages ORDER BY to_ms");
        let rows = self.in_time(query.fetch_all(&self.pool)).await?;
        rows.iter().map(|row| Ok((row.try_get("from_ms")?, row.try_get("to_ms")?))).collect()
    }

    /// The time of the last heartbeat.
    ///
    /// # Errors
    /// If the database does not answer, or has no heartbeat.
    pub(super) async fn last_beat_ms(&self) -> Result<i64, StoreError> {
        let query = sqlx::query("SELECT at_ms FROM heartbeat WHERE id = 1");
        Ok(self.in_time(query.fetch_one(&self.pool)).await?.try_get("at_ms")?)
    }

    /// The number of listed games of a creator that wait for players.
    ///
    /// # Errors
    /// If the database does not answer.
    pub async fn n_listed(&self, creator: &str) -> Result<usize, StoreError> {
        let query = sqlx::query(
            "SELECT COUNT(*) AS n FROM games WHERE listed = 1 AND status = 'waiting' \
             AND creator = $1",
        )
        .bind(creator);
        let n: i64 = self.in_time(query.fetch_one(&self.pool)).await?.try_get("n")?;
        Ok(usize::try_from(n).unwrap_or(0))
    }

    /// Whether a person has a seat in a game that is not over.
    ///
    /// # Errors
    /// If the database does not answer.
    pub async fn is_seated(&self, person: &str) -> Result<bool, StoreError> {
        let query = sqlx::query(
            "SELECT 1 AS one FROM seats s JOIN games g ON g.id = s.game \
             WHERE s.person = $1 AND s.kind = 'person' AND g.status <> 'over' LIMIT 1",
        );
        Ok(self.in_time(query.bind(person).fetch_optional(&self.pool)).await?.is_some())
    }

    /// Waits for a query, which has a time limit, and measures it.
    pub(super) async fn in_time<T>(
        &self,
        answer: impl Future<Output = Result<T, sqlx::Error>>,
    ) -> Result<T, StoreError> {
        let start = Instant::now();
        let answer = tokio::time::timeout(QUERY_TIMEOUT, answer).await;
        self.times.read.add(start.elapsed());
        match answer {
            Ok(answer) => Ok(answer?),
            Err(_) => Err(StoreError::Unavailable("the query timed out".to_owned())),
        }
    }
}

/// A game from its stored settings, its seed and its log.
pub(super) fn replay(
    id: &str,
    settings: &str,
    seed: &str,
    log: &[LoggedEvent],
) -> Result<Game, StoreError> {
    let corrupt = |problem: String| StoreError::Corrupt(format!("game {id}: {problem}"));
    let settings: Settings = serde_json::from_str(settings)
        .map_err(|error| corrupt(format!("invalid settings: {error}")))?;
    // The parse error is dropped because it would quote the seed.
    let seed = seed.parse().map_err(|_| corrupt("the stored seed is invalid".to_owned()))?;
    let mut game =
        Game::new(id.into(), settings.into(), seed).map_err(|error| corrupt(error.to_string()))?;
    for logged in log {
        game.apply(logged).map_err(|error| corrupt(error.to_string()))?;
    }
    Ok(game)
}

pub(super) fn logged(game: &str, row: &AnyRow) -> Result<LoggedEvent, StoreError> {
    let number: i64 = row.try_get("number")?;
    let body: String = row.try_get("body")?;
    let event: Event = serde_json::from_str(&body)
        .map_err(|error| StoreError::Corrupt(format!("game {game}, event {number}: {error}")))?;
    Ok(LoggedEvent {
        number: u64::try_from(number).unwrap_or(0),
        at_ms: row.try_get("at_ms")?,
        event,
    })
}
