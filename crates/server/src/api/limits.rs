//! Rate limits: a token bucket per action for each address and each person (one token can be used
//! from many addresses), and the number of open sockets and connections.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// The number of buckets kept in memory; when there are more, full ones are removed.
const MAX_BUCKETS: usize = 50_000;

/// An action that is limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Action {
    /// Any request.
    Request,
    /// New games and new people.
    New,
    /// A hint or an evaluation.
    Hint,
}

/// A client that is limited.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Client {
    /// An IPv4 address, or the /64 network of an IPv6 address.
    Address(IpAddr),
    /// A person, from all addresses.
    Person(Arc<str>),
}

impl Client {
    /// The client at an address. A customer has a whole /64 network of IPv6 addresses, which counts as
    /// one client.
    pub(crate) fn address(address: IpAddr) -> Client {
        Client::Address(match address {
            IpAddr::V4(_) => address,
            IpAddr::V6(v6) => match v6.to_ipv4_mapped() {
                Some(v4) => v4.into(),
                None => std::net::Ipv6Addr::from(u128::from(v6) >> 64 << 64).into(),
            },
        })
    }
}

/// The limits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LimitsConfig {
    /// Whether anything is limited.
    pub is_on: bool,
    /// Requests per second of one address or person, on average.
    pub requests: f64,
    /// New games and people per second of one address or person.
    pub new: f64,
    /// Hints and evaluations per second of one address or person.
    pub hints: f64,
    /// Messages per second of one socket, on average.
    pub messages: f64,
    /// Open sockets and streams of one address or person.
    pub sockets: usize,
    /// Open connections of one address; not counted behind a proxy, which owns them all.
    pub connections: usize,
}

impl Default for LimitsConfig {
    fn default() -> LimitsConfig {
        LimitsConfig {
            is_on: true,
            requests: 30.0,
            new: 0.5,
            hints: 1.0,
            messages: 20.0,
            sockets: 100,
            connections: 300,
        }
    }
}

/// The state of all limits.
pub struct Limits {
    config: LimitsConfig,
    buckets: Mutex<HashMap<(Client, Action), Bucket>>,
    sockets: Count<Client>,
    connections: Count<IpAddr>,
}

/// A token bucket. Its capacity is the rate times the length of a burst in seconds.
#[derive(Clone, Copy)]
pub(crate) struct Bucket {
    rate: f64,
    capacity: f64,
    tokens: f64,
    at: Instant,
}

impl Bucket {
    fn new(rate: f64, burst_s: f64, now: Instant) -> Bucket {
        let capacity = (rate * burst_s).max(1.0);
        Bucket { rate, capacity, tokens: capacity, at: now }
    }

    /// Takes a token, if there is one.
    fn take(&mut self, now: Instant) -> bool {
        let gained = now.duration_since(self.at).as_secs_f64() * self.rate;
        self.tokens = (self.tokens + gained).min(self.capacity);
        self.at = now;
        let is_allowed = self.tokens >= 1.0;
        if is_allowed {
            self.tokens -= 1.0;
        }
        is_allowed
    }
}

impl Limits {
    /// Limits without clients.
    #[must_use]
    pub fn new(config: LimitsConfig) -> Limits {
        Limits {
            config,
            buckets: Mutex::default(),
            sockets: Count::default(),
            connections: Count::default(),
        }
    }

    /// Takes a token from the bucket of a client and an action, if there is one.
    pub(crate) fn allows(&self, client: Client, action: Action) -> bool {
        if !self.config.is_on {
            return true;
        }
        let (rate, burst_s) = match action {
            Action::Request => (self.config.requests, 10.0),
            Action::New => (self.config.new, 60.0),
            Action::Hint => (self.config.hints, 10.0),
        };
        let now = Instant::now();
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= MAX_BUCKETS {
            buckets.retain(|_, bucket| now.duration_since(bucket.at).as_secs_f64() < burst_s);
        }
        let bucket = buckets.entry((client, action));
        bucket.or_insert_with(|| Bucket::new(rate, burst_s, now)).take(now)
    }

    /// The bucket for the messages of a socket.
    pub(crate) fn messages(&self) -> Bucket {
        Bucket::new(self.config.messages, 3.0, Instant::now())
    }

    /// Takes a token from the bucket of a socket, if there is one.
    pub(crate) fn allows_message(&self, messages: &mut Bucket) -> bool {
        !self.config.is_on || messages.take(Instant::now())
    }

    /// Counts a socket until it is dropped; `None` if the address or the person has too many.
    pub(crate) fn socket(
        app: &super::App,
        address: IpAddr,
        person: Option<Arc<str>>,
    ) -> Option<SocketGuard> {
        let config = &app.limits.config;
        let most = if config.is_on { config.sockets } else { usize::MAX };
        let mut counted = Vec::with_capacity(2);
        let clients = [Some(Client::address(address)), person.map(Client::Person)];
        for client in clients.into_iter().flatten() {
            if !app.limits.sockets.add(&client, most) {
                app.limits.sockets.remove(counted);
                return None;
            }
            counted.push(client);
        }
        app.metrics.sockets.fetch_add(1, Relaxed);
        Some(SocketGuard { app: app.clone(), counted })
    }

    /// Counts a connection until it is dropped; `None` if the address has too many.
    pub(crate) fn connection(app: &super::App, peer: IpAddr) -> Option<ConnectionGuard> {
        let config = &app.limits.config;
        let is_counted = config.is_on && !app.trusts_proxy;
        if is_counted && !app.limits.connections.add(&peer, config.connections) {
            app.metrics.limited.fetch_add(1, Relaxed);
            return None;
        }
        Some(ConnectionGuard { app: app.clone(), peer: is_counted.then_some(peer) })
    }
}

/// Counts by key.
struct Count<K>(Mutex<HashMap<K, usize>>);

impl<K> Default for Count<K> {
    fn default() -> Count<K> {
        Count(Mutex::default())
    }
}

impl<K: Hash + Eq + Clone> Count<K> {
    /// Adds one, unless the count is `most` already.
    fn add(&self, key: &K, most: usize) -> bool {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let n = counts.get(key).copied().unwrap_or(0);
        if n < most {
            counts.insert(key.clone(), n + 1);
        }
        n < most
    }

    /// Subtracts one for each key.
    fn remove(&self, keys: impl IntoIterator<Item = K>) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for key in keys {
            if let Some(n) = counts.get_mut(&key) {
                *n -= 1;
                if *n == 0 {
                    counts.remove(&key);
                }
            }
        }
    }
}

/// A socket that is counted.
pub(crate) struct SocketGuard {
    app: super::App,
    counted: Vec<Client>,
}

impl Drop for SocketGuard {
    fn drop(&mut self) {
        self.app.limits.sockets.remove(std::mem::take(&mut self.counted));
        self.app.metrics.sockets.fetch_sub(1, Relaxed);
    }
}

/// A connection that is counted.
pub(crate) struct ConnectionGuard {
    app: super::App,
    peer: Option<IpAddr>,
}

impl Drop for ConnectionGuard {
    fn drop(&mut self) {
        self.app.limits.connections.remove(self.peer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_go_up_and_down() {
        let count = Count::default();
        assert!(count.add(&"a", 2) && count.add(&"a", 2) && !count.add(&"a", 2));
        assert!(count.add(&"b", 2));
        count.remove(["a", "b"]);
        assert!(count.add(&"a", 2) && !count.add(&"a", 2));
        count.remove(["a", "a"]);
        assert!(count.0.lock().unwrap().is_empty(), "no key stays with a count of 0");
    }

    #[test]
    fn a_bucket_is_empty_after_a_burst() {
        let limits = Limits::new(LimitsConfig { requests: 0.5, ..LimitsConfig::default() });
        let a = Client::address("10.0.0.1".parse().unwrap());
        let allowed = (0..20).filter(|_| limits.allows(a.clone(), Action::Request)).count();
        assert_eq!(allowed, 5);
        let others =
            [Client::address("10.0.0.2".parse().unwrap()), Client::Person("10.0.0.1".into())];
        for other in others {
            assert!(limits.allows(other, Action::Request), "every client has its own bucket");
        }
        assert!(limits.allows(a.clone(), Action::New), "every action has its own bucket");
        let off = Limits::new(LimitsConfig { is_on: false, ..LimitsConfig::default() });
        assert!((0..10_000).all(|_| off.allows(a.clone(), Action::Hint)));
    }

    #[test]
    fn ipv6_networks_count_as_one_client() {
        let same = |a: &str, b: &str| {
            Client::address(a.parse().unwrap()) == Client::address(b.parse().unwrap())
        };
        assert!(same("2001:db8::1", "2001:db8::ffff:1"));
        assert!(!same("2001:db8::1", "2001:db8:0:1::1"));
        assert!(same("::ffff:10.0.0.1", "10.0.0.1"));
        assert!(!same("10.0.0.1", "10.0.0.2"));
    }
}
