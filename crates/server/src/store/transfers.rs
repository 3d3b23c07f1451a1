//! Transfers: a person moves to another device with a code that works once and for a few minutes. Beside
//! the person a transfer holds what the person has only on the old device, as the page packed it.
//!
//! Transfers are in no backup: they would be over before it is restored.

use crate::store::people::add_token;
use crate::store::{Store, StoreError};
use sqlx::any::AnyQueryResult;
use sqlx::{AnyConnection, Row};

/// A change of the transfers.
#[derive(Debug)]
pub(crate) enum Transfer {
    /// Offers a person to the device that knows the code; an earlier offer is withdrawn.
    Offer {
        /// The person.
        person: String,
        /// The hash of the code.
        hash: String,
        /// What to hand over.
        games: String,
        /// The end of the offer, in milliseconds since 1970.
        until_ms: i64,
    },
    /// Takes an offer: the device gets a token, and the code is used up.
    Take {
        /// The hash of the code.
        hash: String,
        /// The person.
        person: String,
        /// The hash of the new token.
        token_hash: String,
        /// The time.
        now_ms: i64,
    },
    /// Withdraws the offer of a person.
    Withdraw {
        /// The person.
        person: String,
    },
    /// Deletes the offers that are over.
    Forget {
        /// The time.
        now_ms: i64,
    },
}

/// An offer that can be taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Offered {
    /// The person.
    pub(crate) person: String,
    /// What is handed over.
    pub(crate) games: String,
}

impl Store {
    /// The offer with the hash of a code, unless it is over.
    pub(crate) async fn offered(
        &self,
        hash: &str,
        now_ms: i64,
    ) -> Result<Option<Offered>, StoreError> {
        let query =
            sqlx::query("SELECT person, games FROM transfers WHERE hash = $1 AND until_ms > $2");
        let row = self.in_time(query.bind(hash).bind(now_ms).fetch_optional(&self.pool)).await?;
        let offered = |row: sqlx::any::AnyRow| {
            Ok(Offered { person: row.try_get("person")?, games: row.try_get("games")? })
        };
        row.map(offered).transpose()
    }

    /// The number of offers in the database.
    pub(crate) async fn n_transfers(&self) -> Result<u64, StoreError> {
        let query = sqlx::query("SELECT COUNT(*) AS n FROM transfers");
        let n: i64 = self.in_time(query.fetch_one(&self.pool)).await?.try_get("n")?;
        Ok(u64::try_from(n).unwrap_or(0))
    }
}

/// Writes a change; whether it changed anything.
pub(super) async fn execute(
    connection: &mut AnyConnection,
    transfer: &Transfer,
) -> Result<AnyQueryResult, sqlx::Error> {
    match transfer {
        Transfer::Offer { person, hash, games, until_ms } => {
            withdraw(connection, person).await?;
            sqlx::query(
                "INSERT INTO transfers (hash, person, games, until_ms) VALUES ($1, $2, $3, $4)",
            )
            .bind(hash.as_str())
            .bind(person.as_str())
            .bind(games.as_str())
            .bind(*until_ms)
            .execute(connection)
            .await
        }
        Transfer::Take { hash, person, token_hash, now_ms } => {
            let taken = sqlx::query("DELETE FROM transfers WHERE hash = $1 AND until_ms > $2")
                .bind(hash.as_str())
                .bind(*now_ms)
                .execute(&mut *connection)
                .await?;
            // Of two devices with the same code, the second finds nothing to delete.
            if taken.rows_affected() == 0 {
                return Ok(taken);
            }
            add_token(connection, token_hash, person, *now_ms).await
        }
        Transfer::Withdraw { person } => withdraw(connection, person).await,
        Transfer::Forget { now_ms } => {
            sqlx::query("DELETE FROM transfers WHERE until_ms <= $1")
                .bind(*now_ms)
                .execute(connection)
                .await
        }
    }
}

pub(super) async fn withdraw(
    connection: &mut AnyConnection,
    person: &str,
) -> Result<AnyQueryResult, sqlx::Error> {
    sqlx::query("DELETE FROM transfers WHERE person = $1").bind(person).execute(connection).await
}
