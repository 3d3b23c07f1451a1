//! The one who writes. Writes that arrive while the disk is busy are committed together, so that
//! a thousand games cost hardly more flushes than one; each of them is answered when it is safe.
//!
//! A write that finds its place taken changes nothing and spoils nothing: the others of the same
//! transaction go on.

use crate::store::doorbell::Bell;
use crate::store::{PATIENCE, Queued, StoreError};
use azulejo_notation::Seed;
use azulejo_table::view::SummaryView;
use azulejo_table::{Fact, Game, Logged, Settings};
use sqlx::{Any, AnyPool, Transaction};
use std::sync::Arc;
use tokio::sync::mpsc;

/// The most writes in one transaction.
const BATCH: usize = 256;

/// Something to write.
#[derive(Debug)]
pub enum Write {
    /// A new person.
    Person {
        /// The id.
        id: String,
        /// The hash of the token.
        token_hash: String,
        /// The name to show.
        name: String,
        /// Now.
        now_ms: i64,
    },
    /// Another name for a person.
    Rename {
        /// The id.
        id: String,
        /// The name to show.
        name: String,
    },
    /// A new game with its first fact.
    Game(Box<NewGame>),
    /// The next fact of a game.
    Append(Append),
    /// The invitation to a seat, instead of an earlier one.
    Invite {
        /// The game.
        game: Arc<str>,
        /// The seat.
        seat: u8,
        /// The hash of the invitation.
        hash: String,
    },
    /// Nothing: to hear that everything before it is done.
    Nothing,
}

/// A new game.
#[derive(Debug)]
pub struct NewGame {
    /// The id.
    pub id: Arc<str>,
    /// What was agreed.
    pub settings: Arc<Settings>,
    /// The seed.
    pub seed: Seed,
    /// Its first fact.
    pub first: Append,
}

/// A fact and what follows from it for those who look for games.
#[derive(Debug)]
pub struct Append {
    game: Arc<str>,
    logged: Logged,
    status: &'static str,
    summary: String,
    wake_ms: Option<i64>,
    /// Who sits where from now on.
    seats: Vec<(i64, String)>,
}

impl Append {
    /// A fact of the game in which it has been folded already.
    #[must_use]
    pub fn new(logged: Logged, after: &Game) -> Append {
        let seats = match &logged.fact {
            Fact::Created => (1..)
                .zip(&after.seats)
                .filter_map(|(n, seat)| Some((n, seat.person()?.to_owned())))
                .collect(),
            Fact::Joined { seat, person, .. } => vec![(i64::from(*seat), person.clone())],
            _ => Vec::new(),
        };
        Append {
            game: Arc::clone(&after.id),
            logged,
            status: after.status().name(),
            summary: serde_json::to_string(&SummaryView::new(after)).unwrap_or_default(),
            wake_ms: after.wake_ms(),
            seats,
        }
    }
}

/// Writes until nobody is left who could ask for it.
pub(super) async fn run(pool: AnyPool, mut queue: mpsc::Receiver<Queued>, bell: Bell) {
    let mut batch = Vec::with_capacity(BATCH);
    while queue.recv_many(&mut batch, BATCH).await > 0 {
        let writes: Vec<&Write> = batch.iter().map(|queued| &queued.write).collect();
        match commit(&pool, &writes).await {
            Ok(written) => {
                bell.ring(writes.iter().zip(&written).filter_map(|(write, &is_new)| match write {
                    Write::Append(append) if is_new => {
                        Some((Arc::clone(&append.game), append.logged.number))
                    }
                    _ => None,
                }));
                for (queued, is_new) in batch.drain(..).zip(written) {
                    let _ = queued.reply.send(Ok(is_new));
                }
            }
            Err(error) if batch.len() == 1 => {
                tracing::warn!(%error, "the database did not take a write");
                for queued in batch.drain(..) {
                    let _ = queued.reply.send(Err(StoreError::Unavailable(error.to_string())));
                }
            }
            // One of them may be at fault, and the others should not suffer from it.
            Err(error) => {
                tracing::warn!(%error, writes = batch.len(), "one at a time");
                let mut is_gone = false;
                for queued in batch.drain(..) {
                    let written = if is_gone {
                        Err(StoreError::Unavailable(error.to_string()))
                    } else {
                        commit(&pool, &[&queued.write]).await.map(|written| written[0])
                    };
                    is_gone = is_gone || written.is_err();
                    if let (Ok(true), Write::Append(append)) = (&written, &queued.write) {
                        bell.ring([(Arc::clone(&append.game), append.logged.number)].into_iter());
                    }
                    let _ = queued.reply.send(written);
                }
            }
        }
    }
}

async fn commit(pool: &AnyPool, writes: &[&Write]) -> Result<Vec<bool>, StoreError> {
    let late = |_| StoreError::Unavailable("it takes too long".to_owned());
    tokio::time::timeout(PATIENCE, commit_in_time(pool, writes)).await.map_err(late)?
}

async fn commit_in_time(pool: &AnyPool, writes: &[&Write]) -> Result<Vec<bool>, StoreError> {
    let mut transaction = pool.begin().await?;
    let mut written = Vec::with_capacity(writes.len());
    for write in writes {
        written.push(execute(&mut transaction, write).await?);
    }
    transaction.commit().await?;
    Ok(written)
}

async fn execute(
    transaction: &mut Transaction<'_, Any>,
    write: &Write,
) -> Result<bool, StoreError> {
    let done = match write {
        Write::Nothing => return Ok(true),
        Write::Append(append) => return execute_append(transaction, append).await,
        Write::Game(game) => {
            let NewGame { id, settings, seed, first } = &**game;
            let settings_text = serde_json::to_string(&**settings)
                .map_err(|e| StoreError::Strange(e.to_string()))?;
            let inserted = sqlx::query(
                "INSERT INTO games (id, settings, seed, listed, status, summary, number, \
                 created_ms, updated_ms, wake_ms) \
                 VALUES ($1, $2, $3, $4, $5, $6, 0, $7, $7, $8) \
                 ON CONFLICT DO NOTHING",
            )
            .bind(&**id)
            .bind(settings_text)
            .bind(seed.as_str())
            .bind(i64::from(settings.listed))
            .bind(first.status)
            .bind(first.summary.as_str())
            .bind(first.logged.at_ms)
            .bind(first.wake_ms)
            .execute(&mut **transaction)
            .await?;
            if inserted.rows_affected() == 0 {
                return Ok(false);
            }
            return execute_append(transaction, first).await;
        }
        Write::Person { id, token_hash, name, now_ms } => {
            sqlx::query(
                "INSERT INTO people (id, token_hash, name, created_ms) VALUES ($1, $2, $3, $4) \
                 ON CONFLICT DO NOTHING",
            )
            .bind(id.as_str())
            .bind(token_hash.as_str())
            .bind(name.as_str())
            .bind(*now_ms)
            .execute(&mut **transaction)
            .await?
        }
        Write::Rename { id, name } => {
            sqlx::query("UPDATE people SET name = $2 WHERE id = $1")
                .bind(id.as_str())
                .bind(name.as_str())
                .execute(&mut **transaction)
                .await?
        }
        Write::Invite { game, seat, hash } => {
            sqlx::query(
                "INSERT INTO invitations (game, seat, hash) VALUES ($1, $2, $3) \
                 ON CONFLICT (game, seat) DO UPDATE SET hash = excluded.hash",
            )
            .bind(&**game)
            .bind(i64::from(*seat))
            .bind(hash.as_str())
            .execute(&mut **transaction)
            .await?
        }
    };
    Ok(done.rows_affected() > 0)
}

async fn execute_append(
    transaction: &mut Transaction<'_, Any>,
    append: &Append,
) -> Result<bool, StoreError> {
    let Append { game, logged, status, summary, wake_ms, seats } = append;
    let number = i64::try_from(logged.number).unwrap_or(i64::MAX);
    let body =
        serde_json::to_string(&logged.fact).map_err(|e| StoreError::Strange(e.to_string()))?;
    let inserted = sqlx::query(
        "INSERT INTO events (game, number, at_ms, body) VALUES ($1, $2, $3, $4) \
         ON CONFLICT DO NOTHING",
    )
    .bind(&**game)
    .bind(number)
    .bind(logged.at_ms)
    .bind(body)
    .execute(&mut **transaction)
    .await?;
    if inserted.rows_affected() == 0 {
        return Ok(false);
    }
    sqlx::query(
        "UPDATE games SET status = $2, number = $3, updated_ms = $4, wake_ms = $5, \
         summary = $6 WHERE id = $1 AND number < $3",
    )
    .bind(&**game)
    .bind(*status)
    .bind(number)
    .bind(logged.at_ms)
    .bind(*wake_ms)
    .bind(summary.as_str())
    .execute(&mut **transaction)
    .await?;
    for (seat, person) in seats {
        sqlx::query(
            "INSERT INTO seats (game, seat, person) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
        )
        .bind(&**game)
        .bind(*seat)
        .bind(person.as_str())
        .execute(&mut **transaction)
        .await?;
    }
    Ok(true)
}
