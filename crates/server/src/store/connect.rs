//! The location of the database and its connection settings.

use crate::store::StoreError;
use sqlx::any::{AnyConnectOptions, AnyPoolOptions};
use sqlx::postgres::PgConnectOptions;
use sqlx::{AnyConnection, AnyPool, Connection, Executor};
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
    /// or without `sqlite:` before it. Pairs like `host=db password=…` are taken for the address of a
    /// PostgreSQL database, too, so that opening them explains how to write it and shows no password.
    #[must_use]
    pub fn read(text: &str) -> Place {
        let is_url = text.starts_with("postgres:") || text.starts_with("postgresql:");
        if is_url || PAIR_KEYS.iter().any(|key| text.trim_start().starts_with(key)) {
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

    /// The path, or host, port and name of a PostgreSQL database, for messages. There is no password in
    /// it, wherever the text had one.
    #[must_use]
    pub fn describe(&self) -> String {
        match self {
            Place::File(path) => path.display().to_string(),
            Place::Postgres(text) => match postgres_options(text) {
                Ok(options) => {
                    let socket = options.get_socket().map(|socket| socket.display().to_string());
                    let host = socket.unwrap_or_else(|| options.get_host().to_owned());
                    let (port, name) = (options.get_port(), options.get_database().unwrap_or(""));
                    format!("PostgreSQL at {host}:{port}/{name}")
                }
                Err(_) => "PostgreSQL".to_owned(),
            },
        }
    }
}

/// The keys of the settings that libpq reads from `key=value` pairs and that begin such a text.
const PAIR_KEYS: [&str; 8] =
    ["host=", "hostaddr=", "port=", "dbname=", "user=", "password=", "sslmode=", "service="];

/// The parameters that a URL may have after `?`.
const PARAMETERS: [&str; 13] = [
    "sslmode",
    "sslrootcert",
    "sslcert",
    "sslkey",
    "host",
    "hostaddr",
    "port",
    "dbname",
    "user",
    "password",
    "application_name",
    "options",
    "statement-cache-capacity",
];

/// Reads the URL of a PostgreSQL database. Errors do not quote it: any part may be a piece of a
/// password with unescaped reserved characters.
pub(super) fn postgres_options(text: &str) -> Result<PgConnectOptions, StoreError> {
    let bad = |problem: &str| StoreError::Unavailable(format!("the address {problem}"));
    let url: AnyConnectOptions = text
        .parse()
        .map_err(|_| bad("is not a URL: write it as postgres://USER:PASSWORD@HOST/NAME"))?;
    let url = url.database_url;
    let name = url.path().trim_start_matches('/');
    if url.cannot_be_a_base() || url.fragment().is_some() || name.contains(['@', ':', '/']) {
        return Err(bad(
            "must be like postgres://USER:PASSWORD@HOST/NAME; in the password write `/` as %2F, \
             `?` as %3F, `#` as %23, `@` as %40, `:` as %3A and `%` as %25",
        ));
    }
    // sqlx would log the name and the value of a parameter that it does not know.
    if url.query_pairs().any(|(key, _)| !PARAMETERS.contains(&&*key)) {
        let known = PARAMETERS.join(", ");
        return Err(bad(&format!("has an unknown parameter after `?`; there are {known}")));
    }
    text.parse().map_err(|_| bad("has a parameter with an invalid value after `?`"))
}

pub(super) async fn open(place: &Place) -> Result<AnyPool, StoreError> {
    sqlx::any::install_default_drivers();
    let options = AnyPoolOptions::new().acquire_timeout(Duration::from_secs(5));
    match place {
        Place::Postgres(url) => {
            postgres_options(url)?;
            let pool = options.max_connections(8).connect_lazy(url)?;
            if let Err(error) = pool.acquire().await {
                // A pool waits for a server that is starting, and then says only that time is up. One
                // connection says why it fails.
                connect(place).await?;
                return Err(error.into());
            }
            Ok(pool)
        }
        Place::File(path) => {
            connect_sqlite(path, "rwc").await?.close().await?;
            let url = sqlite_url(path, "rw")?;
            let set_up = options.max_connections(4).after_connect(|connection, _| {
                Box::pin(async move { set_up_sqlite(connection).await })
            });
            Ok(set_up.connect_lazy(&url)?)
        }
    }
}

/// Opens a new connection to an existing database.
pub(super) async fn connect(place: &Place) -> Result<AnyConnection, StoreError> {
    match place {
        Place::Postgres(url) => Ok(AnyConnection::connect(url).await?),
        Place::File(path) => connect_sqlite(path, "rw").await,
    }
}

async fn connect_sqlite(path: &Path, mode: &str) -> Result<AnyConnection, StoreError> {
    let mut connection = AnyConnection::connect(&sqlite_url(path, mode)?).await?;
    set_up_sqlite(&mut connection).await?;
    Ok(connection)
}

async fn set_up_sqlite(connection: &mut AnyConnection) -> Result<(), sqlx::Error> {
    // FULL: an acknowledged move survives a power failure.
    for pragma in [
        "PRAGMA busy_timeout = 5000",
        "PRAGMA journal_mode = WAL",
        "PRAGMA synchronous = FULL",
        "PRAGMA journal_size_limit = 67108864",
        // Deleted data is overwritten: a person's name must not stay in the file.
        "PRAGMA secure_delete = ON",
    ] {
        connection.execute(pragma).await?;
    }
    Ok(())
}

/// The URL of a file, with reserved characters escaped. Only the first connection creates the file: a
/// file that is removed while the server runs must not be replaced by an empty one.
fn sqlite_url(path: &Path, mode: &str) -> Result<String, StoreError> {
    let text = path.to_str().ok_or_else(|| {
        StoreError::Unavailable(format!("{}: the path is not UTF-8 text", path.display()))
    })?;
    let escaped = text.replace('%', "%25").replace('?', "%3F").replace('#', "%23");
    Ok(format!("sqlite://{escaped}?mode={mode}"))
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
        let by_parameters = "postgres:///?host=db&port=5433&dbname=games&user=me&password=secret";
        assert_eq!(Place::read(by_parameters).describe(), "PostgreSQL at db:5433/games");
    }

    /// A password is shown nowhere, however it is written.
    #[test]
    fn no_password_is_shown() {
        for text in [
            "postgres://me:secret@db/azulejo",
            "postgres://me:secret@db/azulejo?password=secret",
            "postgres://me@db/azulejo?password=secret",
            "postgres://me@db/azulejo?pasword=secret",
            "postgres://me@db/azulejo?sslpassword=secret",
            "postgres://db/azulejo?sslmode=secret",
            "postgres://db/azulejo?port=secret",
            "postgres://me:12/secret@db/azulejo",
            "postgres://me:12?secret@db/azulejo",
            "postgres://me:12#secret@db/azulejo",
            "postgres://me:12/secret",
            "postgres://me:sec/ret:secret@db/azulejo",
            "postgres:me:secret@db/azulejo",
            "postgresql:secret",
            "host=db user=me password=secret dbname=azulejo",
            "password=secret host=db",
            "user=me password='secret' host=db",
        ] {
            let place = Place::read(text);
            let Place::Postgres(_) = &place else { panic!("{text} is no file") };
            // The name of a database is shown: it looks like one.
            let is_name = text == "postgres://me:12/secret";
            assert!(is_name || !place.describe().contains("secret"), "{}", place.describe());
            if let Err(error) = postgres_options(text) {
                assert!(!error.to_string().contains("secret"), "{error}");
            }
        }
    }
}
