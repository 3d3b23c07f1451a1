//! The canvas: draws text, tiles and frames into a grid of cells, clipped to it.

use crate::look::Look;
use azulejo_rules::{Color, Tile};
use ratatui::buffer::{self, Buffer};
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::symbols::border;
use ratatui::widgets::{Block, Widget};
use unicode_width::UnicodeWidthStr;

/// The size of a tile in cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cell {
    /// Columns.
    pub(crate) w: u16,
    /// Rows.
    pub(crate) h: u16,
}

/// A grid of cells to draw on.
pub(crate) struct Canvas<'a> {
    pub(crate) buf: &'a mut Buffer,
    pub(crate) look: Look,
}

impl Canvas<'_> {
    /// Changes every cell of an area.
    fn each(&mut self, area: Rect, change: impl Fn(&mut buffer::Cell)) {
        for position in area.intersection(self.buf.area).positions() {
            change(&mut self.buf[position]);
        }
    }

    /// Fills an area with the background.
    pub(crate) fn clear(&mut self, area: Rect) {
        let page = self.look.page();
        self.each(area, |cell| {
            cell.reset();
            cell.set_style(page);
        });
    }

    /// Writes at most `width` columns of a text. Returns the column after it.
    pub(crate) fn text(&mut self, x: u16, y: u16, width: u16, text: &str, style: Style) -> u16 {
        if !self.buf.area.contains((x, y).into()) {
            return x;
        }
        let width = usize::from(width);
        let (end, _) = if self.look.ascii {
            self.buf.set_stringn(x, y, text.chars().map(ascii).collect::<String>(), width, style)
        } else {
            self.buf.set_stringn(x, y, text, width, style)
        };
        end
    }

    /// Writes text that ends at a column.
    pub(crate) fn text_right(&mut self, right: u16, y: u16, width: u16, text: &str, style: Style) {
        let w = (text.width() as u16).min(width);
        self.text(right.saturating_sub(w), y, w, text, style);
    }

    /// Writes text in the middle of an area's row.
    pub(crate) fn text_center(&mut self, area: Rect, y: u16, text: &str, style: Style) {
        let w = (text.width() as u16).min(area.width);
        self.text(area.x + (area.width - w) / 2, y, w, text, style);
    }

    /// Adds a modifier to everything in an area.
    pub(crate) fn modify(&mut self, area: Rect, modifier: Modifier) {
        self.each(area, |cell| cell.modifier |= modifier);
    }

    /// A frame around an area.
    pub(crate) fn frame(&mut self, area: Rect, style: Style) {
        let set = self.look.pick(border::ROUNDED, ASCII_BORDER);
        Block::bordered().border_set(set).border_style(style).render(area, self.buf);
    }

    /// A tile.
    pub(crate) fn tile(&mut self, area: Rect, tile: Tile) {
        let (style, edge) = (self.look.tile(tile), self.look.edge(tile));
        self.glazed(area, tile.letter(), style, Some(edge));
    }

    /// A tile of a move that is only previewed.
    pub(crate) fn ghost(&mut self, area: Rect, tile: Tile) {
        let style = self.look.ghost(tile);
        self.glazed(area, tile.letter(), style, None);
    }

    /// The starting player marker with its letter.
    pub(crate) fn marker(&mut self, area: Rect, letter: char) {
        let style = self.look.marker();
        self.glazed(area, letter, style, None);
    }

    /// A free space of the colored wall.
    pub(crate) fn printed(&mut self, area: Rect, color: Color) {
        let style = self.look.faint(color);
        self.flat(area, color.letter().to_ascii_lowercase(), style);
    }

    /// A free space that takes any color.
    pub(crate) fn space(&mut self, area: Rect) {
        let style = self.look.space();
        self.flat(area, self.look.pick('·', '.'), style);
    }

    /// A letter in the middle of an area, with an ornament in the corners if there is an edge.
    fn glazed(&mut self, area: Rect, letter: char, style: Style, edge: Option<Style>) {
        self.fill(area, style);
        let letter = letter.to_string();
        match (area.width, area.height) {
            (0, _) | (_, 0) => {}
            (1 | 2, _) => {
                self.text(area.x, area.y, 1, &letter, style);
            }
            (w, 1) => {
                if self.look.ascii {
                    self.text(area.x, area.y, 1, "[", style);
                    self.text(area.right() - 1, area.y, 1, "]", style);
                }
                self.joint(area, style);
                self.text(area.x + w / 2, area.y, 1, &letter, style);
            }
            (w, h) => {
                // Ornaments in the corners, as on a painted tile.
                let corners = self.look.pick(["▘", "▝", "▖", "▗"], ["[", "]", "[", "]"]);
                let (right, bottom) = (area.right() - 1, area.bottom() - 1);
                let places = [(area.x, area.y), (right, area.y), (area.x, bottom), (right, bottom)];
                if let Some(edge) = edge {
                    for ((x, y), corner) in places.into_iter().zip(corners) {
                        self.text(x, y, 1, corner, edge);
                    }
                }
                self.text(area.x + (w - 1) / 2, area.y + (h - 1) / 2, 1, &letter, style);
            }
        }
    }

    fn joint(&mut self, area: Rect, style: Style) {
        if let Some(joint) = self.look.joint(style) {
            for y in area.top()..area.bottom() {
                self.text(area.x, y, 1, "▏", joint);
            }
        }
    }

    fn flat(&mut self, area: Rect, letter: char, style: Style) {
        self.fill(area, style);
        if area.width > 2 {
            self.joint(area, style);
        }
        let at = if area.width <= 2 { 0 } else { (area.width - u16::from(area.height > 1)) / 2 };
        let middle = area.y + area.height.saturating_sub(1) / 2;
        self.text(area.x + at, middle, 1, &letter.to_string(), style);
    }

    pub(crate) fn fill(&mut self, area: Rect, style: Style) {
        self.each(area, |cell| {
            cell.set_symbol(" ").set_style(style);
        });
    }
}

/// A frame in ASCII.
const ASCII_BORDER: border::Set<'static> = border::Set {
    top_left: "+",
    top_right: "+",
    bottom_left: "+",
    bottom_right: "+",
    vertical_left: "|",
    vertical_right: "|",
    horizontal_top: "-",
    horizontal_bottom: "-",
};

/// The nearest ASCII character.
fn ascii(c: char) -> char {
    match c {
        c if c.is_ascii() => c,
        '–' | '—' | '−' => '-',
        '·' | '•' => '.',
        '→' | '▸' | '▶' | '›' => '>',
        '←' | '◂' | '‹' => '<',
        '↑' => '^',
        '↓' => 'v',
        '×' => 'x',
        '…' => '~',
        '✓' => '*',
        _ => '?',
    }
}

/// Wraps text into lines of at most `width` columns.
pub(crate) fn wrap(text: &str, width: u16) -> Vec<String> {
    let mut lines: Vec<String> = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.last_mut().expect("there is always a line");
        if last.is_empty() {
            word.clone_into(last);
        } else if last.width() + 1 + word.width() <= usize::from(width) {
            *last += &format!(" {word}");
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_wrapped_at_words() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("extraordinarily long", 4), ["extraordinarily", "long"]);
        assert_eq!(wrap("", 4), [""]);
        assert_eq!(wrap("a b", 0), ["a", "b"]);
    }
}
