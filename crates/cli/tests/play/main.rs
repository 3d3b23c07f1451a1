//! Plays in a real terminal: the program on one side of it, a person who types and looks on the
//! other.
#![cfg(unix)]

mod ends;
mod figures;
mod games;
mod terminal;
