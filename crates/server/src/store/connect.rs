//! The location of the database and its connection settings.

use crate::store::StoreError;
use sqlx::any::AnyPoolOptions;
use sqlx::{AnyPool, Executor};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The location of a database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A SQLite file.
    File(PathBuf),
    /// A PostgreSQL server, by its URL.
    Postgres(String),
}

/// The kind of a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// SQLite.
    Sqlite,
    /// PostgreSQL.
    Postgres,
}

impl Place {
    /// Reads a location: a URL that begins with `postgres:` or `postgresql:`, or the path of a file, with
    /// or without `sqlite:` before it.
    #[must_use]
    pub fn read(text: &str) -> Place {
        if text.starts_with("postgres:") || text.starts_with("postgresql:") {
            return Place::Postgres(text.to_owned());
        }
        let path = text.strip_prefix("sqlite://").or_else(|| text.strip_prefix("sqlite:"));
        Place::File(PathBuf::from(path.unwrap_or(text)))
    }

    /// The kind of the database.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        match self {
            Place::File(_) => Kind::Sqlite,
            Place::Postgres(_) => Kind::Postgres,
        }
    }

    /// The path, or the address without a password, for messages.
    #[must_use]
    pub fn describe(&self) -> String {
        match self {
            Place::File(path) => path.display().to_string(),
            Place::Postgres(url) => match url.split_once('@') {
                Some((_, address)) => format!("PostgreSQL at {address}"),
                None => "PostgreSQL".to_owned(),
            },
        }
    }
}

pub(super) async fn open(place: &Place) -> Result<AnyPool, StoreError> {
    sqlx::any::install_default_drivers();
    let options = AnyPoolOptions::new().acquire_timeout(Duration::from_secs(5));
    let pool = match place {
        Place::Postgres(url) => options.max_connections(8).connect(url).await?,
        Place::File(path) => {
            let options = options.max_connections(4).after_connect(|connection, _| {
                Box::pin(async move {
                    // FULL: an acknowledged move survives a power failure.
                    for pragma in [
                        "PRAGMA journal_mode = WAL",
                        "PRAGMA synchronous = FULL",
                        "PRAGMA busy_timeout = 5000",
                        "PRAGMA journal_size_limit = 67108864",
                    ] {
                        connection.execute(pragma).await?;
                    }
                    Ok(())
                })
            });
            options.connect(&sqlite_url(path)?).await?
        }
    };
    Ok(pool)
}

/// The URL of a file, with reserved characters escaped.
fn sqlite_url(path: &Path) -> Result<String, StoreError> {
    let text = path.to_str().ok_or_else(|| {
        StoreError::Unavailable(format!("{}: the path is not UTF-8 text", path.display()))
    })?;
    let escaped = text.replace('%', "%25").replace('?', "%3F").replace('#', "%23");
    Ok(format!("sqlite://{escaped}?mode=rwc"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locations_are_recognized() {
        let file = |path: &str| Place::File(PathBuf::from(path));
        assert_eq!(Place::read("azulejo.db"), file("azulejo.db"));
        assert_eq!(Place::read("sqlite:///var/a.db"), file("/var/a.db"));
        assert_eq!(Place::read("sqlite:a.db"), file("a.db"));
        let url = "postgres://me:secret@db:5432/azulejo";
        assert_eq!(Place::read(url), Place::Postgres(url.to_owned()));
        assert_eq!(Place::read(url).describe(), "PostgreSQL at db:5432/azulejo");
    }
}
