//! Sentences for people: what a step did, what a move would do, how a game stands.

use azulejo_rules::{
    Bonuses, ColorBonus, Destination, Event, Outcome, Phase, Position, Preset, Preview,
    ProjectedRow, Rules, Source, Tile, Tiles, WallKind,
};

/// A rule set in words: `2 players, colored wall, jokers (preset duel)`.
pub(crate) fn rules(rules: &Rules) -> String {
    let wall = match rules.wall {
        WallKind::Colored => "colored wall",
        WallKind::Grey => "grey wall",
    };
    let jokers = if rules.jokers { ", jokers" } else { "" };
    let label = match rules.preset() {
        Some(Preset::Official) => String::new(),
        Some(preset) => format!(" (preset {})", preset.name()),
        None => format!(" (own rules {rules})"),
    };
    format!("{} players, {wall}{jokers}{label}", rules.players.count())
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

/// Tiles in words: `2 blue, 1 joker`; `nothing` if there are none.
pub(crate) fn tiles(tiles: Tiles) -> String {
    if tiles.is_empty() {
        return "nothing".to_owned();
    }
    let kinds: Vec<_> = tiles
        .iter()
        .map(|(tile, n)| match (tile, n) {
            (Tile::Joker, 2..) => format!("{n} jokers"),
            _ => format!("{n} {}", tile.name()),
        })
        .collect();
    kinds.join(" and ")
}

fn destination(to: Destination) -> String {
    match to {
        Destination::Line(row) => format!("line {row}"),
        Destination::Floor => "the floor".to_owned(),
    }
}

fn points(n: u32) -> String {
    if n == 1 { "1 point".to_owned() } else { format!("{n} points") }
}

/// One step of the game as a sentence.
pub(crate) fn event(event: &Event) -> String {
    match *event {
        Event::Dealt { round, starter, deal, poured } => {
            let poured = poured.map_or(String::new(), |lid| {
                format!(" (the lid went into the bag: {})", tiles(lid))
            });
            format!("Round {round} is dealt, seat {starter} starts: {deal}{poured}.")
        }
        Event::Drafted {
            seat,
            source,
            into_line,
            to,
            to_floor,
            to_lid,
            to_center,
            takes_marker,
            ..
        } => {
            let taken = tiles(into_line + to_floor + to_lid);
            let mut parts = vec![format!("Seat {seat} takes {taken} from {}", source.describe())];
            if takes_marker {
                parts.push("takes the starting player marker".to_owned());
            }
            if !into_line.is_empty() {
                parts.push(format!("{} to {}", tiles(into_line), destination(to)));
            }
            if !to_floor.is_empty() {
                parts.push(format!("{} to the floor", tiles(to_floor)));
            }
            if !to_lid.is_empty() {
                parts.push(format!("{} to the lid, the floor is full", tiles(to_lid)));
            }
            if source != Source::Center && !to_center.is_empty() {
                parts.push(format!("{} to the center", tiles(to_center)));
            }
            parts.join("; ") + "."
        }
        Event::Placed { seat, row, column, tile, horizontal, vertical, points: n, .. } => format!(
            "Seat {seat} places {} in row {row}, column {column}: {} (runs of {horizontal} across and {vertical} down).",
            tile.name(),
            points(n)
        ),
        Event::Spilled { seat, row, to_floor, to_lid } => format!(
            "Seat {seat} cannot place line {row}: {} fall to the floor, {} to the lid.",
            tiles(to_floor),
            tiles(to_lid)
        ),
        Event::FloorCleared { seat, n_spaces, loss, score, .. } => {
            format!("Seat {seat} loses {loss} for {n_spaces} floor spaces and has {score}.")
        }
        Event::RoundEnded { round, .. } => format!("Round {round} is over."),
        Event::GameEnded { by } => format!("The game is over: {}.", by.describe()),
        Event::BonusesScored { seat, bonuses, score } => {
            format!("Seat {seat} gets a bonus of {} and has {score}.", bonuses.total())
        }
    }
}

/// What a move would do, in a few short lines.
pub(crate) fn preview(preview: &Preview) -> Vec<String> {
    let mut lines = vec![event(&preview.event)];
    if preview.completes_line {
        let line = match preview.line() {
            Some(ProjectedRow { column: Some(column), points: n }) => {
                format!(
                    "The line is full: {} at the end of the round, in column {column}.",
                    points(n)
                )
            }
            _ => "The line is full, but no wall space takes its tile: it will fall.".to_owned(),
        };
        lines.push(line);
    }
    let (before, after) = (preview.before, preview.after);
    if before.loss != after.loss {
        lines.push(format!("The floor costs {} instead of {}.", after.loss, before.loss));
    }
    lines.push(format!(
        "If the round ended now: {} points, {:+} by this move.",
        after.score,
        preview.change()
    ));
    lines
}

/// The bonuses of a seat: `2 rows +4, 1 color +10`; empty if there are none.
pub(crate) fn bonuses(bonuses: &Bonuses, rules: &Rules) -> String {
    let colors = match rules.color_bonus {
        ColorBonus::FiveOfColor(_) => "colors",
        ColorBonus::BottomRowTiles(_) => "bottom tiles",
    };
    let parts = [
        (bonuses.rows, "rows", bonuses.row_points),
        (bonuses.columns, "columns", bonuses.column_points),
        (bonuses.colors, colors, bonuses.color_points),
    ];
    let some = parts.iter().filter(|(n, ..)| *n > 0).map(|(n, what, points)| {
        let what = if *n == 1 { what.trim_end_matches('s') } else { what };
        format!("{n} {what} +{points}")
    });
    some.collect::<Vec<_>>().join(", ")
}

/// Who won: `Seat 2 wins`, `Seats 1 and 3 share the victory`.
pub(crate) fn winners(outcome: &Outcome) -> String {
    let seats: Vec<_> = outcome.winners().map(|seat| seat.to_string()).collect();
    match seats.as_slice() {
        [seat] => format!("Seat {seat} wins"),
        seats => format!("Seats {} share the victory", seats.join(" and ")),
    }
}
