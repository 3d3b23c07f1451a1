//! Lists of games, from the [`read_model`](crate::store::read_model): no log is read for them.

use crate::store::read_model::{GameColumns, SeatRow};
use crate::store::{Store, StoreError};
use azulejo_table::Settings;
use sqlx::Row;
use sqlx::any::AnyRow;

/// A game in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ListedGame {
    /// The id.
    pub(crate) id: String,
    /// What was agreed before it began.
    pub(crate) settings: Settings,
    /// When it was created, in milliseconds since 1970.
    pub(crate) created_ms: i64,
    /// What follows from its events.
    pub(crate) columns: GameColumns,
    /// The seats.
    pub(crate) seats: Vec<SeatRow>,
}

/// The statement for a list: one row for each seat of the chosen games. The seed stays out of it.
macro_rules! list {
    ($games:literal, $order:literal) => {
        concat!(
            "SELECT g.id AS id, settings, created_ms, status, turn, round, scores, ended_by, number, \
             updated_ms, wake_ms, seat, kind, person, name, level, left_why, place \
             FROM (SELECT * FROM games WHERE ",
            $games,
            ") g JOIN seats s ON s.game = g.id ORDER BY ",
            $order,
            ", g.id, s.seat"
        )
    };
}

impl Store {
    /// The games of a person, the latest first.
    ///
    /// # Errors
    /// If the database does not answer.
    pub(crate) async fn games_of(
        &self,
        person: &str,
        limit: u32,
        skip: u32,
    ) -> Result<Vec<ListedGame>, StoreError> {
        let query = sqlx::query(list!(
            "id IN (SELECT game FROM seats WHERE person = $1 AND kind = 'person') \
             ORDER BY updated_ms DESC, id LIMIT $2 OFFSET $3",
            "updated_ms DESC"
        ));
        let query = query.bind(person).bind(i64::from(limit)).bind(i64::from(skip));
        listed(&self.in_time(query.fetch_all(&self.pool)).await?)
    }

    /// The latest games of a creator, the last created first.
    ///
    /// # Errors
    /// If the database does not answer.
    pub(crate) async fn games_by(
        &self,
        creator: &str,
        limit: u32,
    ) -> Result<Vec<ListedGame>, StoreError> {
        let query = sqlx::query(list!(
            "creator = $1 ORDER BY created_ms DESC, id LIMIT $2",
            "created_ms DESC"
        ));
        let query = query.bind(creator).bind(i64::from(limit));
        listed(&self.in_time(query.fetch_all(&self.pool)).await?)
    }

    /// A game as in a list; `None` if there is none.
    ///
    /// # Errors
    /// If the database does not answer.
    pub(crate) async fn listed_game(&self, id: &str) -> Result<Option<ListedGame>, StoreError> {
        let query = sqlx::query(list!("id = $1", "created_ms"));
        Ok(listed(&self.in_time(query.bind(id).fetch_all(&self.pool)).await?)?.pop())
    }

    /// The listed games that are not over: first those that wait for players, then the others, each
    /// the latest first.
    ///
    /// # Errors
    /// If the database does not answer.
    pub(crate) async fn lobby(&self, limit: u32) -> Result<Vec<ListedGame>, StoreError> {
        let query = sqlx::query(list!(
            "listed = 1 AND status <> 'over' ORDER BY status DESC, created_ms DESC, id LIMIT $1",
            "status DESC, created_ms DESC"
        ));
        listed(&self.in_time(query.bind(i64::from(limit)).fetch_all(&self.pool)).await?)
    }
}

/// The games of rows that have one seat each, the seats of a game together.
fn listed(rows: &[AnyRow]) -> Result<Vec<ListedGame>, StoreError> {
    let mut games: Vec<ListedGame> = Vec::new();
    for row in rows {
        let id: String = row.try_get("id")?;
        let seat = SeatRow::read(row)?;
        match games.last_mut() {
            Some(game) if game.id == id => game.seats.push(seat),
            _ => {
                let settings: String = row.try_get("settings")?;
                let settings = serde_json::from_str(&settings).map_err(|error| {
                    StoreError::Corrupt(format!("game {id}: invalid settings: {error}"))
                })?;
                let (created_ms, columns) = (row.try_get("created_ms")?, GameColumns::read(row)?);
                games.push(ListedGame { id, settings, created_ms, columns, seats: vec![seat] });
            }
        }
    }
    Ok(games)
}
