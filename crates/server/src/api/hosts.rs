//! The `Host` allow-list. A page of another site may let its own name point to this server (DNS
//! rebinding); the browser then takes both for one site, and only the `Host` header tells. So the
//! server answers only to names that nobody else can own.

use axum::http::uri::Authority;
use std::net::IpAddr;

/// Top-level names that cannot be registered: of this machine, of a local network, and for tests.
const LOCAL: [&str; 5] = ["localhost", "local", "internal", "home.arpa", "test"];

/// The hosts that the server answers to: every IP address, every name without a dot (of a local
/// network), local names, and the names of the operator. Behind a proxy, which knows its names, any
/// name if the operator gave none.
#[derive(Clone, Debug)]
pub(crate) struct Hosts {
    names: Vec<String>,
    is_any: bool,
}

impl Hosts {
    pub(crate) fn new(names: &[String], trusts_proxy: bool) -> Hosts {
        let names: Vec<String> = names.iter().map(|name| normal(name)).collect();
        Hosts { is_any: names.is_empty() && trusts_proxy, names }
    }

    /// Whether the server answers to a `Host` header.
    pub(crate) fn allow(&self, host: &str) -> bool {
        if self.is_any {
            return true;
        }
        let Ok(authority) = host.parse::<Authority>() else { return false };
        if host.contains('@') {
            return false;
        }
        let name = normal(authority.host());
        let address = name.trim_start_matches('[').trim_end_matches(']');
        let is_below = |top: &&str| {
            name.strip_suffix(*top).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
        };
        address.parse::<IpAddr>().is_ok()
            || !name.contains('.')
            || LOCAL.iter().any(is_below)
            || self.names.contains(&name)
    }
}

/// A name in lower case, without the dot of a fully qualified name.
fn normal(name: &str) -> String {
    name.trim().trim_end_matches('.').to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_that_nobody_else_owns_are_allowed() {
        let names = ["Azul.Example.org".to_owned()];
        let (named, local, proxied) =
            (Hosts::new(&names, true), Hosts::new(&[], false), Hosts::new(&[], true));
        for host in [
            "localhost",
            "localhost:8137",
            "LOCALHOST.:8137",
            "azul.localhost",
            "127.0.0.1:8137",
            "[::1]:8137",
            "[2001:db8::1]",
            "203.0.113.7",
            "mybox:8137",
            "mybox.local",
            "db.home.arpa",
        ] {
            assert!(local.allow(host) && named.allow(host), "{host}");
        }
        for host in [
            "evil.example",
            "localhost.evil.example",
            "127.0.0.1.evil.example",
            "notlocalhost.com",
            "evil.example@localhost",
            "evil.example:8137",
            "mylocal.example",
            "a b",
            "",
        ] {
            assert!(!local.allow(host) && !named.allow(host), "{host}");
        }
        for host in ["azul.example.org", "AZUL.example.org:443", "azul.example.org."] {
            assert!(named.allow(host) && !local.allow(host) && proxied.allow(host), "{host}");
        }
        assert!(!named.allow("www.azul.example.org"));
    }
}
