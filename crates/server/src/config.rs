//! The configuration of a server. The program that starts it reads the values from flags, the
//! environment or a file.

use crate::api::LimitsConfig;
use crate::retention::Retention;
use crate::store::Place;
use crate::tables::TableConfig;
use std::borrow::Cow;
use std::net::SocketAddr;
use std::time::{Duration, SystemTime};

/// The configuration of a server.
#[derive(Clone, Debug)]
pub struct Config {
    /// The address to listen on.
    pub listen: SocketAddr,
    /// The database.
    pub database: Place,
    /// The number of threads that search for engine seats and hints.
    pub engine_threads: usize,
    /// The longest search for a move.
    pub engine_time: Duration,
    /// Whether the engine plays against itself for those who want to watch.
    pub has_tv: bool,
    /// Names of the server for browsers, besides IP addresses and local names.
    pub hosts: Vec<String>,
    /// Other origins than the server's own from which browsers may send requests.
    pub origins: Vec<String>,
    /// Whether to take the client's address from `X-Forwarded-For`, which the proxy in front sets.
    pub trusts_proxy: bool,
    /// Whether browsers reach the server by HTTPS, through a proxy. Then cookies
    /// are for HTTPS only, and browsers are told to use nothing else (HSTS).
    pub is_secure: bool,
    /// The rate limits.
    pub limits: LimitsConfig,
    /// How games are kept in memory.
    pub tables: TableConfig,
    /// The time limits for clients.
    pub timeouts: Timeouts,
    /// How long finished games and unused people are kept.
    pub retention: Retention,
    /// How long pending answers may take when the server stops.
    pub grace: Duration,
    /// The files of the web app by path. Without `index.html` every page explains that there is no web app.
    pub web: fn(&str) -> Option<WebFile>,
    /// The source of the time of day. It is read once, when the server starts. With PostgreSQL the
    /// database's clock is read instead, so that all nodes have the same time.
    pub time_of_day: fn() -> SystemTime,
}

/// A file of the web app.
#[derive(Clone, Debug)]
pub struct WebFile {
    /// Its content.
    pub content: Cow<'static, [u8]>,
    /// A hash of the content, which browsers are told.
    pub hash: [u8; 32],
}

/// The time limits for clients.
#[derive(Clone, Copy, Debug)]
pub struct Timeouts {
    /// For the head of a request, and between two requests of a connection.
    pub head: Duration,
    /// For the rest of a request and its answer.
    pub request: Duration,
    /// How often a socket sends a ping.
    pub ping: Duration,
    /// A socket without a message or a pong for this time is closed.
    pub silence: Duration,
    /// A client that does not read for this time is disconnected.
    pub write: Duration,
}

impl Default for Timeouts {
    fn default() -> Timeouts {
        let seconds = Duration::from_secs;
        Timeouts {
            head: seconds(10),
            request: seconds(30),
            ping: seconds(20),
            silence: seconds(50),
            write: seconds(10),
        }
    }
}

impl Config {
    /// The default configuration for an address and a database.
    #[must_use]
    pub fn new(listen: SocketAddr, database: Place) -> Config {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        Config {
            listen,
            database,
            engine_threads: threads.saturating_sub(1).max(1),
            engine_time: Duration::from_millis(1_500),
            has_tv: true,
            hosts: Vec::new(),
            origins: Vec::new(),
            trusts_proxy: false,
            is_secure: false,
            limits: LimitsConfig::default(),
            tables: TableConfig::default(),
            timeouts: Timeouts::default(),
            retention: Retention::default(),
            grace: Duration::from_secs(10),
            web: |_| None,
            time_of_day: SystemTime::now,
        }
    }
}
