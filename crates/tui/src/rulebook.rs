//! The help: the keys, and the rules in a few pages with small pictures. The texts are in
//! `rulebook/pages.txt`: `[B]` is a tile, `[b]` its space on the wall, `[.]` a free space, `[1]`
//! the marker, `*words*` are a heading, `<h>` is a key, and `{row}` a number of the rules in play.

use azulejo_rules::{Color, ColorBonus, PlacementScoring, Rules, Tile};

const TEXT: &str = include_str!("rulebook/pages.txt");

/// The number of pages about the rules, after the page about keys.
pub(crate) const PAGES: usize = 6;

/// A page.
pub(crate) struct Page {
    pub(crate) title: String,
    pub(crate) lines: Vec<Vec<Piece>>,
}

/// A part of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    Text(String),
    /// A heading or a key.
    Strong(String),
    Tile(Tile),
    Printed(Color),
    Space,
    Marker,
}

/// A page by its number; 0 is about keys.
pub(crate) fn page(number: usize, rules: &Rules) -> Page {
    let (title, text) = text(number, rules);
    Page { title, lines: text.lines().map(pieces).collect() }
}

/// All rules as plain text.
pub(crate) fn plain(rules: &Rules) -> Vec<String> {
    let mut lines = Vec::new();
    for number in 1..=PAGES {
        let (title, text) = text(number, rules);
        lines.extend([String::new(), format!("{title}.")]);
        lines.extend(text.lines().map(|line| line.replace(['*', '<', '>'], "")));
    }
    lines
}

/// Title and text of a page, with the numbers of the rules.
fn text(number: usize, rules: &Rules) -> (String, String) {
    let page = TEXT.split("== ").skip(1).nth(number.min(PAGES)).unwrap_or_default();
    let (title, text) = page.split_once('\n').unwrap_or_default();
    let penalties = rules.floor_penalties.each().map(|n| format!("-{n}")).join(" ");
    let (placement, example) = match rules.placement_scoring {
        PlacementScoring::Official => (
            "A tile alone brings 1 point. With neighbors it brings the length of its\n\
             row of tiles *and* of its column of tiles, itself counted in both:",
            "2 + 3 = 5 points",
        ),
        PlacementScoring::OnePlusNeighbors => (
            "A tile brings 1 point, and one more for every tile that is linked with it\n\
             in its row *and* in its column:",
            "1 + 1 + 2 = 4 points",
        ),
    };
    let color = match rules.color_bonus {
        ColorBonus::FiveOfColor(points) => format!("{points} for each color with all five tiles"),
        ColorBonus::BottomRowTiles(points) => format!("{points} for each tile in the bottom row"),
    };
    let text = text
        .replace("{penalties}", &penalties)
        .replace("{loss}", &rules.floor_penalties.loss(3).to_string())
        .replace("{placement}", placement)
        .replace("{example}", example)
        .replace("{row}", &rules.row_bonus.to_string())
        .replace("{column}", &rules.column_bonus.to_string())
        .replace("{color}", &color);
    (title.to_owned(), text)
}

/// Reads the marks of a line.
fn pieces(line: &str) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut text = String::new();
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        let marked = match c {
            '[' => rest.get(1..3).and_then(|inner| Some((tile(inner.strip_suffix(']')?)?, 3))),
            '<' => between(rest, '>'),
            '*' => between(rest, '*'),
            _ => None,
        };
        match marked {
            Some((piece, n)) => {
                if !text.is_empty() {
                    pieces.push(Piece::Text(std::mem::take(&mut text)));
                }
                pieces.push(piece);
                rest = &rest[n..];
            }
            None => {
                text.push(c);
                rest = &rest[c.len_utf8()..];
            }
        }
    }
    if !text.is_empty() {
        pieces.push(Piece::Text(text));
    }
    pieces
}

/// The words up to the closing mark, and the bytes with both marks.
fn between(rest: &str, end: char) -> Option<(Piece, usize)> {
    let inner = &rest[1..];
    let at = inner.find(end).filter(|&at| at > 0)?;
    Some((Piece::Strong(inner[..at].to_owned()), at + 2))
}

fn tile(letter: &str) -> Option<Piece> {
    let letter = letter.chars().next()?;
    match letter {
        '.' => Some(Piece::Space),
        '1' => Some(Piece::Marker),
        _ => Tile::from_letter(letter)
            .map(Piece::Tile)
            .or_else(|| Color::from_letter(letter.to_ascii_uppercase()).map(Piece::Printed)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use azulejo_rules::{Players, Preset};

    fn width(piece: &Piece) -> usize {
        match piece {
            Piece::Text(text) | Piece::Strong(text) => text.chars().count(),
            _ => 3,
        }
    }

    /// A page fits the box that an 80 × 24 window has for it, under every rule set.
    #[test]
    fn every_page_fits() {
        assert_eq!(TEXT.matches("== ").count(), PAGES + 1);
        for preset in Preset::ALL {
            let rules = Rules::official(Players::Two).with_preset(preset).unwrap();
            for number in 0..=PAGES {
                let page = page(number, &rules);
                assert!(page.lines.len() <= 21, "{}: {}", page.title, page.lines.len());
                for line in &page.lines {
                    let width: usize = line.iter().map(width).sum();
                    assert!(width <= 74, "{}: {line:?}", page.title);
                    let is_open = |piece: &Piece| matches!(piece, Piece::Text(text) if text.contains(['{', '[', '*', '<']));
                    assert!(!line.iter().any(is_open), "{line:?}");
                }
            }
        }
    }

    /// The example scores the points that the text says.
    #[test]
    fn the_example_is_right() {
        use azulejo_rules::{Column, Position, Row, Seat};
        for (rules, points) in [("2c", 5), ("2c-overview", 4)] {
            let Ok(_) = rules.parse::<Rules>() else { panic!("{rules} is a rule set") };
            let text = format!(
                "az1_{rules}_n_2s1_.-.-.-.-._1_rest_._0~.-..-...-....-.....~..R..-..Y..-.W...-.....-.....~._0~.-..-...-....-.....~.....-.....-.....-.....-.....~."
            );
            let position: Position = text.parse().unwrap();
            let found =
                position.board(Seat::One).points_at(Row::Three, Column::Three, position.rules());
            assert_eq!(found, points);
            let example = super::text(5, position.rules()).1;
            assert!(example.contains(&format!("= {points} points")), "{example}");
        }
    }
}
