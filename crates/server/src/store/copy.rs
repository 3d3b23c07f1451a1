//! Backup, restore and check. A backup is text, one JSON object per line, and the same for both
//! databases: a backup and a restore move a server from SQLite to PostgreSQL.
//!
//! A backup holds the hashes of tokens and the seeds of unfinished games, so it is as secret as the
//! database.

use crate::store::{Store, StoreError};
use azulejo_table::{Event, Game, LoggedEvent, Settings};
use serde::{Deserialize, Serialize};
use sqlx::Row;
use sqlx::any::AnyRow;
use std::io::{BufRead, Write};

/// The version of the backup format.
const VERSION: u32 = 1;

/// The number of rows read at a time.
const PAGE_ROWS: i64 = 500;

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
}

impl From<sqlx::Error> for CopyError {
    fn from(error: sqlx::Error) -> CopyError {
        CopyError::Store(error.into())
    }
}

/// A line of a backup.
#[derive(Serialize, Deserialize)]
#[serde(tag = "row", rename_all = "snake_case")]
enum Line {
    Backup {
        azulejo: u32,
    },
    Person {
        id: String,
        token_hash: String,
        name: String,
        created_ms: i64,
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

/// What a check found.
#[derive(Debug, Default)]
pub struct CheckReport {
    /// The number of people.
    pub people: u64,
    /// The number of games.
    pub games: u64,
    /// The number of events.
    pub events: u64,
    /// What is wrong.
    pub faults: Vec<String>,
}

impl Store {
    /// Writes everything to a file while the server may go on. A game created during the backup may be
    /// missing; no game is incomplete.
    ///
    /// # Errors
    /// If the database does not answer, or the file cannot be written.
    pub async fn backup(&self, out: &mut impl Write) -> Result<u64, CopyError> {
        let mut lines = 0;
        put(out, &Line::Backup { azulejo: VERSION }, &mut lines)?;
        let mut last = String::new();
        loop {
            let rows = sqlx::query(
                "SELECT id, token_hash, name, created_ms FROM people WHERE id > $1 \
                 ORDER BY id LIMIT $2",
            )
            .bind(last.as_str())
            .bind(PAGE_ROWS)
            .fetch_all(&self.pool)
            .await?;
            for row in &rows {
                let person = Line::Person {
                    id: row.try_get("id")?,
                    token_hash: row.try_get("token_hash")?,
                    name: row.try_get("name")?,
                    created_ms: row.try_get("created_ms")?,
                };
                put(out, &person, &mut lines)?;
            }
            let Some(row) = rows.last() else { break };
            last = row.try_get("id")?;
        }
        for id in self.game_ids().await? {
            let row = sqlx::query("SELECT settings, seed FROM games WHERE id = $1")
                .bind(id.as_str())
                .fetch_one(&self.pool)
                .await?;
            let (settings, seed) = (settings(&id, &row)?, row.try_get("seed")?);
            put(out, &Line::Game { id: id.clone(), settings, seed }, &mut lines)?;
            for LoggedEvent { number, at_ms, event } in self.events(&id, 0).await? {
                let line = Line::Event { game: id.clone(), number, at_ms, event };
                put(out, &line, &mut lines)?;
            }
            for (seat, hash) in self.invitations(&id).await? {
                let seat = i64::from(seat);
                put(out, &Line::Invitation { game: id.clone(), seat, hash }, &mut lines)?;
            }
        }
        let end = Line::End { lines };
        put(out, &end, &mut lines)?;
        out.flush()?;
        Ok(lines)
    }

    /// Reads a backup into an empty database, all or nothing. `summarize` makes the summaries for
    /// lists of games.
    ///
    /// # Errors
    /// If the database is not empty or does not answer, or the file is not a backup.
    pub async fn restore(
        &self,
        input: &mut impl BufRead,
        summarize: fn(&Game) -> String,
    ) -> Result<u64, CopyError> {
        let row =
            sqlx::query("SELECT (SELECT COUNT(*) FROM games) + (SELECT COUNT(*) FROM people) AS n")
                .fetch_one(&self.pool)
                .await?;
        if row.try_get::<i64, _>("n")? > 0 {
            return Err(CopyError::NotEmpty);
        }
        let mut transaction = self.pool.begin().await?;
        let mut game: Option<Game> = None;
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
                Line::Backup { azulejo } => {
                    if azulejo != VERSION || line != 1 {
                        return Err(bad(
                            "this is another version of the format, or not the first line"
                                .to_owned(),
                        ));
                    }
                }
                _ if line == 1 => return Err(bad("this file is not a backup".to_owned())),
                Line::Person { id, token_hash, name, created_ms } => {
                    sqlx::query(
                        "INSERT INTO people (id, token_hash, name, created_ms) \
                         VALUES ($1, $2, $3, $4)",
                    )
                    .bind(id)
                    .bind(token_hash)
                    .bind(name)
                    .bind(created_ms)
                    .execute(&mut *transaction)
                    .await?;
                }
                Line::Game { id, settings, seed } => {
                    finish(&mut transaction, game.take(), summarize).await?;
                    let text = serde_json::to_string(&settings).map_err(|e| bad(e.to_string()))?;
                    sqlx::query(
                        "INSERT INTO games (id, settings, seed, listed, status, summary, number, \
                         created_ms, updated_ms) VALUES ($1, $2, $3, $4, '', '', 0, 0, 0)",
                    )
                    .bind(id.as_str())
                    .bind(text)
                    .bind(seed.as_str())
                    .bind(i64::from(settings.listed))
                    .execute(&mut *transaction)
                    .await?;
                    let seed = seed.parse().map_err(|_| bad("the seed is invalid".to_owned()))?;
                    let new = Game::new(id.into(), settings.into(), seed);
                    game = Some(new.map_err(|error| bad(error.to_string()))?);
                }
                Line::Event { game: id, number, at_ms, event } => {
                    let game = game.as_mut().filter(|game| *game.id == *id);
                    let game =
                        game.ok_or_else(|| bad("the event belongs to another game".to_owned()))?;
                    let body = serde_json::to_string(&event).map_err(|e| bad(e.to_string()))?;
                    game.apply(&LoggedEvent { number, at_ms, event })
                        .map_err(|error| bad(error.to_string()))?;
                    sqlx::query(
                        "INSERT INTO events (game, number, at_ms, body) VALUES ($1, $2, $3, $4)",
                    )
                    .bind(id)
                    .bind(i64::try_from(number).unwrap_or(i64::MAX))
                    .bind(at_ms)
                    .bind(body)
                    .execute(&mut *transaction)
                    .await?;
                }
                Line::Invitation { game, seat, hash } => {
                    sqlx::query("INSERT INTO invitations (game, seat, hash) VALUES ($1, $2, $3)")
                        .bind(game)
                        .bind(seat)
                        .bind(hash)
                        .execute(&mut *transaction)
                        .await?;
                }
                Line::End { lines } => {
                    if lines + 1 != line as u64 {
                        return Err(bad(format!("expected {lines} lines before this one")));
                    }
                    is_complete = true;
                }
            }
            n_lines = line as u64;
        }
        finish(&mut transaction, game.take(), summarize).await?;
        if !is_complete {
            return Err(CopyError::BrokenOff);
        }
        transaction.commit().await?;
        Ok(n_lines)
    }

    /// Replays every log and compares the result with the columns stored beside it.
    ///
    /// # Errors
    /// If the database does not answer.
    pub async fn check(&self) -> Result<CheckReport, StoreError> {
        let mut report = CheckReport::default();
        if self.kind() == crate::store::Kind::Sqlite {
            let row = sqlx::query("PRAGMA integrity_check").fetch_one(&self.pool).await?;
            let verdict: String = row.try_get(0)?;
            if verdict != "ok" {
                report.faults.push(format!("SQLite: {verdict}"));
            }
        }
        let count = sqlx::query("SELECT COUNT(*) AS n FROM people").fetch_one(&self.pool).await?;
        report.people = count.try_get::<i64, _>("n")?.unsigned_abs();
        for id in self.game_ids().await? {
            report.games += 1;
            let game = match self.game(&id).await {
                Ok(Some(game)) => game,
                Ok(None) => continue,
                Err(StoreError::Corrupt(problem)) => {
                    report.faults.push(problem);
                    continue;
                }
                Err(error) => return Err(error),
            };
            report.events += game.number;
            self.compare(&game, &mut report).await?;
        }
        let orphans = sqlx::query(
            "SELECT COUNT(*) AS n FROM events WHERE game NOT IN (SELECT id FROM games)",
        )
        .fetch_one(&self.pool)
        .await?;
        let n_orphans: i64 = orphans.try_get("n")?;
        if n_orphans > 0 {
            report.faults.push(format!("{n_orphans} events belong to no game"));
        }
        Ok(report)
    }

    async fn compare(&self, game: &Game, report: &mut CheckReport) -> Result<(), StoreError> {
        let row = sqlx::query("SELECT status, number, wake_ms FROM games WHERE id = $1")
            .bind(&*game.id)
            .fetch_one(&self.pool)
            .await?;
        let status: String = row.try_get("status")?;
        let number: i64 = row.try_get("number")?;
        let wake_ms: Option<i64> = row.try_get("wake_ms")?;
        let mut complain = |what: &str| report.faults.push(format!("game {}: {what}", game.id));
        if status != game.status().name() {
            complain("the stored status differs from the log");
        }
        if u64::try_from(number) != Ok(game.number) {
            complain("the stored number of the last event differs from the log");
        }
        if wake_ms != game.wake_ms() {
            complain("`wake_ms` is wrong: the game would wake at the wrong time");
        }
        if azulejo_table::seed_hash(game.seed()) != game.settings.seed_hash {
            complain("the seed does not have the published hash");
        }
        Ok(())
    }

    async fn game_ids(&self) -> Result<Vec<String>, StoreError> {
        let rows = sqlx::query("SELECT id FROM games ORDER BY created_ms, id");
        let rows = rows.fetch_all(&self.pool).await?;
        rows.iter().map(|row| Ok(row.try_get("id")?)).collect()
    }
}

/// Writes the columns that follow from the log of a game.
async fn finish(
    transaction: &mut sqlx::Transaction<'_, sqlx::Any>,
    game: Option<Game>,
    summarize: fn(&Game) -> String,
) -> Result<(), CopyError> {
    let Some(game) = game else { return Ok(()) };
    sqlx::query(
        "UPDATE games SET status = $2, summary = $3, number = $4, created_ms = $5, \
         updated_ms = $6, wake_ms = $7 WHERE id = $1",
    )
    .bind(&*game.id)
    .bind(game.status().name())
    .bind(summarize(&game))
    .bind(i64::try_from(game.number).unwrap_or(i64::MAX))
    .bind(game.created_ms)
    .bind(game.at_ms)
    .bind(game.wake_ms())
    .execute(&mut **transaction)
    .await?;
    for (seat, state) in (1_i64..).zip(&game.seats) {
        let Some(person) = state.person() else { continue };
        sqlx::query("INSERT INTO seats (game, seat, person) VALUES ($1, $2, $3)")
            .bind(&*game.id)
            .bind(seat)
            .bind(person)
            .execute(&mut **transaction)
            .await?;
    }
    Ok(())
}

fn settings(id: &str, row: &AnyRow) -> Result<Settings, StoreError> {
    let text: String = row.try_get("settings")?;
    serde_json::from_str(&text).map_err(|e| StoreError::Corrupt(format!("game {id}: {e}")))
}

fn put(out: &mut impl Write, line: &Line, lines: &mut u64) -> Result<(), CopyError> {
    let text = serde_json::to_string(line).map_err(|e| StoreError::Corrupt(e.to_string()))?;
    writeln!(out, "{text}")?;
    *lines += 1;
    Ok(())
}
