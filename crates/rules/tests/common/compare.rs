//! Reading the words of a script and comparing them with what was found. All comparisons fail with
//! the same sentence: expected this, found that.

use azulejo_rules::{Tile, Tiles};
use std::fmt::{self, Display};
use std::str::FromStr;

/// Whether a statement holds; if not, why.
pub(crate) type Outcome = Result<(), String>;

/// Compares two values.
pub(crate) fn same<T: PartialEq + Display + ?Sized>(expected: &T, found: &T) -> Outcome {
    if expected == found { Ok(()) } else { Err(format!("expected {expected}, found {found}")) }
}

/// Checks that a reason has the expected words in it.
pub(crate) fn contains(words: &str, reason: &str) -> Outcome {
    if reason.contains(words) {
        return Ok(());
    }
    Err(format!("expected the reason \"{words}\", found \"{reason}\""))
}

/// Compares a list of words, in any order, or a single number with things that were found.
pub(crate) fn same_set(expected: &str, found: impl Iterator<Item = String>) -> Outcome {
    match expected.parse::<usize>() {
        Ok(n) => same(&n, &found.count()),
        Err(_) => {
            let expected = expected.split_whitespace().map(str::to_owned).collect();
            same_lists(expected, found.collect())
        }
    }
}

/// Compares two lists in any order.
pub(crate) fn same_lists(mut expected: Vec<String>, mut found: Vec<String>) -> Outcome {
    expected.sort();
    found.sort();
    same(&join(&expected, " "), &join(&found, " "))
}

/// Compares tiles with a text: their number, or the tiles themselves.
pub(crate) fn same_amount(expected: &str, found: Tiles) -> Outcome {
    match expected.parse::<u32>() {
        Ok(n) => same(&n, &found.total()),
        Err(_) => same(&read_tiles(expected)?, &found),
    }
}

/// Tiles with or without the marker.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pile {
    pub(crate) marker: bool,
    pub(crate) tiles: Tiles,
}

impl Display for Pile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pile { marker: true, tiles } if tiles.is_empty() => write!(f, "1"),
            Pile { marker: true, tiles } => write!(f, "1{tiles}"),
            Pile { marker: false, tiles } => write!(f, "{tiles}"),
        }
    }
}

/// Reads tiles with the marker, a `1`, before them.
pub(crate) fn read_pile(text: &str) -> Result<Pile, String> {
    Ok(match text.strip_prefix('1') {
        Some("") => Pile { marker: true, tiles: Tiles::EMPTY },
        Some(tiles) => Pile { marker: true, tiles: read_tiles(tiles)? },
        None => Pile { marker: false, tiles: read_tiles(text)? },
    })
}

/// Reads letters in any order, each with a number after it or without; `.` is none.
pub(crate) fn read_tiles(text: &str) -> Result<Tiles, String> {
    let wrong = || format!("`{text}` is not a list of tiles");
    let mut tiles = Tiles::EMPTY;
    let mut rest = text;
    while !rest.is_empty() && text != "." {
        let mut letters = rest.chars();
        let tile = letters.next().and_then(Tile::from_letter).ok_or_else(wrong)?;
        let after = letters.as_str();
        let n_digits = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
        let (digits, after) = after.split_at(n_digits);
        let n = if digits.is_empty() { 1 } else { number(digits)? };
        tiles = tiles.checked_with(tile, n).ok_or_else(wrong)?;
        rest = after;
    }
    if text.is_empty() { Err("expected tiles, or `.` for none".to_owned()) } else { Ok(tiles) }
}

/// Reads a number.
pub(crate) fn number<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("`{text}` is not a number"))
}

/// Reads a word of one letter.
pub(crate) fn one_letter<T>(
    text: &str,
    read: impl Fn(char) -> Option<T>,
    what: &str,
) -> Result<T, String> {
    let mut letters = text.chars();
    let value = letters.next().and_then(read).filter(|_| letters.next().is_none());
    value.ok_or_else(|| format!("`{text}` is not a {what}"))
}

/// Writes things one after another.
pub(crate) fn join<T: Display>(items: impl IntoIterator<Item = T>, separator: &str) -> String {
    let items: Vec<_> = items.into_iter().map(|item| item.to_string()).collect();
    items.join(separator)
}
