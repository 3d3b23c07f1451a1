//! Prints a replayed game: in full, on one line, or as JSON.

use super::games::FoundGame;
use crate::json;
use azulejo_notation::{Action, Record};
use azulejo_rules::{EndedBy, Seat, Step};
use azulejo_words::{self as words, Names};
use serde_json::{Value, json};
use std::fmt::Write;

/// One row of the table of rounds.
struct RoundSummary {
    number: u16,
    starter: Seat,
    n_moves: usize,
    /// Points, loss and final score of the round, by seat; empty if it was not finished.
    seats: Vec<(u32, u16, u16)>,
}

fn rounds(record: &Record) -> Vec<RoundSummary> {
    let n_seats = record.rules().players().count();
    let mut rounds: Vec<RoundSummary> = Vec::new();
    let mut points = vec![0; n_seats];
    for step in record.replay() {
        if matches!(step.action, Action::Deal(_)) || rounds.is_empty() {
            rounds.push(RoundSummary {
                number: step.before.round(),
                starter: step.before.starter(),
                n_moves: 0,
                seats: Vec::new(),
            });
        }
        let round = rounds.last_mut().expect("one was just pushed");
        round.n_moves += usize::from(matches!(step.action, Action::Move(_)));
        for event in &step.report {
            match *event {
                Step::Placed { seat, points: n, .. } => points[seat.index()] += n,
                Step::FloorCleared { seat, loss, score, .. } => {
                    round.seats.resize(n_seats, (0, 0, 0));
                    round.seats[seat.index()] =
                        (std::mem::take(&mut points[seat.index()]), loss, score);
                }
                _ => {}
            }
        }
    }
    rounds
}

/// Everything about one game.
pub(crate) fn full(game: &FoundGame) -> String {
    let mut text = format!("{}: ", game.place);
    let Some(record) = &game.record else {
        return text + &faults(game);
    };
    let _ = writeln!(text, "{}", words::rules(record.rules()));
    if let Some(seed) = record.seed() {
        let _ = writeln!(text, "Seed {seed}");
    }
    text += "\n";
    text += &table(record);
    text += &ending(record);
    text + &faults(game)
}

/// A line per round: its starter, and the points, loss and score of each seat.
fn table(record: &Record) -> String {
    let rounds = rounds(record);
    if rounds.is_empty() {
        return String::new();
    }
    let seats = record.rules().players().seats();
    // Four columns of `+12 -14 = 100` fill a terminal of 80 columns; longer names fit beside fewer.
    let width = if seats.len() == 4 { 13 } else { 16 };
    let mut text = "Round Start Moves".to_owned();
    for &seat in seats {
        let name =
            record.name(seat).map_or(format!("Seat {seat}"), |name| words::clip(name, width));
        let _ = write!(text, "  {name:>width$}");
    }
    text += "\n";
    for round in rounds {
        let starter = round.starter.to_string();
        let _ = write!(text, "{:>5} {starter:>5} {:>5}", round.number, round.n_moves);
        for (points, loss, score) in round.seats {
            let change = format!("+{points} -{loss} = {score:>3}");
            let _ = write!(text, "  {change:>width$}");
        }
        text += "\n";
    }
    text + "\n"
}

fn ending(record: &Record) -> String {
    let position = record.final_position();
    let Some(outcome) = position.outcome() else {
        return format!("{}\n{position}\n", words::phase(position, Names::Numbers));
    };
    let name = |seat| match record.name(seat) {
        Some(name) => format!("{} (seat {seat})", words::clip(name, 24)),
        None => format!("Seat {seat}"),
    };
    let mut text =
        format!("{}: {}.\n", words::winners(&outcome, Names::Numbers), outcome.by.describe());
    for line in words::ranking(&outcome, record.rules(), Names::Given(&name)) {
        text += &line;
        text += "\n";
    }
    text
}

fn faults(game: &FoundGame) -> String {
    let mut text = String::new();
    if let Some(error) = &game.error {
        let _ = writeln!(text, "damaged: {error}");
    }
    for difference in &game.differences {
        let _ = writeln!(text, "difference: {difference}");
    }
    text
}

/// The result in short: `41-38, seat 1 wins`.
fn result(record: &Record) -> String {
    let Some(outcome) = record.final_position().outcome() else {
        return "unfinished".to_owned();
    };
    let scores: Vec<_> = outcome.scores.iter().map(ToString::to_string).collect();
    let winners = words::winners(&outcome, Names::Numbers).replacen('S', "s", 1);
    let by = match outcome.by {
        EndedBy::Row => String::new(),
        by => format!(" ({})", by.describe()),
    };
    format!("{}, {winners}{by}", scores.join("-"))
}

/// One line about one game.
pub(crate) fn line(game: &FoundGame) -> String {
    let mut text = format!("{}: ", game.place);
    if let Some(record) = &game.record {
        let _ = write!(
            text,
            "{}, {}, {}, {}",
            words::rules(record.rules()),
            words::count(record.rounds().len() as u64, "round"),
            words::count(record.n_moves() as u64, "move"),
            result(record),
        );
    }
    let faults = faults(game);
    let faults = faults.trim_end();
    match (faults.is_empty(), game.record.is_some()) {
        (true, _) => text,
        (false, false) => text + faults,
        (false, true) => text + "\n  " + &faults.replace('\n', "\n  "),
    }
}

pub(crate) fn json(game: &FoundGame) -> Value {
    let differences: Vec<_> = game
        .differences
        .iter()
        .map(|difference| json!({ "key": difference.key, "sentence": difference.to_string() }))
        .collect();
    let error = game.error.as_ref().map(
        |error| json!({ "place": error.place.to_string(), "problem": error.problem.to_string() }),
    );
    let record = game.record.as_ref().map(|record| {
        let rounds = rounds(record).into_iter().map(|round| {
            let seats = round.seats.iter().map(
                |&(points, loss, score)| json!({ "points": points, "loss": loss, "score": score }),
            );
            json!({
                "round": round.number,
                "starter": json::seat(round.starter),
                "n_moves": round.n_moves,
                "seats": seats.collect::<Vec<_>>(),
            })
        });
        json!({
            "rules": record.rules().to_string(),
            "names": record.names(),
            "n_moves": record.n_moves(),
            "rounds": rounds.collect::<Vec<_>>(),
            "outcome": record.final_position().outcome().as_ref().map(json::outcome),
            "final_position": record.final_position().to_string(),
        })
    });
    json!({ "place": game.place, "game": record, "error": error, "differences": differences })
}
