//! One step of the game as a sentence, and a move that is not played yet.

use crate::{Names, bonuses, change, count, destination, tiles};
use azulejo_rules::{Preview, ProjectedRow, Rules, Step, Tiles};

/// One step of the game as a sentence.
#[must_use]
pub fn step(step: &Step, rules: &Rules, names: Names<'_>) -> String {
    match *step {
        Step::Dealt { round, starter, deal, poured } => {
            let poured = poured.map_or(String::new(), |lid| {
                format!(" (the lid went into the bag: {})", tiles(lid))
            });
            format!("Round {round} is dealt, {} starts: {deal}{poured}.", names.within(starter))
        }
        Step::Drafted { .. } => drafted(step, names),
        Step::Placed { seat, row, column, tile, horizontal, vertical, points, .. } => format!(
            "{} places {} in row {row}, column {column}: {} ({}).",
            names.name(seat),
            tile.name(),
            count(points, "point"),
            runs(horizontal, vertical)
        ),
        Step::Spilled { seat, row, to_floor, to_lid } => {
            let fallen = moved([(to_floor, "the floor"), (to_lid, "the lid")]).join(", ");
            format!("{} cannot place line {row}, which falls: {fallen}.", names.name(seat))
        }
        Step::FloorCleared { seat, n_spaces: 0, score, .. } => {
            format!("{} loses nothing and has {}.", names.name(seat), count(score, "point"))
        }
        Step::FloorCleared { seat, n_spaces, loss, score, .. } => format!(
            "{} loses {} for {} and has {}.",
            names.name(seat),
            count(loss, "point"),
            count(n_spaces, "floor space"),
            count(score, "point")
        ),
        Step::RoundEnded { round, .. } => format!("Round {round} is over."),
        Step::GameEnded { by } => format!("The game is over: {}.", by.describe()),
        Step::BonusesScored { seat, bonuses: got, score } => {
            let bonuses = match bonuses(&got, rules) {
                none if none.is_empty() => "no bonus".to_owned(),
                some => format!("a bonus of {} ({some})", got.total()),
            };
            format!("{} gets {bonuses} and has {}.", names.name(seat), count(score, "point"))
        }
    }
}

/// The runs that a new tile is part of; a single tile is not one.
fn runs(horizontal: u32, vertical: u32) -> String {
    match (horizontal, vertical) {
        (1, 1) => "no neighbor".to_owned(),
        (row, 1) => format!("row of {row}"),
        (1, column) => format!("column of {column}"),
        (row, column) => format!("row of {row} and column of {column}"),
    }
}

fn drafted(step: &Step, names: Names<'_>) -> String {
    let Step::Drafted {
        seat,
        source,
        into_line,
        to,
        to_floor,
        to_lid,
        to_center,
        takes_marker,
        ..
    } = *step
    else {
        return String::new();
    };
    let taken = tiles(into_line + to_floor + to_lid);
    let marker = if takes_marker { ", with the starting player marker," } else { "" };
    let mut parts =
        vec![format!("{} takes {taken}{marker} from {}", names.name(seat), source.describe())];
    parts.extend(moved([
        (into_line, destination(to).as_str()),
        (to_floor, "the floor"),
        (to_lid, "the lid, because the floor is full"),
        (to_center, "the center"),
    ]));
    parts.join("; ") + "."
}

/// `2 blue to line 2`, for each place that gets tiles.
fn moved<const N: usize>(places: [(Tiles, &str); N]) -> Vec<String> {
    let some = places.into_iter().filter(|(moved, _)| !moved.is_empty());
    some.map(|(moved, place)| format!("{} to {place}", tiles(moved))).collect()
}

/// What a move would do, in a few short sentences.
#[must_use]
pub fn preview(preview: &Preview, rules: &Rules, names: Names<'_>) -> Vec<String> {
    let mut lines = vec![step(&preview.step, rules, names)];
    if preview.completes_line {
        let line = match preview.line() {
            Some(ProjectedRow { column: Some(column), points }) => format!(
                "The line is full: {} at the end of the round, in column {column}.",
                count(points, "point")
            ),
            _ => "The line is full, but no wall space takes its tile: it will fall.".to_owned(),
        };
        lines.push(line);
    }
    let (before, after) = (preview.before, preview.after);
    if before.loss != after.loss {
        lines.push(format!("The floor costs {} instead of {}.", after.loss, before.loss));
    }
    let score = count(after.score, "point");
    lines.push(match (preview.step, preview.change()) {
        (Step::Placed { .. }, 0) => format!("This leads to {score}: no choice brings more."),
        (Step::Placed { .. }, n) => {
            format!("This leads to {score}, {} less than the best choice.", n.unsigned_abs())
        }
        (_, 0) => format!("If the round ended now: {score}, as before this move."),
        (_, n) => format!("If the round ended now: {score}, {} by this move.", change(n)),
    });
    lines
}

/// What a move would do, in a few words for a list: `2 blue to line 2 (full, 1 point)`.
#[must_use]
pub fn brief(preview: &Preview) -> String {
    match preview.step {
        Step::Drafted { to, into_line, to_floor, to_lid, takes_marker, .. } => {
            let line = destination(to) + &full(preview);
            let mut parts = moved([(into_line, line.as_str())]);
            if takes_marker {
                parts.push("marker to the floor".to_owned());
            }
            parts.extend(moved([(to_floor, "the floor"), (to_lid, "the lid")]));
            parts.join("; ")
        }
        Step::Placed { row, column, tile, points, .. } => {
            let points = count(points, "point");
            format!("{} to row {row}, column {column}: {points}", tile.name())
        }
        // No move begins with any other step.
        _ => String::new(),
    }
}

/// What a line that becomes full will score.
fn full(preview: &Preview) -> String {
    match preview.line() {
        Some(ProjectedRow { column: Some(_), points }) if preview.completes_line => {
            format!(" (full, {})", count(points, "point"))
        }
        Some(_) if preview.completes_line => " (full, but no wall space takes it)".to_owned(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_named_by_their_direction() {
        let rows = [(1, 1), (3, 1), (1, 5), (2, 4)].map(|(row, column)| runs(row, column));
        assert_eq!(rows, ["no neighbor", "row of 3", "column of 5", "row of 2 and column of 4"]);
    }
}
