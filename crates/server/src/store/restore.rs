//! Restore: reads a backup into an empty database, all or nothing. Derived columns are not in a backup;
//! they are computed from the logs.

use crate::store::backup::{CopyError, Line, VERSION};
use crate::store::{Store, check, people, read_model};
use azulejo_table::{Event, Game, LoggedEvent, Settings};
use sqlx::{Any, Row, Transaction};
use std::io::BufRead;

impl Store {
    /// Reads a backup into an empty database, all or nothing. What was read is checked before it is
    /// committed.
    ///
    /// # Errors
    /// If the database is not empty or does not answer, or the file is not a consistent backup.
    pub async fn restore(&self, input: &mut impl BufRead) -> Result<u64, CopyError> {
        let row =
            sqlx::query("SELECT (SELECT COUNT(*) FROM games) + (SELECT COUNT(*) FROM people) AS n")
                .fetch_one(&self.pool)
                .await?;
        if row.try_get::<i64, _>("n")? > 0 {
            return Err(CopyError::NotEmpty);
        }
        let mut reader = Reader { transaction: self.pool.begin().await?, game: None };
        let mut n_lines = 0;
        let mut is_complete = false;
        for (line, text) in (1..).zip(input.lines()) {
            let bad = |problem: String| CopyError::Line { line, problem };
            let text = text?;
            if is_complete {
                return Err(bad("text follows the last line of the backup".to_owned()));
            }
            let read: Line = serde_json::from_str(&text).map_err(|e| bad(e.to_string()))?;
            match read {
                Line::Backup { azulejo: 1..=VERSION } if line == 1 => {}
                Line::Backup { .. } => {
                    let problem = "this is another version of the format, or not the first line";
                    return Err(bad(problem.to_owned()));
                }
                _ if line == 1 => return Err(bad("this file is not a backup".to_owned())),
                Line::End { lines } if lines + 1 == line as u64 => is_complete = true,
                Line::End { lines } => {
                    return Err(bad(format!("expected {lines} lines before this one")));
                }
                row => reader.row(row).await.map_err(|error| match error {
                    RowError::Invalid(problem) => bad(problem),
                    RowError::Store(error) => error.into(),
                })?,
            }
            n_lines = line as u64;
        }
        reader.finish_game().await?;
        if !is_complete {
            return Err(CopyError::BrokenOff);
        }
        let report = check::run(&mut reader.transaction).await?;
        if !report.faults.is_empty() {
            return Err(CopyError::Faults(report.faults));
        }
        reader.transaction.commit().await?;
        Ok(n_lines)
    }
}

/// Why a row was not restored.
enum RowError {
    Invalid(String),
    Store(sqlx::Error),
}

impl From<sqlx::Error> for RowError {
    fn from(error: sqlx::Error) -> RowError {
        match &error {
            // Two rows with the same key: the file is at fault, not the database.
            sqlx::Error::Database(cause) if cause.is_unique_violation() => {
                RowError::Invalid("this row is in the backup twice".to_owned())
            }
            _ => RowError::Store(error),
        }
    }
}

/// Writes the rows of a backup.
struct Reader {
    transaction: Transaction<'static, Any>,
    /// The game whose events are being read.
    game: Option<Game>,
}

impl Reader {
    async fn row(&mut self, row: Line) -> Result<(), RowError> {
        match row {
            Line::Person { id, name, created_ms, seen_ms, token_hash } => {
                let seen_ms = seen_ms.unwrap_or(created_ms);
                self.person(&id, &name, created_ms, seen_ms).await?;
                if let Some(hash) = token_hash {
                    people::add_token(&mut self.transaction, &hash, &id, created_ms).await?;
                }
                Ok(())
            }
            Line::Token { hash, person, created_ms } => {
                Ok(people::add_token(&mut self.transaction, &hash, &person, created_ms)
                    .await
                    .map(drop)?)
            }
            Line::Ban { kind, subject, reason, created_ms, until_ms } => {
                self.ban(&kind, &subject, &reason, created_ms, until_ms).await
            }
            Line::Game { id, settings, seed } => self.game(&id, settings, &seed).await,
            Line::Event { game, number, at_ms, event } => {
                self.event(&game, LoggedEvent { number, at_ms, event }).await
            }
            Line::Invitation { game, seat, hash } => self.invitation(&game, seat, &hash).await,
            Line::Backup { .. } | Line::End { .. } => Ok(()),
        }
    }

    async fn person(
        &mut self,
        id: &str,
        name: &str,
        created_ms: i64,
        seen_ms: i64,
    ) -> Result<(), RowError> {
        sqlx::query("INSERT INTO people (id, name, created_ms, seen_ms) VALUES ($1, $2, $3, $4)")
            .bind(id)
            .bind(name)
            .bind(created_ms)
            .bind(seen_ms)
            .execute(&mut *self.transaction)
            .await?;
        Ok(())
    }

    async fn ban(
        &mut self,
        kind: &str,
        subject: &str,
        reason: &str,
        created_ms: i64,
        until_ms: Option<i64>,
    ) -> Result<(), RowError> {
        sqlx::query(
            "INSERT INTO bans (kind, subject, reason, created_ms, until_ms) \
             VALUES ($1, $2, $3, $4, $5)",
        )
        .bind(kind)
        .bind(subject)
        .bind(reason)
        .bind(created_ms)
        .bind(until_ms)
        .execute(&mut *self.transaction)
        .await?;
        Ok(())
    }

    async fn game(&mut self, id: &str, settings: Settings, seed: &str) -> Result<(), RowError> {
        self.finish_game().await?;
        let text = json(&settings)?;
        if !read_model::insert(&mut self.transaction, id, &settings, &text, seed, 0).await? {
            return Err(RowError::Invalid("this game is in the backup twice".to_owned()));
        }
        // The parse error is dropped because it would quote the seed.
        let seed = seed.parse().map_err(|_| RowError::Invalid("the seed is invalid".to_owned()))?;
        let new = Game::new(id.into(), settings.into(), seed);
        self.game = Some(new.map_err(|error| RowError::Invalid(error.to_string()))?);
        Ok(())
    }

    async fn event(&mut self, game: &str, logged: LoggedEvent) -> Result<(), RowError> {
        let invalid = |problem: &str| RowError::Invalid(problem.to_owned());
        let state = self.game.as_mut().filter(|state| *state.id == *game);
        let state = state.ok_or_else(|| invalid("the event belongs to another game"))?;
        state.apply(&logged).map_err(|error| RowError::Invalid(error.to_string()))?;
        let body = json::<Event>(&logged.event)?;
        sqlx::query("INSERT INTO events (game, number, at_ms, body) VALUES ($1, $2, $3, $4)")
            .bind(game)
            .bind(i64::try_from(logged.number).unwrap_or(i64::MAX))
            .bind(logged.at_ms)
            .bind(body)
            .execute(&mut *self.transaction)
            .await?;
        Ok(())
    }

    async fn invitation(&mut self, game: &str, seat: i64, hash: &str) -> Result<(), RowError> {
        sqlx::query("INSERT INTO invitations (game, seat, hash) VALUES ($1, $2, $3)")
            .bind(game)
            .bind(seat)
            .bind(hash)
            .execute(&mut *self.transaction)
            .await?;
        Ok(())
    }

    /// Writes what follows from the log of the game that was read last.
    async fn finish_game(&mut self) -> Result<(), sqlx::Error> {
        match self.game.take() {
            Some(game) => read_model::rewrite(&mut self.transaction, &game).await,
            None => Ok(()),
        }
    }
}

fn json<T: serde::Serialize>(value: &T) -> Result<String, RowError> {
    serde_json::to_string(value).map_err(|error| RowError::Invalid(error.to_string()))
}
