//! How a server is set up. Where the values come from (flags, environment, a file) is for the
//! program that starts it.

use crate::api::LimitsConfig;
use crate::store::Place;
use crate::table::Terms;
use std::net::SocketAddr;
use std::time::{Duration, SystemTime};

/// How a server is set up.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where to listen.
    pub listen: SocketAddr,
    /// Where the games are stored.
    pub database: Place,
    /// How many threads think for the engine's seats.
    pub engine_threads: usize,
    /// How long the engine thinks about a move at most.
    pub engine_time: Duration,
    /// Origins besides the server's own from which browsers may come.
    pub origins: Vec<String>,
    /// Whether a proxy in front tells the client's address in `X-Forwarded-For`.
    pub trusts_proxy: bool,
    /// Whether browsers reach the server by HTTPS, through a proxy: cookies are for HTTPS only.
    pub is_secure: bool,
    /// How much one address may ask.
    pub limits: LimitsConfig,
    /// How tables are run.
    pub terms: Terms,
    /// How long clients are waited for.
    pub patience: Patience,
    /// How long answers that are under way may take when the server stops.
    pub grace: Duration,
    /// Where the time of day comes from. It is asked once, when the server starts; a server with a
    /// PostgreSQL asks that instead, so that all nodes have the same time.
    pub time_of_day: fn() -> SystemTime,
}

/// How long clients are waited for.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// For the head of a request, and between two requests of a connection.
    pub head: Duration,
    /// For the rest of a request and its answer.
    pub request: Duration,
    /// How often a socket is asked whether somebody is still there.
    pub ping: Duration,
    /// A socket that is silent for so long is let go.
    pub silence: Duration,
    /// Whoever does not take a message of a socket or a stream for so long is let go.
    pub stuck: Duration,
}

impl Default for Patience {
    fn default() -> Patience {
        let seconds = Duration::from_secs;
        Patience {
            head: seconds(60),
            request: seconds(30),
            ping: seconds(20),
            silence: seconds(50),
            stuck: seconds(10),
        }
    }
}

impl Config {
    /// A server with this database that listens there.
    #[must_use]
    pub fn new(listen: SocketAddr, database: Place) -> Config {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        Config {
            listen,
            database,
            engine_threads: threads.saturating_sub(1).max(1),
            engine_time: Duration::from_millis(1_500),
            origins: Vec::new(),
            trusts_proxy: false,
            is_secure: false,
            limits: LimitsConfig::default(),
            terms: Terms::default(),
            patience: Patience::default(),
            grace: Duration::from_secs(10),
            time_of_day: SystemTime::now,
        }
    }
}
