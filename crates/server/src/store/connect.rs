//! Where the database is, and how a connection to it is set up.

use crate::store::StoreError;
use sqlx::any::AnyPoolOptions;
use sqlx::{AnyPool, Executor};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Where a database is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A file of SQLite.
    File(PathBuf),
    /// A PostgreSQL server, by its URL.
    Postgres(String),
}

/// Which database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// SQLite.
    Sqlite,
    /// PostgreSQL.
    Postgres,
}

impl Place {
    /// Reads what a person wrote: a URL that begins with `postgres:` or `postgresql:`, or the
    /// path of a file, with or without `sqlite:` before it.
    #[must_use]
    pub fn read(text: &str) -> Place {
        if text.starts_with("postgres:") || text.starts_with("postgresql:") {
            return Place::Postgres(text.to_owned());
        }
        let path = text.strip_prefix("sqlite://").or_else(|| text.strip_prefix("sqlite:"));
        Place::File(PathBuf::from(path.unwrap_or(text)))
    }

    /// Which database it is.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        match self {
            Place::File(_) => Kind::Sqlite,
            Place::Postgres(_) => Kind::Postgres,
        }
    }

    /// For people: the path, or the address without a password.
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
                    // FULL: a move that was acknowledged survives a power failure too.
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

/// The URL of a file; characters that mean something in a URL are escaped.
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
    fn places_are_told_apart() {
        let file = |path: &str| Place::File(PathBuf::from(path));
        assert_eq!(Place::read("azulejo.db"), file("azulejo.db"));
        assert_eq!(Place::read("sqlite:///var/a.db"), file("/var/a.db"));
        assert_eq!(Place::read("sqlite:a.db"), file("a.db"));
        let url = "postgres://me:secret@db:5432/azulejo";
        assert_eq!(Place::read(url), Place::Postgres(url.to_owned()));
        assert_eq!(Place::read(url).describe(), "PostgreSQL at db:5432/azulejo");
    }
}
