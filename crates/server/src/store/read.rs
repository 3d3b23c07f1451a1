//! Reading: a game with its log, a person by the hash of a token, and the lists.

use crate::store::{Kind, PATIENCE, Store, StoreError};
use azulejo_table::view::SummaryView;
use azulejo_table::{Fact, Game, Logged, Settings};
use sqlx::Row;
use sqlx::any::AnyRow;
use std::sync::Arc;

/// A person as the server knows one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// The id.
    pub id: Arc<str>,
    /// The name to show.
    pub name: String,
}

impl Store {
    /// A game as its log tells it; `None` if there is none.
    ///
    /// # Errors
    /// If the database does not answer, or its log makes no sense.
    pub async fn game(&self, id: &str) -> Result<Option<Game>, StoreError> {
        let row = sqlx::query("SELECT settings, seed FROM games WHERE id = $1").bind(id);
        let Some(row) = in_time(row.fetch_optional(&self.pool)).await? else { return Ok(None) };
        let strange = |problem: String| StoreError::Strange(format!("game {id}: {problem}"));
        let settings: String = row.try_get("settings")?;
        let settings: Settings =
            serde_json::from_str(&settings).map_err(|e| strange(e.to_string()))?;
        let seed: String = row.try_get("seed")?;
        // The error would quote the seed.
        let seed = seed.parse().map_err(|_| strange("its seed is none".to_owned()))?;
        let mut game = Game::new(id.into(), settings.into(), seed)
            .map_err(|broken| strange(broken.to_string()))?;
        for logged in self.facts(id, 0).await? {
            game.apply(&logged).map_err(|broken| strange(broken.to_string()))?;
        }
        Ok(Some(game))
    }

    /// The facts of a game after a number.
    ///
    /// # Errors
    /// If the database does not answer, or a fact makes no sense.
    pub async fn facts(&self, id: &str, after: u64) -> Result<Vec<Logged>, StoreError> {
        let query = sqlx::query(
            "SELECT number, at_ms, body FROM events WHERE game = $1 AND number > $2 \
             ORDER BY number",
        )
        .bind(id)
        .bind(i64::try_from(after).unwrap_or(i64::MAX));
        let rows = in_time(query.fetch_all(&self.pool)).await?;
        rows.iter().map(|row| logged(id, row)).collect()
    }

    /// The facts of a game after a number, each with the game as it was then.
    ///
    /// # Errors
    /// If the database does not answer, or the log makes no sense.
    pub async fn missed(&self, game: &Game, after: u64) -> Result<Vec<(Logged, Game)>, StoreError> {
        let mut then = game.restart();
        let mut missed = Vec::new();
        for logged in self.facts(&game.id, 0).await? {
            then.apply(&logged).map_err(|broken| StoreError::Strange(broken.to_string()))?;
            if logged.number > after && logged.number <= game.number {
                missed.push((logged, then.clone()));
            }
        }
        Ok(missed)
    }

    /// The person with a token of that hash.
    ///
    /// # Errors
    /// If the database does not answer.
    pub async fn person(&self, token_hash: &str) -> Result<Option<Person>, StoreError> {
        let query =
            sqlx::query("SELECT id, name FROM people WHERE token_hash = $1").bind(token_hash);
        let row = in_time(query.fetch_optional(&self.pool)).await?;
        row.map(|row| {
            Ok(Person { id: row.try_get::<String, _>("id")?.into(), name: row.try_get("name")? })
        })
        .transpose()
    }

    /// The hash of the invitation to a seat.
    ///
    /// # Errors
    /// If the database does not answer.
    pub async fn invitations(&self, game: &str) -> Result<Vec<(u8, String)>, StoreError> {
        let query = sqlx::query("SELECT seat, hash FROM invitations WHERE game = $1 ORDER BY seat");
        let rows = in_time(query.bind(game).fetch_all(&self.pool)).await?;
        rows.iter()
            .map(|row| {
                let seat: i64 = row.try_get("seat")?;
                Ok((u8::try_from(seat).unwrap_or(0), row.try_get("hash")?))
            })
            .collect()
    }

    /// The games of a person, the latest first.
    ///
    /// # Errors
    /// If the database does not answer.
    pub async fn games_of(&self, person: &str, limit: u32) -> Result<Vec<SummaryView>, StoreError> {
        let query = sqlx::query(
            "SELECT g.summary AS summary, s.seat AS seat FROM seats s \
             JOIN games g ON g.id = s.game WHERE s.person = $1 \
             ORDER BY g.updated_ms DESC, g.id, s.seat LIMIT $2",
        )
        .bind(person)
        .bind(i64::from(limit));
        let mut games: Vec<SummaryView> = Vec::new();
        for row in in_time(query.fetch_all(&self.pool)).await? {
            let mut game = summary(&row)?;
            let seat: i64 = row.try_get("seat")?;
            let seat = u8::try_from(seat).unwrap_or(0);
            match games.last_mut().filter(|last| last.id == game.id) {
                Some(last) => last.your_seats.push(seat),
                None => {
                    game.your_seats.push(seat);
                    games.push(game);
                }
            }
        }
        Ok(games)
    }

    /// The games that the lobby lists: first those that wait for players, the latest first.
    ///
    /// # Errors
    /// If the database does not answer.
    pub async fn lobby(&self, limit: u32) -> Result<Vec<SummaryView>, StoreError> {
        let query = sqlx::query(
            "SELECT summary FROM games WHERE listed = 1 AND status <> 'over' \
             ORDER BY status DESC, created_ms DESC, id LIMIT $1",
        )
        .bind(i64::from(limit));
        in_time(query.fetch_all(&self.pool)).await?.iter().map(summary).collect()
    }

    /// Games that somebody has to look at, since before a moment.
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
        let rows = in_time(query.fetch_all(&self.pool)).await?;
        rows.iter().map(|row| Ok(row.try_get("id")?)).collect()
    }

    /// The last numbers of games in which something happened since a moment.
    ///
    /// # Errors
    /// If the database does not answer.
    pub async fn changed(&self, since_ms: i64) -> Result<Vec<(String, u64)>, StoreError> {
        let query = sqlx::query("SELECT id, number FROM games WHERE updated_ms >= $1");
        let rows = in_time(query.bind(since_ms).fetch_all(&self.pool)).await?;
        rows.iter()
            .map(|row| {
                let number: i64 = row.try_get("number")?;
                Ok((row.try_get("id")?, u64::try_from(number).unwrap_or(0)))
            })
            .collect()
    }

    /// The time of the database's clock, in milliseconds since 1970; `None` of a file, which has
    /// none.
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
        Ok(Some(in_time(query.fetch_one(&self.pool)).await?.try_get("ms")?))
    }

    /// When the last event of all games happened; 0 if there is none.
    ///
    /// # Errors
    /// If the database does not answer.
    pub async fn last_event_ms(&self) -> Result<i64, StoreError> {
        let query = sqlx::query("SELECT COALESCE(MAX(updated_ms), 0) AS ms FROM games");
        Ok(in_time(query.fetch_one(&self.pool)).await?.try_get("ms")?)
    }

    /// Whether the database answers.
    ///
    /// # Errors
    /// If it does not.
    pub async fn ping(&self) -> Result<(), StoreError> {
        in_time(sqlx::query("SELECT 1").execute(&self.pool)).await?;
        Ok(())
    }
}

async fn in_time<T>(answer: impl Future<Output = Result<T, sqlx::Error>>) -> Result<T, StoreError> {
    match tokio::time::timeout(PATIENCE, answer).await {
        Ok(answer) => Ok(answer?),
        Err(_) => Err(StoreError::Unavailable("it takes too long".to_owned())),
    }
}

pub(super) fn logged(game: &str, row: &AnyRow) -> Result<Logged, StoreError> {
    let number: i64 = row.try_get("number")?;
    let body: String = row.try_get("body")?;
    let fact: Fact = serde_json::from_str(&body)
        .map_err(|error| StoreError::Strange(format!("game {game}, event {number}: {error}")))?;
    Ok(Logged { number: u64::try_from(number).unwrap_or(0), at_ms: row.try_get("at_ms")?, fact })
}

fn summary(row: &AnyRow) -> Result<SummaryView, StoreError> {
    let text: String = row.try_get("summary")?;
    serde_json::from_str(&text).map_err(|e| StoreError::Strange(e.to_string()))
}
