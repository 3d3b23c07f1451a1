//! The server through real sockets, over a file and over PostgreSQL.

mod clocks;
mod copy;
mod decoders;
mod endings;
mod engine;
mod fair;
mod host;
mod nodes;
mod patience;
mod people;
mod play;
mod postgres;
mod rules;
mod shields;
mod sockets;
mod storm;
mod troubles;
mod wire;
