//! Rate limits: a token bucket per action for each address, each IPv6 network and each person (one
//! token can be used from many addresses). The buckets are in a bounded store that forgets the least
//! recently used, so that a request costs the same however many addresses there are.

use crate::api::App;
use crate::api::error::ApiError;
use crate::api::places::Places;
use moka::policy::EvictionPolicy;
use moka::sync::Cache;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The number of buckets kept in memory, about 20 MB.
const MAX_BUCKETS: u64 = 100_000;

/// The budget of an IPv6 /48 network, in budgets of an address.
const NETWORK_BUDGET: u8 = 16;

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

impl Action {
    const ALL: [Action; 3] = [Action::Request, Action::New, Action::Hint];

    /// A client that was idle for this time may use all that it gained meanwhile at once.
    const fn burst_s(self) -> f64 {
        match self {
            Action::Request | Action::Hint => 10.0,
            Action::New => 60.0,
        }
    }
}

/// The cost of a request by the pattern of its path, in requests. Lists query the database for up to
/// 200 games, and records and replays are long.
pub(crate) fn cost(route: Option<&str>) -> f64 {
    let Some(route) = route.and_then(|route| route.strip_prefix("/api/v1")) else { return 1.0 };
    match route {
        "/me/games" | "/me/stream" | "/lobby" | "/pair" => 5.0,
        "/games/{id}/record" | "/me/transfer" | "/transfers" => 5.0,
        // Polled once a second.
        "/reviews/{key}" => 10.0,
        "/games/{id}/replay" | "/records/replay" | "/me/export" => 20.0,
        "/games/{id}/review" | "/reviews" => 20.0,
        _ => 1.0,
    }
}

/// A client that is limited.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Client {
    /// An IPv4 address, or the /64 network of an IPv6 address: a customer has at least that many.
    Address(IpAddr),
    /// The /48 network of an IPv6 address, which may be one customer's, too, or that of a company.
    Network(Ipv6Addr),
    /// A person, from all addresses.
    Person(Arc<str>),
}

impl Client {
    /// The clients that a request counts against.
    pub(crate) fn of(address: IpAddr, person: Option<&Arc<str>>) -> impl Iterator<Item = Client> {
        let person = person.map(|person| Client::Person(Arc::clone(person)));
        let network = match address.to_canonical() {
            IpAddr::V4(_) => None,
            IpAddr::V6(v6) => Some(Client::Network(prefix(v6, 48))),
        };
        [Some(Client::Address(customer(address))), network, person].into_iter().flatten()
    }

    /// The budget of the client, in budgets of an address.
    pub(super) const fn budget(&self) -> u8 {
        match self {
            Client::Network(_) => NETWORK_BUDGET,
            Client::Address(_) | Client::Person(_) => 1,
        }
    }
}

/// The address that stands for a customer: an IPv4 address, or the /64 network of an IPv6 address.
pub(crate) fn customer(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => prefix(v6, 64).into(),
        v4 => v4,
    }
}

fn prefix(address: Ipv6Addr, bits: u32) -> Ipv6Addr {
    Ipv6Addr::from(u128::from(address) >> (128 - bits) << (128 - bits))
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
    /// Listed games of one person that wait for players.
    pub listed: usize,
    /// Open sockets and streams of one address or person. A quarter is for people with a seat.
    pub sockets: usize,
    /// Open connections of one address; not counted behind a proxy, which owns them all.
    pub connections: usize,
    /// Open connections and sockets of the server; by default what the system allows.
    pub total: Option<usize>,
    /// How many of these are for people with a seat; by default a tenth.
    pub reserve: Option<usize>,
}

impl Default for LimitsConfig {
    fn default() -> LimitsConfig {
        LimitsConfig {
            is_on: true,
            requests: 30.0,
            new: 0.5,
            hints: 1.0,
            messages: 20.0,
            listed: 5,
            sockets: 100,
            connections: 300,
            total: None,
            reserve: None,
        }
    }
}

impl LimitsConfig {
    const fn rate(&self, action: Action) -> f64 {
        match action {
            Action::Request => self.requests,
            Action::New => self.new,
            Action::Hint => self.hints,
        }
    }
}

/// The state of all limits.
pub struct Limits {
    pub(super) config: LimitsConfig,
    buckets: Cache<(Client, Action), Arc<Mutex<Bucket>>>,
    pub(super) places: Places,
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

    /// Takes tokens.
    ///
    /// # Errors
    /// If there are too few: how long to wait for them.
    fn take(&mut self, cost: f64, now: Instant) -> Result<(), Duration> {
        let gained = now.duration_since(self.at).as_secs_f64() * self.rate;
        self.tokens = (self.tokens + gained).min(self.capacity);
        self.at = now;
        // What costs more than a whole bucket needs a full one.
        let missing = cost.min(self.capacity) - self.tokens;
        if missing > 0.0 {
            return Err(Duration::try_from_secs_f64(missing / self.rate).unwrap_or(Duration::MAX));
        }
        self.tokens -= cost;
        Ok(())
    }

    /// The time in which an empty bucket becomes full.
    fn fill_time(&self) -> Duration {
        Duration::try_from_secs_f64(self.capacity / self.rate).unwrap_or(Duration::MAX)
    }
}

impl Limits {
    /// Limits without clients.
    #[must_use]
    pub fn new(config: LimitsConfig) -> Limits {
        let now = Instant::now();
        let bucket = |action| Bucket::new(config.rate(action), Action::burst_s(action), now);
        let fill_times = Action::ALL.into_iter().map(|action| bucket(action).fill_time());
        // A bucket that nobody used for this time is full, so that forgetting it changes nothing.
        let longest = fill_times.max().unwrap_or_default().min(Duration::from_secs(24 * 3_600));
        let buckets = Cache::builder()
            .max_capacity(MAX_BUCKETS)
            .eviction_policy(EvictionPolicy::lru())
            .time_to_idle(longest)
            .build();
        Limits { config, buckets, places: Places::new(&config) }
    }

    /// Takes tokens from the bucket of a client and an action.
    ///
    /// # Errors
    /// If there are too few: how long to wait for them.
    fn take(&self, client: Client, action: Action, cost: f64) -> Result<(), Duration> {
        if !self.config.is_on {
            return Ok(());
        }
        let rate = self.config.rate(action) * f64::from(client.budget());
        let now = Instant::now();
        let new = || Arc::new(Mutex::new(Bucket::new(rate, action.burst_s(), now)));
        let bucket = self.buckets.get_with((client, action), new);
        bucket.lock().unwrap_or_else(PoisonError::into_inner).take(cost, now)
    }

    /// The bucket for the messages of a socket.
    pub(crate) fn messages(&self) -> Bucket {
        Bucket::new(self.config.messages, 3.0, Instant::now())
    }

    /// Takes a token from the bucket of a socket, if there is one.
    pub(crate) fn allows_message(&self, messages: &mut Bucket) -> bool {
        !self.config.is_on || messages.take(1.0, Instant::now()).is_ok()
    }
}

impl App {
    /// Counts an action of an address and, if one is known, of a person.
    ///
    /// # Errors
    /// [`ApiError::TooMany`] if one of them did too much lately.
    pub(crate) fn spend(
        &self,
        address: IpAddr,
        person: Option<&Arc<str>>,
        action: Action,
    ) -> Result<(), ApiError> {
        self.spend_of(Client::of(address, person), action, 1.0)
    }

    /// The same for any clients, with a cost.
    pub(super) fn spend_of(
        &self,
        clients: impl IntoIterator<Item = Client>,
        action: Action,
        cost: f64,
    ) -> Result<(), ApiError> {
        for client in clients {
            if let Err(wait) = self.limits.take(client, action, cost) {
                self.metrics.limited.fetch_add(1, Relaxed);
                return Err(ApiError::TooMany { wait });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;

    fn of(address: &str) -> Vec<Client> {
        Client::of(address.parse().unwrap(), None).collect()
    }

    fn allows(limits: &Limits, client: &Client, action: Action) -> bool {
        limits.take(client.clone(), action, 1.0).is_ok()
    }

    #[test]
    fn a_bucket_is_empty_after_a_burst() {
        let limits = Limits::new(LimitsConfig { requests: 0.5, ..LimitsConfig::default() });
        let a = &of("10.0.0.1")[0];
        let allowed = (0..20).filter(|_| allows(&limits, a, Action::Request)).count();
        assert_eq!(allowed, 5);
        let wait = limits.take(a.clone(), Action::Request, 1.0).unwrap_err().as_secs_f64();
        assert!((1.0..=2.0).contains(&wait), "the next token comes in {wait} s");
        for other in [&of("10.0.0.2")[0], &Client::Person("10.0.0.1".into())] {
            assert!(allows(&limits, other, Action::Request), "every client has its own bucket");
        }
        assert!(allows(&limits, a, Action::New), "every action has its own bucket");
        let off = Limits::new(LimitsConfig { is_on: false, ..LimitsConfig::default() });
        assert!((0..10_000).all(|_| allows(&off, a, Action::Hint)));
    }

    #[test]
    fn routes_have_costs() {
        let limits = Limits::new(LimitsConfig { requests: 2.0, ..LimitsConfig::default() });
        let n_allowed = |address: &str, route| {
            let take = || limits.take(of(address)[0].clone(), Action::Request, cost(route));
            (0..50).take_while(|_| take().is_ok()).count()
        };
        assert_eq!(n_allowed("10.0.0.1", None), 20);
        assert_eq!(n_allowed("10.0.0.2", Some("/api/v1/lobby")), 4);
        assert_eq!(n_allowed("10.0.0.3", Some("/api/v1/records/replay")), 1);
        let small = Limits::new(LimitsConfig { requests: 0.1, ..LimitsConfig::default() });
        let replay = || small.take(of("10.0.0.4")[0].clone(), Action::Request, 20.0);
        assert!(replay().is_ok(), "a full bucket is enough for anything");
        assert!(replay().is_err());
    }

    /// Every route with a cost of its own exists.
    #[test]
    fn costs_are_of_routes() {
        let paths = crate::api::openapi_document()["paths"].as_object().unwrap();
        for route in [
            "/me/games",
            "/lobby",
            "/games/{id}/record",
            "/games/{id}/replay",
            "/reviews",
            "/reviews/{key}",
        ] {
            let route = format!("/api/v1{route}");
            assert!(paths.contains_key(&route) && cost(Some(&route)) > 1.0, "{route}");
        }
    }

    #[test]
    fn ipv6_networks_count_as_clients() {
        assert_eq!(of("2001:db8::1"), of("2001:db8::ffff:1"), "the same /64");
        let (a, b) = (of("2001:db8::1"), of("2001:db8:0:1::1"));
        assert!(a[0] != b[0] && a[1] == b[1], "another /64 of the same /48");
        assert_ne!(of("2001:db8::1")[1], of("2001:db8:1::1")[1]);
        assert_eq!(of("::ffff:10.0.0.1"), of("10.0.0.1"));
        assert_ne!(of("10.0.0.1"), of("10.0.0.2"));
        // All addresses of a /48 together have sixteen times the budget of one.
        let limits = Limits::new(LimitsConfig { requests: 0.5, ..LimitsConfig::default() });
        let allowed = (0..1_000_u16).filter(|n| {
            of(&format!("2001:db8:0:{n:x}::1"))
                .iter()
                .all(|one| allows(&limits, one, Action::Request))
        });
        assert_eq!(allowed.count(), 5 * usize::from(NETWORK_BUDGET));
    }

    /// The time of a request does not grow with the number of addresses, and neither does the memory.
    #[test]
    fn a_request_costs_the_same_with_100_000_addresses() {
        let limits = Limits::new(LimitsConfig::default());
        let time = |from: u32, n: u32| {
            let start = Instant::now();
            for address in from..from + n {
                let client = Client::Address(Ipv4Addr::from(address).into());
                let _ = limits.take(client, Action::Request, 1.0);
            }
            start.elapsed()
        };
        let few = time(0, 5_000);
        time(5_000, 100_000);
        let many = time(105_000, 5_000);
        // A scan of all buckets for every request would make this thousands.
        let ratio = many.as_secs_f64() / few.as_secs_f64();
        assert!(ratio < 20.0, "{ratio}");
        limits.buckets.run_pending_tasks();
        assert!(limits.buckets.entry_count() <= MAX_BUCKETS, "{}", limits.buckets.entry_count());
    }
}
