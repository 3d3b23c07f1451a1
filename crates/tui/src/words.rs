//! Sentences for people: what a step did, what a move would do, how a game stands. Seats are called
//! as the caller wants: by their names, or `Seat 1`.

use azulejo_rules::{
    Bonuses, ColorBonus, Destination, Outcome, Preset, Preview, ProjectedRow, Rules, Seat, Source,
    Step, Tile, Tiles, WallKind,
};

/// A number with its noun: `1 point`, `2 points`. All our nouns have a simple plural.
#[must_use]
pub fn count(n: impl Into<u64>, noun: &str) -> String {
    match n.into() {
        1 => format!("1 {noun}"),
        n => format!("{n} {noun}s"),
    }
}

/// A change of a score: `+3`, `-1`, and a plain `0`.
#[must_use]
pub fn change(n: i32) -> String {
    if n == 0 { "0".to_owned() } else { format!("{n:+}") }
}

/// The beginning of a text that may be long: at most so many characters.
#[must_use]
pub fn clip(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

/// `1`, `1 and 2`, `1, 2 and 3`.
#[must_use]
pub fn list<T: AsRef<str>>(parts: &[T]) -> String {
    let parts: Vec<_> = parts.iter().map(AsRef::as_ref).collect();
    match parts.as_slice() {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// A rule set in words: `2 players, colored wall, jokers (preset duel)`.
#[must_use]
pub fn rules(rules: &Rules) -> String {
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

/// Tiles in words: `2 blue, 1 red and 1 joker`; `nothing` if there are none.
#[must_use]
pub fn tiles(tiles: Tiles) -> String {
    let kinds: Vec<_> = tiles
        .iter()
        .map(|(tile, n)| match tile {
            Tile::Joker => count(n, "joker"),
            Tile::Color(color) => format!("{n} {}", color.name()),
        })
        .collect();
    if kinds.is_empty() { "nothing".to_owned() } else { list(&kinds) }
}

/// A destination in words: `line 2`, `the floor`.
#[must_use]
pub fn destination(to: Destination) -> String {
    match to {
        Destination::Line(row) => format!("line {row}"),
        Destination::Floor => "the floor".to_owned(),
    }
}

/// One step of the game as a sentence.
#[must_use]
pub fn event(event: &Step, rules: &Rules, name: &dyn Fn(Seat) -> String) -> String {
    match *event {
        Step::Dealt { round, starter, deal, poured } => {
            let poured = poured.map_or(String::new(), |lid| {
                format!(" (the lid went into the bag: {})", tiles(lid))
            });
            {
                let starter = name(starter);
                format!("Round {round} is dealt, {starter} starts: {deal}{poured}.")
            }
        }
        Step::Drafted { .. } => drafted(event, name),
        Step::Placed { seat, row, column, tile, horizontal, vertical, points, .. } => format!(
            "{} places {} in row {row}, column {column}: {} (runs of {horizontal} across and {vertical} down).",
            name(seat),
            tile.name(),
            count(points, "point")
        ),
        Step::Spilled { seat, row, to_floor, to_lid } => {
            let places = [(to_floor, "the floor"), (to_lid, "the lid")];
            let parts: Vec<_> = places
                .into_iter()
                .filter(|(fallen, _)| !fallen.is_empty())
                .map(|(fallen, place)| format!("{} to {place}", tiles(fallen)))
                .collect();
            format!("{} cannot place line {row}, which falls: {}.", name(seat), parts.join(", "))
        }
        Step::FloorCleared { seat, n_spaces: 0, score, .. } => {
            format!("{} loses nothing and has {}.", name(seat), count(score, "point"))
        }
        Step::FloorCleared { seat, n_spaces, loss, score, .. } => format!(
            "{} loses {} for {} and has {}.",
            name(seat),
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
            format!("{} gets {bonuses} and has {}.", name(seat), count(score, "point"))
        }
    }
}

fn drafted(event: &Step, name: &dyn Fn(Seat) -> String) -> String {
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
    } = *event
    else {
        return String::new();
    };
    let taken = tiles(into_line + to_floor + to_lid);
    let marker = if takes_marker { ", with the starting player marker," } else { "" };
    let mut parts =
        vec![format!("{} takes {taken}{marker} from {}", name(seat), source.describe())];
    if !into_line.is_empty() {
        parts.push(format!("{} to {}", tiles(into_line), destination(to)));
    }
    if !to_floor.is_empty() {
        parts.push(format!("{} to the floor", tiles(to_floor)));
    }
    if !to_lid.is_empty() {
        parts.push(format!("{} to the lid, because the floor is full", tiles(to_lid)));
    }
    if source != Source::Center && !to_center.is_empty() {
        parts.push(format!("{} to the center", tiles(to_center)));
    }
    parts.join("; ") + "."
}

/// What a move would do, in a few short lines.
#[must_use]
pub fn preview(preview: &Preview, rules: &Rules, name: &dyn Fn(Seat) -> String) -> Vec<String> {
    let mut lines = vec![event(&preview.step, rules, name)];
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

/// The bonuses of a seat: `2 rows +4, 1 color +10`; empty if there are none.
#[must_use]
pub fn bonuses(bonuses: &Bonuses, rules: &Rules) -> String {
    let colors = match rules.color_bonus {
        ColorBonus::FiveOfColor(_) => "color",
        ColorBonus::BottomRowTiles(_) => "bottom tile",
    };
    let parts = [
        (bonuses.rows, "row", bonuses.row_points),
        (bonuses.columns, "column", bonuses.column_points),
        (bonuses.colors, colors, bonuses.color_points),
    ];
    let some = parts.iter().filter(|(n, ..)| *n > 0);
    let some = some.map(|(n, what, points)| format!("{} +{points}", count(*n, what)));
    some.collect::<Vec<_>>().join(", ")
}

/// Who won: `Ana wins`, `Ana and Rui share the victory`.
#[must_use]
pub fn winners(outcome: &Outcome, name: &dyn Fn(Seat) -> String) -> String {
    let names: Vec<_> = outcome.winners().map(name).collect();
    match names.as_slice() {
        [only] => format!("{only} wins"),
        names => format!("{} share the victory", list(names)),
    }
}

/// The final ranking, a line for each seat: `  1. Ana   63 points  (1 row +2)`.
#[must_use]
pub fn ranking(outcome: &Outcome, rules: &Rules, name: &dyn Fn(Seat) -> String) -> Vec<String> {
    let mut seats = rules.players.seats().to_vec();
    seats.sort_by_key(|seat| outcome.ranks[seat.index()]);
    let width = seats.iter().map(|&seat| name(seat).chars().count()).max().unwrap_or(0);
    let line = |seat: Seat| {
        let i = seat.index();
        let bonuses = match bonuses(&outcome.bonuses[i], rules) {
            none if none.is_empty() => "no bonus".to_owned(),
            some => some,
        };
        let (rank, score) = (outcome.ranks[i], outcome.scores[i]);
        let points = if score == 1 { "point" } else { "points" };
        format!("  {rank}. {:<width$}  {score:>3} {points:<6}  ({bonuses})", name(seat))
    };
    seats.into_iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_lists_read_well() {
        assert_eq!(count(0_u32, "point"), "0 points");
        assert_eq!(count(1_u32, "point"), "1 point");
        assert_eq!([0, 3, -2].map(change), ["0", "+3", "-2"]);
        assert_eq!([3, 4, 5].map(|n| clip("four", n)), ["fo…", "four", "four"]);
        assert_eq!(list(&["1"]), "1");
        assert_eq!(list(&["1", "2", "3"]), "1, 2 and 3");
        let some: Tiles = ["B", "B", "R", "J"].iter().filter_map(|tile| letter(tile)).collect();
        assert_eq!(tiles(some), "2 blue, 1 red and 1 joker");
        assert_eq!(tiles(Tiles::EMPTY), "nothing");
    }

    fn letter(text: &str) -> Option<Tile> {
        text.chars().next().and_then(Tile::from_letter)
    }
}
