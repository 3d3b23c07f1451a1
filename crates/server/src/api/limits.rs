//! How much one address and one person may ask: buckets that fill slowly and empty at once. A person
//! has a bucket too, because one token can be used from many addresses.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// How many buckets are kept; when there are more, the full ones are forgotten.
const MEMORY: usize = 50_000;

/// What is limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum What {
    /// Any request.
    Request,
    /// New games and new people.
    New,
    /// Questions to the engine.
    Hint,
}

/// Who is limited.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Who {
    /// An address, or the network of one customer.
    Address(IpAddr),
    /// A person, wherever the token is used.
    Person(Arc<str>),
}

impl Who {
    /// An address. One customer has many addresses of the new kind; they count as one.
    pub(crate) fn address(address: IpAddr) -> Who {
        Who::Address(match address {
            IpAddr::V4(_) => address,
            IpAddr::V6(v6) => match v6.to_ipv4_mapped() {
                Some(v4) => v4.into(),
                None => std::net::Ipv6Addr::from(u128::from(v6) >> 64 << 64).into(),
            },
        })
    }
}

/// How much is allowed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LimitsConfig {
    /// Whether anything is limited at all.
    pub is_on: bool,
    /// Requests per second of one address or person, on average.
    pub requests: f64,
    /// New games and people per second of one address or person.
    pub new: f64,
    /// Questions to the engine per second of one address or person.
    pub hints: f64,
    /// Messages per second of one socket, on average.
    pub messages: f64,
    /// Open sockets and streams of one address or person.
    pub sockets: usize,
    /// Open connections of one address; behind a proxy they are the proxy's, and not counted.
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

/// The buckets.
pub struct Limits {
    config: LimitsConfig,
    buckets: Mutex<HashMap<(Who, What), Bucket>>,
    sockets: Count<Who>,
    connections: Count<IpAddr>,
}

/// What is left of a burst. Somebody may do at once what is allowed in so many seconds.
#[derive(Clone, Copy)]
pub(crate) struct Bucket {
    rate: f64,
    most: f64,
    left: f64,
    at: Instant,
}

impl Bucket {
    fn new(rate: f64, seconds: f64, now: Instant) -> Bucket {
        let most = (rate * seconds).max(1.0);
        Bucket { rate, most, left: most, at: now }
    }

    /// Takes one, if there is one.
    fn take(&mut self, now: Instant) -> bool {
        let gained = now.duration_since(self.at).as_secs_f64() * self.rate;
        self.left = (self.left + gained).min(self.most);
        self.at = now;
        let is_allowed = self.left >= 1.0;
        if is_allowed {
            self.left -= 1.0;
        }
        is_allowed
    }
}

impl Limits {
    /// No bucket is in use.
    #[must_use]
    pub fn new(config: LimitsConfig) -> Limits {
        Limits {
            config,
            buckets: Mutex::default(),
            sockets: Count::default(),
            connections: Count::default(),
        }
    }

    /// Takes one from a bucket, if there is one.
    pub(crate) fn allows(&self, who: Who, what: What) -> bool {
        if !self.config.is_on {
            return true;
        }
        let (rate, seconds) = match what {
            What::Request => (self.config.requests, 10.0),
            What::New => (self.config.new, 60.0),
            What::Hint => (self.config.hints, 10.0),
        };
        let now = Instant::now();
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= MEMORY {
            buckets.retain(|_, bucket| now.duration_since(bucket.at).as_secs_f64() < seconds);
        }
        buckets.entry((who, what)).or_insert_with(|| Bucket::new(rate, seconds, now)).take(now)
    }

    /// The bucket of a socket's messages.
    pub(crate) fn messages(&self) -> Bucket {
        Bucket::new(self.config.messages, 3.0, Instant::now())
    }

    /// Takes one from the bucket of a socket, if there is one.
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
        for who in [Some(Who::address(address)), person.map(Who::Person)].into_iter().flatten() {
            if !app.limits.sockets.add(&who, most) {
                app.limits.sockets.remove(counted);
                return None;
            }
            counted.push(who);
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

/// How many of something each has.
struct Count<K>(Mutex<HashMap<K, usize>>);

impl<K> Default for Count<K> {
    fn default() -> Count<K> {
        Count(Mutex::default())
    }
}

impl<K: Hash + Eq + Clone> Count<K> {
    /// One more, unless that would be more than `most`.
    fn add(&self, key: &K, most: usize) -> bool {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let n = counts.get(key).copied().unwrap_or(0);
        if n < most {
            counts.insert(key.clone(), n + 1);
        }
        n < most
    }

    /// One less of each.
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
    counted: Vec<Who>,
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
    fn what_is_open_is_counted_up_and_down() {
        let count = Count::default();
        assert!(count.add(&"a", 2) && count.add(&"a", 2) && !count.add(&"a", 2));
        assert!(count.add(&"b", 2));
        count.remove(["a", "b"]);
        assert!(count.add(&"a", 2) && !count.add(&"a", 2));
        count.remove(["a", "a"]);
        assert!(count.0.lock().unwrap().is_empty(), "nobody is remembered for nothing");
    }

    #[test]
    fn a_bucket_is_empty_after_a_burst() {
        let limits = Limits::new(LimitsConfig { requests: 0.5, ..LimitsConfig::default() });
        let a = Who::address("10.0.0.1".parse().unwrap());
        let allowed = (0..20).filter(|_| limits.allows(a.clone(), What::Request)).count();
        assert_eq!(allowed, 5);
        let others = [Who::address("10.0.0.2".parse().unwrap()), Who::Person("10.0.0.1".into())];
        for other in others {
            assert!(limits.allows(other, What::Request), "another one has its own bucket");
        }
        assert!(limits.allows(a.clone(), What::New), "another thing has its own bucket");
        let off = Limits::new(LimitsConfig { is_on: false, ..LimitsConfig::default() });
        assert!((0..10_000).all(|_| off.allows(a.clone(), What::Hint)));
    }

    #[test]
    fn addresses_of_one_network_count_as_one() {
        let same =
            |a: &str, b: &str| Who::address(a.parse().unwrap()) == Who::address(b.parse().unwrap());
        assert!(same("2001:db8::1", "2001:db8::ffff:1"));
        assert!(!same("2001:db8::1", "2001:db8:0:1::1"));
        assert!(same("::ffff:10.0.0.1", "10.0.0.1"));
        assert!(!same("10.0.0.1", "10.0.0.2"));
    }
}
