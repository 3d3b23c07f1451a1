//! The server through real sockets, over SQLite and over PostgreSQL. The tests start PostgreSQL with
//! Unix sockets and permissions, so that they do not run on Windows.

#![cfg(unix)]

mod amplification;
mod backup;
mod browsers;
mod clock_skew;
mod commands;
mod concurrent_clients;
mod corruption;
mod database_faults;
mod engine;
mod engine_load;
mod fair_deals;
mod fanout;
mod host;
mod limits;
mod log_replay;
mod long_games;
mod malformed_input;
mod migration;
mod news;
mod nodes;
mod outages;
mod people;
mod play;
mod privacy;
mod read_model;
mod recording_proxy;
mod replays;
mod reviews;
mod schemas;
mod security;
mod shutdown;
mod site;
mod sockets;
mod timeouts;
mod tokens;
