//! The server through real sockets, over a file and over PostgreSQL.

mod copy;
mod decoders;
mod endings;
mod engine;
mod fair;
mod host;
mod nodes;
mod people;
mod play;
mod postgres;
mod shields;
mod sockets;
mod storm;
mod troubles;
