//! Tests of `azulejo engine` from outside: a conversation through pipes, as every client has it.
#![cfg(unix)]

mod limits;
mod mistakes;
mod page;
mod session;
mod talk;
