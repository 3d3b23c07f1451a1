//! A table read page by page, in the order of its key: a backup or a check of a large database does not
//! hold it in memory.

use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};

/// The number of rows read at a time.
const PAGE_ROWS: i64 = 500;

/// A table whose key is one text.
#[derive(Clone, Copy, Debug)]
pub(super) enum Keyed {
    People,
    Tokens,
    Games,
}

/// The pages of a table.
pub(super) struct Pages {
    table: Keyed,
    /// The key of the last row read.
    last: String,
}

impl Pages {
    pub(super) fn of(table: Keyed) -> Pages {
        Pages { table, last: String::new() }
    }

    /// The next rows; `None` after the last.
    pub(super) async fn next(
        &mut self,
        connection: &mut AnyConnection,
    ) -> Result<Option<Vec<AnyRow>>, sqlx::Error> {
        let (key, query) = match self.table {
            Keyed::People => ("id", "SELECT * FROM people WHERE id > $1 ORDER BY id LIMIT $2"),
            Keyed::Tokens => {
                ("hash", "SELECT * FROM tokens WHERE hash > $1 ORDER BY hash LIMIT $2")
            }
            Keyed::Games => ("id", "SELECT * FROM games WHERE id > $1 ORDER BY id LIMIT $2"),
        };
        let query = sqlx::query(query).bind(self.last.as_str()).bind(PAGE_ROWS);
        let rows = query.fetch_all(connection).await?;
        let Some(row) = rows.last() else { return Ok(None) };
        self.last = row.try_get(key)?;
        Ok(Some(rows))
    }
}
