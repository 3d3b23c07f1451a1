//! Games by keys: a whole game, a window that is resized, a game killed and resumed.

use crate::terminal::{Home, Terminal, eventually};
use azulejo_rules::{Phase, Position, Seat};

/// The person sits in seat 1.
const GAME: &str = "--seats Ana,ai:1 --seed 5 --speed 5 --think 0.2";

/// Waits until at least `n_moves` are played and the person is to move or the game is over.
fn turn(home: &Home, n_moves: usize) -> (Position, usize) {
    eventually("the next turn", || {
        let record = home.record()?;
        let position = *record.final_position();
        let is_ours = matches!(position.phase(), Phase::Draft | Phase::Tiling(_))
            && position.turn() == Seat::One;
        let is_due = is_ours || position.ended_by().is_some();
        (is_due && record.n_moves() >= n_moves).then(|| (position, record.n_moves()))
    })
}

/// Types moves until the game is over, at most `most`. Returns the position then.
fn play(terminal: &Terminal, home: &Home, most: usize) -> Position {
    let (mut position, mut n) = turn(home, 0);
    for _ in 0..most {
        if position.ended_by().is_some() {
            break;
        }
        let moves = position.legal_moves();
        // Prefers lines to the floor, so that the game ends.
        let m = moves.iter().find(|m| !m.to_string().ends_with('F')).unwrap_or(&moves[0]);
        terminal.wait_for("Ana to move");
        terminal.send(&m.to_string().to_lowercase());
        (position, n) = turn(home, n + 1);
    }
    position
}

#[test]
fn a_whole_game_by_keys() {
    let home = Home::new();
    let mut terminal = Terminal::play(GAME, &home);
    terminal.wait_for("Azulejo");
    terminal.is_taken();
    let position = play(&terminal, &home, usize::MAX);
    terminal.wait_for("The game is over");
    let outcome = position.outcome().unwrap();
    for (name, score) in [("Ana", outcome.scores[0]), ("Visitor", outcome.scores[1])] {
        let says = |line: &str| line.contains(name) && line.contains(&format!("{score} point"));
        terminal.wait_until(name, |screen| screen.contents().lines().any(says));
    }
    terminal.send("q");
    assert!(terminal.end().success());
    terminal.is_restored();
    assert_eq!(home.names().len(), 1, "nothing half-written is left: {:?}", home.names());
}

#[test]
fn the_window_may_be_resized_at_any_time() {
    let home = Home::new();
    let terminal = Terminal::play(GAME, &home);
    play(&terminal, &home, 3);
    terminal.resize(120, 40);
    // Large tiles have ornaments in their corners.
    terminal.wait_for("▘");
    play(&terminal, &home, 2);
    terminal.resize(30, 10);
    terminal.wait_for("needs a window");
    // Keys work even in a window that is too small to draw.
    let (before, n) = turn(&home, 0);
    terminal.send(&before.legal_moves()[0].to_string());
    turn(&home, n + 1);
    terminal.resize(80, 24);
    terminal.wait_for("Ana to move");
    play(&terminal, &home, 2);
}

#[test]
fn a_killed_game_is_resumed() {
    let home = Home::new();
    let mut terminal = Terminal::play(GAME, &home);
    let before = play(&terminal, &home, 7);
    terminal.child.kill().unwrap();
    terminal.end();
    drop(terminal);
    assert_eq!(home.position(), Some(before));
    let mut terminal = Terminal::play("--continue --speed 5 --think 0.2", &home);
    let screen = terminal.wait_for("Ana to move");
    assert!(screen.contains(&format!("Round {}", before.round())), "{screen}");
    let after = play(&terminal, &home, 2);
    assert_ne!(after, before);
    terminal.send("q");
    assert!(terminal.end().success());
    let records = home.names().into_iter().filter(|name| name.ends_with(".txt"));
    assert_eq!(records.count(), 1, "it is the same file");
}

#[test]
fn a_game_is_continued_in_one_terminal_at_a_time() {
    let home = Home::new();
    let mut first = Terminal::play(GAME, &home);
    let before = play(&first, &home, 2);
    let mut second = Terminal::play("--continue --speed 5 --think 0.2", &home);
    assert_eq!(second.end().code(), Some(2));
    second.wait_for("is open in another terminal");
    assert_eq!(home.position(), Some(before));
    // The lock ends with the process that holds it, however that ends.
    first.child.kill().unwrap();
    first.end();
    let third = Terminal::play("--continue --speed 5 --think 0.2", &home);
    third.wait_for("Ana to move");
    play(&third, &home, 1);
}

#[test]
fn the_start_screen_remembers() {
    let home = Home::new();
    let mut terminal = Terminal::play("--speed 5", &home);
    terminal.wait_for("Begin the game");
    // Up from the button: the clock, the seed, the rules, the jokers, the wall.
    terminal.send("\x1b[A\x1b[A\x1b[A\x1b[A\x1b[A\x1b[C");
    terminal.wait_for("grey");
    terminal.send("\x1b[B\x1b[B\x1b[B\x1b[B\x1b[B\r");
    terminal.wait_for("grey wall");
    eventually("the game", || home.record());
    terminal.send("q");
    assert!(terminal.end().success());
    let mut terminal = Terminal::play("", &home);
    let screen = terminal.wait_for("Continue the last game");
    assert!(screen.contains("grey"), "{screen}");
    terminal.send("\x03");
    assert!(terminal.end().success());
    terminal.is_restored();
}

#[test]
fn a_move_by_mouse() {
    let home = Home::new();
    let terminal = Terminal::play("--seats Rui,Ana --seed 5 --speed 5", &home);
    terminal.wait_for("Ana to move");
    // The second tile of factory 4 in the second row, then line 2 of the right board. Columns and
    // rows of a mouse report count from 1.
    let click = |x: u16, y: u16| terminal.send(&format!("\x1b[<0;{};{}M", x + 1, y + 1));
    click(34, 3);
    terminal.wait_for("Where do the black tiles go?");
    click(55, 9);
    terminal.wait_for("Rui to move");
    let record = eventually("the move", || home.record().filter(|record| record.n_moves() == 1));
    assert_eq!(record.rounds()[0].turns[0].m.to_string(), "4K2");
}
