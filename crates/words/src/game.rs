//! A game as a whole: its rules, what it waits for, and how it ended.

use crate::{Names, count, list};
use azulejo_rules::{
    Bonuses, ColorBonus, Destination, Outcome, Phase, Position, Preset, Rules, Seat, Tile, Tiles,
    WallKind,
};

/// A rule set: `2 players, colored wall, jokers (preset duel)`.
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
        None => format!(" (house rules {rules})"),
    };
    format!("{} players, {wall}{jokers}{label}", rules.players().count())
}

/// What the game waits for: `Round 2: seat 1 drafts`.
#[must_use]
pub fn phase(position: &Position, names: Names<'_>) -> String {
    let (seat, round) = (names.within(position.turn()), position.round());
    match position.phase() {
        Phase::Draft => format!("Round {round}: {seat} drafts"),
        Phase::Tiling(row) => format!("Round {round}: {seat} chooses a wall space for line {row}"),
        Phase::Deal => format!("Round {round} has not been dealt yet; {seat} starts it"),
        Phase::Over(by) => format!("The game is over after round {round}: {}", by.describe()),
    }
}

/// Tiles: `2 blue, 1 red and 1 joker`; `nothing` if there are none.
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

/// A destination: `line 2`, `the floor`.
#[must_use]
pub fn destination(to: Destination) -> String {
    match to {
        Destination::Line(row) => format!("line {row}"),
        Destination::Floor => "the floor".to_owned(),
    }
}

/// What is written on the starting player marker. The two-player text version of the game, which is
/// the preset `duel`, has an `F` there.
#[must_use]
pub fn marker(rules: &Rules) -> char {
    match rules.preset() {
        Some(Preset::Duel) => 'F',
        _ => '1',
    }
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
    let some = some.map(|(n, noun, points)| format!("{} +{points}", count(*n, noun)));
    some.collect::<Vec<_>>().join(", ")
}

/// Who won: `Seat 2 wins`, `Seats 1 and 3 share the victory`, `Ana and Rui share the victory`.
#[must_use]
pub fn winners(outcome: &Outcome, names: Names<'_>) -> String {
    match *outcome.winners().collect::<Vec<_>>() {
        [only] => format!("{} wins", names.name(only)),
        ref seats => format!("{} share the victory", names.several(seats)),
    }
}

/// The final ranking, a line for each seat: `  1. Ana   63 points  (1 row +2)`.
#[must_use]
pub fn ranking(outcome: &Outcome, rules: &Rules, names: Names<'_>) -> Vec<String> {
    let mut seats = rules.players().seats().to_vec();
    seats.sort_by_key(|seat| outcome.ranks[seat.index()]);
    let width = seats.iter().map(|&seat| names.name(seat).chars().count()).max().unwrap_or(0);
    let line = |seat: Seat| {
        let i = seat.index();
        let bonuses = match bonuses(&outcome.bonuses[i], rules) {
            none if none.is_empty() => "no bonus".to_owned(),
            some => some,
        };
        let (rank, score) = (outcome.ranks[i], outcome.scores[i]);
        let points = if score == 1 { "point" } else { "points" };
        format!("  {rank}. {:<width$}  {score:>3} {points:<6}  ({bonuses})", names.name(seat))
    };
    seats.into_iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_are_counted_by_color() {
        let some: Tiles = "BBRJ".chars().filter_map(Tile::from_letter).collect();
        assert_eq!(tiles(some), "2 blue, 1 red and 1 joker");
        assert_eq!(tiles(Tiles::EMPTY), "nothing");
    }

    #[test]
    fn seats_are_called_by_number_or_by_name() {
        let position: Position =
            Position::new(Rules::official(azulejo_rules::Players::Two), Seat::One);
        assert_eq!(
            phase(&position, Names::Numbers),
            "Round 1 has not been dealt yet; seat 1 starts it"
        );
        let ana = |_| "Ana".to_owned();
        assert_eq!(
            phase(&position, Names::Given(&ana)),
            "Round 1 has not been dealt yet; Ana starts it"
        );
        assert_eq!(Names::Numbers.several(&[Seat::One, Seat::Three]), "Seats 1 and 3");
    }
}
