//! Styled text, from which pictures are put together.
//!
//! Every tile is a letter on its color, so that nothing depends on color alone.

use anstyle::{Ansi256Color, Color as TermColor, Style};
use azulejo_rules::{Color, Rules, Tile, Tiles};

/// A line of the picture: pieces of text, each with a style.
#[derive(Clone, Default)]
pub(crate) struct Ink {
    pieces: Vec<(Style, String)>,
}

impl Ink {
    pub(crate) fn plain(text: impl Into<String>) -> Ink {
        Ink::styled(Style::new(), text)
    }

    pub(crate) fn dim(text: impl Into<String>) -> Ink {
        Ink::styled(Style::new().dimmed(), text)
    }

    pub(crate) fn styled(style: Style, text: impl Into<String>) -> Ink {
        Ink { pieces: vec![(style, text.into())] }
    }

    /// A tile in a cell that is `cell` columns wide.
    pub(crate) fn tile(tile: Tile, cell: usize) -> Ink {
        let ink = match tile {
            Tile::Color(Color::Yellow | Color::White) => 16,
            _ => 231,
        };
        let ink = TermColor::Ansi256(Ansi256Color(ink));
        let style = Style::new().bold().fg_color(Some(ink)).bg_color(Some(background(tile)));
        Ink::styled(style, centered(tile.letter(), cell))
    }

    pub(crate) fn tiles(tiles: Tiles, cell: usize) -> Ink {
        tiles.each().map(|tile| Ink::tile(tile, cell)).collect()
    }

    pub(crate) fn marker(rules: &Rules, cell: usize) -> Ink {
        Ink::styled(Style::new().bold().invert(), centered(azulejo_words::marker(rules), cell))
    }

    /// An empty space.
    pub(crate) fn space(cell: usize) -> Ink {
        Ink::dim(centered('.', cell))
    }

    /// A free space of the colored wall: its letter in lower case.
    pub(crate) fn printed(color: Color, cell: usize) -> Ink {
        let style = Style::new().fg_color(Some(background(color.into())));
        Ink::styled(style, centered(color.letter().to_ascii_lowercase(), cell))
    }

    pub(crate) fn with(mut self, next: Ink) -> Ink {
        self.pieces.extend(next.pieces);
        self
    }

    /// Pads the line with spaces to a width.
    pub(crate) fn padded(self, width: usize) -> Ink {
        let free = width.saturating_sub(self.width());
        self.with(Ink::plain(" ".repeat(free)))
    }

    /// Its width in columns.
    pub(crate) fn width(&self) -> usize {
        self.pieces.iter().map(|(_, text)| text.chars().count()).sum()
    }

    /// The line as text, without trailing spaces.
    pub(crate) fn print(&self, has_colors: bool) -> String {
        if !has_colors {
            let text: String = self.pieces.iter().map(|(_, text)| text.as_str()).collect();
            return text.trim_end().to_owned();
        }
        let text: String = self
            .pieces
            .iter()
            .filter(|(_, text)| !text.is_empty())
            .map(|(style, text)| format!("{style}{text}{style:#}"))
            .collect();
        text.trim_end().to_owned()
    }
}

impl FromIterator<Ink> for Ink {
    fn from_iter<I: IntoIterator<Item = Ink>>(all: I) -> Ink {
        Ink { pieces: all.into_iter().flat_map(|ink| ink.pieces).collect() }
    }
}

fn centered(letter: char, cell: usize) -> String {
    if cell > 2 { format!(" {letter} ") } else { format!(" {letter}") }
}

fn background(tile: Tile) -> TermColor {
    TermColor::Ansi256(Ansi256Color(match tile {
        Tile::Color(Color::Blue) => 26,
        Tile::Color(Color::Yellow) => 220,
        Tile::Color(Color::Red) => 160,
        Tile::Color(Color::Black) => 240,
        Tile::Color(Color::White) => 159,
        Tile::Joker => 91,
    }))
}
