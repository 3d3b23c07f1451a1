//! The server as a program: what it says, how it is set up, and that it may be killed at any
//! moment without losing a move. Signals and PostgreSQL make it a matter of Unix.
#![cfg(unix)]

mod abuse;
mod admin;
mod backups;
mod commands;
#[cfg(target_os = "linux")]
mod faults;
mod kill;
mod operation;
mod players;
mod postgres_tls;
mod process;
mod proxies;
#[cfg(target_os = "linux")]
mod soak;
mod tls;
#[cfg(target_os = "linux")]
mod trial;
