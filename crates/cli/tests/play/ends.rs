//! However the program ends, the terminal is restored and the game is saved.

use crate::terminal::{Home, Terminal, eventually};
use pty_process::Size;
use pty_process::blocking::{Command, open};
use rustix::process::Signal;
use std::io::{Read, Write};

const GAME: &str = "--seats Ana,Rui --seed 5 --speed 5";

/// A game after one move.
fn begun(home: &Home) -> Terminal {
    let terminal = Terminal::play(GAME, home);
    terminal.wait_for("Rui to move");
    terminal.is_taken();
    terminal.send("4k2");
    terminal.wait_for("Ana to move");
    eventually("the move", || home.record().filter(|record| record.n_moves() == 1));
    terminal
}

#[test]
fn signals_restore_the_terminal() {
    for signal in [Signal::TERM, Signal::HUP, Signal::INT] {
        let home = Home::new();
        let mut terminal = begun(&home);
        terminal.signal(signal);
        assert!(terminal.end().success(), "{signal:?}");
        terminal.is_restored();
        assert_eq!(home.record().unwrap().n_moves(), 1);
    }
}

/// Reads the terminal itself: only the program may hold it when its window is closed.
#[test]
fn a_closed_terminal_ends_the_program() {
    let home = Home::new();
    let (mut pty, pts) = open().unwrap();
    pty.resize(Size::new(24, 80)).unwrap();
    let command = Terminal::command(GAME, &home).env("TERM", "xterm-256color");
    let mut child = command.spawn(pts).unwrap();
    let mut parser = vt100::Parser::new(24, 80, 0);
    for (text, keys) in [("Rui to move", "4k2"), ("Ana to move", "")] {
        let mut bytes = [0; 4096];
        while !parser.screen().contents().contains(text) {
            let n = pty.read(&mut bytes).unwrap();
            parser.process(&bytes[..n]);
        }
        pty.write_all(keys.as_bytes()).unwrap();
    }
    eventually("the move", || home.record().filter(|record| record.n_moves() == 1));
    drop(pty);
    eventually("the end", || child.try_wait().unwrap());
    assert_eq!(home.record().unwrap().n_moves(), 1);
}

/// This test runs itself as a child, which takes over the terminal and panics.
#[test]
fn a_panic_restores_the_terminal() {
    const CHILD: &str = "AZULEJO_TEST_PANICS";
    if std::env::var_os(CHILD).is_some() {
        let _screen = azulejo_tui::driver::Screen::enter().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(200));
        panic!("on purpose");
    }
    let name = "ends::a_panic_restores_the_terminal";
    let command = Command::new(std::env::current_exe().unwrap())
        .args([name, "--exact", "--nocapture", "--test-threads=1"])
        .env("RUST_BACKTRACE", "0")
        .env(CHILD, "1");
    let mut terminal = Terminal::run(command);
    terminal.is_taken();
    assert!(!terminal.end().success());
    terminal.is_restored();
    // The message appears after the alternate screen is left, where it can be read.
    terminal.wait_for("on purpose");
}
