//! Tests `azulejo play` in a pseudoterminal.
#![cfg(unix)]

mod ends;
mod figures;
mod games;
mod terminal;
