//! Open connections, sockets and streams: how many one address or person may have, and how many the
//! server has. When places become scarce, the last ones are for people with a seat in a game.

use crate::api::App;
use crate::api::error::ApiError;
use crate::api::limits::{Client, LimitsConfig};
use moka::sync::Cache;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Open files that are not for connections: the database, the logs, the web app of a debug build.
const OTHER_FILES: usize = 100;

/// How long it is remembered whether a person has a seat.
const SEATED_CACHE_TIME: Duration = Duration::from_secs(10);

/// When a client with too many sockets may try again.
const SOCKET_RETRY: Duration = Duration::from_secs(10);

/// The connections, sockets and streams that are open.
pub(super) struct Places {
    sockets: Count,
    connections: Count,
    open: AtomicUsize,
    total: usize,
    reserve: usize,
    /// People who have a seat in a game that is not over.
    seated: Cache<Arc<str>, ()>,
}

/// What a socket or stream is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SocketKind {
    /// A WebSocket, which has left the connection that it came by.
    WebSocket,
    /// A stream, which is the answer to a request of a connection.
    Stream,
}

impl Places {
    pub(super) fn new(config: &LimitsConfig) -> Places {
        let allowed = crate::process::max_open_files().unwrap_or(10_000);
        let total = match config.total {
            _ if !config.is_on => usize::MAX,
            Some(total) => total,
            None => allowed.saturating_sub(OTHER_FILES).max(OTHER_FILES),
        };
        Places {
            sockets: Count::default(),
            connections: Count::default(),
            open: AtomicUsize::new(0),
            total,
            reserve: config.reserve.unwrap_or(total / 10).min(total),
            seated: Cache::builder().max_capacity(10_000).time_to_live(SEATED_CACHE_TIME).build(),
        }
    }

    /// Takes a place until it is dropped; `None` if there is none.
    fn take(app: &App) -> Option<Place> {
        let places = &app.limits.places;
        if places.open.fetch_add(1, Relaxed) >= places.total {
            places.open.fetch_sub(1, Relaxed);
            return None;
        }
        Some(Place(app.clone()))
    }
}

/// A place of the server that is taken.
struct Place(App);

impl Drop for Place {
    fn drop(&mut self) {
        self.0.limits.places.open.fetch_sub(1, Relaxed);
    }
}

impl App {
    /// Counts a socket or stream until it is dropped.
    ///
    /// # Errors
    /// If the address or the person has too many.
    pub(crate) async fn take_socket(
        &self,
        address: IpAddr,
        person: Option<&Arc<str>>,
        kind: SocketKind,
    ) -> Result<SocketGuard, ApiError> {
        let config = &self.limits.config;
        let refused = || {
            self.metrics.limited.fetch_add(1, Relaxed);
            Err(ApiError::TooMany { wait: SOCKET_RETRY })
        };
        let is_open_to_all = config.sockets - config.sockets / 4;
        let most = match person {
            _ if !config.is_on => usize::MAX,
            Some(person) if self.is_seated(person).await => config.sockets,
            _ => is_open_to_all,
        };
        let place = match kind {
            SocketKind::WebSocket => match Places::take(self) {
                Some(place) => Some(place),
                None => return refused(),
            },
            SocketKind::Stream => None,
        };
        let clients = Client::of(address, person);
        let Some(counted) = self.limits.places.sockets.add(clients, most) else {
            return refused();
        };
        self.metrics.sockets.fetch_add(1, Relaxed);
        Ok(SocketGuard { app: self.clone(), counted, _place: place })
    }

    /// Counts a connection until it is dropped; `None` if the address or the server has too many.
    pub(crate) fn take_connection(&self, peer: IpAddr) -> Option<ConnectionGuard> {
        let config = &self.limits.config;
        let taken = Places::take(self).and_then(|place| {
            // A proxy owns the connections of all its clients.
            let is_counted = config.is_on && !self.trusts_proxy;
            let most = if is_counted { config.connections } else { usize::MAX };
            let counted = self.limits.places.connections.add(Client::of(peer, None), most)?;
            Some(ConnectionGuard { app: self.clone(), counted, _place: place })
        });
        if taken.is_none() {
            self.metrics.limited.fetch_add(1, Relaxed);
        }
        taken
    }

    /// Whether the remaining places are for people with a seat.
    pub(crate) fn is_crowded(&self) -> bool {
        let places = &self.limits.places;
        places.open.load(Relaxed) > places.total - places.reserve
    }

    /// Checks that a person may list one more game in the lobby.
    ///
    /// # Errors
    /// If the person has too many that wait for players, or the database does not answer.
    pub(crate) async fn may_list(&self, person: &str) -> Result<(), ApiError> {
        let most = self.limits.config.listed;
        if self.limits.config.is_on && self.store.n_listed(person).await? >= most {
            self.metrics.limited.fetch_add(1, Relaxed);
            return Err(ApiError::TooManyListed(most));
        }
        Ok(())
    }

    /// The number of open connections and sockets.
    pub(crate) fn n_open(&self) -> usize {
        self.limits.places.open.load(Relaxed)
    }

    /// Whether a person has a seat in a game that is not over. The answer may be 10 s old.
    pub(crate) async fn is_seated(&self, person: &Arc<str>) -> bool {
        if self.limits.places.seated.contains_key(person) {
            return true;
        }
        let Ok(is_seated) = self.store.is_seated(person).await else { return false };
        // Only a seat is remembered: who has just got one should not have to wait.
        if is_seated {
            self.limits.places.seated.insert(Arc::clone(person), ());
        }
        is_seated
    }
}

/// Counts by client.
#[derive(Default)]
struct Count(Mutex<HashMap<Client, usize>>);

impl Count {
    /// Adds one to each client and returns them. `None`, and nothing is added, if the count of one is
    /// `most` times its budget already.
    fn add(&self, clients: impl Iterator<Item = Client>, most: usize) -> Option<Vec<Client>> {
        let clients: Vec<Client> = clients.collect();
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let has_room = |client: &Client| {
            let n = counts.get(client).copied().unwrap_or(0);
            n < most.saturating_mul(usize::from(client.budget()))
        };
        if !clients.iter().all(has_room) {
            return None;
        }
        for client in &clients {
            *counts.entry(client.clone()).or_insert(0) += 1;
        }
        Some(clients)
    }

    /// Subtracts one from each client.
    fn remove(&self, clients: &[Client]) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for client in clients {
            if let Some(n) = counts.get_mut(client) {
                *n -= 1;
                if *n == 0 {
                    counts.remove(client);
                }
            }
        }
    }
}

/// A socket or stream that is counted.
pub(crate) struct SocketGuard {
    app: App,
    counted: Vec<Client>,
    _place: Option<Place>,
}

impl Drop for SocketGuard {
    fn drop(&mut self) {
        self.app.limits.places.sockets.remove(&self.counted);
        self.app.metrics.sockets.fetch_sub(1, Relaxed);
    }
}

/// A connection that is counted.
pub(crate) struct ConnectionGuard {
    app: App,
    counted: Vec<Client>,
    _place: Place,
}

impl Drop for ConnectionGuard {
    fn drop(&mut self) {
        self.app.limits.places.connections.remove(&self.counted);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_go_up_and_down() {
        let count = Count::default();
        let add = |address: &str| count.add(Client::of(address.parse().unwrap(), None), 2);
        let a = add("10.0.0.1").unwrap();
        assert!(add("10.0.0.1").is_some() && add("10.0.0.1").is_none());
        let b = add("10.0.0.2").unwrap();
        count.remove(&b);
        count.remove(&a);
        assert!(add("10.0.0.1").is_some() && add("10.0.0.1").is_none());
        count.remove(&a);
        count.remove(&a);
        assert!(count.0.lock().unwrap().is_empty(), "no client stays with a count of 0");
        // A /48 network has sixteen times as many as each of its /64 networks.
        let n = (0..100).filter(|n| add(&format!("2001:db8:0:{n:x}::1")).is_some()).count();
        assert_eq!(n, 32);
    }
}
