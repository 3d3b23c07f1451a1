//! Bans of people and of networks, which operators decide.

use crate::store::{Store, StoreError, notices};
use sqlx::any::AnyQueryResult;
use sqlx::{AnyConnection, Row};
use std::collections::HashMap;
use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

/// A ban.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ban {
    /// Who is refused.
    pub subject: Subject,
    /// Why, for operators.
    pub reason: String,
    /// When it was decided, in milliseconds since 1970.
    pub created_ms: i64,
    /// When it ends; `None` if it does not.
    pub until_ms: Option<i64>,
}

/// Who is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A person, by id.
    Person(String),
    /// The addresses of a network.
    Network(Network),
}

impl Subject {
    /// The stored kind.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Subject::Person(_) => "person",
            Subject::Network(_) => "address",
        }
    }

    pub(super) fn read(kind: &str, subject: &str) -> Option<Subject> {
        match kind {
            "person" => Some(Subject::Person(subject.to_owned())),
            "address" => subject.parse().ok().map(Subject::Network),
            _ => None,
        }
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Subject::Person(id) => f.write_str(id),
            Subject::Network(network) => network.fmt(f),
        }
    }
}

/// A network of addresses: an address and the number of its leading bits that count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Network {
    address: IpAddr,
    n_bits: u8,
}

impl Network {
    fn contains(&self, address: IpAddr) -> bool {
        match (self.address, canonical(address)) {
            (IpAddr::V4(mine), IpAddr::V4(other)) => {
                leading(u32::from(mine).into(), 32, self.n_bits)
                    == leading(u32::from(other).into(), 32, self.n_bits)
            }
            (IpAddr::V6(mine), IpAddr::V6(other)) => {
                leading(mine.into(), 128, self.n_bits) == leading(other.into(), 128, self.n_bits)
            }
            _ => false,
        }
    }
}

/// The leading bits of an address of a width.
fn leading(address: u128, width: u8, n_bits: u8) -> u128 {
    address.checked_shr(u32::from(width - n_bits)).unwrap_or(0)
}

/// An IPv4 address that is written as an IPv6 address is an IPv4 address.
fn canonical(address: IpAddr) -> IpAddr {
    address.to_canonical()
}

/// Why a text is not a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected an IP address or a network, as 192.0.2.7, 192.0.2.0/24 or 2001:db8::/48")]
pub struct ParseNetworkError;

impl FromStr for Network {
    type Err = ParseNetworkError;

    fn from_str(text: &str) -> Result<Network, ParseNetworkError> {
        let (address, n_bits) = match text.split_once('/') {
            Some((address, n_bits)) => (address, Some(n_bits)),
            None => (text, None),
        };
        let address = canonical(address.parse().map_err(|_| ParseNetworkError)?);
        let width = if address.is_ipv4() { 32 } else { 128 };
        let n_bits = match n_bits {
            Some(n_bits) => n_bits.parse().map_err(|_| ParseNetworkError)?,
            // A customer has a whole /64 network of IPv6 addresses.
            None if address.is_ipv6() => 64,
            None => width,
        };
        if n_bits > width {
            return Err(ParseNetworkError);
        }
        Ok(Network { address, n_bits })
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.address, self.n_bits)
    }
}

/// The bans in force, for quick questions.
#[derive(Clone, Debug, Default)]
pub(crate) struct BanList {
    /// People with the end of their ban.
    people: HashMap<String, i64>,
    networks: Vec<(Network, i64)>,
}

impl BanList {
    pub(crate) fn new(bans: Vec<Ban>) -> BanList {
        let mut list = BanList::default();
        for ban in bans {
            let until_ms = ban.until_ms.unwrap_or(i64::MAX);
            match ban.subject {
                Subject::Person(id) => drop(list.people.insert(id, until_ms)),
                Subject::Network(network) => list.networks.push((network, until_ms)),
            }
        }
        list
    }

    pub(crate) fn has_person(&self, id: &str, now_ms: i64) -> bool {
        self.people.get(id).is_some_and(|&until_ms| now_ms < until_ms)
    }

    pub(crate) fn has_address(&self, address: IpAddr, now_ms: i64) -> bool {
        self.networks
            .iter()
            .any(|(network, until_ms)| now_ms < *until_ms && network.contains(address))
    }
}

impl Store {
    /// All bans, the latest first.
    ///
    /// # Errors
    /// If the database does not answer.
    pub async fn bans(&self) -> Result<Vec<Ban>, StoreError> {
        let query = sqlx::query(
            "SELECT kind, subject, reason, created_ms, until_ms FROM bans \
             ORDER BY created_ms DESC, subject",
        );
        let rows = self.in_time(query.fetch_all(&self.pool)).await?;
        let mut bans = Vec::with_capacity(rows.len());
        for row in &rows {
            let (kind, subject): (String, String) = (row.try_get("kind")?, row.try_get("subject")?);
            let Some(subject) = Subject::read(&kind, &subject) else { continue };
            bans.push(Ban {
                subject,
                reason: row.try_get("reason")?,
                created_ms: row.try_get("created_ms")?,
                until_ms: row.try_get("until_ms")?,
            });
        }
        Ok(bans)
    }
}

pub(super) async fn write(
    connection: &mut AnyConnection,
    ban: &Ban,
) -> Result<AnyQueryResult, sqlx::Error> {
    notices::add(connection, "bans", "", ban.created_ms).await?;
    sqlx::query(
        "INSERT INTO bans (kind, subject, reason, created_ms, until_ms) \
         VALUES ($1, $2, $3, $4, $5) ON CONFLICT (kind, subject) DO UPDATE SET \
         reason = excluded.reason, created_ms = excluded.created_ms, until_ms = excluded.until_ms",
    )
    .bind(ban.subject.kind())
    .bind(ban.subject.to_string())
    .bind(ban.reason.as_str())
    .bind(ban.created_ms)
    .bind(ban.until_ms)
    .execute(connection)
    .await
}

pub(super) async fn remove(
    connection: &mut AnyConnection,
    kind: &'static str,
    subject: &str,
    now_ms: i64,
) -> Result<AnyQueryResult, sqlx::Error> {
    notices::add(connection, "bans", "", now_ms).await?;
    sqlx::query("DELETE FROM bans WHERE kind = $1 AND subject = $2")
        .bind(kind)
        .bind(subject)
        .execute(connection)
        .await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networks_contain_their_addresses() {
        for (network, inside, outside) in [
            ("192.0.2.7", "192.0.2.7", "192.0.2.8"),
            ("192.0.2.0/24", "192.0.2.255", "192.0.3.0"),
            ("0.0.0.0/0", "203.0.113.1", "2001:db8::1"),
            ("::ffff:192.0.2.7", "192.0.2.7", "192.0.2.8"),
            ("192.0.2.7", "::ffff:192.0.2.7", "::ffff:192.0.2.8"),
            ("2001:db8::1", "2001:db8::ffff", "2001:db8:0:1::1"),
            ("2001:db8::/32", "2001:db8:1::", "2001:db9::"),
            ("::/0", "2001:db8::1", "192.0.2.7"),
        ] {
            let network: Network = network.parse().unwrap();
            assert!(network.contains(inside.parse().unwrap()), "{network} {inside}");
            assert!(!network.contains(outside.parse().unwrap()), "{network} {outside}");
            assert_eq!(network.to_string().parse(), Ok(network));
        }
        for wrong in ["", "localhost", "192.0.2", "192.0.2.0/33", "2001:db8::/129", "1.2.3.4/x"] {
            assert_eq!(wrong.parse::<Network>(), Err(ParseNetworkError), "{wrong}");
        }
    }

    #[test]
    fn bans_end() {
        let ban =
            |subject, until_ms| Ban { subject, reason: String::new(), created_ms: 0, until_ms };
        let list = BanList::new(vec![
            ban(Subject::Person("p".to_owned()), Some(100)),
            ban(Subject::Network("192.0.2.0/24".parse().unwrap()), None),
        ]);
        assert!(list.has_person("p", 99) && !list.has_person("p", 100) && !list.has_person("q", 0));
        assert!(list.has_address("192.0.2.1".parse().unwrap(), i64::MAX - 1));
    }
}
