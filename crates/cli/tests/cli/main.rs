//! Tests of the `azulejo` program from outside: what it prints, what it writes, how it ends.
//!
//! What a person types and sees is in the text files of `tests/snapshots`. The rest is here: things
//! that have to hold for every position and every variant, files and pipes, and the documentation.
#![cfg(unix)]

mod arena;
mod bench;
mod files;
mod guide;
mod json;
mod markdown;
mod pictures;
mod puzzles;
mod review;
mod round_trips;
mod run;
mod snapshots;
