//! The rows of a table in the order of its key, read page by page: a backup or a check of a large
//! database does not hold it in memory.

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

/// The rows of a table.
pub(super) struct Rows {
    table: Keyed,
    page: std::vec::IntoIter<AnyRow>,
    /// The key of the last row of the page.
    last: String,
}

impl Rows {
    pub(super) fn of(table: Keyed) -> Rows {
        Rows { table, page: Vec::new().into_iter(), last: String::new() }
    }

    /// The next row; `None` after the last.
    pub(super) async fn next(
        &mut self,
        connection: &mut AnyConnection,
    ) -> Result<Option<AnyRow>, sqlx::Error> {
        if let Some(row) = self.page.next() {
            return Ok(Some(row));
        }
        let (key, query) = match self.table {
            Keyed::People => ("id", "SELECT * FROM people WHERE id > $1 ORDER BY id LIMIT $2"),
            Keyed::Tokens => {
                ("hash", "SELECT * FROM tokens WHERE hash > $1 ORDER BY hash LIMIT $2")
            }
            Keyed::Games => ("id", "SELECT * FROM games WHERE id > $1 ORDER BY id LIMIT $2"),
        };
        let query = sqlx::query(query).bind(self.last.as_str()).bind(PAGE_ROWS);
        let rows = query.fetch_all(connection).await?;
        if let Some(row) = rows.last() {
            self.last = row.try_get(key)?;
        }
        self.page = rows.into_iter();
        Ok(self.page.next())
    }
}
