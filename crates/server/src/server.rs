//! Starting and stopping a server.

use crate::api::{self, App, Hosts, Inner, KnownPeople, Limits, Replays};
use crate::config::Config;
use crate::listen;
use crate::metrics::Metrics;
use crate::notices;
use crate::retention;
use crate::store::{BanList, Lock, LockError, Store, StoreError};
use crate::tables::{Engines, Reviews, Tables};
use crate::time::{Clock, since_1970_ms};
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, SystemTime};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// A running server.
pub struct Server {
    address: SocketAddr,
    closing: watch::Sender<bool>,
    task: JoinHandle<()>,
    store: Store,
    clock: Clock,
    engines: Engines,
    metrics: Arc<Metrics>,
    grace: Duration,
    lock: Lock,
}

/// Why a server did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The address is not available.
    #[error("cannot listen on {address}: {error}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The cause.
        error: std::io::Error,
    },
    /// The database cannot be opened.
    #[error("cannot open {place}: {error}")]
    Database {
        /// The database.
        place: String,
        /// The cause.
        error: StoreError,
    },
    /// Another server uses the database file.
    #[error(
        "{0} is used by another server; use another file, or a PostgreSQL database for several servers"
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
        let lock = Lock::for_server(&config.database).await.map_err(|error| match error {
            LockError::InUse(place) => StartError::InUse(place),
            LockError::Store(error) => StartError::Database { place: place.clone(), error },
        })?;
        let node = crate::ids::new_id();
        let broken = |error| StartError::Database { place: place.clone(), error };
        let store = Store::open(config.database, &node).await.map_err(broken)?;
        let metrics = Arc::new(Metrics::default());
        let clock = set_clock(&store, config.time_of_day).await.map_err(broken)?;
        // The first beat records how long no server was running, before any game is looked at. If the
        // database cannot be written now, games are still shown.
        let _ = store.check_writable(clock).await;
        tokio::spawn(store.clone().keep_beating(clock));
        let engines =
            Engines::start(config.engine_threads, config.engine_time, Arc::clone(&metrics));
        let tables =
            Tables::new(store.clone(), clock, engines.clone(), Arc::clone(&metrics), config.tables);
        let (closing, is_closing) = watch::channel(false);
        let last_notice = store.last_notice().await.map_err(broken)?;
        let (bans, ban_list) =
            watch::channel(Arc::new(BanList::new(store.bans().await.map_err(broken)?)));
        let app = App(Arc::new(Inner {
            tables,
            store: store.clone(),
            engines: engines.clone(),
            clock,
            metrics: Arc::clone(&metrics),
            limits: Limits::new(config.limits),
            replays: Replays::default(),
            reviews: Reviews::start(engines.clone(), is_closing.clone()),
            hosts: Hosts::new(&config.hosts, config.trusts_proxy),
            origins: config.origins,
            trusts_proxy: config.trusts_proxy,
            is_secure: config.is_secure,
            has_tv: config.has_tv,
            pairing: tokio::sync::Mutex::default(),
            retention: config.retention,
            timeouts: config.timeouts,
            web: config.web,
            closing: is_closing.clone(),
            known: KnownPeople::default(),
            bans: ban_list,
        }));
        tokio::spawn(notices::follow(app.clone(), last_notice, bans));
        let is_stopping = is_closing.clone();
        tokio::spawn(retention::run(store.clone(), clock, config.retention, is_stopping));
        let router = api::router(app.clone());
        let task = tokio::spawn(listen::run(listener, app, router, is_closing));
        let grace = config.grace;
        Ok(Server { address, closing, task, store, clock, engines, metrics, grace, lock })
    }

    /// The address it listens on.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Stops gracefully: accepts no new connections, says `bye` on every socket, waits for pending
    /// answers, then closes the database.
    pub async fn stop(mut self) {
        let _ = self.closing.send(true);
        self.engines.stop();
        let ended = async {
            let _ = (&mut self.task).await;
            // After the upgrade the socket is no longer counted as an HTTP connection.
            while self.metrics.sockets.load(Relaxed) > 0 {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        if tokio::time::timeout(self.grace, ended).await.is_err() {
            tracing::warn!("some connections did not close in time");
            self.task.abort();
        }
        // The time without a server begins now.
        let _ = self.store.check_writable(self.clock).await;
        self.store.close().await;
        drop(self.lock);
    }
}

/// Sets the clock by the shared database, or by this machine's time of day.
async fn set_clock(store: &Store, time_of_day: fn() -> SystemTime) -> Result<Clock, StoreError> {
    let now_ms = store.time_ms().await?.unwrap_or_else(|| since_1970_ms(time_of_day()));
    let last_ms = store.last_event_ms().await?;
    if now_ms < last_ms {
        let behind_ms = last_ms - now_ms;
        tracing::warn!(
            behind_ms,
            "the clock is behind the last event; time continues from that event"
        );
    }
    Ok(Clock::new(now_ms.max(last_ms)))
}
