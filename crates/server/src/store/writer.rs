//! Group commit: one task makes all writes. Writes that arrive while the disk is busy share the next
//! transaction, so that a thousand games cost hardly more flushes than one. Each write is answered
//! after its commit.
//!
//! A write whose key is taken changes nothing, and the other writes of its transaction go on.

use crate::metrics::StoreTimes;
use crate::store::file::FileIdentity;
use crate::store::heartbeat::Heart;
use crate::store::notify::Notifier;
use crate::store::people::{self, Change};
use crate::store::read_model::{self, GameColumns, SeatRow};
use crate::store::transaction::WriteTransaction;
use crate::store::{Kind, Place, QUERY_TIMEOUT, Queued, StoreError, connect, heartbeat};
use azulejo_notation::Seed;
use azulejo_table::{Event, Game, LoggedEvent, SeatState, Settings, Status};
use sqlx::{AnyConnection, Connection};
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::mpsc;

/// The largest number of writes in one transaction.
const MAX_BATCH: usize = 256;

/// Something to write.
#[derive(Debug)]
pub(crate) enum Write {
    /// Something about people, or a decision of an operator.
    People(Change),
    /// A new game with its first event.
    Game(Box<NewGame>),
    /// The next event of a game.
    Append(Append),
    /// An invitation to a seat. It replaces the earlier one.
    Invite {
        /// The game.
        game: Arc<str>,
        /// The seat.
        seat: u8,
        /// The hash of the invitation.
        hash: String,
    },
    /// A sign that this node can write.
    Beat {
        /// The time.
        now_ms: i64,
    },
    /// The end: the answer means that all writes before it are done, and that none will follow.
    End,
}

/// A new game.
#[derive(Debug)]
pub(crate) struct NewGame {
    /// The id.
    pub id: Arc<str>,
    /// Its settings.
    pub settings: Arc<Settings>,
    /// The seed.
    pub seed: Seed,
    /// Its first event.
    pub first: Append,
}

/// An event and the derived columns that follow from it.
#[derive(Debug)]
pub(crate) struct Append {
    game: Arc<str>,
    logged: LoggedEvent,
    columns: GameColumns,
    /// The rows of all seats, if the event changes one of them.
    seats: Vec<SeatRow>,
    /// The people who hear that the game began or ended.
    news_for: Vec<Arc<str>>,
}

impl Append {
    /// An event, and the game after it.
    #[must_use]
    pub(crate) fn new(logged: LoggedEvent, after: &Game) -> Append {
        let changes_seats =
            matches!(logged.event, Event::Created | Event::Joined { .. } | Event::Left { .. })
                || after.status() == Status::Over;
        let seats = if changes_seats { read_model::seats(after) } else { Vec::new() };
        let is_news = match after.status() {
            Status::Waiting => false,
            Status::Playing => matches!(logged.event, Event::Created | Event::Joined { .. }),
            Status::Over => !matches!(logged.event, Event::Said { .. } | Event::Rematch { .. }),
        };
        let people = after.seats.iter().filter(|_| is_news).filter_map(SeatState::person);
        Append {
            news_for: people.map(Into::into).collect(),
            game: Arc::clone(&after.id),
            logged,
            columns: GameColumns::of(after),
            seats,
        }
    }
}

/// Where the writer writes.
pub(super) struct Target {
    pub(super) place: Arc<Place>,
    pub(super) file: FileIdentity,
    /// The writer's own connection, unless the last transaction failed.
    pub(super) connection: Option<AnyConnection>,
    pub(super) heart: Arc<Heart>,
    pub(super) times: Arc<StoreTimes>,
}

/// Writes until the end is written, or the last handle of the store is dropped.
pub(super) async fn run(mut target: Target, mut queue: mpsc::Receiver<Queued>, notifier: Notifier) {
    let mut batch = Vec::with_capacity(MAX_BATCH);
    while queue.recv_many(&mut batch, MAX_BATCH).await > 0 {
        let writes: Vec<&Write> = batch.iter().map(|queued| &queued.write).collect();
        let is_end = writes.iter().any(|write| matches!(write, Write::End));
        let start = Instant::now();
        let committed = commit(&mut target, &writes).await;
        target.times.commit.add(start.elapsed());
        if let Some(connection) = target.connection.take_if(|_| is_end) {
            let _ = connection.close().await;
        }
        match committed {
            Ok(written) => {
                for (write, &is_new) in writes.iter().zip(&written) {
                    if is_new {
                        notify(&notifier, write);
                    }
                }
                for (queued, is_new) in batch.drain(..).zip(written) {
                    let _ = queued.reply.send(Ok(is_new));
                }
            }
            Err(error) if batch.len() == 1 => {
                tracing::warn!(%error, "a write failed");
                for queued in batch.drain(..) {
                    let _ = queued.reply.send(Err(error.clone()));
                }
            }
            // One write may be at fault: try them one at a time, so that the others succeed.
            Err(error) => {
                tracing::warn!(%error, writes = batch.len(), "a transaction failed; writing one at a time");
                let mut is_gone = false;
                for queued in batch.drain(..) {
                    let written = if is_gone {
                        Err(error.clone())
                    } else {
                        commit(&mut target, &[&queued.write]).await.map(|written| written[0])
                    };
                    is_gone = is_gone || written.is_err();
                    if matches!(written, Ok(true)) {
                        notify(&notifier, &queued.write);
                    }
                    let _ = queued.reply.send(written);
                }
            }
        }
        if is_end {
            return;
        }
    }
}

/// Tells other nodes what was written.
fn notify(notifier: &Notifier, write: &Write) {
    let append = match write {
        Write::Append(append) => append,
        Write::Game(game) => &game.first,
        _ => return,
    };
    notifier.notify(&append.game, append.logged.number, append.news_for.iter().map(|one| &**one));
}

async fn commit(target: &mut Target, writes: &[&Write]) -> Result<Vec<bool>, StoreError> {
    let late = |_| StoreError::Unavailable("the transaction timed out".to_owned());
    let in_time = tokio::time::timeout(QUERY_TIMEOUT, commit_in_time(target, writes)).await;
    let committed = in_time.map_err(late).flatten();
    if writes.iter().any(|write| !is_beat(write)) {
        target.heart.note_write(committed.as_ref().err());
    }
    committed
}

/// The writes are done when a commit has succeeded in the file that has the name of the database.
async fn commit_in_time(target: &mut Target, writes: &[&Write]) -> Result<Vec<bool>, StoreError> {
    if let [Write::End] = writes {
        return Ok(vec![true]);
    }
    target.file.check()?;
    let mut transaction = begin(target, writes).await?;
    let mut written = Vec::with_capacity(writes.len());
    for write in writes {
        written.push(execute(&mut transaction, write).await?);
    }
    target.connection = Some(transaction.commit().await?);
    target.file.check()?;
    Ok(written)
}

async fn begin(target: &mut Target, writes: &[&Write]) -> Result<WriteTransaction, StoreError> {
    let is_sqlite = target.place.kind() == Kind::Sqlite;
    let is_kept = |_: &AnyConnection| !(is_sqlite && writes.iter().any(|write| is_beat(write)));
    if let Some(connection) = target.connection.take().filter(is_kept) {
        match WriteTransaction::begin(connection).await {
            // PostgreSQL may have been restarted: nothing is written yet, so try a new connection.
            Err(_) if !is_sqlite => {}
            begun => return begun,
        }
    }
    WriteTransaction::begin(connect::connect(&target.place).await?).await
}

/// With SQLite a beat is written by a new connection, which shows that the file can still be opened.
fn is_beat(write: &Write) -> bool {
    matches!(write, Write::Beat { .. })
}

async fn execute(connection: &mut AnyConnection, write: &Write) -> Result<bool, StoreError> {
    let done = match write {
        Write::End => return Ok(true),
        Write::Beat { now_ms } => {
            heartbeat::execute(connection, *now_ms).await?;
            return Ok(true);
        }
        Write::Append(append) => return execute_append(connection, append).await,
        Write::Game(game) => {
            let NewGame { id, settings, seed, first } = &**game;
            let settings_text = serde_json::to_string(&**settings)
                .map_err(|e| StoreError::Corrupt(e.to_string()))?;
            if !read_model::insert(
                connection,
                id,
                settings,
                &settings_text,
                seed.as_str(),
                first.logged.at_ms,
            )
            .await?
            {
                return Ok(false);
            }
            return execute_append(connection, first).await;
        }
        Write::People(change) => return people::execute(connection, change).await,
        Write::Invite { game, seat, hash } => {
            sqlx::query(
                "INSERT INTO invitations (game, seat, hash) VALUES ($1, $2, $3) \
                 ON CONFLICT (game, seat) DO UPDATE SET hash = excluded.hash",
            )
            .bind(&**game)
            .bind(i64::from(*seat))
            .bind(hash.as_str())
            .execute(&mut *connection)
            .await?
        }
    };
    Ok(done.rows_affected() > 0)
}

async fn execute_append(
    connection: &mut AnyConnection,
    append: &Append,
) -> Result<bool, StoreError> {
    let Append { game, logged, columns, seats, news_for: _ } = append;
    let number = i64::try_from(logged.number).unwrap_or(i64::MAX);
    let body =
        serde_json::to_string(&logged.event).map_err(|e| StoreError::Corrupt(e.to_string()))?;
    let inserted = sqlx::query(
        "INSERT INTO events (game, number, at_ms, body) VALUES ($1, $2, $3, $4) \
         ON CONFLICT DO NOTHING",
    )
    .bind(&**game)
    .bind(number)
    .bind(logged.at_ms)
    .bind(body)
    .execute(&mut *connection)
    .await?;
    if inserted.rows_affected() == 0 {
        return Ok(false);
    }
    if read_model::advance(connection, game, columns, seats).await? {
        return Ok(true);
    }
    // Either the row is ahead of this event, or the game was deleted and must not get a new event.
    let exists = sqlx::query("SELECT 1 AS n FROM games WHERE id = $1").bind(&**game);
    if exists.fetch_optional(&mut *connection).await?.is_some() {
        return Ok(true);
    }
    sqlx::query("DELETE FROM events WHERE game = $1 AND number = $2")
        .bind(&**game)
        .bind(number)
        .execute(&mut *connection)
        .await?;
    Ok(false)
}
