//! How much one address or one token may ask: buckets that fill slowly and empty at once.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
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

/// How much is allowed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LimitsConfig {
    /// Whether anything is limited at all.
    pub is_on: bool,
    /// Requests per second of one address, on average.
    pub requests: f64,
    /// New games and people per second of one address.
    pub new: f64,
    /// Questions to the engine per second of one address.
    pub hints: f64,
    /// Open sockets and streams of one address.
    pub sockets: usize,
}

impl Default for LimitsConfig {
    fn default() -> LimitsConfig {
        LimitsConfig { is_on: true, requests: 30.0, new: 0.5, hints: 1.0, sockets: 100 }
    }
}

/// The buckets.
pub struct Limits {
    config: LimitsConfig,
    buckets: Mutex<HashMap<(IpAddr, What), Bucket>>,
    sockets: Mutex<HashMap<IpAddr, usize>>,
}

#[derive(Clone, Copy)]
struct Bucket {
    left: f64,
    at: Instant,
}

impl Limits {
    /// No bucket is in use.
    #[must_use]
    pub fn new(config: LimitsConfig) -> Limits {
        Limits { config, buckets: Mutex::default(), sockets: Mutex::default() }
    }

    /// Takes one from a bucket, if there is one.
    pub(crate) fn allows(&self, address: IpAddr, what: What) -> bool {
        if !self.config.is_on {
            return true;
        }
        // Somebody may do at once what is allowed in so many seconds.
        let (rate, burst) = match what {
            What::Request => (self.config.requests, 10.0),
            What::New => (self.config.new, 60.0),
            What::Hint => (self.config.hints, 10.0),
        };
        let most = (rate * burst).max(1.0);
        let now = Instant::now();
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= MEMORY {
            buckets.retain(|_, bucket| now.duration_since(bucket.at).as_secs_f64() < burst);
        }
        let bucket =
            buckets.entry((network(address), what)).or_insert(Bucket { left: most, at: now });
        let gained = now.duration_since(bucket.at).as_secs_f64() * rate;
        bucket.left = (bucket.left + gained).min(most);
        bucket.at = now;
        let is_allowed = bucket.left >= 1.0;
        if is_allowed {
            bucket.left -= 1.0;
        }
        is_allowed
    }

    /// Counts a socket until it is dropped; `None` if the address has too many.
    pub(crate) fn socket(app: &super::App, address: IpAddr) -> Option<SocketGuard> {
        let address = network(address);
        let limits = &app.limits;
        let mut sockets = limits.sockets.lock().unwrap_or_else(PoisonError::into_inner);
        let n = sockets.entry(address).or_insert(0);
        if limits.config.is_on && *n >= limits.config.sockets {
            return None;
        }
        *n += 1;
        app.metrics.sockets.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        Some(SocketGuard { app: app.clone(), address })
    }
}

/// A socket that is counted.
pub(crate) struct SocketGuard {
    app: super::App,
    address: IpAddr,
}

impl Drop for SocketGuard {
    fn drop(&mut self) {
        let mut sockets = self.app.limits.sockets.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(n) = sockets.get_mut(&self.address) {
            *n -= 1;
            if *n == 0 {
                sockets.remove(&self.address);
            }
        }
        self.app.metrics.sockets.fetch_sub(1, std::sync::atomic::Ordering::Relaxed);
    }
}

/// One customer has many addresses of the new kind; they count as one.
fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(v6) => match v6.to_ipv4_mapped() {
            Some(v4) => v4.into(),
            None => std::net::Ipv6Addr::from(u128::from(v6) >> 64 << 64).into(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_is_empty_after_a_burst() {
        let limits = Limits::new(LimitsConfig { requests: 0.5, ..LimitsConfig::default() });
        let (a, b): (IpAddr, IpAddr) = ("10.0.0.1".parse().unwrap(), "10.0.0.2".parse().unwrap());
        let allowed = (0..20).filter(|_| limits.allows(a, What::Request)).count();
        assert_eq!(allowed, 5);
        assert!(limits.allows(b, What::Request), "another address has its own bucket");
        assert!(limits.allows(a, What::New), "another thing has its own bucket");
        let off = Limits::new(LimitsConfig { is_on: false, ..LimitsConfig::default() });
        assert!((0..10_000).all(|_| off.allows(a, What::Hint)));
    }

    #[test]
    fn addresses_of_one_network_count_as_one() {
        let same = |a: &str, b: &str| network(a.parse().unwrap()) == network(b.parse().unwrap());
        assert!(same("2001:db8::1", "2001:db8::ffff:1"));
        assert!(!same("2001:db8::1", "2001:db8:0:1::1"));
        assert!(same("::ffff:10.0.0.1", "10.0.0.1"));
        assert!(!same("10.0.0.1", "10.0.0.2"));
    }
}
