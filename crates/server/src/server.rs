//! A running server: from a configuration to a socket that answers, and down again in order.

use crate::api::{self, App, Inner, Limits};
use crate::config::Config;
use crate::listen;
use crate::metrics::Metrics;
use crate::store::{Place, Store, StoreError};
use crate::table::{Engines, Tables};
use crate::time::{Clock, since_1970_ms};
use std::fs::File;
use std::net::SocketAddr;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// A server that runs.
pub struct Server {
    address: SocketAddr,
    closing: watch::Sender<bool>,
    task: JoinHandle<()>,
    store: Store,
    engines: Engines,
    metrics: Arc<Metrics>,
    grace: Duration,
    /// The file of an embedded database belongs to one server.
    lock: Option<File>,
}

/// Why a server did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The address cannot be had.
    #[error("cannot listen on {address}: {error}")]
    Listen {
        /// Where.
        address: SocketAddr,
        /// Why.
        error: std::io::Error,
    },
    /// The database cannot be opened.
    #[error("cannot open {place}: {error}")]
    Database {
        /// Which.
        place: String,
        /// Why.
        error: StoreError,
    },
    /// Another server has the database.
    #[error(
        "{0} is used by another server; give this one a file of its own, or share a PostgreSQL"
    )]
    InUse(String),
}

impl Server {
    /// Starts a server.
    ///
    /// # Errors
    /// If it cannot listen, or its database cannot be opened.
    pub async fn start(config: Config) -> Result<Server, StartError> {
        let listen = |error| StartError::Listen { address: config.listen, error };
        let listener = TcpListener::bind(config.listen).await.map_err(listen)?;
        let address = listener.local_addr().map_err(listen)?;
        let place = config.database.describe();
        let lock = lock(&config.database)?;
        let node = crate::ids::new_id();
        let broken = |error| StartError::Database { place: place.clone(), error };
        let store = Store::open(config.database, &node).await.map_err(broken)?;
        let metrics = Arc::new(Metrics::default());
        let clock = set_clock(&store, config.time_of_day).await.map_err(broken)?;
        let engines =
            Engines::start(config.engine_threads, config.engine_time, Arc::clone(&metrics));
        let tables =
            Tables::new(store.clone(), clock, engines.clone(), Arc::clone(&metrics), config.terms);
        let (closing, is_closing) = watch::channel(false);
        let app = App(Arc::new(Inner {
            tables,
            store: store.clone(),
            engines: engines.clone(),
            clock,
            metrics: Arc::clone(&metrics),
            limits: Limits::new(config.limits),
            origins: config.origins,
            trusts_proxy: config.trusts_proxy,
            is_secure: config.is_secure,
            patience: config.patience,
            closing: is_closing.clone(),
            people: Mutex::default(),
        }));
        let router = api::router(app.clone());
        let task = tokio::spawn(listen::run(listener, app, router, is_closing));
        let grace = config.grace;
        Ok(Server { address, closing, task, store, engines, metrics, grace, lock })
    }

    /// Where it listens.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Stops: no new connections, a word to every socket, time for answers that are under way,
    /// then the database.
    pub async fn stop(mut self) {
        let _ = self.closing.send(true);
        self.engines.stop();
        let ended = async {
            let _ = (&mut self.task).await;
            // A socket is no connection any more; each says goodbye by itself.
            while self.metrics.sockets.load(Relaxed) > 0 {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        if tokio::time::timeout(self.grace, ended).await.is_err() {
            tracing::warn!("some connections did not end in time");
            self.task.abort();
        }
        self.store.close().await;
        if let Some(lock) = &self.lock {
            // Said aloud: a child process that is just being started may hold the file as well.
            let _ = lock.unlock();
        }
    }
}

/// Sets the clock: by the database that all nodes share, or by the time of day here.
async fn set_clock(store: &Store, time_of_day: fn() -> SystemTime) -> Result<Clock, StoreError> {
    let now_ms = store.time_ms().await?.unwrap_or_else(|| since_1970_ms(time_of_day()));
    let last_ms = store.last_event_ms().await?;
    if now_ms < last_ms {
        let behind_ms = last_ms - now_ms;
        tracing::warn!(behind_ms, "the clock is behind the last event; time goes on from there");
    }
    Ok(Clock::new(now_ms.max(last_ms)))
}

/// Takes a file of SQLite for this process alone: a second server on the same file would not hear
/// of the moves of the first.
fn lock(place: &Place) -> Result<Option<File>, StartError> {
    let Place::File(path) = place else { return Ok(None) };
    let mut name = path.clone().into_os_string();
    name.push(".lock");
    let problem = |error: &std::io::Error| StartError::Database {
        place: place.describe(),
        error: StoreError::Unavailable(error.to_string()),
    };
    let file = File::options().create(true).truncate(false).write(true).open(&name);
    let file = file.map_err(|error| problem(&error))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(std::fs::TryLockError::WouldBlock) => Err(StartError::InUse(place.describe())),
        Err(std::fs::TryLockError::Error(error)) => Err(problem(&error)),
    }
}
