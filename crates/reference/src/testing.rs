//! Helpers for the tests: positions in the notation of the rules.

use crate::game::{Action, Destination, Game, Phase, Source};
use crate::rules::{Rules, Tile, printed_column};

/// The tile for a letter of the notation.
pub(crate) fn tile(letter: char) -> Tile {
    match letter {
        'B' => Tile::Blue,
        'Y' => Tile::Yellow,
        'R' => Tile::Red,
        'K' => Tile::Black,
        'W' => Tile::White,
        'J' => Tile::Joker,
        _ => panic!("{letter} is not a tile"),
    }
}

/// The tiles for a word of letters.
pub(crate) fn tiles(word: &str) -> Vec<Tile> {
    word.chars().map(tile).collect()
}

/// A two-player game in the middle of round 1, seat 0 to move, with these factories and center.
/// The bag holds enough tiles for the next rounds.
pub(crate) fn drafting(rules: Rules, factories: &[&str], center: &str) -> Game {
    let mut game = Game::new(rules, 0);
    for (index, word) in factories.iter().enumerate() {
        game.factories[index] = tiles(word);
    }
    game.center = tiles(center);
    game.phase = Phase::Draft;
    game
}

/// Writes a whole wall, five words of five letters with a dot for an empty space.
pub(crate) fn set_wall(game: &mut Game, seat: usize, rows: &str) {
    for (row, word) in rows.split_whitespace().enumerate() {
        for (column, letter) in word.chars().enumerate() {
            game.players[seat].wall[row][column] = (letter != '.').then(|| tile(letter));
        }
    }
}

/// Fills spaces of the colored wall, counted from 1 as in the rules, with their printed colors.
pub(crate) fn print_spaces(game: &mut Game, seat: usize, spaces: &[(usize, usize)]) {
    for &(row, column) in spaces {
        let color = printed_color(row - 1, column - 1);
        game.players[seat].wall[row - 1][column - 1] = Some(color);
    }
}

/// The color printed on a space, counted from 0.
pub(crate) fn printed_color(row: usize, column: usize) -> Tile {
    let shown = |color: &Tile| printed_column(row, *color) == column;
    Tile::COLORS.into_iter().find(shown).unwrap()
}

/// Writes a pattern line, counted from 1 as in the rules.
pub(crate) fn set_line(game: &mut Game, seat: usize, line: usize, word: &str) {
    game.players[seat].lines[line - 1] = tiles(word);
}

/// Deals the tiles in the order in which they happen to lie in the bag, then in the lid.
pub(crate) fn deal_in_order(game: &mut Game) {
    let mut stock = game.bag.iter().chain(&game.lid).copied();
    let mut factories: Vec<Vec<Tile>> = Vec::new();
    for size in game.tiles_to_deal() {
        factories.push(stock.by_ref().take(size).collect());
    }
    drop(stock);
    game.deal(&factories).unwrap();
}

/// A draft of one color without jokers; line 0 means the floor, lines count from 1.
pub(crate) fn take(source: Source, color: char, line: usize) -> Action {
    Action::Draft {
        source,
        color: Some(tile(color)),
        jokers: false,
        destination: destination(line),
        jokers_in_line: 0,
    }
}

/// A draft with jokers, with a color or alone; line 0 means the floor, lines count from 1.
pub(crate) fn take_jokers(
    source: Source,
    color: Option<char>,
    line: usize,
    jokers_in_line: usize,
) -> Action {
    Action::Draft {
        source,
        color: color.map(tile),
        jokers: true,
        destination: destination(line),
        jokers_in_line,
    }
}

/// Line 0 means the floor, lines count from 1.
fn destination(line: usize) -> Destination {
    if line == 0 { Destination::Floor } else { Destination::Line(line - 1) }
}
