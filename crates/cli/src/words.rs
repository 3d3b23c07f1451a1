//! Sentences about seats that have no names, and those that name none.

use azulejo_rules::{Outcome, Phase, Position, Preview, Rules, Seat, Step};
use azulejo_tui::words;
pub(crate) use azulejo_tui::words::{change, clip, count, destination, ranking, rules, tiles};

fn seat_name(seat: Seat) -> String {
    format!("Seat {seat}")
}

/// What the game waits for.
pub(crate) fn phase(position: &Position) -> String {
    let (seat, round) = (position.turn(), position.round());
    match position.phase() {
        Phase::Draft => format!("Round {round}: seat {seat} drafts"),
        Phase::Tiling(row) => {
            format!("Round {round}: seat {seat} chooses a wall space for line {row}")
        }
        Phase::Deal => format!("Round {round} is to be dealt; seat {seat} starts it"),
        Phase::Over(by) => format!("The game is over after round {round}: {}", by.describe()),
    }
}

/// One step of the game as a sentence.
pub(crate) fn event(event: &Step, rules: &Rules) -> String {
    match event {
        // In the middle of a sentence.
        Step::Dealt { .. } => words::event(event, rules, &|seat| format!("seat {seat}")),
        _ => words::event(event, rules, &seat_name),
    }
}

/// What a move would do, in a few short lines.
pub(crate) fn preview(preview: &Preview, rules: &Rules) -> Vec<String> {
    words::preview(preview, rules, &seat_name)
}

/// Who won: `Seat 2 wins`, `Seats 1 and 3 share the victory`.
pub(crate) fn winners(outcome: &Outcome) -> String {
    let seats: Vec<_> = outcome.winners().map(|seat| seat.to_string()).collect();
    match seats.as_slice() {
        [_] => words::winners(outcome, &seat_name),
        seats => format!("Seats {} share the victory", words::list(seats)),
    }
}
