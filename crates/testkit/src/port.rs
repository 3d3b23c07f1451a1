//! Ports for servers that stop and start again on the same port.

use std::net::{Ipv4Addr, TcpListener};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Below the ports that systems give to outgoing connections (Linux from 32,768): while a server is stopped,
/// any client could be given one of those.
const FIRST: u32 = 12_000;
const N_PORTS: u32 = 20_000;

/// Ports tried by this process.
static N_TRIED: AtomicU32 = AtomicU32::new(0);

/// A port of 127.0.0.1 that is free, and stays free while nobody listens on it.
///
/// # Panics
/// If all ports are taken.
#[must_use]
pub fn free_port() -> u16 {
    // Test processes that run at the same time start at other ports.
    let start = std::process::id().wrapping_mul(97);
    let next = || FIRST + start.wrapping_add(N_TRIED.fetch_add(1, Relaxed)) % N_PORTS;
    (0..N_PORTS)
        .map(|_| u16::try_from(next()).expect("a port"))
        .find(|&port| TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok())
        .expect("a free port")
}
