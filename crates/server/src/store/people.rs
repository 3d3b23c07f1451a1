//! People and their tokens: what is written about them, and the queries. A person may have several
//! tokens, one for each device; the database has only their hashes.

use crate::store::bans::Ban;
use crate::store::transfers::{self, Transfer};
use crate::store::{Store, StoreError, bans, erase, notices};
use sqlx::any::AnyQueryResult;
use sqlx::{AnyConnection, Row};

/// Something to write about people, or about what operators decide.
#[derive(Debug)]
pub(crate) enum Change {
    /// A new person with a first token.
    Create {
        /// The id.
        id: String,
        /// The hash of the token.
        token_hash: String,
        /// The name to show.
        name: String,
        /// The time of creation.
        now_ms: i64,
    },
    /// A new name for a person.
    Rename {
        /// The id.
        id: String,
        /// The name to show.
        name: String,
        /// The time.
        now_ms: i64,
    },
    /// The person has used the server.
    Seen {
        /// The id.
        id: String,
        /// The time.
        now_ms: i64,
    },
    /// Another token for a person.
    AddToken {
        /// The person.
        person: String,
        /// The hash of the token.
        hash: String,
        /// The time.
        now_ms: i64,
    },
    /// Tokens that are no longer valid.
    Revoke {
        /// The person.
        person: String,
        /// Which of the person's tokens.
        which: Revoked,
        /// The time.
        now_ms: i64,
    },
    /// A person on the way to another device.
    Transfer(Transfer),
    /// Remove every trace of a person from a game, but for the moves.
    EraseFromGame {
        /// The game.
        game: String,
        /// The person.
        person: String,
        /// The id that takes the place of the person's.
        stand_in: String,
        /// The time.
        now_ms: i64,
    },
    /// Delete a person and the person's tokens.
    DeletePerson {
        /// The person.
        id: String,
        /// The time.
        now_ms: i64,
    },
    /// Tell all nodes that the log of a game has an event that no node has written.
    TouchGame {
        /// The game.
        id: String,
        /// The time.
        now_ms: i64,
    },
    /// Remove a subject from notices that every node has read.
    ForgetNotices {
        /// The subject.
        subject: String,
    },
    /// Delete a game with its log.
    DeleteGame {
        /// The game.
        id: String,
        /// The time.
        now_ms: i64,
    },
    /// Refuse a person or an address.
    Ban(Ban),
    /// End a ban.
    Unban {
        /// `person` or `address`.
        kind: &'static str,
        /// The id or the network.
        subject: String,
        /// The time.
        now_ms: i64,
    },
}

/// Which tokens of a person are revoked.
#[derive(Debug)]
pub(crate) enum Revoked {
    /// The one with this id, the first characters of its hash.
    One(String),
    /// All but the one with this hash.
    AllBut(String),
    /// All.
    All,
}

/// The length of a token's id.
pub(crate) const TOKEN_ID_LENGTH: usize = 16;

/// A token of a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    /// Its hash.
    pub(crate) hash: String,
    /// When it was made, in milliseconds since 1970.
    pub(crate) created_ms: i64,
}

/// A person with times, for operators and for the person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PersonRow {
    /// The id.
    pub id: String,
    /// The name to show.
    pub name: String,
    /// When the person was created, in milliseconds since 1970.
    pub created_ms: i64,
    /// The day on which the person was last seen, in milliseconds since 1970.
    pub seen_ms: i64,
}

impl PersonRow {
    pub(super) fn read(row: &sqlx::any::AnyRow) -> Result<PersonRow, StoreError> {
        Ok(PersonRow {
            id: row.try_get("id")?,
            name: row.try_get("name")?,
            created_ms: row.try_get("created_ms")?,
            seen_ms: row.try_get("seen_ms")?,
        })
    }
}

impl Store {
    /// The tokens of a person, the oldest first.
    pub(crate) async fn tokens(&self, person: &str) -> Result<Vec<Token>, StoreError> {
        let query = sqlx::query(
            "SELECT hash, created_ms FROM tokens WHERE person = $1 ORDER BY created_ms, hash",
        );
        let rows = self.in_time(query.bind(person).fetch_all(&self.pool)).await?;
        let token = |row: &sqlx::any::AnyRow| {
            Ok(Token { hash: row.try_get("hash")?, created_ms: row.try_get("created_ms")? })
        };
        rows.iter().map(token).collect()
    }

    /// A person by id.
    ///
    /// # Errors
    /// If the database does not answer.
    pub async fn person_by_id(&self, id: &str) -> Result<Option<PersonRow>, StoreError> {
        let query = sqlx::query("SELECT id, name, created_ms, seen_ms FROM people WHERE id = $1");
        let row = self.in_time(query.bind(id).fetch_optional(&self.pool)).await?;
        row.as_ref().map(PersonRow::read).transpose()
    }
}

/// Writes a change; whether it changed anything.
pub(super) async fn execute(
    connection: &mut AnyConnection,
    change: &Change,
) -> Result<bool, StoreError> {
    let done = match change {
        Change::Create { id, token_hash, name, now_ms } => {
            let inserted = sqlx::query(
                "INSERT INTO people (id, name, created_ms, seen_ms) VALUES ($1, $2, $3, $3) \
                 ON CONFLICT DO NOTHING",
            );
            let inserted = inserted.bind(id.as_str()).bind(name.as_str()).bind(*now_ms);
            if inserted.execute(&mut *connection).await?.rows_affected() == 0 {
                return Ok(false);
            }
            add_token(connection, token_hash, id, *now_ms).await?
        }
        Change::Rename { id, name, now_ms } => {
            notices::add(connection, "person", id, *now_ms).await?;
            sqlx::query("UPDATE people SET name = $2 WHERE id = $1")
                .bind(id.as_str())
                .bind(name.as_str())
                .execute(connection)
                .await?
        }
        Change::Seen { id, now_ms } => {
            sqlx::query("UPDATE people SET seen_ms = $2 WHERE id = $1 AND seen_ms < $2")
                .bind(id.as_str())
                .bind(*now_ms)
                .execute(connection)
                .await?
        }
        Change::AddToken { person, hash, now_ms } => {
            add_token(connection, hash, person, *now_ms).await?
        }
        Change::Revoke { person, which, now_ms } => {
            notices::add(connection, "person", person, *now_ms).await?;
            if !matches!(which, Revoked::One(_)) {
                transfers::withdraw(connection, person).await?;
            }
            revoke(connection, person, which).await?
        }
        Change::Transfer(transfer) => transfers::execute(connection, transfer).await?,
        Change::EraseFromGame { game, person, stand_in, now_ms } => {
            return erase::from_game(connection, game, person, stand_in, *now_ms).await;
        }
        Change::DeletePerson { id, now_ms } => {
            notices::add(connection, "person", id, *now_ms).await?;
            revoke(connection, id, &Revoked::All).await?;
            transfers::withdraw(connection, id).await?;
            sqlx::query("DELETE FROM bans WHERE kind = 'person' AND subject = $1")
                .bind(id.as_str())
                .execute(&mut *connection)
                .await?;
            sqlx::query("DELETE FROM people WHERE id = $1")
                .bind(id.as_str())
                .execute(connection)
                .await?
        }
        Change::ForgetNotices { subject } => notices::forget(connection, subject).await?,
        Change::TouchGame { id, now_ms } => {
            notices::add(connection, "game", id, *now_ms).await?;
            return Ok(true);
        }
        Change::DeleteGame { id, now_ms } => {
            return erase::game(connection, id, *now_ms).await;
        }
        Change::Ban(ban) => bans::write(connection, ban).await?,
        Change::Unban { kind, subject, now_ms } => {
            bans::remove(connection, kind, subject, *now_ms).await?
        }
    };
    Ok(done.rows_affected() > 0)
}

pub(super) async fn add_token(
    connection: &mut AnyConnection,
    hash: &str,
    person: &str,
    now_ms: i64,
) -> Result<AnyQueryResult, sqlx::Error> {
    sqlx::query("INSERT INTO tokens (hash, person, created_ms) VALUES ($1, $2, $3)")
        .bind(hash)
        .bind(person)
        .bind(now_ms)
        .execute(connection)
        .await
}

async fn revoke(
    connection: &mut AnyConnection,
    person: &str,
    which: &Revoked,
) -> Result<AnyQueryResult, sqlx::Error> {
    let (query, argument) = match which {
        Revoked::One(id) => {
            ("DELETE FROM tokens WHERE person = $1 AND substr(hash, 1, 16) = $2", id.as_str())
        }
        Revoked::AllBut(hash) => {
            ("DELETE FROM tokens WHERE person = $1 AND hash <> $2", hash.as_str())
        }
        Revoked::All => ("DELETE FROM tokens WHERE person = $1 AND hash <> $2", ""),
    };
    sqlx::query(query).bind(person).bind(argument).execute(connection).await
}
