//! The read model: the columns of `games` and the rows of `seats` that follow from the settings and
//! the log of a game. They exist for queries, are written with every event, and can be rebuilt from the
//! logs at any time. A program with another [`VERSION`] rebuilds all of them when it opens a database.
//!
//! They are plain columns, not the views that clients get: a new field of a view changes nothing here.

use crate::store::{StoreError, read};
use azulejo_rules::Board;
use azulejo_table::{Game, Holder, Settings};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AnyPool, Row};

/// The version of the derived columns. Raise it when one of them gets another meaning.
const VERSION: i64 = 1;

/// The number of games rebuilt in one transaction.
const BATCH: i64 = 200;

/// The derived columns of a game that events change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GameColumns {
    /// The name of its stage.
    pub(crate) status: String,
    /// The seat to move.
    pub(crate) turn: Option<i64>,
    /// The round.
    pub(crate) round: i64,
    /// The scores by seat, separated by spaces.
    pub(crate) scores: String,
    /// The name of the reason why it ended.
    pub(crate) ended_by: Option<String>,
    /// The number of the last event.
    pub(crate) number: i64,
    /// When the last event happened, in milliseconds since 1970.
    pub(crate) updated_ms: i64,
    /// When its task has to act without a command.
    pub(crate) wake_ms: Option<i64>,
}

/// A seat of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SeatRow {
    /// Its number, from 1.
    pub(crate) seat: i64,
    /// `open`, `reserved`, `person` or `engine`.
    pub(crate) kind: String,
    /// The id of the person who holds it, or for whom it is reserved.
    pub(crate) person: Option<String>,
    /// The name of that person in this game.
    pub(crate) name: Option<String>,
    /// The level of an engine.
    pub(crate) level: Option<i64>,
    /// Why the seat left the game.
    pub(crate) left_why: Option<String>,
    /// The rank in the result, from 1.
    pub(crate) place: Option<i64>,
}

impl GameColumns {
    pub(super) fn of(game: &Game) -> GameColumns {
        let scores: Vec<String> =
            game.position.boards().iter().map(|board: &Board| board.score().to_string()).collect();
        GameColumns {
            status: game.status().name().to_owned(),
            turn: game.turn().map(i64::from),
            round: i64::from(game.position.round()),
            scores: scores.join(" "),
            ended_by: game.result().map(|result| result.ended_by.name().to_owned()),
            number: i64::try_from(game.number).unwrap_or(i64::MAX),
            updated_ms: game.at_ms,
            wake_ms: game.wake_ms(),
        }
    }

    pub(super) fn read(row: &AnyRow) -> Result<GameColumns, sqlx::Error> {
        Ok(GameColumns {
            status: row.try_get("status")?,
            turn: row.try_get("turn")?,
            round: row.try_get("round")?,
            scores: row.try_get("scores")?,
            ended_by: row.try_get("ended_by")?,
            number: row.try_get("number")?,
            updated_ms: row.try_get("updated_ms")?,
            wake_ms: row.try_get("wake_ms")?,
        })
    }
}

impl SeatRow {
    pub(super) fn read(row: &AnyRow) -> Result<SeatRow, sqlx::Error> {
        Ok(SeatRow {
            seat: row.try_get("seat")?,
            kind: row.try_get("kind")?,
            person: row.try_get("person")?,
            name: row.try_get("name")?,
            level: row.try_get("level")?,
            left_why: row.try_get("left_why")?,
            place: row.try_get("place")?,
        })
    }
}

/// The seats of a game.
pub(super) fn seats(game: &Game) -> Vec<SeatRow> {
    let ranks = game.result().map(|result| result.ranks).unwrap_or_default();
    let ranks = ranks.into_iter().map(Some).chain(std::iter::repeat(None));
    (1..)
        .zip(&game.seats)
        .zip(ranks)
        .map(|((seat, state), rank)| {
            let (kind, holder, level) = match &state.holder {
                Holder::Vacant => ("open", None, None),
                Holder::Reserved { person, name } => ("reserved", Some((person, name)), None),
                Holder::Person { person, name } => ("person", Some((person, name)), None),
                Holder::Engine { level } => ("engine", None, Some(i64::from(*level))),
            };
            SeatRow {
                seat,
                kind: kind.to_owned(),
                person: holder.map(|(person, _)| person.to_string()),
                name: holder.map(|(_, name)| name.to_string()),
                level,
                left_why: state.left.map(|why| why.name().to_owned()),
                place: rank.map(i64::from),
            }
        })
        .collect()
}

/// Inserts a game without events; `false` if it exists.
pub(super) async fn insert(
    connection: &mut AnyConnection,
    id: &str,
    settings: &Settings,
    settings_text: &str,
    seed: &str,
    created_ms: i64,
) -> Result<bool, sqlx::Error> {
    let inserted = sqlx::query(
        "INSERT INTO games (id, settings, seed, listed, creator, status, number, created_ms, \
         updated_ms) VALUES ($1, $2, $3, $4, $5, '', 0, $6, $6) ON CONFLICT DO NOTHING",
    )
    .bind(id)
    .bind(settings_text)
    .bind(seed)
    .bind(i64::from(settings.listed))
    .bind(settings.creator.as_str())
    .bind(created_ms)
    .execute(connection)
    .await?;
    Ok(inserted.rows_affected() > 0)
}

/// Writes the columns after an event; `false` if the game does not exist or is further on already.
pub(super) async fn advance(
    connection: &mut AnyConnection,
    game: &str,
    columns: &GameColumns,
    seats: &[SeatRow],
) -> Result<bool, sqlx::Error> {
    let updated = sqlx::query(
        "UPDATE games SET status = $2, turn = $3, round = $4, scores = $5, ended_by = $6, \
         number = $7, updated_ms = $8, wake_ms = $9 WHERE id = $1 AND number < $7",
    )
    .bind(game)
    .bind(columns.status.as_str())
    .bind(columns.turn)
    .bind(columns.round)
    .bind(columns.scores.as_str())
    .bind(columns.ended_by.as_deref())
    .bind(columns.number)
    .bind(columns.updated_ms)
    .bind(columns.wake_ms)
    .execute(&mut *connection)
    .await?;
    if updated.rows_affected() == 0 {
        return Ok(false);
    }
    for seat in seats {
        write_seat(connection, game, seat).await?;
    }
    Ok(true)
}

/// Writes everything that follows from a game, whatever was there before.
pub(super) async fn rewrite(
    connection: &mut AnyConnection,
    game: &Game,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "UPDATE games SET listed = $2, creator = $3, created_ms = $4, number = -1 WHERE id = $1",
    )
    .bind(&*game.id)
    .bind(i64::from(game.settings.listed))
    .bind(game.settings.creator.as_str())
    .bind(game.created_ms)
    .execute(&mut *connection)
    .await?;
    sqlx::query("DELETE FROM seats WHERE game = $1")
        .bind(&*game.id)
        .execute(&mut *connection)
        .await?;
    advance(connection, &game.id, &GameColumns::of(game), &seats(game)).await?;
    Ok(())
}

async fn write_seat(
    connection: &mut AnyConnection,
    game: &str,
    row: &SeatRow,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "INSERT INTO seats (game, seat, kind, person, name, level, left_why, place) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (game, seat) DO UPDATE SET \
         kind = excluded.kind, person = excluded.person, name = excluded.name, \
         level = excluded.level, left_why = excluded.left_why, place = excluded.place",
    )
    .bind(game)
    .bind(row.seat)
    .bind(row.kind.as_str())
    .bind(row.person.as_deref())
    .bind(row.name.as_deref())
    .bind(row.level)
    .bind(row.left_why.as_deref())
    .bind(row.place)
    .execute(connection)
    .await?;
    Ok(())
}

/// Rebuilds the read model of all games if it has another version. The version is written at the end,
/// so that an interrupted rebuild starts again.
pub(super) async fn rebuild(pool: &AnyPool) -> Result<(), StoreError> {
    let row = sqlx::query("SELECT COALESCE(MAX(version), 0) AS version FROM read_model")
        .fetch_one(pool)
        .await?;
    if row.try_get::<i64, _>("version")? == VERSION {
        return Ok(());
    }
    let mut last = String::new();
    let mut n_games = 0;
    loop {
        let ids = sqlx::query("SELECT id FROM games WHERE id > $1 ORDER BY id LIMIT $2")
            .bind(last.as_str())
            .bind(BATCH)
            .fetch_all(pool)
            .await?;
        let mut transaction = pool.begin().await?;
        for row in &ids {
            last = row.try_get("id")?;
            match load(&mut transaction, &last).await {
                Ok(game) => rewrite(&mut transaction, &game).await?,
                // The game cannot be played, which must not keep the others from it.
                Err(StoreError::Corrupt(problem)) => tracing::error!(
                    problem,
                    "a game is damaged and left out of lists; `azulejo db check` reports it"
                ),
                Err(error) => return Err(error),
            }
        }
        transaction.commit().await?;
        if ids.is_empty() {
            break;
        }
        n_games += ids.len();
        tracing::info!(n_games, "rebuilding the lists of games from their logs");
    }
    let mut transaction = pool.begin().await?;
    sqlx::query("DELETE FROM read_model").execute(&mut *transaction).await?;
    sqlx::query("INSERT INTO read_model (version) VALUES ($1)")
        .bind(VERSION)
        .execute(&mut *transaction)
        .await?;
    transaction.commit().await?;
    Ok(())
}

/// A game of one connection, replayed from its log.
pub(super) async fn load(connection: &mut AnyConnection, id: &str) -> Result<Game, StoreError> {
    let row = sqlx::query("SELECT settings, seed FROM games WHERE id = $1")
        .bind(id)
        .fetch_one(&mut *connection)
        .await?;
    let (settings, seed): (String, String) = (row.try_get("settings")?, row.try_get("seed")?);
    let rows =
        sqlx::query("SELECT number, at_ms, body FROM events WHERE game = $1 ORDER BY number")
            .bind(id)
            .fetch_all(connection)
            .await?;
    let log = rows.iter().map(|row| read::logged(id, row)).collect::<Result<Vec<_>, _>>()?;
    read::replay(id, &settings, &seed, &log)
}
